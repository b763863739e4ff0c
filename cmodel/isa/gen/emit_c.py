# SPDX-License-Identifier: Apache-2.0
"""emit_c.py -- the encoding tables as constant C arrays (types: cmodel/isa/isa_table.h)."""
from rows import ARCHS, MEMBERS, Piece
from uops import PREDICATES, REGISTERS, WIDTHS, read_traits

STEP = {'LIT': 'ISA_LIT', 'PIECE': 'ISA_PIECE', 'VAL': 'ISA_VAL', 'OPT': 'ISA_OPT', 'SEP': 'ISA_SEP', 'MEM': 'ISA_MEM',
        'ALIAS': 'ISA_ALIAS', 'REUSE': 'ISA_REUSE'}
KIND = {'R': 'ISA_KIND_R', 'U': 'ISA_KIND_U', 'P': 'ISA_KIND_P', 'V': 'ISA_KIND_V', 'B': 'ISA_KIND_B', 'S': 'ISA_KIND_S',
        'I': 'ISA_KIND_I', 'T': 'ISA_KIND_T', 'Ff': 'ISA_KIND_FF', 'Fd': 'ISA_KIND_FD', 'Fh': 'ISA_KIND_FH'}
MEMBER_NAME = {m: 'ISA_M_%s' % m for m in MEMBERS}
MAX_STEPS = 48
MAX_TEXT = 600  # print.c: ROOM, less the guard and what it copies too much


class Pool:
    """Numbers equal things once."""

    def __init__(self):
        self.index, self.items = {}, []

    def add(self, key, item=None):
        if key not in self.index:
            self.index[key] = len(self.items)
            self.items.append(key if item is None else item)
        return self.index[key]

    def run(self, items):
        """Index of a run of consecutive items, found again when it is there."""
        key = tuple(items)
        if key not in self.index:
            self.index[key] = len(self.items)
            self.items += key
        return self.index[key]


class Strings:
    def __init__(self):
        self.text = ''

    def add(self, s):
        at = self.text.find(s)
        if at < 0:
            at = len(self.text)
            self.text += s
        return at


def bits_mask(bits):
    m = 0
    for b in bits:
        m |= 1 << b
    return m


def pair(x):
    return '{0x%xull, 0x%xull}' % (x & (1 << 64) - 1, x >> 64)


def ftype_of(name, text):
    """How a piece changes the format of float immediates that follow it."""
    if name == 'MUFU':
        return {'.F16': 'ISA_KIND_FH', '.BF16': 'ISA_KIND_FB', '.BF16x2': 'ISA_KIND_FB'}.get(text, 'ISA_KIND_FD' if text.endswith('64H') else None)
    if name.startswith(('H', 'VH')) and 'BF16' in text or name in ('F2I', 'FRND', 'F2F', 'UF2I', 'UFRND', 'UF2F') and text.endswith('.BF16'):
        return 'ISA_KIND_FB'
    return None


def uops_of(row):
    """Its micro-operation, and those that its pieces choose."""
    return {row.uop} | {x[7:] for b in row.binds if b[0] == 'PIECE' for v, t, a in b[1].options for m, x in a if m == 'uop'}


