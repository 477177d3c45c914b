package source

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Mount is a router of another text, or of this one, whose routes a text puts below a beginning of their paths.
type Mount struct {
	// Prefix is the beginning; it is not known where Unknown, as where it is no plain text.
	Prefix  string
	Unknown bool
	// Module names the text as the language does ("./routes/users", ".users", "quay.urls"), "" for the one that mounts it, and Router the
	// router by the name that it has for other texts, "" where it is all that the text gives. Said says that the module stands in a text, and
	// is no import. Of Go the module is a package, "" for the text's own, and the router a function or a method that registers routes, Crew.Routes;
	// Said says that it is a method of something whose type is not told: crewHandler.Routes.
	Module, Router string
	Said           bool
	// On is the router that it is put on, named so too; see Surface.RoutedOn.
	On string
	// Folder is where all texts are mounted that give one router, each below the folders that it stands in there, seen from the text's own: as
	// Fastify's autoload does. Then there is no module.
	Folder string
}

// inward begins the name of a router that no other text can name, and is that of one that has none.
const inward = "-"

const (
	// maxMounts bounds the routers that one text mounts.
	maxMounts = 500
	// maxMountArgs bounds the bytes of what a router is mounted with.
	maxMountArgs = 600
)

var (
	// mounting begins a call that mounts a router: app.include_router(, app.register_blueprint(, app.use(, app.route(, app.register(. Group 1 is
	// the router that it is put on, group 2 how.
	mounting = lazyregexp.New(`\b(\w+)\.(include_router|register_blueprint|use|route|register)\(`)
	// plugged are the arguments by which Fastify mounts a plugin: a module that is loaded there, or a name, and what it is given.
	plugged = lazyregexp.New(`^\s*(?:(?:require|import)\(\s*["']([^"'\n]+)["']\s*\)(?:\.(\w+))?|([A-Za-z_$][\w$]*(?:\.\w+)?))\s*(?:,\s*\{([^{}]*)\}\s*)?,?\s*$`)
	// loadsAll are the arguments by which Fastify mounts what a folder holds, group 1 are the parts of that behind the text's own folder.
	loadsAll = lazyregexp.New(`^\s*\w*[aA]uto[lL]oad\w*\s*,\s*\{[^{}]*?\bdir\s*:\s*(?:\w+\.)?(?:join|resolve)\(\s*[\w.]+(?:\([^()]*\))?((?:\s*,\s*["'][\w./-]+["'])+)\s*\)`)
	// unprefixed is an option by which their folders say nothing, or not all.
	unprefixed = lazyregexp.New(`\bdirNameRoutePrefix\s*:\s*false|\bprefix\s*:`)
	// plugPrefix is the beginning in what it is given, group 1 if it is a plain text.
	plugPrefix = lazyregexp.New("\\bprefix\\s*:\\s*(?:[\"'`](/[^\"'`$\\n]*)[\"'`])?")
	// including begins an entry of Django's list that includes another, groups are the beginning and what is included.
	including = lazyregexp.New(`\b(?:re_path|path|url)\(\s*r?["']([^"'\n]{0,120})["']\s*,\s*include\(\s*\(?\s*(?:["']([\w.]+)["']|([A-Za-z_][\w.]*))`)
	// beginsWith is the argument that gives a beginning, if it is a plain text group 1 is that.
	beginsWith     = lazyregexp.New(`(?:^|[\s,])(?:url_)?prefix\s*=\s*(?:["']([^"'{}\n]*)["']\s*(?:,|$))?`)
	plainBeginning = lazyregexp.New("^\\s*[\"'`](/[^\"'`$\\n]*)[\"'`]\\s*,")
	// mounted is the last argument of what mounts a router in JavaScript: a name, or a module that is loaded there.
	mounted = lazyregexp.New(`(?:^|,)\s*(?:require\(\s*["']([^"'\n]+)["']\s*\)(?:\.(\w+))?|([A-Za-z_$][\w$]*(?:\.\w+)?)(?:\.(?:routes|middleware)\(\))?)(?:\s*,\s*[\w$.]+\.allowedMethods\(\))?\s*,?\s*$`)
	// fromModule and takesModule are how Python imports, the others how JavaScript does.
	fromModule   = lazyregexp.New(`(?m)^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(?:\(([^()]{0,1000})\)|([^\n(]+))`)
	takesModule  = lazyregexp.New(`(?m)^[ \t]*import[ \t]+([\w.]+)[ \t]+as[ \t]+(\w+)`)
	importsNames = lazyregexp.New(`(?m)^[ \t]*import\s+(?:type\s+)?(?:\*\s+as\s+)?([\w$]+)?\s*,?\s*(?:\{([^{}]{0,1000})\})?\s*from\s*["']([^"'\n]+)["']`)
	requires     = lazyregexp.New(`(?m)^[ \t]*(?:const|let|var)\s+(?:([\w$]+)|\{([^{}]{0,1000})\})\s*=\s*require\(\s*["']([^"'\n]+)["']\s*\)(?:\.(\w+))?`)
	// givesAll is how JavaScript gives other texts one value, givesNamed how it gives a router by its name.
	givesAll   = lazyregexp.New(`(?m)^(?:module\.exports\s*=|export\s+default|export\s*=)\s+([\w$]+)\s*;?\s*$`)
	givesNamed = lazyregexp.New(`(?m)^export\s+(?:const|let|var)\s+([\w$]+)\b`)
	// givesFunction is how JavaScript gives one function, by the name of what that takes first: of a plugin its router. takesRouter is a function
	// with a name, groups are whether it is given, its name, and that.
	givesFunction = lazyregexp.New(`(?m)^(?:module\.exports\s*=|export\s+default)\s+(?:[\w$]+\(\s*)?(?:async\s+)?(?:function\b\s*[\w$]*\s*)?\(?\s*([\w$]+)\s*(?::[^,()=]*)?[,)=]`)
	takesRouter   = lazyregexp.New(`(?m)^(export\s+)?(?:(?:async\s+)?function\s+([\w$]+)\s*|(?:const|let|var)\s+([\w$]+)\s*(?::[^=\n]*)?=\s*(?:async\s*)?(?:function\s*)?)\(\s*([\w$]+)\s*[:,)]`)
	// calledOnRouter is the name that a line calls something on.
	calledOnRouter = lazyregexp.New(`^\s*@?(?:[\w$]+\s*=\s*)?([\w$]+)\.\w+\(`)
	// listed begins what stands at the beginning of a line of Python, group 1 is the name that is given a value there, if it is one.
	listed = lazyregexp.New(`(?m)^([A-Za-z_]\w*)`)
	// ownPrefix is a blueprint of Flask that is made with a beginning, which one that mounts it may replace.
	ownPrefix = lazyregexp.New(`(?m)^(\w+)[ \t]*=[ \t]*[\w.]*Blueprint\([^()]{0,300}url_prefix`)
)

