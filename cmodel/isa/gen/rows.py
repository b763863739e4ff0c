# SPDX-License-Identifier: Apache-2.0
"""rows.py -- reads the encoding tables (enc_*.def), checks them, and hands them to the emitters as plain objects.

The format is described in cmodel/isa/README.md. Everything that is wrong with a table is one line
`file:line: what was found, what was expected`; a table with errors is refused.
"""
import re

import uops as uop_table
from archs import ARCHS, VARIANTS
from uops import TableError

OPCODE = list(range(12)) + [91]  # bit numbers of the opcode
GUARD = list(range(12, 16))
SCHED = list(range(105, 126))
MAX_LINE = 200



def read_members():
    """members.def -> {name: neutral value}; ftype and imm64 are the tables' own."""
    text = open(uop_table.ISA + '/members.def').read()
    return dict({m[1]: int(m[2]) for m in re.finditer(r'^MEMBER\((\w+), [\w\[\]]+, \d, (\d+)\)', text, re.M)}, imm64=0, ftype=0)


# Members of struct wl_inst that a value or an assignment can name, with their neutral value.
MEMBERS = read_members()
# Members whose values have names: order=STRONG is WL_MEM_STRONG.
NAMED = {'order': 'WL_MEM_', 'scope': 'WL_SCOPE_', 'evict': 'WL_EVICT_'}
SRC = {'A': 0, 'B': 1, 'C': 2}
SRC_REG, SRC_IMM, SRC_CONST, SRC_UREG = 1, 2, 3, 4
SRC_REGISTER = ('ra', 'rb', 'rc')
KINDS = ('R', 'U', 'P', 'V', 'B', 'S', 'I', 'T', 'Ff', 'Fd', 'Fh')

class Field:
    """Where a value sits: konst + sum over runs of sign * bits << shift."""

    def __init__(self, name, kind, runs, konst):
        self.name, self.kind, self.runs, self.konst = name, kind, runs, konst

    @property
    def bits(self):
        return [b for lo, n, sh, neg in self.runs for b in range(lo, lo + n)]

    @property
    def signed(self):
        return any(neg for lo, n, sh, neg in self.runs) and self.konst == 0

    def key(self):
        return (self.kind, tuple(self.runs), self.konst)


class Piece:
    """A piece of text chosen by bits. options: (value, text, ((member, value), ...))."""

    def __init__(self, name, bits, options):
        self.name, self.bits, self.options = name, bits, options

    def members(self):
        return {m for v, t, a in self.options for m, x in a}

    def key(self):
        return (tuple(self.bits), tuple(self.options))


class Row:
    pass


def parse_bits(text):
    out = []
    for part in text.split(','):
        lo, _, hi = part.partition(':')
        out += range(int(lo), int(hi or lo) + 1)
    return out


def parse_spec(text):
    runs, konst = [], 0
    for term in text.split('+'):
        if term[0] == 'c':
            konst += int(term[1:])
            continue
        m = re.fullmatch(r'(\d+)(?::(\d+))?(s?)(?:\*(-?\d+))?', term)
        if not m:
            raise ValueError('bits "%s" (expected lo:hi, lo:hi*weight, lo:his or cN)' % term)
        lo, hi, weight = int(m[1]), int(m[2] or m[1]), int(m[4] or 1)
        shift = abs(weight).bit_length() - 1
        if 1 << shift != abs(weight):
            raise ValueError('weight %d (expected a power of two)' % weight)
        if m[3]:
            runs.append((lo, hi - lo, shift, False))
            runs.append((hi, 1, shift + hi - lo, True))
        else:
            runs.append((lo, hi - lo + 1, shift, weight < 0))
    return runs, konst


def parse_assign(text, where):
    """'size=1,SIGNED' -> ((member, value), ...). A value '#' stands for the value of the piece."""
    out = []
    for item in filter(None, text.split(',')):
        name, eq, value = item.partition('=')
        if not eq:
            out.append(('flags', 'WL_F_' + name))
        elif name == 'uop':
            out.append(('uop', 'WL_UOP_' + value))
        elif name in NAMED:
            out.append((name, NAMED[name] + value))
        elif name in MEMBERS:
            out.append((name, value if value == '#' else int(value, 0)))
        else:
            raise TableError('%s: member "%s" (expected one of struct wl_inst)' % (where, name))
    return tuple(out)