class Emitter:
    def __init__(self, table):
        self.table = table
        self.strings = Strings()
        self.runs, self.fields, self.pieces, self.opts = Pool(), Pool(), Pool(), Pool()
        self.lookup, self.assigns, self.mems, self.steps = Pool(), Pool(), Pool(), Pool()
        self.binds, self.terms, self.nots, self.matches = Pool(), Pool(), Pool(), []
        self.rows, self.checks, self.partial, self.regs = [], Pool(), set(), Pool()
        self.traits = read_traits()

    def lit(self, s):
        return '{%d, %d}' % (self.strings.add(s), len(s))

    def field(self, f):
        if f is None:
            return -1
        runs = tuple('{%d, %d, %d, %d}' % (lo, n, sh, neg) for lo, n, sh, neg in f.runs)
        start = self.runs.run(runs) if runs else 0
        width = sum(n for lo, n, sh, neg in f.runs)
        neutral = {'R': 255, 'U': (1 << width) - 1, 'P': 7, 'V': 7}.get(f.kind, -1)
        lo, n, sh, neg = f.runs[0] if len(f.runs) == 1 else (0, 0, 1, 0)
        plain = not sh and not neg and not f.konst and n < 64 and lo // 64 == (lo + n - 1) // 64
        return self.fields.add('{%s, %d, %d, %d, %d, %d, %d, %d, %d}' % (KIND[f.kind], len(runs), start, f.konst, neutral, f.signed,
                                                                        plain, lo if plain else 0, n if plain else 0))

    def piece(self, p, rowname):
        """Index of a piece; the float format depends on the instruction's name, so it is part of the key."""
        bitruns, i = [], 0
        while i < len(p.bits):
            j = i
            while j + 1 < len(p.bits) and p.bits[j + 1] == p.bits[j] + 1:
                j += 1
            bitruns.append('{%d, %d, %d, 0}' % (p.bits[i], j - i + 1, i))
            i = j + 1
        start = self.runs.run(tuple(bitruns))
        # A member that some option sets and another does not is neutral there; flags and masks are bits of their own.
        used = []
        for v, t, a in p.options:
            for m, x in a:
                key = (m, x) if m in ('flags', 'neg', 'abs', 'inv', 'ps0', 'ps1', 'ps2') else (m, None)
                if key not in used:
                    used.append(key)
        opts = []
        for v, t, a in p.options:
            assigns = tuple('{%s, %s}' % (MEMBER_NAME[m], x) for m, x in a)
            ft = ftype_of(rowname, t) if rowname else None
            opts.append('{%d, %s, %d, %d, %s}' % (v, self.lit(t), self.assigns.run(assigns) if assigns else 0, len(assigns), ft or '0'))
        optstart = self.opts.run(tuple(opts))
        table = ['ISA_NONE'] * (1 << len(p.bits))
        for i, (v, t, a) in enumerate(p.options):
            table[v] = str(i)
        lookup = self.lookup.run(tuple(table))
        masks = {}
        single = []
        for m, x in used:
            if x is None:
                single.append(MEMBER_NAME[m])
            else:
                masks.setdefault(m, []).append(str(x))
        touched = tuple('{%s, %s}' % (MEMBER_NAME[m], ' | '.join(xs)) for m, xs in masks.items()) + tuple('{%s, 0}' % m for m in single)
        touch = self.assigns.run(touched) if touched else 0
        one = len(bitruns) == 1 and p.bits[0] // 64 == p.bits[-1] // 64
        piece = self.pieces.add('{%d, %d, %d, %d, %d, %d, %d, %d, %d, %s}' % (
            len(bitruns), start, len(opts), optstart, lookup, p.bits[0] if one else 0, len(p.bits) if one else 0, touch, len(touched),
            pair(bits_mask(p.bits))))
        if 'ISA_NONE' in table:
            self.partial.add(piece)
        return piece

    def suffix(self, s, rowname):
        """(piece index, literal) of an address suffix."""
        if isinstance(s, Piece):
            return self.piece(s, rowname), self.lit('')
        return -1, self.lit(s or '')

    def rz_mask(self, row, suffix):
        texts = [t for v, t, a in suffix.options] if isinstance(suffix, Piece) else [suffix or '']
        return sum(1 << i for i, t in enumerate(texts) if t in row.rz)

    def nourz_mask(self, row, suffix):
        """Options of the register's suffix with which URZ is left out: a 32-bit register shows it, but for nourz=*."""
        texts = [t for v, t, a in suffix.options] if isinstance(suffix, Piece) else [suffix or '']
        return sum(1 << i for i, t in enumerate(texts) if row.nourz and (t != '.U32' or row.nourz == '*'))

    def step(self, row, s):
        kind, a, b, c = s[0], 0, 0, 0
        if kind == 'LIT':
            a, b = self.strings.add(s[1]), len(s[1])
        elif kind == 'PIECE':
            a = self.piece(s[1], row.name)
        elif kind == 'VAL':
            a = self.field(s[1])
        elif kind == 'REUSE':
            b = s[1]
        elif kind == 'OPT':
            a, b, c = self.field(s[1]), self.piece(s[2], row.name) if s[2] else -1, s[3]
        elif kind == 'MEM':
            rf, rs, rx, uf, us, ux, jf, reuse, zext = s[1:]
            rp, rl = self.suffix(rx, row.name)
            up, ul = self.suffix(ux, row.name)
            a = self.mems.add('{%d, %d, %d, %s, %d, %d, %d, %s, %d, %d, %d, %d, %d}' % (
                self.field(rf), self.piece(rs, row.name) if rs else -1, rp, rl, self.field(uf), self.piece(us, row.name) if us else -1,
                up, ul, self.field(jf), reuse, self.rz_mask(row, rx), self.nourz_mask(row, rx), zext))
        return '{%s, %d, %d, %d}' % (STEP[kind], a, b, c)

    @staticmethod
    def longest(s):
        """Characters of a step's text, at most."""
        if s[0] == 'LIT':
            return len(s[1])
        if s[0] == 'PIECE':
            return max(len(t) for v, t, a in s[1].options)
        return {'VAL': 34, 'OPT': 0, 'SEP': 2, 'MEM': 96, 'ALIAS': 5, 'REUSE': 6}[s[0]]

    def bind(self, row, b):
        if b[0] == 'FIELD':
            return '{ISA_BIND_FIELD, %s, %d, 0}' % (MEMBER_NAME[b[1]], self.field(b[2]))
        if b[0] == 'PIECE':
            return '{ISA_BIND_PIECE, 0, %d, 0}' % self.piece(b[1], row.name)
        return '{ISA_BIND_CONST, %s, 0, %s}' % (MEMBER_NAME[b[1]], b[2])

    def condition(self, alternatives):
        """Alternatives as a run of terms; `last` closes one alternative."""
        flat = []
        for terms in alternatives:
            if not terms:
                flat.append('{0, 0, 1, 1, 1}')
            for i, (lo, n, equal, values) in enumerate(terms):
                values = [values] if n <= 4 else [[v] for v in values]
                if n > 4 and len(values) != 1:
                    raise ValueError('a set of values over more than 4 bits')
                word = sum(1 << v for v in values[0]) if n <= 4 else values[0][0]
                flat.append('{%d, %d, %d, %d, %d}' % (lo, n, equal, i == len(terms) - 1, word))
        return (self.terms.run(tuple(flat)), len(flat)) if flat else (0, 0)

    def trait_mask(self, words):
        return ' | '.join('WL_TRAIT(%s)' % self.traits[w] for w in words) or '0'

    def row_traits(self, row):
        """(timing, class, traits) of the words of a row: its own, else its micro-operation's."""
        uop = self.table.uops[row.uop]
        own = row.timing or uop.timing
        inherits = row.modelled and not row.traits
        sync = uop.sync_class if inherits else row.sync_class or 'None'
        return 'WL_TIMING_%s' % own, 'WL_SYNC_%s' % sync, self.trait_mask(row.traits + (uop.traits if inherits else []))

    def reg(self, f, width, how):
        written = how == 'w' or (how != 'r' and (f.runs[0][0] if f.runs else 0) in ((16,) if f.kind in 'RU' else (81, 84)))
        return '{%d, WL_WIDTH_%s, %d, %d}' % (self.field(f), WIDTHS[width], written, how == 'l')

    def uop_traits(self, u):
        widths = ', '.join('[WL_REG_%s] = WL_WIDTH_%s' % (r.upper(), WIDTHS[u.width[r]]) for r in REGISTERS if r in u.width)
        bits = lambda names, chosen: sum(1 << i for i, n in enumerate(names) if n in chosen)
        items = [
            '.traits = ' + self.trait_mask(u.traits),
            '.unit = WL_UNIT_%s' % u.unit,
            '.timing = WL_TIMING_%s' % u.timing,
            '.sync_class = WL_SYNC_%s' % u.sync_class,
            '.width = {%s}' % (widths or '0'),
            '.late = %d' % bits(REGISTERS, u.late),
            '.addresses = %d' % bits(REGISTERS, u.read_only),
            '.results = %d' % bits(REGISTERS, u.results),
            '.by_kind = %d' % bits('ABC', u.sources),
            '.uniform_sources = %d' % bits('ABC', u.uniform_sources),
            '.uniform_preds = %d' % bits(PREDICATES, [p for p, how in u.predicates.items() if how == 'U']),
            '.flagged_preds = %d' % bits(PREDICATES, [p for p, how in u.predicates.items() if how == 'F']),
            '.cbar = %d' % bits('rw', u.cbar),
            '.mask = %d' % bits(('Pr', 'Pw', 'UPr', 'UPw'), [''.join(u.mask)]),
        ]
        return '[WL_UOP_%s] = {%s}' % (u.name, ', '.join(items))

    def forms(self):
        """Kinds of A, B, C that the rows of a micro-operation and architecture take together."""
        flat, first = [], []
        found = {}
        for row in self.table.rows:
            if not row.modelled:
                continue
            kinds = [0, 0, 0]
            for b in row.binds:
                if b[0] == 'CONST' and b[1] in ('src0', 'src1', 'src2'):
                    kinds[int(b[1][3])] = int(b[2])
            for uop in uops_of(row):
                for arch in row.archs:
                    found.setdefault((uop, ARCHS.index(arch)), set()).add(kinds[0] | kinds[1] << 3 | kinds[2] << 6)
        for (uop, arch), kinds in sorted(found.items()):
            first.append('[WL_UOP_%s][%d] = {%d, %d}' % (uop, arch, len(flat), len(kinds)))
            flat += ['0x%x' % k for k in sorted(kinds)]
        return flat, first

    def add_row(self, row, index):
        default = row.op & 0xfff | (row.op >> 12) << 91 | 7 << 12
        for lo, n, equal, values in row.with_:
            default |= values[0] << lo
        steps = [self.step(row, s) for s in row.steps]
        if len(steps) > MAX_STEPS or sum(self.longest(s) for s in row.steps) > MAX_TEXT:
            raise ValueError('%s: too long a text' % row.where)
        binds = [self.bind(row, b) for b in row.binds if row.modelled or b[0] in ('PIECE', 'CONST')]
        order = {'ISA_BIND_FIELD': 0, 'ISA_BIND_CONST': 1, 'ISA_BIND_PIECE': 2}
        binds.sort(key=lambda x: order[x[1:].split(',')[0]])
        pieces = [self.piece(b[1], row.name) for b in row.binds if b[0] == 'PIECE']
        checks = tuple(str(p) for p in pieces if p in self.partial)
        only, illegal = self.condition(row.only), self.condition(row.illegal)
        archs = sum(1 << ARCHS.index(a) for a in row.archs)
        first = None
        for terms in row.when:
            mask = value = 0
            nots = []
            for lo, n, equal, values in terms + row.rest:
                if n == 1 and not equal:
                    equal, values = True, [1 - values[0]]
                if equal and len(values) == 1:
                    mask |= ((1 << n) - 1) << lo
                    value |= values[0] << lo
                else:
                    nots += ['{%d, %d, %d}' % (lo, n, v) for v in (values if not equal else [x for x in range(1 << n) if x not in values])]
            if first is None:
                first = default & ~mask | value
            self.matches.append((archs, row.op, '{%s, %s, %d, %d, %d}' % (pair(mask), pair(value), self.nots.run(tuple(nots)) if nots else 0, len(nots), index)))
        regs = tuple(self.reg(*r) for r in row.regs)
        timing, sync, traits = self.row_traits(row)
        self.rows.append('{%s, WL_UOP_%s, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %s, %s, %s}' % (
            pair(first), row.uop, self.strings.add(row.name), len(row.name), archs, row.upred, row.modelled,
            self.steps.run(tuple(steps)), len(steps), self.binds.run(tuple(binds)) if binds else 0, len(binds),
            self.checks.run(checks) if checks else 0, len(checks), only[0], only[1], illegal[0], illegal[1],
            self.regs.run(regs) if regs else 0, len(regs), timing, sync, traits))

    def emit(self):
        for i, row in enumerate(self.table.rows):
            self.add_row(row, i)
        out = ['/* Generated by cmodel/isa/gen/wlgen.py from cmodel/isa/enc_*.def. */']

        def array(kind, name, items):
            out.append('static const %s %s[] = {' % (kind, name))
            out.extend('\t%s,' % x for x in items or ['0'])
            out.append('};')

        text = self.strings.text + 16 * ' '  # print.c copies 16 bytes at a time
        out.append('static const char isa_text[] =')
        out.extend('\t"%s"' % text[i:i + 100].replace('\\', '\\\\').replace('"', '\\"') for i in range(0, len(text), 100))
        out.append('\t;')
        array('struct isa_run', 'isa_runs', self.runs.items)
        array('struct isa_field', 'isa_fields', self.fields.items)
        array('struct isa_assign', 'isa_assigns', self.assigns.items)
        array('struct isa_option', 'isa_options', self.opts.items)
        out.append('static const uint16_t isa_lookup[] = {')
        out.extend('\t' + ', '.join(self.lookup.items[i:i + 16]) + ',' for i in range(0, len(self.lookup.items), 16))
        out.append('};')
        array('struct isa_piece', 'isa_pieces', self.pieces.items)
        array('struct isa_mem', 'isa_mems', self.mems.items)
        array('struct isa_step', 'isa_steps', self.steps.items)
        array('struct isa_bind', 'isa_binds', self.binds.items)
        array('uint16_t', 'isa_checks', self.checks.items)
        array('struct isa_term', 'isa_terms', self.terms.items)
        array('struct isa_not', 'isa_nots', self.nots.items)
        array('struct isa_reg', 'isa_regs', self.regs.items)
        array('struct isa_row', 'isa_rows', self.rows)
        # Matches of one architecture and opcode lie together; isa_first[arch][opcode] is where they start.
        entries, index = [], {}
        for k, arch in enumerate(ARCHS):
            for op in sorted({op for archs, op, m in self.matches if archs >> k & 1}):
                index[k, op] = len(entries), 0
                ms = [m for archs, o, m in self.matches if archs >> k & 1 and o == op]
                index[k, op] = len(entries), len(ms)
                entries += ms
        array('struct isa_match', 'isa_matches', entries)
        out.append('static const struct isa_first isa_first[%d][8192] = {' % len(ARCHS))
        for k in sorted({k for k, op in index}):
            out.append('\t[%d] = {' % k)
            out.extend('\t\t[0x%x] = {%d, %d},' % (op, start, n) for (kk, op), (start, n) in sorted(index.items()) if kk == k)
            out.append('\t},')
        out.append('};')
        by_uop = {}
        for i, row in enumerate(self.table.rows):
            assigned = {x for b in row.binds if b[0] == 'PIECE' for v, t, a in b[1].options for m, x in a if m == 'uop'}
            for uop in {'WL_UOP_' + row.uop} | (assigned if row.modelled else set()):
                if row.modelled:
                    by_uop.setdefault(uop, []).append(i)
        for items in by_uop.values():  # sm_80: NVIDIA's assembler takes the form that does not print the descriptor
            items.sort(key=lambda i: not self.table.rows[i].hidden)
            items.sort(key=lambda i: self.table.rows[i].newer)  # only where the architecture itself has no such form
        flat, first = [], []
        for uop, items in sorted(by_uop.items()):
            first.append('[%s] = {%d, %d}' % (uop, len(flat), len(items)))
            flat += [str(i) for i in items]
        array('uint16_t', 'isa_by_uop', flat)
        array('struct isa_first', 'isa_uop_first', first + ['[WL_UOP_COUNT] = {0, 0}'])
        array('struct wl_uop_traits', 'isa_uop_traits', [self.uop_traits(u) for u in self.table.uops.values()])
        flat, first = self.forms()
        array('uint16_t', 'isa_forms', flat)
        out.append('static const struct isa_first isa_form_first[WL_UOP_COUNT][%d] = {' % len(ARCHS))
        out.extend('\t%s,' % x for x in first)
        out.append('};')
        out.append('enum { ISA_ROW_COUNT = %d };' % len(self.rows))
        return '\n'.join(out) + '\n'
