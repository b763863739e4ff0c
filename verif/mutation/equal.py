# SPDX-License-Identifier: Apache-2.0
"""equal.py -- proofs that a change of a netlist changes nothing that can be seen; used by verif/mutation/mutants.

Two copies of the netlist, one of them with the change, get the same inputs. Sought is a set of register bits that may differ
while all others are equal: if the others stay equal for every input, and the outputs are equal, both show the same for ever
from a common start. The search begins with the empty set; bits that a counterexample shows to differ are added. What
netlist.list says of a unit makes the question smaller:

  care OUTPUT VALID...    the output means something only beside its valid bit (one for each part of it, or any of more; A|B: beside
                          any bit of either); of further ones, which may be inputs, all must hold
  guard REGISTERS VALID...  these registers need to be equal only while the VALIDs hold, register bits themselves (!BIT: while
                          it is 0), or one of many, NAME[FIRST+STEP*{BIT,...}]: the bits BIT, lowest first, say which
  zero REGISTERS          they are never 1: proven first, from a start at 0
  always TEXT             a relation of register bits, in SMT-LIB with $ before their names: proven first, from a start at 0
  never REGISTERS         they are never 1, which is taken for granted; netlist.list says why
  granted TEXT            a relation of register bits, written as `always`, that is taken for granted; netlist.list says why
  limit INPUT MOST        what is promised: the input is never above MOST
  promise TEXT            likewise: a relation of inputs, written as `always`

REGISTERS is a regular expression of names of register bits.
"""
import re
import subprocess

ROUNDS = 40           # of proofs, each with more register bits that may differ: what spreads further is taken as seen
QUICK_ROUNDS = 8      # ... before the longer benches


