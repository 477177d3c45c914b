"""Prints which files of Rust name what another declares, from the links that rustdoc puts into the sources that it shows.

usage: edges-rust.py FOLDER. FOLDER is that of a package or a workspace; Cargo has to find what it depends on. Each line is
"from TAB to". What only the text says is told as "from TAB to TAB may": modules on the way of a path, and what rustdoc did not
compile, because another system or feature has it. Methods, and what a trait's implementation fills in, are not told.

RUSTDOC_TARGET is a folder for what is built, RUSTDOC_FEATURES are the options of Cargo that choose features (--all-features).
"""
import html, json, os, posixpath, re, subprocess, sys, tempfile

folder = os.path.realpath(sys.argv[1])
kept = tempfile.TemporaryDirectory()
target = os.environ.get("RUSTDOC_TARGET") or kept.name
env = dict(os.environ, RUSTC_BOOTSTRAP="1", CARGO_TARGET_DIR=target,
           RUSTDOCFLAGS="-Zunstable-options --generate-link-to-definition --document-private-items --cap-lints allow")
features = os.environ.get("RUSTDOC_FEATURES", "--all-features").split()
subprocess.run(["cargo", "doc", "--quiet", "--no-deps", "--workspace", "--lib", *features], cwd=folder, env=env, check=True, stdout=sys.stderr)
meta = json.loads(subprocess.run(["cargo", "metadata", "--no-deps", "--format-version=1"], cwd=folder, env=env, check=True, capture_output=True).stdout)

roots = {}  # a crate's name -> the folder of its root file, in FOLDER
for package in meta["packages"]:
    for t in package["targets"]:
        if {"lib", "rlib", "proc-macro", "cdylib", "staticlib"} & set(t["kind"]):
            name = t["name"].replace("-", "_")
            roots[name] = (os.path.dirname(os.path.relpath(os.path.realpath(t["src_path"]), folder)), os.path.relpath(os.path.realpath(t["src_path"]), folder))

doc = os.path.join(target, "doc")
TOKEN = re.compile(r"<a [^>]*>|</a>|<[^>]*>|[^<]+")
pages = {}  # shown page below doc/src -> (file in FOLDER)
for crate, (top, _) in roots.items():
    base = os.path.join(doc, "src", crate)
    for d, _, names in os.walk(base):
        for n in names:
            if n.endswith(".rs.html"):
                rel = os.path.relpath(os.path.join(d, n), base)[:-5].replace("{up}", "..")
                file = posixpath.normpath(posixpath.join(top, rel))
                if not os.path.islink(os.path.join(folder, file)):
                    pages[os.path.join(d, n)] = file

sources = {}
def source_of(page):
    """The file in which what a page of the documentation is about is declared."""
    if page not in sources:
        sources[page] = None
        if os.path.isfile(page):
            m = re.search(r'<span class="sub-heading">(?:(?!</div>).)*?<a class="src[^"]*" href="([^"#]+)', open(page, encoding="utf-8").read(), re.S)
            if m:
                sources[page] = os.path.normpath(os.path.join(os.path.dirname(page), m.group(1)))
    return sources[page]

def links(page):
    """The text that a page shows, and of each link its ends in it and where it leads."""
    text = open(page, encoding="utf-8").read()
    text = text[text.index("<code>") + 6:text.rindex("</code>")]
    text = re.sub(r"<a href=#\d+ id=\d+ data-nosnippet>\d+</a>", "", text)
    out, found, at, open_at, href = [], [], 0, None, None
    for m in TOKEN.finditer(text):
        t = m.group(0)
        if t.startswith("<a "):
            open_at, href = at, re.search(r'href="?([^" >]+)', t).group(1)
        elif t == "</a>":
            found.append((open_at, at, html.unescape(href)))
        elif t[0] != "<":
            t = html.unescape(t)
            out.append(t)
            at += len(t)
    return "".join(out), found

