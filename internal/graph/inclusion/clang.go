package inclusion

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/text"
)

// readC finds the #include and #import of a text, in all branches of its conditions, and the modules of C++ that it is part of or imports.
func readC(f *file, src []byte) {
	fresh := true
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '\n':
			fresh = true
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			i++
		case c == '/':
			i, fresh = behindSlash(src, i, fresh)
		case c == '#' && fresh:
			i = f.directive(src, i+1)
		case c == '"':
			i, fresh = quotedEnd(src, i, '"'), false
		case c == '\'':
			if betweenDigits(src, i) {
				i++
			} else {
				i = quotedEnd(src, i, '\'')
			}
			fresh = false
		case c == 'R' && beginsRaw(src, i):
			i, fresh = rawEnd(src, i+2), false
		case fresh && (c == 'e' || c == 'i' || c == 'm'):
			f.moduleLine(src[i:])
			i, fresh = i+1, false
		default:
			i, fresh = i+1, false
		}
	}
}

// behindSlash returns where the text goes on behind the slash at i, or the comment that it begins, and whether a line may still
// begin there.
func behindSlash(src []byte, i int, fresh bool) (int, bool) {
	switch {
	case i+1 < len(src) && src[i+1] == '/':
		return lineEnd(src, i), fresh
	case i+1 < len(src) && src[i+1] == '*':
		return behind(src, i+2, "*/"), fresh
	}
	return i + 1, false
}

// betweenDigits reports whether the quote at i separates digits of a number.
func betweenDigits(src []byte, i int) bool {
	return i > 0 && text.InWord(src[i-1]) && i+1 < len(src) && text.InWord(src[i+1])
}

// beginsRaw reports whether the R at i begins a raw string, alone or behind what its encoding is: u8R"(…)".
func beginsRaw(src []byte, i int) bool {
	if i+1 >= len(src) || src[i+1] != '"' {
		return false
	}
	return i == 0 || !text.InWord(src[i-1]) || bytes.IndexByte([]byte("uUL8"), src[i-1]) >= 0
}

// moduleLine reads what may be a line that makes the text a module of C++ or a part of one, or imports another.
func (f *file) moduleLine(src []byte) {
	word, rest := cutWord(src)
	exported := string(word) == "export"
	if exported {
		word, rest = cutWord(bytes.TrimLeft(rest[:min(len(rest), maxName)], " \t"))
	}
	if string(word) != "import" && string(word) != "module" {
		return
	}
	name := rest[:min(len(rest), maxName)]
	if len(name) > 0 && text.InWord(name[0]) {
		return
	}
	n := bytes.IndexByte(name, ';')
	if n < 0 {
		return
	}
	name = bytes.TrimSpace(name[:n])
	if len(name) == 0 {
		return
	}
	if end := len(name) - 1; end > 1 && (name[0] == '"' && name[end] == '"' || name[0] == '<' && name[end] == '>') {
		if string(word) == "import" {
			f.refer(string(name[1:end]), name[0])
		}
		return
	}
	if whole, part, ok := bytes.Cut(name, []byte(":")); ok {
		name = slices.Concat(bytes.TrimSpace(whole), []byte(":"), bytes.TrimSpace(part))
	}
	for _, c := range name {
		if !text.InWord(c) && c != '.' && c != ':' {
			return
		}
	}
	full := string(name)
	switch {
	case string(word) == "import":
		if full[0] == ':' {
			full = f.module + full
		}
		f.refer(full, 'm')
	case full[0] == ':': // the rest of it is private
	default:
		f.module, _, _ = strings.Cut(full, ":")
		if exported || f.module != full {
			f.modules = append(f.modules, full)
		} else {
			f.refer(full, 'b') // its bodies need what declares them
		}
	}
}

