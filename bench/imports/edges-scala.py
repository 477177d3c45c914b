"""Prints which files of Scala name what others declare, as the compiler tells in SemanticDB.

usage: edges-scala.py CLASSES BASE FOLDER. CLASSES is where scalac -Xsemanticdb (of Scala 3, or the plugin of Scala 2) has written, BASE
the folder in which it ran. Each line is "from TAB to" of paths in FOLDER: types, objects and what packages declare, by their names.
Members, and what the text does not name, are told as "from TAB to TAB may".
"""
import os, re, sys


def number(b, i):
    value = shift = 0
    while True:
        c = b[i]
        i += 1
        value |= (c & 127) << shift
        shift += 7
        if c < 128:
            return value, i


def fields(b):
    """The fields of a message of Protocol Buffers, as it lies on the wire."""
    i = 0
    while i < len(b):
        key, i = number(b, i)
        if key & 7 == 0:
            value, i = number(b, i)
        elif key & 7 == 2:
            size, i = number(b, i)
            value, i = b[i : i + size], i + size
        else:
            size = 8 if key & 7 == 1 else 4
            value, i = b[i : i + size], i + size
        yield key >> 3, value


classes, base, folder = sys.argv[1:4]
declared, named = {}, []
for d, _, names in os.walk(classes):
    for n in names:
        if not n.endswith(".semanticdb"):
            continue
        for key, document in fields(open(os.path.join(d, n), "rb").read()):
            if key != 1:
                continue
            parts = list(fields(document))
            path = os.path.relpath(os.path.join(base, dict(parts)[2].decode()), folder)
            if path.startswith(".."):
                continue
            lines = open(os.path.join(folder, path), encoding="utf-8").read().split("\n")
            for k, occurrence in parts:
                if k != 6:
                    continue
                o = dict(fields(occurrence))
                symbol, at = o.get(2, b"").decode(), dict(fields(o.get(1, b"")))
                if symbol.startswith("local") or symbol.endswith("/"):
                    continue
                if o.get(3) == 2:
                    declared.setdefault(symbol, set()).add(path)
                elif o.get(3) == 1:
                    one = at.get(1, 0) == at.get(3, 0)
                    named.append((path, symbol, lines[at.get(1, 0)][at.get(2, 0) : at.get(4, 0)] if one else ""))

edges = set()
for path, symbol, word in named:
    found = declared.get(symbol) or declared.get(symbol[:-1] + "#") or declared.get(symbol[:-1] + ".") or ()
    name = re.search(r"([^/#.`]*)`?[#.]$", symbol)
    packaged = "$package." in symbol or "/package." in symbol
    if symbol.endswith(").") and "$package." in symbol:
        sure = True
    else:
        sure = bool(name) and not symbol.endswith(").") and (name[1][:1].isupper() or packaged) and word.strip("`") == name[1]
    for to in found:
        if to != path:
            edges.add(path + "\t" + to + ("" if sure else "\tmay"))
print("\n".join(sorted(edges)))
