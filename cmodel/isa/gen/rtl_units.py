# SPDX-License-Identifier: Apache-2.0
"""rtl_units.py -- reads what the RTL says of its units (rtl/UNIT/UNIT.def) and numbers units and kinds of requests.

A unit's number is its row in cmodel/units/units.def; the kinds of its requests are its micro-operations in the order of
uops.def. The rows are described in rtl/core/README.md. Everything wrong is one line `file:line: what, expected`.
"""
import glob
import os
import re

SYNC_CORE, NONE = 14, 15  # unit_o of what sync_core answers itself, and of words that no unit knows
CTL_BITS, KIND_BITS, IMM_BITS = 32, 5, 33
LISTS = ('TAKES', 'HEADER', 'WAITS', 'POSTED', 'PACKED', 'WIDE', 'IGNORE')
FLAGS = ('ILLEGAL', 'WAITS', 'POSTED', 'RA', 'RB', 'RC', 'PRED')  # bits of flags_o of req_queue, low first
EXTENSIONS = {'sign extended': "1'b1", 'sign extended, but alone it is an address': None, 'zero extended': "1'b0"}


class UnitError(Exception):
    pass


class Ctl:
    """A field of the control bundle. transform: '' or 'log2'; member: of struct wl_inst, or a flag, or one of which it
    tells whether the word names it ('has') or names another one than RZ ('used'); special: {flag: value} that take the place of the member's value."""

    def __init__(self, where, name, width, source, text, lsb):
        self.name, self.width, self.text, self.lsb = name, width, text, lsb
        words = source.split()
        self.special = {w.partition('=')[0]: int(w.partition('=')[2]) for w in words if '=' in w}
        words = [w for w in words if '=' not in w]
        self.transform = words.pop(0) if len(words) == 2 and words[0] in ('log2', 'used', 'has') else ''
        if len(words) != 1:
            raise UnitError('%s: source "%s" (expected a member, a FLAG, "log2 MEMBER", "used REGISTER" or "has MEMBER", then FLAG=VALUE)'
                            % (where, source))
        self.member = words[0]
        self.flag = self.member.isupper()

    @property
    def bits(self):
        hi = self.lsb + self.width - 1
        return '%d:%d' % (hi, self.lsb) if self.width > 1 else '%d' % self.lsb


class Unit:
    def __init__(self, name, number):
        self.name, self.number = name, number
        self.ctl, self.imm, self.extension, self.kinds = [], None, None, []
        self.lists = {k: [] for k in LISTS}
        self.releases = False  # on lanes of their own, one a port

    @property
    def ctl_bits(self):
        return sum(c.width for c in self.ctl)


def kind_macro(unit, uop):
    return '`WL_%s_%s' % (unit.name.upper(), uop)


def ctl_macro(unit, c):
    return '`WL_%s_CTL_%s' % (unit.name.upper(), c.name.upper())


def statements(path):
    for n, line in enumerate(open(path), 1):
        line = re.sub(r'//.*', '', line).strip()
        if not line:
            continue
        m = re.fullmatch(r'(\w+)\((.*)\)', line)
        if not m:
            raise UnitError('%s:%d: "%s" (expected NAME(...))' % (path, n, line))
        yield '%s:%d' % (path, n), m[1], m[2]


def read_unit(path, unit):
    for where, what, body in statements(path):
        if what == 'CTL':
            m = re.fullmatch(r'(\w+),\s*(\d+),\s*"([^"]*)",\s*"([^"]*)"', body)
            if not m:
                raise UnitError('%s: (expected CTL(name, bits, "source", "meaning"))' % where)
            unit.ctl.append(Ctl(where, m[1], int(m[2]), m[3], m[4], unit.ctl_bits))
            if unit.ctl_bits > CTL_BITS:
                raise UnitError('%s: the fields take %d bits (expected at most %d)' % (where, unit.ctl_bits, CTL_BITS))
        elif what == 'IMM':
            m = re.fullmatch(r'(\w+),\s*"([^"]*)"', body)
            if not m or m[2] not in EXTENSIONS:
                raise UnitError('%s: IMM(%s) (expected IMM(member, "%s"))' % (where, body, '" or "'.join(EXTENSIONS)))
            unit.imm, unit.extension = m[1], m[2]
        elif what == 'RELEASES':
            if body != 'Ports':
                raise UnitError('%s: RELEASES(%s) (expected RELEASES(Ports))' % (where, body))
            unit.releases = True
        elif what in LISTS:
            unit.lists[what] += body.split()
        elif what not in ('EVENT', 'CODES', 'FIELD'):  # rtl/gen/trace.py reads those
            raise UnitError('%s: row %s (expected CTL, IMM, RELEASES, EVENT, CODES, FIELD, %s)' % (where, what, ', '.join(LISTS)))


def unit_tables(root):
    """{name of a unit: path of its table rtl/UNIT/UNIT.def}"""
    return {os.path.basename(p)[:-4]: p for p in glob.glob(os.path.join(root, 'rtl', '*', '*.def'))}


def unit_rows(path):
    """units.def -> [(name, in_rtl)] in the order of the file. The comment above the rows names their columns."""
    text = open(path).read()
    columns = re.search(r'^ \* UNIT\((.*?)\)', text, flags=re.M)[1].replace(' ', '').split(',')
    rows = [[c.strip() for c in m[1].split(',')] for m in re.finditer(r'^UNIT\((.*)\)', text, flags=re.M)]
    return [(row[columns.index('name')], row[columns.index('in_rtl')] == '1') for row in rows]