class Netlist:
    """Yosys's SMT-LIB of a module, taken apart: leaves (inputs, register bits), nodes, outputs, what registers become."""

    def __init__(self, smt2, base, top, hints):
        t = re.escape(top)
        with open(smt2) as f:
            text = f.read()
        sort = r'(Bool|\(_ BitVec \d+\))'
        self.leaves = re.findall(rf'^\(declare-fun \|{t}#(\d+)\| \(\|{t}_s\|\) {sort}\) ; (.*)$', text, flags=re.M)
        self.nodes = [(n, s, self.call(top, body)) for n, s, body in re.findall(
            rf'^\(define-fun \|{t}#(\d+)\| \(\(state \|{t}_s\|\)\) {sort} (.+?)\)(?: ; .*)?$', text, flags=re.M)]
        named = {n: self.call(top, body) for n, _, body in re.findall(
            rf'^\(define-fun \|{t}_n ([^|]+)\| \(\(state \|{t}_s\|\)\) {sort} (.+?)\)$', text, flags=re.M)}
        self.outputs = {n: (int(w), named[n]) for n, w in re.findall(r'^; yosys-smt2-output (\S+) (\d+)', text, flags=re.M)}
        self.inputs = {n: (int(w), named[n]) for n, w in re.findall(r'^; yosys-smt2-input (\S+) (\d+)', text, flags=re.M)}
        becomes = re.findall(rf'^\s*\(= (.+) \(\|{t}#(\d+)\| next_state\)\)+ ; (\S+)(.*)$', text, flags=re.M)
        if len(becomes) != text.count(' next_state)') or not self.outputs or not self.nodes:
            raise RuntimeError(f'{smt2}: not understood')
        # A changed register drives another wire: its cell in the netlist before changes knows the name.
        names = self.names(base)
        self.registers = [(q, self.call(top, d), self.named(names, cell) or rest.strip().lstrip('\\').replace(' [', '['))
                          for d, q, cell, rest in becomes]
        self.name_words_read()
        self.of_name = {name: q for q, _, name in self.registers}
        self.next = {q: d for q, d, _ in self.registers}
        self.mutant = {n for n, _, name in self.leaves if name == '\\mutant_i'}
        self.hints = hints
        self.graph()
        self.guards = {}
        for pattern, *valid in hints.get('guard', []):
            for q, _, name in self.registers:
                if re.fullmatch(pattern, name):
                    self.guards[q] = valid
        self.zeros = [q for q, _, name in self.registers if self.is_hinted('zero', name)]
        self.nevers = [q for q, _, name in self.registers if self.is_hinted('never', name)]

    def graph(self):
        """Which nodes read which, and which are the comparisons that say that a change is on."""
        self.reads = {n: set(re.findall(r'@(\d+)', body)) for n, _, body in self.nodes}
        self.readers, self.turns_on = {}, {}
        for n, _, body in self.nodes:
            for r in self.reads[n]:
                self.readers.setdefault(r, []).append(n)
            if self.reads[n] & self.mutant:
                number = re.fullmatch(r'\(= @\d+ #b([01]{16})\)', body)
                self.turns_on[n] = int(number.group(1), 2) if number else None

    def reached(self, number, start):
        """What may differ when a change is on and the register bits `start` differ."""
        todo = list(start) + [n for n, which in self.turns_on.items() if which in (None, number)]
        seen = set(todo)
        while todo:
            new = [r for r in self.readers.get(todo.pop(), ()) if r not in seen and r not in self.turns_on]
            seen.update(new)
            todo += new
        return seen | self.mutant

    def below(self, start):
        """Nodes, with all that they are made of."""
        todo, seen = list(start), set(start)
        while todo:
            new = self.reads.get(todo.pop(), set()) - seen
            seen |= new
            todo += new
        return seen

    def name_words_read(self):
        """A changed bit of a word that a RAM gives has no name there: its neighbours in the word know."""
        of_word, bit = {}, re.compile(r'\(= \(\(_ extract (\d+) \1\) (@\d+)\) #b1\)')
        for _, d, name in self.registers:
            part, named = bit.fullmatch(d), re.fullmatch(r'([^$].*)\[(\d+)\]', name)
            if part and named and part.group(1) == named.group(2):
                of_word[part.group(2)] = named.group(1)
        for i, (q, d, name) in enumerate(self.registers):
            part = bit.fullmatch(d)
            if name.startswith('$auto$mutate') and part and part.group(2) in of_word:
                self.registers[i] = (q, d, f'{of_word[part.group(2)]}[{part.group(1)}]')

    def holds(self, guard, bit):
        """A guard's VALIDs in SMT-LIB; `bit` gives the text of a register bit."""
        words = []
        for v in guard:
            chosen = re.fullmatch(r'(.+)\[(\d+)\+(\d+)\*\{(.+)\}\]', v)
            if not chosen:
                words.append(f'(not {bit(self.of_name[v[1:]])})' if v[0] == '!' else bit(self.of_name[v]))
                continue
            name, first, step, by = chosen.groups()
            by = [bit(self.of_name[n]) for n in by.split(',')]
            for value in range(1 << len(by)):
                here = ' '.join(b if value >> i & 1 else f'(not {b})' for i, b in enumerate(by))
                words.append(f'(=> (and {here}) {bit(self.of_name[f"{name}[{int(first) + int(step) * value}]"])})')
        return f'(and true {" ".join(words)})'

    def told(self, hint, bit):
        """The texts of `always` or `promise`; `bit` gives the text of a register bit."""
        def word(m):
            return of('a', self.inputs[m.group(1)][1]) if m.group(1) in self.inputs else bit(self.of_name[m.group(1)])
        return [re.sub(r'\$([\w.\[\]]+)', word, ' '.join(words)) for words in self.hints.get(hint, [])]

    def is_hinted(self, hint, name):
        return any(re.fullmatch(pattern, name) for pattern, in self.hints.get(hint, []))

    @staticmethod
    def named(names, cell):
        """The name of a register's cell; where a module was flattened into another one its place stands before both."""
        inner = re.fullmatch(r'\$flatten[/\\](.+?)\.(\$.+)', cell)
        if inner and inner.group(2) in names:
            return f'{inner.group(1)}.{names[inner.group(2)]}'
        return names.get(cell)

    @staticmethod
    def names(base):
        with open(base) as f:
            text = f.read()
        return {cell: q.lstrip('\\').replace(' [', '[').strip() for cell, q in
                re.findall(r'^  cell \$_\w+_ (\S+)\n(?:    .*\n)*?    connect \\Q (.+)$', text, flags=re.M)}

    @staticmethod
    def call(top, body):
        """Uses of other nodes, as names with a place for which copy they are of."""
        return re.sub(rf'\(\|{re.escape(top)}#(\d+)\| state\)', r'@\1', body)


