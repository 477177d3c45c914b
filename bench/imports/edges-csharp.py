"""Prints which C# files of a folder name types of which, as far as texts tell without a compiler: "from<tab>to" where the name is that
of one type alone, declared in one file and in no other type; "from<tab>to<tab>may" where it is declared several times, or is that
of a method that extends a type. A name that is a member's too counts as the type's, so that what is missed is to be read by hand.
"""
import collections
import os
import re
import sys

BLANK = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:.*?)"""|\$?@?\$?"(?:\\.|""|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
TYPE = re.compile(r'[{}]|\b(?:class|struct|interface|enum|record)\s+([A-Z]\w*)|\bdelegate\s+[\w<>\[\]?., ]+\s+([A-Z]\w*)\s*[<(]')
EXTENSION = re.compile(r'\bstatic\s+[^;{}()=]*?\b(\w+)\s*(?:<[^<>()]*>)?\s*\(\s*this\s')

ATTRIBUTES = re.compile(r'(?:^|[\s{}\](,])\[(?:\w+:\s*)?(?:[\w.]+(?:\([^()]*\))?,\s*)*$')

root = sys.argv[1]
sure, may, texts = collections.defaultdict(set), collections.defaultdict(set), {}
for folder, _, names in os.walk(root):
    for name in names:
        if not name.endswith('.cs'):
            continue
        path = os.path.relpath(os.path.join(folder, name), root).replace(os.sep, '/')
        with open(os.path.join(folder, name), encoding='utf-8-sig', errors='replace') as f:
            text = BLANK.sub(lambda m: re.sub(r'[^\n]', ' ', m.group(0)), f.read())
        texts[path] = text
        top, depth = (1 if re.search(r'\bnamespace\s+[\w.]+\s*\{', text) else 0), 0
        for m in TYPE.finditer(text):
            if m.group(0) in '{}':
                depth += 1 if m.group(0) == '{' else -1
                continue
            sure[m.group(1) or m.group(2)].add(path if depth <= top else 'nested')
            may[m.group(1) or m.group(2)].add(path)
        for m in EXTENSION.finditer(text):
            may[m.group(1)].add(path)

for path, text in sorted(texts.items()):
    found, perhaps = set(), set()
    for m in re.finditer(r'\b\w+\b', text):
        word, before, after = m.group(0), text[max(0, m.start() - 60):m.start()].rstrip(), text[m.end():m.end() + 3].lstrip()
        for w in (word, word + 'Attribute'):
            perhaps |= may.get(w, set())
        if before.endswith(('.', 'namespace')) or after[:1] == '=' and after[1:2] not in '=>' and before[-1:] in '{,(' or after[:1] == ':' and before[-1:] in '(,':
            continue
        if after[:1] == '(' and not re.search(r'(\bnew|:|\[|,)$', before):
            continue
        words = [word]
        if before.endswith(('[', ',')) and after[:1] in ('(', ']', ','):
            # [Test] is TestAttribute where there is one, whatever else is called Test.
            words = [word + 'Attribute'] if sure.get(word + 'Attribute') and ATTRIBUTES.search(before) else [word, word + 'Attribute']
        for w in words:
            files = sure.get(w, set())
            if len(files) == 1 and path not in files and 'nested' not in files:
                found |= files
    for to in sorted(found):
        print(path, to, sep='\t')
    for to in sorted(perhaps - found - {path}):
        print(path, to, 'may', sep='\t')
