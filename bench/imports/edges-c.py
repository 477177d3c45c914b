"""Prints which files of C and C++ include which, as the preprocessor tells.

usage: edges-c.py FOLDER. Each line is "from TAB to", of gcc -M -MG -H: -MG goes on behind a header that is not there. What is
written in a branch that was not taken, or behind what stopped gcc, is told as "from TAB to TAB may" where the file is there: beside
the one that includes it, in a folder that is searched, or else as the only one whose path ends so.

CFLAGS are further options, such as -I and -D; FOLDER itself, its include, src and lib, and the folder of each file are searched.
"""
import collections, os, re, subprocess, sys

os.chdir(sys.argv[1])
files = []
for d, dirs, names in os.walk("."):
    dirs[:] = sorted(x for x in dirs if x != ".git")
    files += [os.path.normpath(os.path.join(d, n)) for n in sorted(names)]
sources = [f for f in files if f.endswith((".c", ".cc", ".cpp", ".cxx"))]
flags = os.environ.get("CFLAGS", "").split()
searched = [d for d in (".", "include", "src", "lib") if os.path.isdir(d)]
searched += [os.path.normpath(f[2:]) for f in flags if f.startswith("-I")]
known, ends = set(files), collections.defaultdict(list)
for f in files:
    ends[os.path.basename(f)].append(f)

edges, reached = set(), set()
for source in sources:
    asked = ["gcc", "-M", "-MG", "-H", *flags, *("-I" + d for d in searched), "-I" + (os.path.dirname(source) or "."), source]
    around = [source]
    reached.add(source)
    for line in subprocess.run(asked, capture_output=True, text=True, errors="replace").stderr.splitlines():
        depth = re.match(r"(\.+) (.+)", line)
        if depth:
            n, to = len(depth[1]), os.path.normpath(depth[2])
            around[n:] = [to]
            if around[n - 1] in known and to in known:
                edges.add((around[n - 1], to))
                reached.add(to)

may = set()
for f in sorted(reached):
    text = open(f, encoding="utf-8", errors="replace").read()
    for name in re.findall(r'^[ \t]*#[ \t]*(?:include|import|include_next)[ \t]*["<]([^">\n]+)[">]', text, re.M):
        at = [os.path.normpath(os.path.join(d, name)) for d in [os.path.dirname(f), *searched]]
        at = [x for x in at if x in known][:1] or [x for x in ends[os.path.basename(name)] if ("/" + x).endswith("/" + name)]
        if len(at) == 1 and (f, at[0]) not in edges:
            may.add((f, at[0]))

for e in sorted(edges):
    print(*e, sep="\t")
for e in sorted(may):
    print(*e, "may", sep="\t")