// directive reads a line of the preprocessor, and returns where it ends.
func (f *file) directive(src []byte, i int) int {
	line := src[i:lineEnd(src, i)]
	word, rest := cutWord(bytes.TrimLeft(line, " \t"))
	end := i + len(line)
	switch string(word) {
	case "include", "include_next", "import":
		how := byte('"')
		if string(word) == "include_next" {
			how = 'n'
		}
		rest = bytes.TrimLeft(rest, " \t")
		if c, more, ok := bytes.Cut(rest, []byte("*/")); ok && bytes.HasPrefix(c, []byte("/*")) {
			rest = bytes.TrimLeft(more, " \t")
		}
		switch {
		case len(rest) > 1 && rest[0] == '"':
			if name, _, ok := bytes.Cut(rest[1:], []byte{'"'}); ok {
				f.refer(strings.ReplaceAll(string(name), `\`, "/"), how)
			}
		case len(rest) > 1 && rest[0] == '<':
			if name, _, ok := bytes.Cut(rest[1:], []byte{'>'}); ok {
				if how == '"' {
					how = '<'
				}
				f.refer(string(name), how)
			}
		case len(rest) > 0 && text.InWord(rest[0]):
			f.refer(string(rest[:min(len(rest), 100)]), unknown)
		}
		// A comment may begin behind it.
		if at := bytes.Index(line, []byte("/*")); at >= 0 {
			return behind(src, i+at+2, "*/")
		}
	default:
		// Strings and comments in it are read as elsewhere.
		return end - len(rest)
	}
	return end
}

// systemHeader reports whether a name in brackets is one of the language or the system, whoever else has a file of that name.
func systemHeader(name string) bool {
	if !strings.Contains(name, ".") && !strings.Contains(name, "/") {
		return true
	}
	first, _, ok := strings.Cut(name, "/")
	if ok {
		return first == "sys" || first == "linux" || first == "asm" || first == "netinet" || first == "arpa" || first == "net" || first == "bits" || first == "experimental"
	}
	_, found := slices.BinarySearch(headers, strings.TrimSuffix(name, ".h"))
	return found && strings.HasSuffix(name, ".h")
}

// headers are those of C, POSIX and Windows that repositories often have files of the name of, sorted.
var headers = sorted(`assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbit stdbool
stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype aio cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp
iconv langinfo libgen monetary mqueue ndbm netdb nl_types poll pthread pwd regex sched search semaphore spawn strings stropts syslog tar termios trace
ulimit unistd utime utmpx wordexp alloca endian byteswap err error execinfo features getopt ifaddrs malloc memory mntent obstack paths printf pty shadow
sysexits termio ttyent ucontext utmp values windows winsock winsock2 ws2tcpip io direct process conio intrin immintrin emmintrin xmmintrin tmmintrin
smmintrin nmmintrin wmmintrin arm_neon cpuid unwind crt_externs zlib`)

func sorted(words string) []string {
	list := strings.Fields(words)
	slices.Sort(list)
	return list
}

// resolveModule leads to the file that declares a module.
func resolveModule(b *builder, r reference) answer {
	switch list := b.modules[r.name]; len(list) {
	case 0:
		return answer{outside: true}
	case 1:
		return answer{paths: list, resolution: graph.Explicit}
	}
	return answer{undecided: true}
}

// resolveC looks as compilers do: quotes in the file's own folder first, then both in the folders that the build files search, the
// nearest first; and then for the only or nearest path that ends so.
func resolveC(b *builder, f *file, r reference) answer {
	if r.how == 'm' || r.how == 'b' {
		a := resolveModule(b, r)
		a.outside = a.outside && r.how == 'm' // else it may be no module at all
		return a
	}
	if r.how == '"' {
		if a, ok := b.beside(f.dir, r.name); ok {
			return a
		}
	}
	best, most := "", -1
	for _, d := range b.searched {
		if p := at(d, r.name); p != "" && b.has(p) && p != f.path {
			if near := common(f.path, p); near > most {
				best, most = p, near
			}
		}
	}
	if best != "" {
		return answer{paths: []string{best}, resolution: graph.Explicit}
	}
	if r.how != '"' && systemHeader(r.name) || strings.HasPrefix(path.Clean(r.name), "..") {
		return answer{outside: true}
	}
	if r.name == "config.h" {
		return answer{undecided: true} // what configures a build writes it; one that lies elsewhere is another build's
	}
	return b.end(f, r.name)
}

// configuresC reports whether a file of this name may say which folders are searched for headers.
func configuresC(name string) bool {
	base := path.Base(name)
	return base == "compile_commands.json" || base == "CMakeLists.txt" || base == "Makefile" || base == "makefile" || base == "GNUmakefile" || base == "Makefile.am" || base == "Makefile.in" ||
		base == "meson.build" || base == "compile_flags.txt" || base == ".clangd"
}

var (
	includeFlag = lazyregexp.New(`(?:^|[\s"',=])-(?:I|isystem|iquote)\s*"?([\w./$(){}@-]+)`)
	cmakeDirs   = lazyregexp.New(`(?i)\b(?:target_)?include_directories\s*\(([^()]*)\)`)
	mesonDirs   = lazyregexp.New(`\binclude_directories\s*\(([^()]*)\)`)
)

// searchedBy returns the folders, relative to the file's, that a build file says are searched.
func searchedBy(base string, content []byte) (dirs []string) {
	take := func(d string) {
		d = strings.Trim(d, `"'`)
		for _, here := range []string{"${CMAKE_CURRENT_SOURCE_DIR}", "${CMAKE_CURRENT_LIST_DIR}", "${PROJECT_SOURCE_DIR}", "${CMAKE_SOURCE_DIR}", "$(srcdir)", "${srcdir}", "$(CURDIR)", "$(top_srcdir)", "$(TOPDIR)", "$(PWD)", "@srcdir@"} {
			if rest, ok := strings.CutPrefix(d, here); ok {
				d = "." + rest
				break
			}
		}
		if d != "" && !strings.ContainsAny(d, "$@<>") && len(dirs) < maxSearched {
			dirs = append(dirs, d)
		}
	}
	if base == "CMakeLists.txt" || base == "meson.build" {
		re := cmakeDirs
		if base == "meson.build" {
			re = mesonDirs
		}
		for _, m := range re.FindAllSubmatch(content, maxSearched) {
			for _, word := range strings.FieldsFunc(string(m[1]), func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == ',' }) {
				if word = strings.TrimPrefix(strings.TrimSuffix(word, ">"), "$<BUILD_INTERFACE:"); len(word) < maxName {
					take(word)
				}
			}
		}
		return dirs
	}
	for _, m := range includeFlag.FindAllSubmatch(content, maxSearched) {
		take(string(m[1]))
	}
	return dirs
}

// lineEnd is where the line ends that i is in; a line whose newline is escaped goes on.
func lineEnd(src []byte, i int) int {
	for {
		n := bytes.IndexByte(src[i:], '\n')
		if n < 0 {
			return len(src)
		}
		end := i + n
		if k := end - 1; k >= i && src[k] == '\\' || k > i && src[k] == '\r' && src[k-1] == '\\' {
			i = end + 1
			continue
		}
		return end
	}
}

// behind is the place behind what shuts, from i on.
func behind(src []byte, i int, shut string) int {
	n := bytes.Index(src[min(i, len(src)):], []byte(shut))
	if n < 0 {
		return len(src)
	}
	return i + n + len(shut)
}

// quotedEnd is the place behind a string that begins at i and ends with quote, at the latest with its line.
func quotedEnd(src []byte, i int, quote byte) int {
	for i++; i < len(src); i++ {
		switch src[i] {
		case quote:
			return i + 1
		case '\\':
			i++
		case '\n':
			return i
		}
	}
	return len(src)
}

// rawEnd is the place behind R"delimiter(…)delimiter", from behind its quote on.
func rawEnd(src []byte, i int) int {
	n := bytes.IndexByte(src[i:min(len(src), i+20)], '(')
	if n < 0 {
		return i
	}
	return behind(src, i+n+1, ")"+string(src[i:i+n])+`"`)
}

// cutWord splits a word off.
func cutWord(b []byte) (word, rest []byte) {
	i := 0
	for i < len(b) && text.InWord(b[i]) {
		i++
	}
	return b[:i], b[i:]
}