// given is what a text imports by a name of its own: of a module, by the name that it has there, "" for all of it.
type given struct{ module, name string }

// mountsOf returns the routers that a text mounts, and for each of its routes the name that other texts have for the router that it is
// registered on.
func (l *Language) mountsOf(b []byte, routes []Route, partsOf func() []byte) (list []Mount, on []string) {
	if l.Name == "Go" {
		return l.goMounts(b, routes, partsOf)
	}
	python := l.Name == "Python"
	if !python && l.Name != "JavaScript" && l.Name != "TypeScript" {
		return nil, nil
	}
	outward := l.outward(b)
	on = l.routedOn(b, routes, outward)
	if !l.mayMount(b) {
		return nil, on
	}
	var imports map[string]given
	named := func(said string) (module, router string, ok bool) {
		if imports == nil {
			imports = l.importsOf(b)
		}
		return moduleOf(said, imports, python)
	}
	if python && bytes.Contains(b, []byte("include(")) && bytes.Contains(b, []byte("urlpatterns")) {
		list = included(b, named, partsOf)
	}
	made := l.madePrefixes(b)
	for _, m := range mounting.FindAllSubmatchIndex(b, maxMounts) {
		args, ok := argumentsAt(b, m[1])
		if !ok || partsOf()[m[0]] != inCode {
			continue
		}
		router := string(b[m[2]:m[3]])
		var one Mount
		var said string
		if how := string(b[m[4]:m[5]]); how == "register" {
			if one.Folder, ok = folderIn(args); ok && !python {
				one.On = outward(router)
				list = append(list, one)
				continue
			}
			one, said, ok = pluginIn(args)
			ok = ok && !python
		} else {
			one, said, ok = mountIn(args, python)
		}
		if !ok {
			continue
		}
		one.On, one.Prefix = outward(router), made[router]+one.Prefix
		if said != "" {
			if one.Module, one.Router, ok = named(said); !ok {
				continue
			}
			if one.Module == "" {
				one.Router = outward(one.Router)
			}
		}
		list = append(list, one)
	}
	return list, on
}