def blank(text):
    """The text without comments and strings, in the same places."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|r(#*)".*?"\1|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'', lambda m: " " * len(m.group(0)), text, flags=re.S)

def uses(text):
    """The paths that uses name, in which modules are looked for."""
    for m in re.finditer(r"\buse\s+([^;]+);", text):
        yield from tree("", re.sub(r"\s+", "", re.sub(r"\bas\s+\w+", "", m.group(1))))

def tree(prefix, t):
    depth, begin, parts = 0, 0, []
    for i, c in enumerate(t):
        depth += (c == "{") - (c == "}")
        if c == "," and depth == 0:
            parts.append(t[begin:i]); begin = i + 1
    parts.append(t[begin:])
    for p in parts:
        i = p.find("{")
        if i < 0:
            yield prefix + p
        elif p.endswith("}"):
            yield from tree(prefix + p[:i], p[i + 1:-1])

def follows_type(text, begin):
    """Whether what begins here belongs to a type, or to a value: it is behind a dot, or behind a path to what is no module."""
    before = text[:begin]
    if before.rstrip().endswith("."):
        return True
    m = re.search(r"((?:\$?[a-z_][a-z0-9_]*\s*::\s*)*)$", before)
    return before.rstrip().endswith("::") and not m.group(1) or before[:m.start()].rstrip().endswith("::")

edges, may, declares, idle = set(), set(), {}, []
shown = {page: links(page) for page in pages}
lines = {page: text.split("\n") for page, (text, _) in shown.items()}
for page, file in sorted(pages.items()):
    text, found = shown[page]
    for begin, end, href in found:
        if follows_type(text, begin) or re.search(r"\b(fn|type|(?<!\*)const)\s*$", text[max(0, begin - 20):begin]):
            continue
        where, _, line = href.partition("#")
        to = page if not where else os.path.normpath(os.path.join(os.path.dirname(page), where))
        if not where or href.startswith("http"):
            continue
        if not to.startswith(os.path.join(doc, "src") + os.sep):
            to, line = source_of(to), ""
        if to not in pages:
            continue
        first = line.split("-")[0]
        # A module is shown where it is declared: what it holds is in its file.
        if first.isdigit() and re.search(r"\bmod\s+\w+\s*;|^#!?\[|^//!", lines[to][int(first) - 1]):
            may.add((file, pages[to]))
            continue
        declares.setdefault(text[begin:end].split("::")[-1].strip("! "), set()).add(pages[to])
        if pages[to] != file:
            edges.add((file, pages[to]))
    # What is not compiled has no links: such names may mean what they mean elsewhere.
    linked = bytearray(len(text) + 1)
    for b, e, _ in found:
        linked[b:e] = b"x" * (e - b)
    for m in re.finditer(r"\buse\s+[^;]+;|(?:\b\w+\s*::\s*)+\w+|\b[A-Z]\w+|\b\w+!", blank(text)):
        if not any(linked[m.start():m.end()]):
            idle.append((file, re.findall(r"\w+", m.group(0))))
for file, words in idle:
    for w in words:
        may |= {(file, to) for to in declares.get(w, ()) if to != file}
may -= edges
# Modules on the way, by the tree of files and the names of crates.
known = set(pages.values())
every = set()
for d, dirs, names in os.walk(folder):
    dirs[:] = [x for x in dirs if x not in (".git", "target")]
    every |= {os.path.relpath(os.path.join(d, n), folder) for n in names if n.endswith(".rs")}
def module(file):
    for name, (top, root) in sorted(roots.items(), key=lambda kv: -len(kv[1][0])):
        if file == root:
            return name, []
        if file.startswith(top + "/"):
            p = file[len(top) + 1:-3].split("/")
            return name, p[:-1] if p[-1] == "mod" else p
    return None, []
byModule = {}
for f in every:
    c, p = module(f)
    byModule.setdefault((c, tuple(p)), f)
for file in known:
    crate, own = module(file)
    text = blank(open(os.path.join(folder, file), encoding="utf-8").read())
    used = set(uses(text))
    paths = used | {re.sub(r"\s+", "", m.group(0)) for m in re.finditer(r"(?:\$?\b[a-z_]\w*\s*::\s*)+\w+", text)}
    called = {}
    for u in used:
        called.setdefault(u.split("::")[-1], []).append(u)
        called.setdefault(re.sub(r"::self$", "", u).split("::")[-1], []).append(re.sub(r"::self$", "", u))
    paths |= {"::".join([u] + p.split("::")[1:]) for p in paths for u in called.get(p.split("::")[0], ())}
    for p in paths:
        parts = p.lstrip("$:").split("::")
        if parts[0] == "crate":
            starts, parts = [(crate, [])], parts[1:]
        elif parts[0] in ("super", "self"):
            starts = [(crate, own)]  # a module in braces makes one step more of super right
            while parts and parts[0] in ("super", "self"):
                if parts[0] == "super":
                    starts += [(crate, s[1][:-1]) for s in starts]
                parts = parts[1:]
        elif parts[0] in roots:
            starts, parts = [(parts[0], [])], parts[1:]
        else:
            starts = [(crate, own)]
        for c, s in starts:
            for n in range(len(parts) + 1):
                f = byModule.get((c, tuple(s + parts[:n])))
                if f and f != file:
                    may.add((file, f))
    for m in re.finditer(r'\bpath\s*=\s*"([^"]+)"', open(os.path.join(folder, file), encoding="utf-8").read()):
        may.add((file, posixpath.normpath(posixpath.join(posixpath.dirname(file), m.group(1)))))
    for m in re.finditer(r'\binclude(?:_str|_bytes)?!\s*\(\s*"([^"]+)"', open(os.path.join(folder, file), encoding="utf-8").read()):
        may.add((file, posixpath.normpath(posixpath.join(posixpath.dirname(file), m.group(1)))))
    for m in re.finditer(r"^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;", text, re.M):
        f = byModule.get((crate, tuple(own + [m.group(1)])))
        if f:
            may.add((file, f))
for e in sorted(edges):
    print("\t".join(e))
for e in sorted(may - edges):
    print("\t".join(e) + "\tmay")
