package text

import "strings"

// maxJoined bounds a signature in one line, in bytes.
const maxJoined = 400

// Joined returns a signature of several lines in one: without their indentation, without blanks behind an opening bracket and before a
// closing one, nor the comma that stands before it, up to the brace that opens a body; of one that is too long, its beginning.
func Joined(signature string) string {
	first, rest, more := strings.Cut(signature, "\n")
	one := strings.TrimSpace(first)
	if more {
		var b strings.Builder
		b.WriteString(one)
		last := one // what was written last
		open := strings.Count(one, "(") - strings.Count(one, ")")
		for line := range strings.SplitSeq(rest, "\n") {
			if b.Len() > maxJoined || open <= 0 && strings.HasSuffix(last, "{") {
				break
			}
			line = strings.TrimSpace(line)
			if line == "" {
				continue
			}
			closes := strings.IndexByte(")]}>", line[0]) >= 0
			if closes && strings.HasSuffix(last, ",") {
				whole := strings.TrimSuffix(b.String(), ",")
				b.Reset()
				b.WriteString(whole)
			} else if !closes && last != "" && strings.IndexByte("([<{", last[len(last)-1]) < 0 {
				b.WriteByte(' ')
			}
			b.WriteString(line)
			last, open = line, open+strings.Count(line, "(")-strings.Count(line, ")")
		}
		one = b.String()
	}
	if len(one) > maxJoined {
		one = strings.ToValidUTF8(one[:maxJoined], "") + "…"
	}
	return one
}