// included returns what the lists of Django in a text include.
func included(b []byte, named func(said string) (module, router string, ok bool), partsOf func() []byte) (list []Mount) {
	unknown := bytes.Contains(b, []byte("i18n_patterns"))
	in := inList(b)
	inner := findInnerLists(b, partsOf)
	for _, m := range including.FindAllSubmatchIndex(b, maxMounts) {
		if partsOf()[m[0]] != inCode {
			continue
		}
		one := Mount{Prefix: inner.prefix(m[0]) + string(b[m[2]:m[3]]), Unknown: unknown, On: in(m[0])}
		if m[4] >= 0 {
			one.Module, one.Said = string(b[m[4]:m[5]]), true
		} else if module, router, ok := named(string(b[m[6]:m[7]])); !ok {
			continue
		} else if module == "" {
			one.Router = router // a list of this text
		} else if one.Module = module; router != "" {
			one.Module = strings.TrimSuffix(module, ".") + "." + router
			if strings.Trim(module, ".") == "" {
				one.Module = module + router
			}
		}
		list = append(list, one)
	}
	return list
}

// inList returns what tells the list of a text of Django that an offset stands in: "" for the one that the text gives, else what stands at
// the beginning of the line that its statement begins with, inward where there is none.
func inList(b []byte) func(at int) string {
	lists := listed.FindAllSubmatchIndex(b, -1)
	return func(at int) string {
		n, here := slices.BinarySearchFunc(lists, at, func(m []int, at int) int { return m[0] - at })
		if !here {
			n--
		}
		if n < 0 {
			return inward
		}
		if name := string(b[lists[n][2]:lists[n][3]]); name != "urlpatterns" {
			return name
		}
		return ""
	}
}

// mountIn reads the arguments of a call that mounts a router: the beginning, and what is mounted, by its module or, said, by a name of
// this text.
func mountIn(args []byte, python bool) (one Mount, said string, ok bool) {
	if python {
		first, _, _ := bytes.Cut(args, []byte(","))
		if p := beginsWith.FindAllSubmatchIndex(args, 1); p != nil && p[0][2] < 0 {
			one.Unknown = true
		} else if p != nil {
			one.Prefix = strings.TrimSuffix(string(args[p[0][2]:p[0][3]]), "/")
		}
		said = string(bytes.TrimSpace(first))
		return one, said, dotted.MatchString(said)
	}
	if p := plainBeginning.FindAllSubmatchIndex(args, 1); p != nil {
		one.Prefix, args = strings.TrimSuffix(string(args[p[0][2]:p[0][3]]), "/"), args[p[0][1]:]
	} else {
		one.Unknown = bytes.ContainsRune(args, ',')
	}
	p := mounted.FindSubmatch(args)
	if p == nil {
		return one, "", false
	}
	one.Module, one.Router = string(p[1]), string(p[2])
	return one, string(p[3]), true
}

