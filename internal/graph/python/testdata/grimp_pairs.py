"""The direct imports between the modules of packages, as grimp finds them.

    python3 grimp_pairs.py ROOT PACKAGE...

ROOT holds the packages. Prints importing file, imported file, relative to ROOT.
"""
import os
import sys

import grimp

root = os.path.realpath(sys.argv[1])
sys.path.insert(0, root)


def file(module):
    stem = os.path.join(root, *module.split("."))
    for at in (os.path.join(stem, "__init__.py"), stem + ".py"):
        if os.path.isfile(at):
            return os.path.relpath(at, root)


for package in sys.argv[2:]:
    graph = grimp.build_graph(package, include_external_packages=False, cache_dir=None)
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            a, b = file(importer), file(imported)
            if a and b:
                print(a + "\t" + b)
