#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""loops.py -- every loop of an always_comb must stand under an `if` or in a `case`: a unit without traffic then costs the
simulation nothing (seven that did not cost 45 % of its speed).

  loops.py FILE.sv...

Prints FILE:LINE of each loop that does not, and exits with 1. Loops over the ports are free, and so is what stands in a
block `gen_synthesis`: it is not simulated where speed matters.
"""
import re
import sys


def without_synthesis(text):
    for m in re.finditer(r'\bbegin\s*:\s*gen_synthesis\b', text):
        depth = 0
        for t in re.finditer(r'\b(begin|end)\b', text[m.start():]):
            depth += 1 if t[0] == 'begin' else -1
            if depth == 0:
                block = text[m.start():m.start() + t.end()]
                text = text.replace(block, re.sub(r'[^\n]', ' ', block))
                break
    return text


def unguarded(path):
    text = without_synthesis(re.sub(r'//[^\n]*', '', open(path).read()))
    for m in re.finditer(r'\balways_comb\b', text):
        stack, cases = [], 0  # for each open begin: is it that of an if?
        condition = False
        for t in re.finditer(r'\b(if|else|for|begin|end|case|casez|endcase)\b|;|:', text[m.end():]):
            word, at = t[0], m.end() + t.start()
            if word in ('if', 'else'):
                condition = True
            elif word == 'for':
                head = text[at:text.index(')', at)]
                if not (condition or any(stack) or cases or re.search(r'\bPorts\b', head)):
                    yield text.count('\n', 0, at) + 1
                condition = False
            elif word in ('case', 'casez', 'endcase'):
                cases += -1 if word == 'endcase' else 1
            elif word == 'begin':
                stack.append(condition)
                condition = False
            elif word == 'end':
                stack.pop()
                condition = False
                if not stack:
                    break


if __name__ == '__main__':
    found = ['%s:%d' % (path, line) for path in sys.argv[1:] for line in unguarded(path)]
    sys.stdout.writelines(f + '\n' for f in found)
    sys.exit(bool(found))