def parse_terms(text, where):
    """A condition: alternatives by '|', terms by '&': lo:hi=a/b or lo:hi!=a. Gives a list of lists of
    (lo, n, equal, values)."""
    if text == '*':
        return [[]]
    out = []
    for alt in text.split('|'):
        terms = []
        for t in alt.split('&'):
            m = re.fullmatch(r'(\d+)(?::(\d+))?(!?=)(\d+(?:/\d+)*)', t)
            if not m:
                raise TableError('%s: condition "%s" (expected lo:hi=value or lo:hi!=value)' % (where, t))
            lo, n = int(m[1]), int(m[2] or m[1]) - int(m[1]) + 1
            values = [int(x) for x in m[4].split('/')]
            if n < 1 or any(v >> n for v in values):
                raise TableError('%s: condition "%s": the value does not fit its bits' % (where, t))
            terms.append((lo, n, m[3] == '=', values))
        out.append(terms)
    return out


def parse_archs(text, where):
    """'75,100,-107' -> architectures. A variant has the rows of its base, unless the row says `-N`."""
    named, without = [], []
    for item in text.split(','):
        number = item[1:] if item.startswith('-') else item
        if not number.isdigit() or int(number) not in ARCHS:
            raise TableError('%s: architecture "%s" (expected one of %s)' % (where, item, ', '.join(map(str, ARCHS))))
        (without if item.startswith('-') else named).append(int(number))
    inherited = [v for v, base in VARIANTS.items() if base in named]
    for v in without:
        if v not in inherited or v in named:
            raise TableError('%s: architecture "-%d" (expected a variant of one that the row has)' % (where, v))
    return sorted(set(named + [v for v in inherited if v not in without]))


class SpareBits:
    """spare_bits.tsv: bits that a row does not name and NVIDIA's disassembler ignores, by a word of the row."""

    def __init__(self, path=None):
        self.words = {}
        for line in open(path) if path else ():
            if line[0] != '#':
                arch, word, text, ignored, refused = line.rstrip('\n').split('\t')
                word = int(word, 16)
                key = int(arch), word & 0xfff | (word >> 91 & 1) << 12
                self.words.setdefault(key, []).append((word, int(ignored, 16)))

    def ignored(self, row, arch):
        return next((bits for word, bits in self.words.get((arch, row.op), ()) if self.holds(row, word)), 0)

    @staticmethod
    def holds(row, word):
        """Is it a word of the row?"""
        def value(bits):
            return sum((word >> b & 1) << i for i, b in enumerate(bits))
        met = any(all((value(range(lo, lo + n)) in values) == equal for lo, n, equal, values in terms) for terms in row.when)
        return met and all(value(p.bits) in {v for v, t, a in p.options} for p in row.pieces)


