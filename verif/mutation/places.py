#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""places.py -- changes of sources, named by place and operator. The place is found by parsing, so a change outlives edits
around it: line breaks, comments, names of other signals, moves within its file.

  places.py rows c|sm|isa|lower|rtl|decode sample|all PATTERN   the changes of a list, six words each, each ended by a NUL: number, kind
                                    ('-' must be noticed, '=' must not), file, options, place, new text
  places.py change FILE PLACE TEXT  the file with the change made
  places.py lists                   whether every change of the lists can be made; prints 'N passed, N failed'
  places.py show FILE               the places of a file's operators

A list is verif/mutation/NAME.list and all verif/units/UNIT/mutation/NAME.list. It has, beside comments (#):

  @ FILE [OPTIONS]                  the lines below change this file; options are those of try_*
  PLACE  ==>  TEXT                  a change
  = REASON                          the next change cannot be noticed, for this reason: it must pass the tests
  * before PLACE                    part of the sample that `verify` runs
EVERY=N in the environment: of all rows, each N-th.

A PLACE is `SCOPE | TOKENS #N`: the N-th time (the first without #N) that these tokens, with whatever white space, stand in the
scope. That is a function, macro or object of a C file; of an RTL file the signal that a statement drives, with the conditions
before it, or an instance. `TOKENS` alone must stand in exactly one place of the file."""
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LISTS = ('c', 'sm', 'isa', 'lower', 'rtl', 'decode')
TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|\\\n)
  | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\\n])'(?!\w)
  | (?:[A-Za-z_$`][\w$]*|\d[\w.]*)? '[sS]?[bdhoBDHO][0-9a-fA-FxXzZ_?]+ | '[01xXzZ](?!\w)
  | [A-Za-z_$`][\w$]* | \d[\w.]*
  | <<<|>>>|===|!==|<<=|>>=|\.\.\.|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|->|\+=|-=|\*=|/=|%=|&=|\|=|\^=|\+:|-:|::|~&|~\||~\^|.
""", re.X | re.S)
OPERATORS = set('+ - * / % & | ^ ~ ! < > <= >= == != && || << >> <<< >>> ++ -- += -= &= |= ^= ?'.split())
OPEN, CLOSE = set('([{'), set(')]}')
TYPES = set('assign logic bit int localparam parameter signed unsigned input output'.split())


class Source:
    def __init__(self, path, text=None):
        self.path, self.text = path, open(os.path.join(ROOT, path)).read() if text is None else text
        self.tokens = [m for m in TOKEN.finditer(self.text) if not m['skip']]
        self.words = [m[0] for m in self.tokens]
        self.scopes = (rtl_scopes if path.endswith(('.sv', '.vh')) else c_scopes)(self)

    def find(self, place):
        """(start, end) in the text, or what is wrong."""
        named = re.match(r'([\w$`]+) \| (.*)', place)
        scope, wanted = named.groups() if named else ('', place)
        m = re.search(r' #(\d+)$', wanted)
        n, wanted = (int(m[1]), wanted[:m.start()]) if m and scope else (1, wanted)
        words = [t[0] for t in TOKEN.finditer(wanted) if not t['skip']]
        hits = [i for i in range(len(self.words) - len(words) + 1)
                if self.words[i:i + len(words)] == words and (not scope or self.scopes[i] == scope)]
        if scope and scope not in self.scopes:
            return 'there is no %s' % scope
        if len(hits) < n or not scope and len(hits) != 1:
            return 'it stands %d times' % len(hits)
        return self.tokens[hits[n - 1]].start(), self.tokens[hits[n - 1] + len(words) - 1].end()

    def changed(self, place, to):
        at = self.find(place)
        if isinstance(at, str):
            sys.exit('STALE     %s: %s: %s' % (self.path, place, at))
        return self.text[:at[0]] + to + self.text[at[1]:]

    def name(self, i, count):
        """The place of `count` tokens from number i on."""
        words, scope = self.words[i:i + count], self.scopes[i]
        n = sum(self.words[k:k + count] == words and self.scopes[k] == scope for k in range(i + 1))
        gaps = [self.text[self.tokens[k].end():self.tokens[k + 1].start()] for k in range(i, i + count - 1)]
        text = words[0] + ''.join((' ' if gap else '') + w for gap, w in zip(gaps, words[1:]))
        return '%s | %s%s' % (scope, text, ' #%d' % n if n > 1 else '')


def rtl_scopes(source):
    """Statements end with a `;` outside parentheses; begin, else, if (...) belong to the next one."""
    scopes, start, depth = [''] * len(source.words), 0, 0
    for i, word in enumerate(source.words):
        depth += (word in OPEN) - (word in CLOSE)
        if word == ';' and depth == 0 or word == 'endmodule':
            name = rtl_target(source.words[start:i]) or 'module'
            scopes[start:i + 1] = [name] * (i + 1 - start)
            start = i + 1
    scopes[start:] = ['module'] * (len(scopes) - start)
    return scopes


def rtl_target(words):
    depth, last, call = 0, '', ''
    if 'module' in words:
        return 'module'
    for i, word in enumerate(words):
        if depth == 0:
            if word in ('=', '<='):
                inside = next((w for w in words[:i][::-1] if re.match(r'[A-Za-z_]', w)), '')
                return last or inside
            if word == '(' and re.match(r'[A-Za-z_]', words[i - 1]) and words[i - 1] not in ('if', 'for', 'case', 'casez'):
                call = words[i - 1]
            if word == '{' and words[i - 1] in ('begin', ';', ')', 'assign', 'else', ':', 'always_comb'):
                last = ''
            elif re.match(r'[A-Za-z_]', word) and word not in TYPES:
                last = word
        depth += (word in OPEN) - (word in CLOSE)
    return call


def c_scopes(source):
    """Functions: a name, its parameters, a body at the outermost level; macros to the end of their line; else what is declared."""
    words, text = source.words, source.text
    scopes, start, i = [''] * len(words), 0, 0
    while i < len(words):
        if words[i] == '#':  # a line of the preprocessor
            end = i
            while end < len(words) and not newline(text, source.tokens[end - 1 if end > i else end].end(), source.tokens[end].start(), end > i):
                end += 1
            name = words[i + 2] if words[i + 1:i + 2] == ['define'] else 'file'
            scopes[i:end] = [name] * (end - i)
            i = start = end
            continue
        depth, name, body, at = 0, '', False, i
        while i < len(words):
            word = words[i]
            if depth == 0 and word == '(' and not name and words[i - 1] != '__attribute__':
                name = words[i - 1]
            if depth == 0 and word == '=':
                name = next((w for w in words[at:i][::-1] if re.match(r'[A-Za-z_]\w*$', w)), name)
            if depth == 0 and word == '{':
                body = words[i - 1] == ')'
            depth += (word in OPEN) - (word in CLOSE)
            i += 1
            if depth == 0 and (word == ';' or word == '}' and body):
                break
        scopes[at:i] = [name or 'file'] * (i - at)
        start = i
    return scopes


def newline(text, end, begin, inside):
    return inside and '\n' in text[end:begin].replace('\\\n', '')


def read(what):
    """(number, kind, file, options, place, text, picked) of each change of a list."""
    file, options, kind, n = None, '', '-', 0
    paths = glob.glob(os.path.join(HERE, what + '.list')) + sorted(glob.glob(os.path.join(ROOT, 'verif', 'units', '*', 'mutation', what + '.list')))
    for path, line in ((path, line) for path in paths for line in open(path)):
        line = line.rstrip('\n')
        if not line.strip() or line.startswith('#'):
            continue
        if line.startswith('@ '):
            file, _, options = line[2:].partition(' ')
        elif line.startswith('= '):
            kind = '='
        else:
            picked = line.startswith('* ')
            place, arrow, to = line[2 * picked:].partition('  ==>')
            if not arrow:
                sys.exit('%s: no ==> in: %s' % (path, line))
            n += 1
            yield n, kind, file, options, place, to[2:], picked
            kind = '-'


def lists():
    good, bad, sources = 0, [], {}
    for what in LISTS:
        before = good + len(bad)
        for _, _, file, _, place, to, _ in read(what):
            if not os.path.exists(os.path.join(ROOT, file)):
                bad.append('STALE     %s: no such file, for: %s' % (file, place))
                continue
            if file not in sources:
                sources[file] = Source(file)
            at = sources[file].find(place)
            if isinstance(at, str):
                bad.append('STALE     %s: %s: %s' % (file, place, at))
            elif sources[file].text[at[0]:at[1]] == to:
                bad.append('NO CHANGE %s: %s' % (file, place))
            else:
                good += 1
        if good + len(bad) == before:
            bad.append('EMPTY     the lists %s.list' % what)
    print('\n'.join(bad + ['%d passed, %d failed' % (good, len(bad))]))
    return bool(bad)


def main(words):
    every = int(os.environ.get('EVERY', '1'))
    if words[:1] == ['rows'] and len(words) == 4:
        for n, kind, file, options, place, to, picked in read(words[1]):
            if (n % every == 1 % every if words[2] == 'all' else picked) and re.search(words[3], '%s %s  ==>  %s' % (file, place, to)):
                sys.stdout.write(''.join(str(x) + '\0' for x in (n, kind, file, options, place, to)))
    elif words[:1] == ['change'] and len(words) == 4:
        sys.stdout.write(Source(words[1]).changed(words[2], words[3]))
    elif words == ['lists']:
        return lists()
    elif words[:1] == ['show'] and len(words) == 2:
        source = Source(words[1])
        for i, word in enumerate(source.words):
            if word in OPERATORS:
                print(source.name(i, 1))
    else:
        sys.exit(__doc__)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
