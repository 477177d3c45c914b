package report

import "strings"

// plainModes are the lines in which a patch says that a file comes or goes whose mode is that of most.
var plainModes = []string{"new file mode 100644\n", "deleted file mode 100644\n"}

// shortHeads leaves out of a patch what the heads of its files say twice. The lines behind --- and +++ name a file that is edited, and
// say of one that comes or goes which of both it does, with /dev/null for the other side: the line above them names it twice more. git
// apply takes the patch as it takes the long one. Files with more to say, such as a mode or another name, have all of their heads. An
// empty line, which no hunk holds, stands before each file. What heads a hunk stands there without its indentation.
func shortHeads(patch string) string {
	var b strings.Builder
	b.Grow(len(patch))
	for rest := patch; rest != ""; {
		line := firstLine(rest)
		if strings.HasPrefix(line, "diff --git ") { // lines of files stand behind a mark
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			below := rest[len(line):]
			for _, mode := range plainModes {
				below = strings.TrimPrefix(below, mode)
			}
			if strings.HasPrefix(below, "--- ") {
				rest = below
				line = firstLine(rest)
			}
		}
		b.WriteString(flushHeading(line))
		rest = rest[len(line):]
	}
	return b.String()
}

// flushHeading is a line of a patch, of one that begins a hunk what heads it without its indentation.
func flushHeading(line string) string {
	if !strings.HasPrefix(line, "@@ ") {
		return line
	}
	at := strings.Index(line[3:], " @@ ")
	if at < 0 {
		return line
	}
	at += len("@@  @@ ")
	return line[:at] + strings.TrimLeft(line[at:], " \t")
}

// firstLine is the first line of a text, with its end.
func firstLine(text string) string {
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return text[:end+1]
	}
	return text
}