class Table:
    def __init__(self, paths, uops, spare=SpareBits()):
        self.uops, self.spare = uops, spare
        self.traits, self.timings = uop_table.read_traits(), uop_table.read_timings()
        self.classes = uop_table.read_classes()
        self.fields, self.pieces, self.rows, self.errors = {}, {}, [], []
        lines = []
        for path in paths:
            for where, line in self.logical_lines(path):
                lines.append((where, line))
        for where, line in lines:
            self.guarded(where, self.definition, line)
        for where, line in lines:
            self.guarded(where, self.row_line, line)
        if not self.errors:
            for row in self.rows:
                self.guarded(row.where, self.check_row, row)
        if not self.errors:
            self.check_overlap()
        if self.errors:
            raise TableError('\n'.join(self.errors))

    @staticmethod
    def logical_lines(path):
        """(file:line, line). An indented line goes on with the one above; nothing comes between a condition's bar and
        the alternative below it."""
        pending, start = '', 0
        for no, line in enumerate(open(path), 1):
            line = '' if line.lstrip().startswith('#') else line.rstrip()
            if len(line) > MAX_LINE:
                raise TableError('%s:%d: a line of %d characters (expected at most %d: go on in an indented one)'
                                 % (path, no, len(line), MAX_LINE))
            if not line.strip():
                continue
            if line[0] in ' \t':
                if not pending:
                    raise TableError('%s:%d: an indented line with nothing above to go on with' % (path, no))
                pending += ('' if re.search(r'\S\|$', pending) else ' ') + line.strip()
                continue
            if pending:
                yield '%s:%d' % (path, start), pending
            pending, start = line, no
        if pending:
            yield '%s:%d' % (path, start), pending

    def guarded(self, where, function, *args):
        try:
            function(where, *args)
        except (TableError, ValueError) as e:
            text = str(e)
            self.errors.append(text if text.startswith(where) else '%s: %s' % (where, text))

    # ---- definitions ----
    def definition(self, where, line):
        if line.startswith('field '):
            m = re.fullmatch(r'field (\w+)\s+(\w+)\s+(?:([-\d,]+) )?= (\S+)', line)
            if not m or m[2] not in KINDS:
                raise TableError('"%s" (expected: field NAME KIND [ARCHS] = BITS)' % line)
            runs, konst = parse_spec(m[4])
            for arch in parse_archs(m[3], where) if m[3] else ARCHS:
                if (m[1], arch) in self.fields:
                    raise TableError('field %s is there twice for sm_%d' % (m[1], arch))
                self.fields[m[1], arch] = Field(m[1], m[2], runs, konst)
        elif line.startswith('piece '):
            m = re.fullmatch(r'piece (\w+) ([\d:,]+) = (.*)', line)
            if not m:
                raise TableError('"%s" (expected: piece NAME BITS = VALUE TEXT [ASSIGNMENTS] | ...)' % line)
            if m[1] in self.pieces:
                raise TableError('piece %s is there twice' % m[1])
            bits, options, seen = parse_bits(m[2]), [], set()
            for opt in m[3].split(' | '):
                p = opt.split()
                if len(p) not in (2, 3):
                    raise TableError('option "%s" of piece %s (expected: VALUE TEXT [ASSIGNMENTS])' % (opt, m[1]))
                value = int(p[0])
                if value in seen or value >> len(bits):
                    raise TableError('value %d of piece %s is there twice or does not fit' % (value, m[1]))
                seen.add(value)
                assign = tuple((k, value if x == '#' else x) for k, x in parse_assign(p[2] if len(p) > 2 else '', where))
                options.append((value, {'-': '', '||': '|'}.get(p[1], p[1]), assign))
            self.pieces[m[1]] = Piece(m[1], bits, options)

    # ---- rows ----
    def row_line(self, where, line):
        if line.startswith(('field ', 'piece ')):
            return
        head, sep, text = line.partition(' : ')
        words = head.split()
        if not sep or len(words) < 3 or not re.fullmatch(r'[01][0-9a-f]{3}', words[0]):
            raise TableError('"%s" (expected: OPCODE ARCHS UOP [clauses] : TEXT)' % line[:60])
        if words[2] not in self.uops:
            raise TableError('micro-operation "%s" (expected a name of uops.def)' % words[2])
        row = Row()
        row.where, row.op, row.uop, row.text = where, int(words[0], 16), words[2], text
        row.archs = parse_archs(words[1], where)
        row.when, row.with_, row.only, row.illegal, row.rz = [[]], [], [], [], []
        row.upred = row.nourz = row.alias = row.hidden = row.ours = row.newer = row.offset = False
        row.timing, row.sync_class, row.traits = None, None, []
        row.sets = ()
        for w in words[3:]:
            key, _, value = w.partition('=')
            if key == 'when':
                row.when = parse_terms(value, where)
            elif key == 'with':
                row.with_ = parse_terms(value, where)[0]
            elif key == 'only':
                row.only = parse_terms(value, where)
            elif key == 'illegal':
                row.illegal = parse_terms(value, where)
            elif key == 'rz':
                row.rz = ['' if x == '-' else x for x in value.split(',')]
            elif key == 'set':
                row.sets = value
            elif key == 'timing':
                if value not in self.timings:
                    raise TableError('timing "%s" (expected a class of timing.def)' % value)
                row.timing = value
            elif key == 'class':
                row.sync_class = value
            elif key == 'traits':
                row.traits = value.split(',')
                uop_table.check_traits(where, row.traits, self.traits)
            elif key == 'hidden':
                row.hidden = value
            elif w == 'nourz=*':
                row.nourz = '*'
            elif w in ('offset=signed', 'offset=unsigned'):
                row.offset = w[7:]
            elif w in ('upred', 'nourz', 'alias', 'ours', 'newer'):
                setattr(row, w, True)
            else:
                raise TableError('clause "%s" (expected when= with= only= illegal= rz= set= timing= class= traits= hidden= upred nourz nourz=* offset=signed offset=unsigned alias ours newer)' % w)
        if row.uop == 'UNMODELLED' and not row.timing:
            raise TableError('an UNMODELLED row says itself how long it takes (expected timing=CLASS)')
        if row.traits or row.sync_class:
            uop_table.check_class(where, 'the row', row.sync_class or 'None', row.traits, self.classes)
        # One object for each set of architectures whose fields sit in the same bits.
        groups = {}
        for arch in row.archs:
            copy = Row()
            copy.__dict__.update(row.__dict__)
            copy.archs = [arch]
            self.parse_text(copy, arch)
            self.account(copy, arch)
            groups.setdefault(copy.signature, copy).archs.append(arch)
        for copy in groups.values():
            copy.archs = sorted(set(copy.archs))
            self.rows.append(copy)

    def account(self, row, arch):
        """Every bit of the word: named by the row, ignored, or `rest`: 0 in every word of the row."""
        parts = [x for s in row.steps for x in s[1:]] + [b[-1] for b in row.binds]
        row.values = [x for x in parts if isinstance(x, Field)]
        row.pieces = [x for x in parts if isinstance(x, Piece)]
        row.named = set(OPCODE + GUARD + SCHED)
        for x in row.values + row.pieces:
            row.named.update(x.bits)
        for lo, n, equal, values in row.with_ + [t for terms in row.when + row.only + row.illegal for t in terms]:
            row.named.update(range(lo, lo + n))
        ignored = self.spare.ignored(row, arch)
        row.rest = []
        for bit in [b for b in range(128) if b not in row.named and not ignored >> b & 1]:
            if row.rest and sum(row.rest[-1][:2]) == bit and bit != 64:
                row.rest[-1] = (row.rest[-1][0], row.rest[-1][1] + 1, True, [0])
            else:
                row.rest.append((bit, 1, True, [0]))
        row.signature += repr(row.rest)

    def field(self, row, name, arch):
        f = self.fields.get((name, arch))
        if not f:
            raise TableError('%s: field "%s" is not defined for sm_%d' % (row.where, name, arch))
        return f

    def parse_text(self, row, arch):
        """The text of a row becomes steps (what is printed, in order) and binds (what is decoded)."""
        m = re.match(r'(\w+)', row.text)
        row.name = m[1]
        row.steps, row.binds, row.regs = [('LIT', m[1])], [], []
        row.modelled = row.uop != 'UNMODELLED'
        self.arch = arch
        pos = m.end()
        if row.alias:
            row.steps.append(('ALIAS',))
        head, space, operands = row.text[pos:].partition(' ')
        self.scan(row, head, None)
        if space:
            first = True
            for part in self.split_operands(operands):
                if part == ' ':
                    row.steps.append(('LIT', ' '))
                    first = None
                    continue
                steps = row.steps
                row.steps = []
                optional = self.scan(row, part, first)
                body, row.steps = row.steps, steps
                sep = [] if first is None else [('SEP',)]
                if optional:
                    f, note = optional
                    row.steps.append(('OPT', f, note, len(sep + body)))
                row.steps += sep + body
                first = False
        if row.hidden:
            member, _, field = row.hidden.partition(':')
            self.bind(row, member, self.field(row, field, arch))
            if not row.modelled:
                row.regs.append((self.field(row, field, arch), '2', ''))
        for member, value in self.row_sets(row):
            row.binds.append(('CONST', member, value))
        row.signature = repr([(s[0],) + tuple(x.key() if hasattr(x, 'key') else x for x in s[1:]) for s in row.steps]
                             + [(b[0],) + tuple(x.key() if hasattr(x, 'key') else x for x in b[1:]) for b in row.binds])

    @staticmethod
    def split_operands(text):
        out, depth, cur, i = [], 0, '', 0
        while i < len(text):
            c = text[i]
            depth += c in '[{<'
            depth -= c in ']}>'
            if depth == 0 and text.startswith(', ', i):
                out.append(cur)
                cur, i = '', i + 2
                continue
            if depth == 0 and c == ' ':
                out += [cur, ' ']
                cur, i = '', i + 1
                continue
            cur += c
            i += 1
        return out + [cur]

    def row_sets(self, row):
        out = []
        if isinstance(row.sets, str):
            for item in row.sets.split(','):
                if item.startswith(('A.', 'B.', 'C.')):
                    member, _, value = item[2:].partition('=')
                    out += [('src%d' % SRC[item[0]], SRC_IMM), (member, int(value))]
                else:
                    out += parse_assign(item, row.where)
        return out

    def piece_of(self, row, text, source):
        """`{name}` or `{bit:text[:assignments]}`; a sign before a source marks that source."""
        m = re.fullmatch(r'(\d+):([^:]+)(?::(\S+))?', text)
        if m:
            bit = int(m[1])
            assign = parse_assign(m[3] or '', row.where)
            if source and not assign:
                assign = self.sign(row, m[2], source)
            return Piece('', [bit], [(0, '', ()), (1, m[2], assign)])
        p = self.pieces.get(text)
        if not p:
            raise TableError('%s: piece "%s" is not defined' % (row.where, text))
        if source and all(t in ('', '-', '~', '!', '|') for v, t, a in p.options):
            return Piece(p.name, p.bits, [(v, t, a or (self.sign(row, t, source) if t else ())) for v, t, a in p.options])
        return p

    def sign(self, row, char, member):
        if not row.modelled:
            return ()
        if char == '!' and member in ('ps0', 'ps1', 'ps2'):
            return ((member, 8),)
        if member in SRC:
            # Complement under .X stands for negation with the carry (uops.def), so both are `neg`.
            what = {'-': 'neg', '|': 'abs', '~': 'neg' if 'X' in str(row.sets).split(',') else 'inv'}.get(char)
            if what:
                return ((what, 1 << SRC[member]),)
        return ()

    TOKEN = re.compile(r'<([^>]*)>|\{([^}]*)\}|(\[)|(\])|([^<{\[\]]+)')

    def scan(self, row, text, first):
        """Steps and binds of one operand (or of the mnemonic, first = None). Gives (field, not-piece) if optional."""
        tokens = [m for m in self.TOKEN.finditer(text)]
        if ''.join(m[0] for m in tokens) != text:
            raise TableError('%s: text "%s" cannot be read' % (row.where, text))
        values = re.findall(r'<(?:([\w.]+)=)?(\w+)', text)
        main = values[0][0].split('.')[0] if values and values[0][0] else None
        constant = re.match(r'(\{[^}]*\})*c\[', text) is not None  # signs may stand before c[..][..]
        if values and '[' in text and not constant:
            main = None
        optional = None
        mem = None
        noted = None
        reused = -1  # `.reuse` is printed behind a closing bar and before a suffix
        for t in tokens:
            if reused >= 0 and not self.is_bar(t[2]):
                row.steps.append(('REUSE', reused))
                reused = -1
            if t[3]:
                mem = {'parts': []}
            elif t[4]:
                row.steps.append(('MEM',) + self.memory(row, mem['parts'], not constant))
                mem = None
            elif mem is not None:
                mem['parts'].append(t)
            elif t[1] is not None:
                f, member, opt, reuse = self.value(row, t[1])
                row.steps.append(('VAL', f))
                reused = reuse
                self.bind(row, member, f)
                if opt:
                    optional = (f, noted)
            elif t[2] is not None:
                p = self.piece_of(row, t[2], main)
                row.steps.append(('PIECE', p))
                if not any(b[0] == 'PIECE' and b[1].key() == p.key() for b in row.binds):
                    row.binds.append(('PIECE', p))
                if t[2].endswith(':!'):
                    noted = p
            else:
                row.steps.append(('LIT', t[5]))
        if reused >= 0:
            row.steps.append(('REUSE', reused))
        return optional

    def is_bar(self, piece):
        """Does {piece} print the bars of an absolute value?"""
        named = self.pieces.get(piece)
        return bool(piece) and (piece.endswith(':|') or bool(named) and {t for v, t, a in named.options} == {'', '|'})

    def value(self, row, text):
        m = re.fullmatch(r'(?:([\w.]+)=)?(\w+)(\?)?(?:~(\d))?(?::(\w+))?', text)
        if not m:
            raise TableError('%s: value "<%s>" (expected <[member=]FIELD[?][~N][:WIDTH]>)' % (row.where, text))
        f = self.field(row, m[2], self.arch)
        if m[1] and m[5]:
            raise TableError('%s: value "<%s>": how many registers %s takes is said by uops.def' % (row.where, text, m[1]))
        if not m[1] and f.kind in 'RUPV':
            row.regs.append((f,) + uop_table.width_of(row.where, m[5] or '1'))
        return f, m[1], bool(m[3]), -1 if m[4] is None else int(m[4])

    def memory(self, row, parts, address):
        """[R+U+I]: (R field, R sign piece, R suffix, U field, U sign, U suffix, I field, reuse, zext). A suffix
        is a piece or a literal. zext: in an address of RZ alone the offset is unsigned, of that many bits."""
        slot = {'R': [None, None, None], 'U': [None, None, None], 'I': [None]}
        sign, last, reuse = None, None, -1
        for t in parts:
            if t[1] is not None:
                f, member, opt, ru = self.value(row, t[1])
                last = f.kind
                if last not in slot or slot[last][0]:
                    raise TableError('%s: address part <%s> (expected one R, one U, one I)' % (row.where, t[1]))
                slot[last][0] = f
                if last in 'RU':
                    slot[last][1], sign = sign, None
                reuse = max(reuse, ru)
                self.bind(row, member, f)
            elif t[2] is not None:
                p = self.piece_of(row, t[2], None)
                row.binds.append(('PIECE', p))
                if all(x in ('', '-') for v, x, a in p.options):
                    sign = p
                elif last in ('R', 'U') and slot[last][2] is None:
                    slot[last][2] = p
                else:
                    raise TableError('%s: piece {%s} in an address' % (row.where, t[2]))
            elif t[5] == '+':
                pass
            elif t[5]:
                suffix = t[5].rstrip('+')
                if last not in ('R', 'U') or slot[last][2] is not None:
                    raise TableError('%s: text "%s" in an address' % (row.where, t[5]))
                slot[last][2] = suffix
        f = slot['I'][0]
        plain = address and slot['R'][0] and not slot['U'][0] and not isinstance(slot['R'][2], str) and f and f.signed
        plain = f and row.offset == 'unsigned' if row.offset else plain
        return tuple(slot['R']) + tuple(slot['U']) + (f, reuse, len(f.bits) if plain else 0)

    def bind(self, row, member, f):
        if not member:
            return
        name, _, part = member.partition('.')
        if name in SRC:
            src = 'src%d' % SRC[name]
            if part in ('bank', 'off'):
                row.binds.append(('FIELD', 'cbank' if part == 'bank' else 'coff', f))
                if part == 'bank':
                    row.binds.append(('CONST', src, SRC_CONST))
                return
            kind = {'R': SRC_REG, 'U': SRC_UREG}.get(f.kind, SRC_IMM)
            row.binds.append(('CONST', src, kind))
            row.binds.append(('FIELD', part or {SRC_REG: SRC_REGISTER[SRC[name]], SRC_UREG: 'ur'}.get(kind, 'imm'), f))
        elif name in MEMBERS:
            row.binds.append(('FIELD', name, f))
        else:
            raise TableError('%s: member "%s" (expected one of struct wl_inst)' % (row.where, member))

    # ---- checks ----
    def check_row(self, where, row):
        """Every bit has one owner, and everything that the micro-operation reads is bound."""
        owner = {}
        for b in OPCODE + GUARD + SCHED:
            owner[b] = 'opcode, guard or scheduling'
        for kind, f in [(s[0], x) for s in row.steps for x in s[1:] if isinstance(x, Field)]:
            for b in f.bits:
                if owner.get(b, tuple(f.runs)) != tuple(f.runs):  # a pair UR, UR+1 has one field
                    raise TableError('bit %d belongs to two values' % b)
                owner[b] = tuple(f.runs)
        for s in row.steps:
            for p in s[1:]:
                if isinstance(p, Piece):
                    for b in p.bits:
                        if isinstance(owner.get(b), (tuple, str)):
                            raise TableError('bit %d belongs to a value and to the piece "%s"' % (b, p.name or p.options))
                        if b > 104:
                            raise TableError('bit %d of a piece is a scheduling bit' % b)
        if row.op >> 12 and 91 in owner and owner[91] != 'opcode, guard or scheduling':
            raise TableError('bit 91 is the opcode')
        if row.modelled:
            self.check_complete(row)

    def check_complete(self, row):
        bound = set()
        flags = set()
        for b in row.binds:
            if b[0] == 'PIECE':
                for v, t, a in b[1].options:
                    for m, x in a:
                        bound.add(m)
                        if m == 'flags':
                            flags.add(x)
            else:
                bound.add(b[1])
                if b[1] == 'flags':
                    flags.add(b[2])
        uops = {row.uop} | {x[7:] for b in row.binds if b[0] == 'PIECE' for v, t, a in b[1].options for m, x in a if m == 'uop'}
        for uop in uops:
            fields = self.uops[uop].fields
            must = set(fields) & {'rd', 'rb', 'rc', 'urd', 'off', 'target', 'cbar', 'imm', 'size', 'lut', 'shift', 'pd1', 'cbank',
                                  'order', 'scope', 'evict', 'prefetch'}
            if 'ps0' in fields and 'X' not in fields and uop != 'BAR':  # a carry comes in under .X alone
                must.add('ps0')
            if uop in ('VOTE', 'VOTEU'):
                must -= {'rd', 'urd'}  # the forms without a register
            if uop == 'LDGSTS':
                must.discard('urd')  # addresses without a uniform register
            if uop in ('IADD3', 'LEA', 'UIADD3', 'UIADD3_64', 'SYNCS_PHASECHK', 'USYNCS_PHASECHK'):
                must.discard('pd1')
            for m in sorted(must):
                if m not in bound:
                    raise TableError('the row is incomplete: %s needs "%s", which nothing in the text sets' % (uop, m))
            for s in set(fields) & set(SRC):
                if 'src%d' % SRC[s] not in bound and (uop, s) not in (('LEA', 'C'), ('F2FP', 'A'), ('F2FP', 'C')):
                    raise TableError('the row is incomplete: %s needs source %s' % (uop, s))
            for m in sorted(bound & set(uop_table.REGISTERS) - set(self.uops[uop].width)):
                if m != 'ur':
                    raise TableError('%s does not know "%s" (its fields are: %s)' % (uop, m, ' '.join(fields)))
            self.check_predicates(row, self.uops[uop])
            wrong = {m for m in bound if m in ('rd', 'urd', 'pd0', 'pd1', 'target', 'cbar', 'lut', 'lut2', 'shift', 'order', 'scope',
                                             'evict', 'prefetch', 'desc', 'xn')} - set(fields)
            wrong -= {'pd0'} if row.only or row.illegal else set()
            if wrong:
                raise TableError('%s does not know "%s" (its fields are: %s)' % (uop, sorted(wrong)[0], ' '.join(fields)))

    @staticmethod
    def check_predicates(row, uop):
        for b in row.binds:
            if b[0] == 'FIELD' and b[2].kind in 'PV' and b[1] in uop.predicates:
                said = uop.predicates[b[1]]
                if said != 'F' and (said == 'U') != (b[2].kind == 'V'):
                    raise TableError('%s of %s is a %s predicate here (uops.def: %s)'
                                     % (b[1], uop.name, 'uniform' if b[2].kind == 'V' else 'vector', said or 'vector'))

    def check_overlap(self):
        groups = {}
        for row in self.rows:
            for arch in row.archs:
                groups.setdefault((arch, row.op), []).append(row)
        for (arch, op), rows in groups.items():
            for i, a in enumerate(rows):
                for b in rows[i + 1:]:
                    if any(compatible(x, y) for x in a.when for y in b.when):
                        self.errors.append('%s: overlaps %s (sm_%d, opcode %04x): some word matches both' % (b.where, a.where, arch, op))


def compatible(x, y):
    """Is there a word that meets both lists of terms?"""
    ones, zeros, nots = set(), set(), []
    for lo, n, equal, values in x + y:
        if n == 1 and not equal:
            equal, values = True, [1 - values[0]]
        if equal and len(values) == 1:
            for i in range(n):
                (ones if values[0] >> i & 1 else zeros).add(lo + i)
        else:
            nots.append((lo, n, equal, values))
    if ones & zeros:
        return False
    for lo, n, equal, values in nots:
        def fits(v):
            return not any((lo + i) in (zeros if v >> i & 1 else ones) for i in range(n))
        free = 1 << sum(1 for i in range(lo, lo + n) if i not in ones and i not in zeros)
        count = sum(1 for v in set(values) if fits(v))
        if (count == 0) if equal else (count == free):
            return False
    return True
