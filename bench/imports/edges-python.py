"""Prints which Python files of a folder import which, as CPython's own finder (importlib.machinery.PathFinder) leads: "from<tab>to",
with "<tab>may" behind those that are right too and need not be found (a package on the way, its __init__ where it binds the name of
a submodule itself, conftest.py above a test, what shadows the standard library, the files from which an imported module has what
it hands on, stubs beside modules, what stubs import, and modules that a text spells in dots). Nothing is run: imports are read by ast.

What is importable is what a list of folders says, the nearest first: the folder above the file's outermost package, which Python has
for a script and pytest for a test; folders of a project (pyproject.toml, setup.py, setup.cfg) and their src and lib; the root.
"""
import ast
import os
import re
import sys
import warnings
from functools import lru_cache
from importlib.machinery import FileFinder, PathFinder, SourceFileLoader

warnings.simplefilter('ignore')
sys.path_hooks.insert(0, FileFinder.path_hook((SourceFileLoader, ['.py', '.pyi'])))  # stubs are right where there is nothing else
DOTTED = re.compile(r'[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){1,9}$')
root = os.path.abspath(sys.argv[1])
files, projects = [], []
for folder, folders, names in os.walk(root):
    folders[:] = sorted(f for f in folders if f not in ('.git', 'node_modules', '.stan'))
    if {'pyproject.toml', 'setup.py', 'setup.cfg'} & set(names):
        projects += [p for p in (folder, os.path.join(folder, 'src'), os.path.join(folder, 'lib')) if os.path.isdir(p)]
    files += [os.path.join(folder, n) for n in sorted(names) if n.endswith(('.py', '.pyi'))]
known = set(files)


@lru_cache(None)
def outermost(folder):
    """The first folder upward that is no package."""
    while folder != root and os.path.exists(os.path.join(folder, '__init__.py')):
        folder = os.path.dirname(folder)
    return folder


@lru_cache(None)
def path_of(folder):
    near = [p for p in projects if (folder + os.sep).startswith(p + os.sep)]
    rest = [p for p in projects if p not in near]
    return tuple(dict.fromkeys([outermost(folder)] + sorted(near, key=len, reverse=True) + [root] + rest))


@lru_cache(None)
def find(name, path):
    """The spec of a name in folders, and the files of the packages on the way to it."""
    way = []
    spec = None
    for part in name.split('.'):
        spec = PathFinder.find_spec(part, list(path))
        if spec is None:
            return None, ()
        way.append(spec.origin)
        path = tuple(spec.submodule_search_locations or ())
    return spec, tuple(f for f in way[:-1] if f)


@lru_cache(None)
def binds(file):
    """The names that a module gives values at its top."""
    names = set()
    tree = parsed(file)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(a.asname or a.name.split('.')[0] for a in node.names)
    return names


@lru_cache(None)
def parsed(file):
    try:
        with open(file, 'rb') as f:
            return ast.parse(f.read())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None


@lru_cache(None)
def edges(file):
    """The files that one imports, and those that are right too."""
    tree = parsed(file)
    sure, may, handed = set(), set(), {}
    if tree is None:
        return sure, may, handed
    folder = os.path.dirname(file)
    while len(folder) >= len(root):
        may.update(os.path.join(folder, n) for n in ('conftest.py', '__init__.py'))
        folder = os.path.dirname(folder)

    def reach(name, path, into, own=True):
        """Takes the module of a name, if there is one, and returns its spec."""
        spec, way = find(name, tuple(path))
        if spec is None:
            return None
        may.update(way)
        if spec.origin and own:
            into.add(spec.origin)
        return spec

    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for a in node.names:
                into = may if a.name.split('.')[0] in sys.stdlib_module_names else sure
                reach(a.name, path_of(os.path.dirname(file)), into)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and DOTTED.match(node.value):
            parts = node.value.split('.')
            for n in range(len(parts), 1, -1):
                if reach('.'.join(parts[:n]), path_of(os.path.dirname(file)), may):
                    break
        elif isinstance(node, ast.ImportFrom):
            into, path, name = sure, path_of(os.path.dirname(file)), node.module or ''
            if node.level:
                base = file
                for _ in range(node.level):
                    base = os.path.dirname(base)
                if len(base) < len(root):
                    continue
                path = (base,)
            elif name.split('.')[0] in sys.stdlib_module_names:
                into = may
            if name:
                spec = reach(name, path, into, own=False)
                if spec is None:
                    continue
                inner, module = spec.submodule_search_locations, spec.origin
            else:
                inner, module = path, os.path.join(path[0], '__init__.py')
            for a in node.names:
                sub = find(a.name, tuple(inner))[0] if inner and a.name != '*' else None
                handed.setdefault((a.asname or a.name, a.name), set()).update(f for f in (module, sub and sub.origin) if f in known)
                if sub is None or not sub.origin:
                    if module in known:
                        into.add(module)
                elif module in known and a.name in binds(module):
                    may.update((module, sub.origin))
                else:
                    into.add(sub.origin)
                    if module:
                        may.add(module)
    return sure, may, handed


@lru_cache(None)
def says(file):
    """The names that a file says."""
    names = set()
    for node in ast.walk(parsed(file) or ast.Module([], [])):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(part for a in node.names for part in a.name.split('.'))
    return names


def stub(file):
    """The stub that type checkers read in place of a module; its module, of a stub."""
    return file[:-1] if file.endswith('.pyi') else file + 'i'


for file in files:
    sure, may, _ = edges(file)
    may, todo, names = set(may), list(sure | may), set(says(file))
    while todo:
        for (name, there), given in edges(todo.pop())[2].items():
            if name == '*' or name in names:
                names.add(there)
                todo += given - may - sure
                may |= given
    # Stubs are read by type checkers alone, and what they import too.
    stubs = {f for f in sure if file.endswith('.pyi') or f.endswith('.pyi')}
    sure, may = sure - stubs, may | stubs
    may.update([stub(f) for f in sure | may])
    show = lambda f: os.path.relpath(f, root).replace(os.sep, '/')
    for to in sorted((sure & known) - {file}):
        print(show(file), show(to), sep='\t')
    for to in sorted((may & known) - sure - {file}):
        print(show(file), show(to), 'may', sep='\t')