def of(copy, body):
    return body.replace('@', copy)


def same_output(net, name):
    """That an output is equal where it is looked at."""
    care = {output: valids for output, *valids in net.hints.get('care', [])}
    width, body = net.outputs[name]
    a, b = of('a', body), of('b', body)
    if name not in care:
        return f'(= {a} {b})'
    valids = [[net.outputs.get(v) or net.inputs[v] for v in word.split('|')] for word in care[name]]
    if len(valids) == 1 and len(valids[0]) > 1:
        on = ' '.join(of('a', v) if w == 1 else f'(distinct {of("a", v)} (_ bv0 {w}))' for w, v in valids[0])
        return f'(=> (or {on}) (= {a} {b}))'
    (bits, valid), *also = [v[0] for v in valids]
    if also:
        here = ' '.join(of('a', v) if w == 1 else f'(distinct {of("a", v)} (_ bv0 {w}))' for w, v in also)
        return f'(=> (and true {here}) {same_beside(name, width, a, b, bits, valid)})'
    return same_beside(name, width, a, b, bits, valid)


def same_beside(name, width, a, b, bits, valid):
    if bits > width:
        return f'(=> (distinct {of("a", valid)} (_ bv0 {bits})) (= {a} {b}))'
    if width % bits:
        raise RuntimeError(f'care: {name} of {width} bits, its valid of {bits}')
    part, parts = width // bits, []
    for i in range(bits):     # each word once: a part for each bit of a long one would repeat it
        on = 'on' if bits == 1 else f'(= ((_ extract {i} {i}) on) #b1)'
        at = f'(_ extract {(i + 1) * part - 1} {i * part})'
        parts.append(f'(=> {on} ' + ('(= one other)' if width == 1 else f'(= ({at} one) ({at} other))') + ')')
    return f'(let ((on {of("a", valid)}) (one {a}) (other {b})) (and true {" ".join(parts)}))'


def same_register(net, guards, q):
    same = f'(= {of("a", net.next[q])} {of("b", net.next[q])})'
    return f'(=> {net.holds(guards[q], lambda v: of("a", net.next[v]))} {same})' if q in guards else same


def question(net, number, guards, free, goals):
    """What is equal or known of both copies, and that one of the goals fails. Where a change cannot reach, both copies are one:
    only what it reaches is there twice, and only what is asked for is there at all. None: it reaches no goal."""
    reached = net.reached(number, set(free) | set(guards))

    def here(text):
        return re.sub(r'(?<!#)\bb(\d+)\b', lambda m: m.group(0) if m.group(1) in reached else 'a' + m.group(1), text)

    twice = re.compile(r'(?<!#)\bb\d')
    goals = [(g, here(body)) for g, _, body in goals if not twice.search(body) or twice.search(here(body))]
    if not goals:
        return None
    known = [f'(=> {net.holds(guards[q], lambda v: "a" + v)} (= a{q} b{q}))' for q in guards if q not in free]
    for name, most in net.hints.get('limit', []):
        width, body = net.inputs[name]
        if width > 1:
            known.append(f'(bvule {of("a", body)} (_ bv{most} {width}))')
        elif int(most) == 0:
            known.append(f'(not {of("a", body)})')
    known += [text for hint in ('promise', 'always', 'granted') for text in net.told(hint, lambda q: 'a' + q)]
    known += [f'(not a{q})' for q in net.zeros + net.nevers]
    known += [f'(not {of("a", net.next[q])})' for q in net.nevers]
    asked = net.below({n for text in known + [body for _, body in goals] for n in re.findall(r'(?<!#)\b[ab](\d+)\b', text)})
    say = ['(set-option :produce-models true)', '(set-logic QF_BV)']
    for n, sort, _ in net.leaves:
        if n in net.mutant:
            say.append(f'(define-fun a{n} () {sort} (_ bv0 16))\n(define-fun b{n} () {sort} (_ bv{number} 16))')
        elif n in asked:
            say += [f'(declare-fun {copy}{n} () {sort})' for copy in ('ab' if n in reached else 'a')]
    say += [f'(define-fun a{n} () {sort} {of("a", body)})' for n, sort, body in net.nodes if n in asked]
    say += [f'(define-fun b{n} () {sort} {here(of("b", body))})' for n, sort, body in net.nodes if n in asked and n in reached]
    say += [f'(assert {text})' for text in known]
    say += [f'(define-fun {g} () Bool {body})' for g, body in goals]
    say.append('(assert (not (and true ' + ' '.join(g for g, _ in goals) + ')))\n(check-sat)')
    say.append('(get-value (' + ' '.join(g for g, _ in goals) + '))')
    return '\n'.join(say)


