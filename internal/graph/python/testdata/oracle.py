"""What CPython makes of a tree: its ast, its readers of manifests and its path finder.

    python3 oracle.py ROOT < files

Reads lines, each the path of a file relative to ROOT. Prints a line for each
import that leads to one of the files: importing file, imported file, kind,
with tabs between.

A file's path is: the folder that pytest inserts for tests and conftest.py, or
the file's own if it is in no package; the standard library; what the manifests
around it declare, their own folders and src in them, nearest first.
"""
import ast
import configparser
import os
import sys
import tomllib
from importlib.machinery import FileFinder, SourceFileLoader

root = os.path.realpath(sys.argv[1])
rows = [line.rstrip("\n") for line in sys.stdin]
known = set(rows)
finders = {}
trees = {}
markers = "pyproject.toml setup.py setup.cfg manage.py Pipfile requirements.txt tox.ini pytest.ini noxfile.py".split()


def finder(directory):
    if directory not in finders:
        finders[directory] = FileFinder(directory, (SourceFileLoader, [".py", ".pyi"]))
    return finders[directory]


def parsed(file):
    if file not in trees:
        try:
            trees[file] = ast.parse(open(os.path.join(root, file), "rb").read())
        except (SyntaxError, ValueError, RecursionError) as e:
            trees[file] = e
    return trees[file]


def texts(value):
    """The strings in a value of TOML."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [t for v in value for t in texts(v)]
    if isinstance(value, dict):
        return [t for v in value.values() for t in texts(v)]
    return []


def declared(folder):
    """The folders below a project's that hold its packages."""
    found = []
    at = os.path.join(folder, "pyproject.toml")
    if os.path.isfile(at):
        try:
            tool = tomllib.load(open(at, "rb")).get("tool", {})
        except ValueError:
            tool = {}

        def get(path):
            value = tool
            for key in path.split("."):
                value = value.get(key, {}) if isinstance(value, dict) else {}
            return value

        for key in ("setuptools.packages.find.where", "pytest.ini_options.pythonpath", "pdm.build.package-dir", "maturin.python-source",
                    "uv.build-backend.module-root", "hatch.build.targets.wheel.sources"):
            value = get(key)
            found += list(value) if key.endswith("sources") and isinstance(value, dict) else texts(value)
        found += [v for k, v in (get("setuptools.package-dir") or {}).items() if k == ""]
        found += [os.path.dirname(v) or "." for v in texts(get("hatch.build.targets.wheel.packages"))]
        found += [p["from"] for p in get("poetry.packages") or [] if isinstance(p, dict) and "from" in p]
    at = os.path.join(folder, "setup.cfg")
    if os.path.isfile(at):
        c = configparser.RawConfigParser(strict=False)
        try:
            c.read(at)
            found += [line.split("=", 1)[1].strip() for line in c.get("options", "package_dir", fallback="").splitlines() if line.strip().startswith("=")]
            found += [v for v in [c.get("options.packages.find", "where", fallback="").strip()] if v]
        except (configparser.Error, ValueError):
            pass
    at = os.path.join(folder, "setup.py")
    if os.path.isfile(at):
        try:
            tree = ast.parse(open(at, "rb").read())
        except (SyntaxError, ValueError):
            tree = ast.Module([], [])
        for n in ast.walk(tree):
            if not isinstance(n, ast.Call):
                continue
            called = n.func.id if isinstance(n.func, ast.Name) else getattr(n.func, "attr", "")
            if called in ("find_packages", "find_namespace_packages"):
                found += [a.value for a in n.args[:1] + [k.value for k in n.keywords if k.arg == "where"] if isinstance(a, ast.Constant)]
            for k in n.keywords:
                if called == "setup" and k.arg == "package_dir" and isinstance(k.value, ast.Dict):
                    found += [v.value for x, v in zip(k.value.keys, k.value.values) if isinstance(x, ast.Constant) and x.value == "" and isinstance(v, ast.Constant)]
    return [os.path.normpath(os.path.join(folder, f)) for f in found if isinstance(f, str) and not f.startswith("/")]


def above(folder):
    while True:
        yield folder
        if folder == root:
            return
        folder = os.path.dirname(folder)


def is_package(folder):
    return any(os.path.relpath(os.path.join(folder, "__init__" + e), root) in known for e in (".py", ".pyi"))


def base(folder):
    """The first folder that is no package."""
    for f in above(folder):
        if f == root or not is_package(f):
            return f


holding = {f for r in rows for f in above(os.path.dirname(os.path.join(root, r)))}
projects = {}


def project(folder):
    if folder not in projects:
        projects[folder] = []
        if folder == root or any(os.path.isfile(os.path.join(folder, m)) for m in markers):
            src = os.path.join(folder, "src")
            own = [d for d in declared(folder) if d != folder] + [folder] + [src] * (not is_package(src))
            projects[folder] = [d for d in own if d in holding]
    return projects[folder]


tested = {base(os.path.dirname(os.path.join(root, r))) for r in rows if os.path.basename(r).startswith("test_") and r.endswith(".py") or r.endswith("_test.py")}
through = set()
for r in rows:
    if isinstance(parsed(r), ast.AST):
        for n in ast.walk(parsed(r)):
            if isinstance(n, ast.ImportFrom) and not n.level:
                through.add(n.module)
            for name in [a.name for a in n.names] if isinstance(n, ast.Import) else [n.module] if isinstance(n, ast.ImportFrom) and not n.level else []:
                while "." in name:
                    name = name.rpartition(".")[0]
                    through.add(name)


