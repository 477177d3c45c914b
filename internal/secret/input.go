package secret

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads what a program is handed on its input where it asks for a password: behind <<< or in the lines of << EOF, or as an
// argument of the echo or printf before its pipe.

// inputLiterals are the programs, and the flags, that read a password from their input.
var inputLiterals = []string{
	"--password-stdin", "--passphrase-fd", "--stdin", "-stdin", "sudo -s ", "| passwd", "|passwd", "passwd ", "cryptsetup ", "kinit ", "smbpasswd ", "vncpasswd ", "git credential ", "chpasswd <<",
	"elasticsearch-keystore add", "elasticsearch-reset-password ", "kdb5_util ", "--with-token", "secret create ", "keystore create",
}

const (
	maxInput      = 240 // bytes that are looked at before and behind
	maxCommand    = 24  // of the command before its flag
	maxInputLines = 4   // of what stands in the document
)

// readInput finds the password that is handed to a program on its input.
func readInput(r *run, start, end int) {
	text := r.text
	if value.EndsFold(text[start:end], "sudo -s ") && text[end-2] != 'S' || start < r.inputDone {
		return
	}
	stop := r.upTo(end, maxInput, "\n")
	if end-start == len("passwd ") && (r.style == value.AsCode || !bytes.Contains(text[end:stop], []byte("<<"))) {
		return // passwd bob, which asks
	}
	r.inputDone = stop
	if line := r.before(start, maxCommand); value.HasFold(line, "hash-object", "sha1sum", "sha256sum", "md5sum") {
		return // which says what is public of it
	}
	if i := bytes.Index(text[start:stop], []byte("<<")); i >= 0 {
		at := start + i + len("<<")
		if value.ByteAt(text, at) == '<' {
			at = value.SkipBlank(text, at+1)
			r.handed(r.argument(at, value.Spaces+value.Quotes))
		} else {
			r.document(at, stop)
		}
		return
	}
	lo := start - len(r.before(start, maxInput))
	pipe := lo + bytes.LastIndexByte(text[lo:start+1], '|')
	r.spend(3 * (start - lo))
	if pipe < lo {
		return
	}
	head := text[lo:pipe]
	at := lo + max(bytes.LastIndex(head, []byte("echo ")), bytes.LastIndex(head, []byte("printf ")))
	if at < lo || bytes.IndexByte(text[at:pipe], '|') >= 0 {
		return
	}
	for at = value.UpTo(text, at, pipe-at, " "); at < pipe; {
		at = value.SkipBlank(text, at)
		from, to := r.argument(at, value.Spaces+value.Quotes)
		if to <= from || to > pipe {
			return
		}
		if text[at] != '-' && bytes.IndexByte(text[from:to], '%') < 0 {
			r.handed(from, to)
		}
		if at = to; value.IsQuote(value.ByteAt(text, at)) {
			at++
		}
	}
}

// document reads the lines of the document whose mark stands at at, before the end of the line at stop.
func (r *run) document(at, stop int) {
	text := r.text
	mark := bytes.Trim(text[at:stop], "-'\" \t\r")
	mark = mark[:value.Past(mark, 0, 32, value.WordSigns)]
	if len(mark) == 0 {
		return
	}
	for range maxInputLines {
		from := value.Past(text, stop, 1, "\n")
		if stop = r.upTo(from, maxInput, "\n"); from >= stop || bytes.Equal(bytes.TrimSpace(text[from:stop]), mark) {
			return
		}
		if lo, hi := value.Trimmed(text, from, stop, value.Spaces); bytes.IndexByte(text[lo:hi], ' ') < 0 {
			r.handed(lo, hi)
		}
	}
}

// handed takes a word, or name=value, or user:value.
func (r *run) handed(from, to int) {
	v := r.text[from:to]
	if i := bytes.IndexByte(bytes.TrimRight(v, "="), '='); i > 0 && i <= 16 && value.IdentifierOnly(v[:i]) {
		if !value.Begins(v, "pass") {
			return // user=, host=
		}
		from += i + 1
	}
	if i := bytes.Index(r.text[from:to], []byte(`\n`)); i >= 0 {
		to = from + i
	}
	if to-from >= leastHanded {
		r.passwordOf(from, to)
	}
}

// leastHanded is the length from which on a word may be a password that is handed on: shorter ones answer a question.
const leastHanded = 6