def ask(solver, net, number, guards, free, goals, seconds):
    """Names of goals that can fail together; none: none can. None: no answer in time."""
    asked = question(net, number, guards, free, goals)
    if asked is None:
        return []
    try:
        out = subprocess.run(['sh', '-c', f'ulimit -t {seconds}; exec {solver} --delegate=y2sat'], capture_output=True, text=True,
                             input=asked).stdout
    except BrokenPipeError:
        return None
    if not out:
        return None
    if out.startswith('unsat'):
        return []
    if not out.startswith('sat'):
        raise RuntimeError('solver: ' + out[:300])
    differ = {n for n, v in re.findall(r'\((\w+) (true|false)\)', out) if v == 'false'}
    return [what for g, what, _ in goals if g in differ]


def check_hints(solver, net, seconds):
    """Proves `zero` and `always` for the unchanged netlist."""
    told = net.told('always', lambda q: of('a', net.next[q]))
    if not net.zeros + told:
        return
    start = f'(set-logic QF_BV)\n(assert (not (and true {" ".join(net.told("always", lambda _: "false"))})))\n(check-sat)\n'
    if not subprocess.run([solver], capture_output=True, text=True, input=start).stdout.startswith('unsat'):
        raise RuntimeError('netlist.list: always does not hold at the start')
    goals = [(f'zero{i}', q, f'(not {of("a", net.next[q])})') for i, q in enumerate(net.zeros)]
    goals += [(f'always{i}', ' '.join(words), text) for i, (words, text) in enumerate(zip(net.hints.get('always', []), told))]
    failed = ask(solver, net, 0, {}, set(), goals, seconds)
    if failed is None or failed:
        names = {q: name for q, _, name in net.registers}
        raise RuntimeError(f'netlist.list: zero or always does not hold: {" ".join(names.get(q, q) for q in failed or [])}')


def prove(solver, net, number, seconds, rounds=ROUNDS):
    """'' when the change is invisible, else what it may change. Guards are dear: they are used where it goes wrong without."""
    why, free = search(solver, net, number, {}, seconds, rounds)
    if why and net.guards.keys() & free:
        why, _ = search(solver, net, number, net.guards, seconds, rounds)
    return why


def search(solver, net, number, guards, seconds, rounds):
    free, names = set(), {q: name for q, _, name in net.registers}
    for _ in range(rounds):
        goals = [(f'out{i}', 'output ' + name, same_output(net, name)) for i, name in enumerate(net.outputs)]
        goals += [(f'reg{i}', q, same_register(net, guards, q)) for i, (q, _, _) in enumerate(net.registers) if q not in free]
        failed = ask(solver, net, number, guards, free, goals, seconds)
        if failed is None:
            return 'took too long', free
        seen = [f for f in failed if ' ' in f]
        if seen:
            apart = ' '.join(sorted(names[q] for q in free)[:4])
            return ' '.join(seen) + (f' ({len(free)} bits apart: {apart})' if free else ''), free
        if not failed:
            return '', free
        free |= set(failed)
    return 'too many rounds', free