// folderIn reads the arguments of a call that mounts what a folder holds, and returns that, seen from the text's own.
func folderIn(args []byte) (folder string, ok bool) {
	m := loadsAll.FindSubmatch(args)
	if m == nil || unprefixed.Match(args) {
		return "", false
	}
	var parts []string
	for part := range strings.SplitSeq(string(m[1]), ",") {
		parts = append(parts, strings.Trim(part, "\"' \t\r\n"))
	}
	return path.Join(parts...), true
}

// pluginIn reads the arguments of a call that mounts a plugin of Fastify.
func pluginIn(args []byte) (one Mount, said string, ok bool) {
	p := plugged.FindSubmatch(args)
	if p == nil {
		return one, "", false
	}
	if at := plugPrefix.FindAllSubmatchIndex(p[4], 1); at != nil {
		if one.Unknown = at[0][2] < 0; !one.Unknown {
			one.Prefix = strings.TrimSuffix(string(p[4][at[0][2]:at[0][3]]), "/")
		}
	}
	one.Module, one.Router = string(p[1]), string(p[2])
	return one, string(p[3]), true
}

// mayMount reports whether a text holds a word that mounts a router.
func (l *Language) mayMount(b []byte) bool {
	words := []string{".use(", ".route(", ".register("}
	if l.Name == "Python" {
		words = append(words, "include(", "include_router(", "register_blueprint(")
	}
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(b, []byte(w)) })
}

// argumentsAt returns what stands between a bracket, behind which at is, and the one that closes it.
func argumentsAt(b []byte, at int) ([]byte, bool) {
	deep, quote := 1, byte(0)
	for i := at; i < min(len(b), at+maxMountArgs); i++ {
		switch c := b[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '(' || c == '[' || c == '{':
			deep++
		case c == ')' || c == ']' || c == '}':
			if deep--; deep == 0 {
				return b[at:i], true
			}
		}
	}
	return nil, false
}

// routedOn returns for each route the router that its line registers it on, by the name that other texts have for it.
func (l *Language) routedOn(b []byte, routes []Route, outward func(name string) string) []string {
	if len(routes) == 0 {
		return nil
	}
	lines := bytes.Split(b, []byte{'\n'})
	on := make([]string, len(routes))
	in := func(int) string { return inward }
	if l.Name == "Python" && bytes.Contains(b, []byte("urlpatterns")) {
		in = inList(b)
	}
	starts := make([]int, len(lines))
	for n := range lines[:len(lines)-1] {
		starts[n+1] = starts[n] + len(lines[n]) + 1
	}
	for n, rt := range routes {
		line := min(max(rt.Line, 1), len(lines)) - 1
		if m := calledOnRouter.FindSubmatch(lines[line]); m != nil {
			on[n] = outward(string(m[1]))
		} else {
			on[n] = in(starts[line])
		}
	}
	return on
}

// outward returns what tells the name that other texts have for a router of a text, inward if they have none. The text is read once, when
// it is first asked.
func (l *Language) outward(b []byte) func(name string) string {
	names := sync.OnceValue(func() map[string]string { return l.outwardNames(b) })
	return func(name string) string {
		if to, ok := names()[name]; ok {
			return to
		}
		if l.Name == "Python" {
			return name
		}
		return inward + name
	}
}

// outwardNames are the names that other texts have for what a text gives, by those that it has there; of Python those that they have not.
func (l *Language) outwardNames(b []byte) map[string]string {
	names := map[string]string{}
	if l.Name == "Python" {
		for _, m := range ownPrefix.FindAllSubmatch(b, maxMounts) {
			names[string(m[1])] = inward
		}
		return names
	}
	for _, m := range givesNamed.FindAllSubmatch(b, maxMounts) {
		names[string(m[1])] = string(m[1])
	}
	for _, m := range givesAll.FindAllSubmatch(b, maxMounts) {
		names[string(m[1])] = ""
	}
	taken(b, names)
	return names
}