def read(root, uops):
    """The units of the RTL, by number; sync_core is the last."""
    rows = unit_rows(os.path.join(root, 'cmodel', 'units', 'units.def'))
    if len(rows) > SYNC_CORE:
        raise UnitError('units.def: %d units (expected at most %d: the RTL names one in 4 bits)' % (len(rows), SYNC_CORE))
    paths = unit_tables(root)
    told = {name for name, in_rtl in rows if in_rtl} | {'sync_core'}
    for name in sorted(told - set(paths)):
        raise UnitError('%s: units.def says in_rtl (expected a file rtl/%s/%s.def)' % (name, name, name))
    for name in sorted(set(paths) - told - {name for name, in_rtl in rows}):
        raise UnitError('%s: no unit of units.def (expected a row)' % paths[name])
    units = []
    for number, name in [(n, r[0]) for n, r in enumerate(rows)] + [(SYNC_CORE, 'sync_core')]:
        if name not in paths:
            continue
        unit = Unit(name, number)
        read_unit(paths[name], unit)
        unit.kinds = [u for u, row in uops.items() if row.unit == name or u in unit.lists['TAKES']]
        if len(unit.kinds) > 1 << KIND_BITS:
            raise UnitError('%s has %d kinds of requests (expected at most %d)' % (name, len(unit.kinds), 1 << KIND_BITS))
        for key in ('TAKES', 'HEADER', 'WAITS', 'POSTED', 'PACKED', 'WIDE'):
            for u in unit.lists[key]:
                if u not in unit.kinds:
                    raise UnitError('%s: %s names %s (expected a micro-operation of the unit)' % (paths[name], key, u))
        unit.posted = {u for u in unit.kinds if 'writes_memory' in uops[u].traits} | set(unit.lists['POSTED'])
        if name in told:  # else only its events are agreed: the decoder knows none of its words yet
            units.append(unit)
    return units


def releases(units):
    """Mask of the units whose releases have lanes of their own."""
    return sum(1 << u.number for u in units if u.releases)


def all_units(root):
    """Every unit of units.def with its number, built or not."""
    return list(enumerate(r[0] for r in unit_rows(os.path.join(root, 'cmodel', 'units', 'units.def'))))


def faults(root):
    """{name: number, as text}"""
    paths = glob.glob(os.path.join(root, 'cmodel', 'units', 'faults', '*.def'))
    return {m[1]: m[2] for p in paths for m in re.finditer(r'^FAULT\((\w+), (\d+), "', open(p).read(), flags=re.M)}


def macros(root, units):
    """rtl/gen/wl_units.vh: numbers of units and kinds, bits of the control fields."""
    out = ['// SPDX-License-Identifier: Apache-2.0',
           '// Generated by `make generate` from rtl/UNIT/UNIT.def, cmodel/units/units.def and cmodel/isa/uops.def: do not edit.',
           '`ifndef WL_UNITS_VH', '`define WL_UNITS_VH', '',
           '// Units: unit_o of sync_decode and the bit of the mask `Units`. SYNC_CORE answers itself; NONE: no unit knows the word.']
    names = all_units(root) + [(SYNC_CORE, 'sync_core'), (NONE, 'none')]
    out += ["`define WL_UNIT_%-20s 4'd%d" % (name.upper(), n) for n, name in names]
    built = sum(1 << u.number for u in units if u.number != SYNC_CORE)
    out += ["`define WL_UNITS_BUILT            32'h%04x   // units that have RTL" % built]
    out += ["`define WL_UNITS_RELEASES         32'h%04x   // units whose releases have lanes of their own, one a port" % releases(units)]
    out += ['`define WL_COUNT_RELEASES(mask)   (%s) // how many of them' % ' + '.join("(((mask) >> %d) & 1)" % u.number for u in units if u.releases)]
    out += ['', '// flags of a request, whatever its unit']
    out += ['`define WL_FLAG_%-20s %d' % (name, n) for n, name in enumerate(FLAGS)]
    for u in units:
        out += ['', '// %s: kinds, and bits of its control bundle' % u.name]
        out += ["`define WL_%-28s 5'd%d" % ((u.name + '_' + k).upper(), n) for n, k in enumerate(u.kinds)]
        out += ['`define WL_%-28s %-6s // %s' % ((u.name + '_CTL_' + c.name).upper(), c.bits, c.text) for c in u.ctl]
        if u.ctl:
            out += ['`define WL_%-28s %d' % (u.name.upper() + '_CTL_BITS', u.ctl_bits)]
    return '\n'.join(out + ['', '`endif']) + '\n'


def enumerators(root, units):
    """The same as C, for what looks at the decoder's ports."""
    out = ['/* SPDX-License-Identifier: Apache-2.0', ' * Made by wlgen.py: the numbers of rtl/gen/wl_units.vh. */',
           '#ifndef RTL_UNITS_H', '#define RTL_UNITS_H', '', 'enum {']
    names = all_units(root) + [(SYNC_CORE, 'sync_core'), (NONE, 'none')]
    out += ['\tRTL_UNIT_%s = %d,' % (name, n) for n, name in names]
    out += ['\tRTL_UNITS_RELEASES = 0x%04x,' % releases(units)]
    for u in units:
        out += ['\tRTL_%s_%s = %d,' % (u.name, k, n) for n, k in enumerate(u.kinds)]
        for c in u.ctl:
            out += ['\tRTL_%s_CTL_%s_LSB = %d, RTL_%s_CTL_%s_BITS = %d,' % (u.name, c.name, c.lsb, u.name, c.name, c.width)]
    return '\n'.join(out + ['};', '', '#endif']) + '\n'
