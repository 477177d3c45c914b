package text

import (
	"bytes"
	"strconv"
	"strings"
)

// maxAnswer is the most bytes of a server's words in an error. Who prints it screens it
// and cuts it then, to less: of a credential that was cut no screen would know the rest.
const maxAnswer = 8 << 10

// Answer returns a server's words for an error: one line, printable, at most maxAnswer
// bytes, with stars in the place of the secrets that were sent to it.
func Answer(words []byte, secrets ...string) string {
	s := string(bytes.ToValidUTF8(words, []byte("?")))
	for _, secret := range secrets {
		if secret != "" {
			s = strings.ReplaceAll(s, secret, "***")
		}
	}
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' || !strconv.IsPrint(r) }), " ")
	if len(s) > maxAnswer {
		s = strings.ToValidUTF8(s[:maxAnswer], "") + "…"
	}
	return s
}

// QuotedAnswer returns a server's words as Answer does, in quotation marks; "" where there are none.
func QuotedAnswer(words []byte, secrets ...string) string {
	if s := Answer(words, secrets...); s != "" {
		return Quote(s)
	}
	return ""
}
