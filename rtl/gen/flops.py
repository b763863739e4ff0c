#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""flops.py -- a name that ends in _q is a register: clocked assignments drive it, or a constant where it is not built.

  flops.py FILE.sv...       names each _q that a wire drives, or that no clock does; exits with 1 if there is one
"""
import re
import sys

NAME = r'\b[a-z]\w*_q\b'


def clocked(text):
    """(start, end) of each always_ff process."""
    for m in re.finditer(r'\balways_ff\b[^\n]*?\)', text):
        depth = 0
        for t in re.finditer(r'\b(begin|end|case|casez|endcase)\b|;', text[m.end():]):
            depth += t[0] in ('begin', 'case', 'casez')
            depth -= t[0] in ('end', 'endcase')
            if depth == 0 and t[0] in ('end', 'endcase', ';'):
                yield m.start(), m.end() + t.end()
                break


def driven(text, operator):
    """Names left of an assignment, alone or in a concatenation."""
    names = set()
    for m in re.finditer(r'(?:(?<=[;)])|\bbegin(?:\s*:\s*\w+)?|\bend|\belse|\bassign|:|\A)\s*(\{[^;=]*?\}|[a-z][\w.]*(?:\s*\[[^;=|]*?\])*)\s*%s(?!=)' % operator, text):
        left = re.sub(r'\[[^\]]*(?:\[[^\]]*\][^\]]*)*\]', '', m[1])
        names |= set(re.findall(NAME, left))
    return names


def faults(text):
    text = re.sub(r'\bfor \([^)]*\)', '', re.sub(r'//[^\n]*', '', text))
    flops, rest, at = set(), [], 0
    for start, end in clocked(text):
        rest.append(text[at:start])
        flops |= driven(text[start:end], '<=')
        at = end
    rest = re.sub(r"\bassign\s+[^;=]*=\s*'[01];", ';', ''.join(rest + [text[at:]]))
    wires = driven(rest, '=') | {n for n in re.findall(r'\.\w+_o\(\s*(%s)' % NAME, rest)}
    wires |= set(re.findall(r'\blogic\b[^;=]*?(%s)\s*=' % NAME, rest))
    declared = {n for m in re.finditer(r'\blogic\b([^;]*);', rest) for n in re.findall(NAME, m[1])}
    return sorted(wires), sorted(declared - flops - wires)


def main(paths):
    bad = 0
    for path in paths:
        wires, idle = faults(open(path).read())
        for name in wires:
            print('%s: %s is a wire: only a register has a name that ends in _q' % (path, name))
        for name in idle:
            print('%s: no clocked process drives %s' % (path, name))
        bad += len(wires) + len(idle)
    return bad != 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
