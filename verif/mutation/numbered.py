#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""numbered.py -- a copy of the RTL with every single operator change of one unit, each chosen by the input bug_i (0 = none).

  numbered.py copy UNIT DIR   the sources of rtl in the one folder DIR; one model serves every change
  numbered.py list UNIT       number, module, line of the copy and change, one a line

Changed are operators in assignments and conditions of `assign`, always_comb and always_ff. Operators between constants stay,
as a width or a size is no behaviour; so do functions and generate conditions, which must be constant. Lean forms (*_lean.sv)
have changes with WL_LEAN=1 in the environment."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, 'rtl', 'gen')]
import places  # noqa: E402
import plant  # noqa: E402

OTHER = {'&&': '||', '||': '&&', '==': '!=', '!=': '==', '<': '<=', '<=': '<', '>': '>=', '>=': '>', '+': '-', '-': '+',
         '&': '|', '|': '&', '^': '|', '~': '', '!': '', '<<': '>>', '>>': '<<'}
MOST = 4095


def is_constant(word):
    return word[:1].isdigit() or word[:1] == "'" or word[:1].isupper()


def closing(words, at):
    """The index of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(words)):
        depth += (words[i] in places.OPEN) - (words[i] in places.CLOSE)
        if depth == 0:
            return i
    return len(words) - 1


def regions(source):
    """(first, end) of the tokens of each expression that a changed one may stand for."""
    words, starts = source.words, [t.start() for t in source.tokens]
    inside = [span for head in (r'\balways_comb\b', r'\balways_ff\b[^\n]*?\)') for span in plant.blocks(source.text, head)]
    i, begin = 0, 0
    while i < len(words):
        process = any(a <= starts[i] < b for a, b in inside)
        if words[i] in (';', 'begin', 'end', 'else'):
            begin = i + 1
        if words[i] == 'if' and process:
            end = closing(words, i + 1)
            yield i + 2, end
            i = begin = end + 1
            continue
        if words[i] in ('for', 'case', 'casez', '@') and words[i + 1] == '(':
            i = begin = closing(words, i + 1) + 1
            continue
        if words[i] in places.OPEN:
            i = closing(words, i)
        elif words[i] in ('=', '<=') and (process or words[begin] == 'assign') and words[begin] not in ('logic', 'int', 'automatic', 'localparam'):
            end = next(k for k in range(i, len(words)) if words[k] == ';')
            yield i + 1, end
            i = end - 1
        i += 1


def changed(module, text, first):
    """The text with its changes, numbered from `first`, and their list."""
    source, out, at, made = places.Source(module + '.sv', text), [], 0, []
    for begin, end in regions(source):
        words = source.words[begin:end]
        if not words or "'{" in ''.join(words):
            continue
        lo, hi = source.tokens[begin].start(), source.tokens[end - 1].end()
        plain, choices = text[lo:hi], []
        for i in range(begin, end):
            word, before, after = source.words[i], source.words[i - 1], source.words[i + 1]
            if word not in OTHER or source.scopes[i].startswith('unused_') or is_constant(before) and is_constant(after):
                continue
            if word in ('+', '-') and (i == begin or before in places.OPEN or before in places.OPERATORS):
                continue
            a, b = source.tokens[i].start() - lo, source.tokens[i].end() - lo
            number = first + len(made)
            made.append((number, module, text[:lo + a].count('\n') + 1, '%s  ==>  %s' % (source.name(i, 1), OTHER[word])))
            choices.append("bug_i == 12'd%d ? (%s%s%s) : " % (number, plain[:a], OTHER[word], plain[b:]))
        if choices:
            out += [text[at:lo], '(', ''.join(choices), '(', plain, '))']
            at = hi
    return ''.join(out) + text[at:], made


def copy(unit, folder):
    """The list of changes; the folder, when there is one, gets the sources."""
    table = plant.Table()
    table.rows, table.added = [], {}
    plant.copy(folder, table)
    made = []
    for name in sorted(os.listdir(os.path.join(ROOT, 'rtl', unit))):
        path = os.path.join(folder, name)
        lean = name.endswith('_lean.sv') and os.environ.get('WL_LEAN') != '1'
        if lean or not name.endswith('.sv') or 'package' in open(path).read().split('module')[0]:
            continue
        text, more = changed(name[:-3], open(path).read(), len(made) + 1)
        made += more
        with open(path, 'w') as f:
            f.write(text)
    if not made or len(made) > MOST:
        sys.exit('numbered.py: %s has %d changes, expected 1 to %d' % (unit, len(made), MOST))
    return made


def main(words):
    import tempfile
    if len(words) == 3 and words[0] == 'copy':
        copy(words[1], words[2])
    elif len(words) == 2 and words[0] == 'list':
        with tempfile.TemporaryDirectory() as tmp:
            for row in copy(words[1], tmp):
                print(*row, sep='\t')
    else:
        sys.exit(__doc__)


if __name__ == '__main__':
    main(sys.argv[1:])
