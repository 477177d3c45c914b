"""What CPython makes of a tree: its ast and its path finder.

    python3 oracle.py ROOT < files

Reads lines of tab-separated fields: a file, and the folders that are on its
path, all relative to ROOT. Prints a line for each import that leads to one of
the files: importing file, imported file, kind, with tabs between.
"""
import ast
import os
import sys
from importlib.machinery import FileFinder, SourceFileLoader

root = os.path.realpath(sys.argv[1])
rows = [line.rstrip("\n").split("\t") for line in sys.stdin]
known = {r[0] for r in rows}
finders = {}


def finder(directory):
    if directory not in finders:
        finders[directory] = FileFinder(directory, (SourceFileLoader, [".py", ".pyi"]))
    return finders[directory]


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


def run(file, paths):
    source = open(os.path.join(root, file), "rb").read()
    tree = ast.parse(source)
    stub = file.endswith(".pyi")
    out = set()
    package = os.path.dirname(os.path.join(root, file))
    own = paths[0]

    def top(name):
        first = name.split(".")[0]
        if first in sys.stdlib_module_names:
            inside = os.path.relpath(package, own).split(os.sep)
            if inside == ["."]:
                at = os.path.join(own, first + ".py")
                if not os.path.isfile(at) or at == os.path.join(root, file):
                    return None
            elif inside[0] != first:
                return None
        return absolute(paths, name)

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


failed = 0
for row in rows:
    try:
        for line in sorted(run(row[0], [os.path.normpath(os.path.join(root, p)) for p in row[1:]])):
            print("\t".join(line))
    except (SyntaxError, ValueError, RecursionError) as e:
        failed += 1
        print("!\t%s\t%s" % (row[0], type(e).__name__))