// taken adds the routers that functions which a text gives take first, by the names of these: those of plugins. One that two functions take
// has no name for other texts.
func taken(b []byte, names map[string]string) {
	routers := map[string]string{}
	add := func(router, name string) {
		if to, ok := routers[router]; ok && to != name {
			name = inward
		}
		routers[router] = name
	}
	for _, m := range givesFunction.FindAllSubmatch(b, maxMounts) {
		add(string(m[1]), "")
	}
	for _, m := range takesRouter.FindAllSubmatch(b, maxMounts) {
		function := string(m[2]) + string(m[3])
		switch to, given := names[function]; {
		case given:
			add(string(m[4]), to)
		case len(m[1]) > 0:
			add(string(m[4]), function)
		}
	}
	for router, name := range routers {
		if _, ok := names[router]; !ok {
			names[router] = name
		}
	}
}

// madePrefixes are the beginnings that the routers of a text of Python or JavaScript are made with, by their names.
func (l *Language) madePrefixes(b []byte) map[string]string {
	var ways []*lazyregexp.Regexp
	switch l.Name {
	case "Python":
		ways = []*lazyregexp.Regexp{madeWith}
	case "JavaScript", "TypeScript":
		ways = []*lazyregexp.Regexp{newWith, laterWith, basedOn}
	}
	if !bytes.Contains(b, []byte("prefix")) && !bytes.Contains(b, []byte("basePath(")) {
		return nil
	}
	prefixes := map[string]string{}
	for _, way := range ways {
		for _, m := range way.FindAllSubmatch(b, maxRoutesOf) {
			prefixes[string(m[1])] = strings.TrimSuffix(string(m[2]), "/")
		}
	}
	return prefixes
}

// importsOf returns what a text imports, by the names that it has there.
func (l *Language) importsOf(b []byte) map[string]given {
	imports := map[string]given{}
	names := func(list, as, module string) {
		for one := range strings.SplitSeq(list, ",") {
			name, own, two := strings.Cut(strings.TrimSpace(one), as)
			name, own = strings.TrimSpace(name), strings.TrimSpace(own)
			if !two {
				own = name
			}
			if name != "" {
				imports[own] = given{module, name}
			}
		}
	}
	each := func(e *lazyregexp.Regexp, add func(m [][]byte)) {
		for _, m := range e.FindAllSubmatch(b, maxMounts) {
			add(m)
		}
	}
	if l.Name == "Python" {
		each(fromModule, func(m [][]byte) {
			list, _, _ := strings.Cut(string(m[3]), "#")
			names(namesComment.ReplaceAllString(string(m[2]), "")+list, " as ", string(m[1]))
		})
		each(takesModule, func(m [][]byte) { imports[string(m[2])] = given{string(m[1]), ""} })
		return imports
	}
	each(importsNames, func(m [][]byte) {
		names(string(m[2]), " as ", string(m[3]))
		if len(m[1]) > 0 {
			imports[string(m[1])] = given{string(m[3]), ""}
		}
	})
	each(requires, func(m [][]byte) {
		names(string(m[2]), ":", string(m[3]))
		if len(m[1]) > 0 {
			imports[string(m[1])] = given{string(m[3]), string(m[4])}
		}
	})
	return imports
}

var (
	// namesComment is a comment of Python in a list of names.
	namesComment = lazyregexp.New(`#[^\n]*`)
	// dotted is a name with dots.
	dotted = lazyregexp.New(`^[A-Za-z_]\w*(?:\.\w+)*$`)
)

// moduleOf returns the module and the router of it that a name with dots means, by what is imported; the module is "" for the text itself.
func moduleOf(said string, imports map[string]given, python bool) (module, router string, ok bool) {
	parts := strings.Split(said, ".")
	first, imported := imports[parts[0]]
	last := parts[len(parts)-1]
	switch {
	case len(parts) == 1 && !imported:
		return "", said, said != ""
	case len(parts) == 1:
		return first.module, first.name, true
	case !imported:
		return strings.Join(parts[:len(parts)-1], "."), last, python
	case !python:
		return first.module, last, first.name == ""
	}
	module = first.module
	for _, part := range append([]string{first.name}, parts[1:len(parts)-1]...) {
		if part != "" && module != "" && !strings.HasSuffix(module, ".") {
			module += "."
		}
		module += part
	}
	return module, last, true
}
