// Command vocabulary writes internal/tokens/o200k.zst: the tokens of o200k_base in the order of their ranks, as
// the pinned module has them, each as its length and its bytes, compressed.
//
//	go run ./internal/tokens/vocabulary
//
// The same module gives the same bytes.
package main

import (
	"encoding/binary"
	"fmt"
	"log"
	"os"

	"github.com/klauspost/compress/zstd"
	"github.com/tiktoken-go/tokenizer/codec"
)

const (
	out = "internal/tokens/o200k.zst"
	// ranks is how many tokens there are, but for those of control.
	ranks = 199_998
)

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
	var plain []byte
	for rank := range uint(ranks) {
		token, err := words.Decode([]uint{rank})
		if err != nil {
			return nil, fmt.Errorf("reading the token of rank %d: %w", rank, err)
		}
		plain = append(binary.AppendUvarint(plain, uint64(len(token))), token...)
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(4<<20))
	if err != nil {
		return nil, err
	}
	return enc.EncodeAll(plain, nil), enc.Close()
}