def path(folder):
    """The folders before the standard library, and those behind it."""
    own = base(folder)
    name = None
    for d in above(own):
        if d != own:
            for r in project(d):
                if own.startswith(r + os.sep) and os.path.relpath(own, r).replace(os.sep, ".") in through:
                    name = name or r
    before, behind = [], []
    built = any(os.path.isfile(os.path.join(d, m)) for d in above(folder) for m in markers[:3])
    if own in tested:
        before.append(own)
    elif name is None:
        (before if own == folder or not built else behind).append(own)
    for d in above(folder):
        if os.path.relpath(os.path.join(d, "conftest.py"), root) in known:
            before.append(base(d))
        behind += project(d)
    # A folder of packages alone is no folder of scripts, if it is a package itself.
    if name and all(name != r or r == d for d in above(own) for r in project(d)):
        behind.append(own)
    return before, behind


paths_of = {}


def find(paths, name):
    """The origin of a module and the folders of its submodules, or None."""
    portions = []
    for p in paths:
        spec = finder(p).find_spec(name)
        if spec is None:
            continue
        if spec.loader is not None:
            return spec.origin, list(spec.submodule_search_locations or [])
        portions += list(spec.submodule_search_locations or [])
    return (None, portions) if portions else None


def absolute(paths, dotted):
    origin = None
    for part in dotted.split("."):
        got = find(paths, part)
        if got is None:
            return None
        origin, paths = got
    return origin, paths


def relative(path):
    return os.path.relpath(path, root) if path else None


def defines(path, cache={}):
    """The names that a module binds by itself at its top."""
    if path in cache:
        return cache[path]
    names = set()
    cache[path] = names
    try:
        tree = ast.parse(open(path, "rb").read())
    except (SyntaxError, ValueError, OSError):
        return names

    def targets(t):
        if isinstance(t, ast.Name):
            names.add(t.id)
        elif isinstance(t, (ast.Tuple, ast.List)):
            for e in t.elts:
                targets(e)

    def walk(body):
        for s in body:
            if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names.add(s.name)
                continue
            if isinstance(s, ast.Assign):
                for t in s.targets:
                    targets(t)
            elif isinstance(s, ast.AnnAssign):
                targets(s.target)
            for field in ("body", "orelse", "finalbody"):
                walk(getattr(s, field, []))
            for h in getattr(s, "handlers", []):
                walk(h.body)

    walk(tree.body)
    return names


def is_checking(test):
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING" or isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"


def run(file):
    tree = parsed(file)
    if not isinstance(tree, ast.AST):
        raise tree
    stub = file.endswith(".pyi")
    out = set()
    package = os.path.dirname(os.path.join(root, file))
    if package not in paths_of:
        paths_of[package] = path(package)
    before, behind = paths_of[package]

    def top(name):
        first = name.split(".")[0]
        if first in sys.builtin_module_names:
            return None
        if first in sys.stdlib_module_names:
            got = find(before, first)
            here = any((package + os.sep).startswith(os.path.join(p, first) + os.sep) and is_package(os.path.join(p, first)) for p in behind)
            if not here and (not got or not got[0] or got[0] == os.path.join(root, file)):
                return None
        return absolute(before + behind, name)

    def emit(origin, kind):
        to = relative(origin)
        if to in known and to != file:
            out.add((file, to, "type" if to.endswith(".pyi") else kind))

    def visit(node, kind):
        if isinstance(node, ast.If) and (is_checking(node.test) or isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not) and is_checking(node.test.operand)):
            positive = is_checking(node.test)
            for s in node.body:
                visit(s, "type" if positive else kind)
            for s in node.orelse:
                visit(s, kind if positive else "type")
            return
        if isinstance(node, ast.Import):
            for a in node.names:
                got = top(a.name)
                if got:
                    emit(got[0], kind)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = package
                for _ in range(node.level - 1):
                    base = os.path.dirname(base)
                if base != root and not base.startswith(root + os.sep):
                    return
                if node.module:
                    got = absolute([base], node.module)
                else:
                    init = [os.path.join(base, "__init__" + e) for e in (".py", ".pyi")]
                    got = next((i for i in init if os.path.isfile(i)), None), [base]
            else:
                got = top(node.module)
            if got:
                origin, subs = got
                for a in node.names:
                    if a.name != "*" and subs and not (origin and a.name in defines(origin)):
                        sub = find(subs, a.name)
                        if sub and sub[0]:
                            emit(sub[0], kind)
                            continue
                    emit(origin, kind)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            f = node.func
            name = f.id if isinstance(f, ast.Name) else f.attr if isinstance(f, ast.Attribute) else ""
            value = node.args[0].value
            if name in ("import_module", "__import__") and value and not value.startswith(".") and all(p.isidentifier() for p in value.split(".")):
                got = top(value)
                if got:
                    emit(got[0], "dynamic")
        for child in ast.iter_child_nodes(node):
            visit(child, kind)

    visit(tree, "type" if stub else "runtime")
    return out


for row in rows:
    try:
        for line in sorted(run(row)):
            print("\t".join(line))
    except (SyntaxError, ValueError, RecursionError) as e:
        print("!\t%s\t%s" % (row, type(e).__name__))
