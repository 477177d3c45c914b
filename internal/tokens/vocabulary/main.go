// Command vocabulary writes internal/tokens/o200k.table: the tokens of o200k_base, as the pinned module has them, laid out as
// they are looked through.
//
//	go run ./internal/tokens/vocabulary
//
// The same module gives the same bytes.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/haversack-dev/haversack/internal/tokens"
)

const out = "internal/tokens/o200k.table"

func main() {
	log.SetFlags(0)
	b, err := vocabulary()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(out, b, 0o644); err != nil {
		log.Fatal(err)
	}
}

func vocabulary() ([]byte, error) {
	words := codec.NewO200kBase()
	list := make([]string, tokens.Ranks)
	for rank := range list {
		token, err := words.Decode([]uint{uint(rank)})
		if err != nil {
			return nil, fmt.Errorf("reading the token of rank %d: %w", rank, err)
		}
		list[rank] = token
	}
	return tokens.Lay(list)
}
