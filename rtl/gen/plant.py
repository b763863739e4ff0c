#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""plant.py -- a copy of the RTL with faults that checks must find, chosen by an input bug_i (0 = none).

  plant.py copy DIR         the sources of rtl in the one folder DIR, with the faults of verif/units/*/*.plant
  plant.py list             their numbers

A table has, beside comments (#):

  plant NUMBER MODULE SIGNAL = EXPRESSION    under bug NUMBER the signal has this value; @ stands for its own
  add MODULE ... end                         declarations and logic that expressions use; what they name is of that module

The signal's drivers go on to drive a twin of it, everybody else sees the planted value. In an always_comb block that
drives the signal, reads of it are reads of the twin. Assertions are off in the copy: a planted fault must reach the ports.
"""
import glob
import os
import re
import shutil
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TWIN = '%s__own'


class Table:
    def __init__(self):
        self.rows, self.added = [], {}  # (number, module, signal, expression), {module: [text]}
        for path in sorted(glob.glob(os.path.join(ROOT, 'verif', 'units', '*', '*.plant')), key=os.path.basename):
            self.read(path)
        numbers = {}
        for number, module, signal, expression, path in self.rows:
            if numbers.setdefault(number, path) != path:
                sys.exit('plant.py: bug %d stands in %s and in %s' % (number, numbers[number], path))

    def read(self, path):
        into = None
        for n, line in enumerate(open(path), 1):
            text = line.rstrip('\n')
            if into is not None:
                into = None if text == 'end' else into
                if into is not None:
                    into.append(text)
                continue
            text = text.split('#', 1)[0].strip()
            m = re.fullmatch(r'plant (\d+) (\w+) (\w+) = (.+)', text)
            if m and 0 < int(m[1]) < 4096:
                self.rows.append((int(m[1]), m[2], m[3], m[4], path))
            elif text.startswith('add '):
                into = self.added.setdefault(text[4:], [])
            elif text:
                sys.exit('%s:%d: "%s" (expected plant NUMBER MODULE SIGNAL = EXPRESSION, or add MODULE)' % (path, n, text))

    def numbers(self):
        return sorted({r[0] for r in self.rows})


def blocks(text, head):
    """(start, end) of the processes that begin with `head`: begin to its end, or one statement."""
    for m in re.finditer(head, text):
        depth = 0
        for t in re.finditer(r'\b(begin|end|case|casez|endcase)\b|;', text[m.end():]):
            depth += t[0] == 'begin'
            depth -= t[0] == 'end'
            if depth == 0 and t[0] in ('end', ';'):
                yield m.start(), m.end() + t.end()
                break


def renamed_left(text, signal, assign):
    """The signal renamed where it stands left of an assignment; `assign` is '=' or '<='."""
    twin = TWIN % signal
    statement = r'(?:(?<=begin)|(?<=else)|(?<=[;)])|(?<=assign)|^|(?<=: gen))(\s*)'
    one = re.compile(statement + r'\b%s\b((?:\s*\[[^=;]*?\])?\s*%s(?!=))' % (signal, assign), re.M)
    text = one.sub(lambda m: m[1] + twin + m[2], text)
    many = re.compile(r'(\{[^{};()]*(?:\{[^{}]*\}[^{};()]*)*\})(\s*%s(?!=))' % assign)
    return many.sub(lambda m: re.sub(r'\b%s\b' % signal, twin, m[1]) + m[2], text)


def drive_twin(text, signal):
    """The module with its drivers of the signal turned to the twin."""
    twin, out, at = TWIN % signal, [], 0
    comb = [(a, b, 'comb') for a, b in blocks(text, r'\balways_comb\b')]
    clocked = [(a, b, 'ff') for a, b in blocks(text, r'\balways_ff\b[^\n]*?\)')]
    for start, end, kind in sorted(comb + clocked) + [(len(text), len(text), '')]:
        outside = renamed_left(text[at:start], signal, '=')
        outside = re.sub(r'(\.\w+_o\()%s\b' % signal, r'\g<1>%s' % twin, outside)
        if signal.endswith('_o'):
            outside = re.sub(r'(\.%s)(?=\s*[,)])' % signal, r'\g<1>(%s)' % twin, outside)
        body = text[start:end]
        if kind == 'comb' and renamed_left(body, signal, '=') != body:
            body = re.sub(r'\b%s\b' % signal, twin, body)
        elif kind == 'ff':
            body = renamed_left(body, signal, '<=')
        out += [outside, body]
        at = end
    return ''.join(out)


def value_of(module, signal, table):
    value = TWIN % signal
    for number, m, s, expression, path in table.rows:
        if (m, s) == (module, signal):
            value = "bug_i == 12'd%d ? (%s) : %s" % (number, expression.replace('@', TWIN % signal), value)
    return value


def planted(module, text, table):
    text = re.sub(r'//[^\n]*', '', text)
    head, body = re.split(r'(?<=\n)\);\n', text, maxsplit=1)
    head = re.sub(r'(module\s+\w+\s*(?:#\(.*?\n\)\s*)?\(\n)', r'\g<1>  input  logic [11:0] bug_i,\n', head, count=1, flags=re.S)
    signals = list(dict.fromkeys(r[2] for r in table.rows if r[1] == module))
    ends = ''.join('\n'.join(table.added.get(module, [])) + '\n')
    values = {s: value_of(module, s, table) for s in signals}
    for signal in signals:
        before = body
        body = drive_twin(body, signal)
        if body == before:
            sys.exit('plant.py: %s: found nothing that drives %s' % (module, signal))
        declared = 'logic [$bits(%s)-1:0] %s;' % (signal, TWIN % signal)
        internal = re.search(r'^\s*logic\s[^;]*\b%s\b[^;]*;' % signal, body, flags=re.M)
        value = '  assign %s = %s;\n' % (signal, values[signal])
        if internal and re.match(r'\n*   ', internal[0]):  # of a generate block: nobody outside sees it
            body = body[:internal.end()] + '\n' + declared + '\n' + value + body[internal.end():]
            continue
        if internal:
            body = body[:internal.end()] + '\n  ' + declared + body[internal.end():]
        elif re.search(r'\boutput\s+logic[^\n]*\b%s\b' % signal, head):
            body = '  ' + declared + '\n' + body
        else:
            sys.exit('plant.py: %s: no declaration of %s' % (module, signal))
        ends += value
    return head + ');\n' + body.replace('endmodule', ends + 'endmodule')


def copy(folder, table):
    sources = {os.path.basename(p)[:-3]: open(p).read() for p in sorted(glob.glob(os.path.join(ROOT, 'rtl', '*', '*.sv')), key=os.path.basename)}
    for number, module, signal, expression, path in table.rows:
        if module not in sources:
            sys.exit('%s: bug %d: no module %s' % (path, number, module))
    os.makedirs(folder, exist_ok=True)
    for path in glob.glob(os.path.join(ROOT, 'rtl', '*', '*.vh')):
        shutil.copy(path, folder)
    with open(os.path.join(folder, 'assert.vh'), 'w') as f:
        f.write('`ifndef WL_ASSERT_VH\n`define WL_ASSERT_VH\n`define ASSERT(name, expr)\n`endif\n')
    names = '|'.join(sources)
    pins = {os.path.basename(p): open(p).read() for p in glob.glob(os.path.join(ROOT, 'rtl', '*', '*_p*s.vh'))}
    for module, text in sources.items():
        text = re.sub(r'^`include "(\w+_(?:pins|ports)\.vh)"\n', lambda m: pins[m[1]], text, flags=re.M)  # instances and what they drive, ports
        text = planted(module, text, table)
        text = re.sub(r'^(\s*(?:%s)\s(?:\s*#\([^;]*?\)\s*)?u_\w+\s*\()' % names, r'\g<1>.bug_i, ', text, flags=re.M)
        with open(os.path.join(folder, module + '.sv'), 'w') as f:
            f.write(text)


if __name__ == '__main__':
    if sys.argv[1:] == ['list']:
        print('\n'.join(map(str, Table().numbers())))
    elif len(sys.argv) == 3 and sys.argv[1] == 'copy':
        copy(sys.argv[2], Table())
    else:
        sys.exit(__doc__)
