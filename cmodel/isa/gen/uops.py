# SPDX-License-Identifier: Apache-2.0
"""uops.py -- reads uops.def, traits.def and the classes of timing.def and sync_class.def: what a micro-operation does,
checked word by word."""
import os
import re

ISA = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Registers of struct wl_inst with their place in struct wl_uop_traits; sources A B C have the register members' places.
REGISTERS = ('rd', 'ra', 'rb', 'rc', 'urd', 'ur', 'desc')
SOURCES = {'A': 'ra', 'B': 'rb', 'C': 'rc', 'UA': 'ra', 'UB': 'rb', 'UC': 'rc'}
WIDTHS = {'1': 'ONE', '2': 'TWO', '4': 'FOUR', 'S': 'SIZE', 'P': 'PAIR', 'X': 'XN', 'O': 'BOP', 'A': 'ADDRESS', 'E': 'E64',
          'F': 'SEL0', 'G': 'SEL1', 'H': 'SEL2', 'L': 'LUT_LOW', 'M': 'LUT_HIGH', 'T': 'SIZE_1', 'U': 'SIZE_2'}
PREDICATES = ('pd0', 'pd1', 'ps0', 'ps1', 'ps2')
OTHERS = {'off', 'target', 'imm', 'imm2', 'cbank', 'coff', 'op', 'bop', 'type', 'size', 'xn', 'lut', 'lut2', 'shift', 'sel0', 'sel1',
          'sel2', 'order', 'scope', 'evict', 'prefetch', 'round'}
FLAGS = {'SIGNED', 'X', 'EX', 'HI', 'WRAP', 'LEFT', 'E', 'SPIN', 'SX32', 'SH', 'FTZ', 'NTZ', 'U', 'CONV', 'A32', 'ONE', 'SAT', 'RELU',
         'FMZ', 'NAN', 'XORSIGN', 'BF', 'BF16', 'F32', 'PAIR', 'PRIVATE', 'ORDERED', 'BYPASS', 'OPTOUT', 'DEFER'}

# Traits of an instruction that synchronises.
SYNC_TRAITS = {'collective', 'barrier', 'fence', 'depbar', 'converges', 'yields', 'atomic'}


class TableError(Exception):
    pass


class Uop:
    """name, unit, timing, sync_class, fields (members that count), width, late and results of REGISTERS, sources (which of A B C are there by
    kind), uniform_sources, uniform (predicates that are uniform), cbar ('', 'r', 'w', 'rw'), mask (('', 'P', 'UP'), 'r'
    or 'w'), traits, meaning, where."""


def strip(text):
    """Without comments, lines kept."""
    return re.sub(r'/\*.*?\*/|//[^\n]*', lambda m: re.sub(r'[^\n]', ' ', m[0]), text, flags=re.S)


def read_traits():
    text = open(os.path.join(ISA, 'traits.def')).read()
    return {m[1]: m[2] for m in re.finditer(r'^TRAIT\((\w+),\s*(\w+),', text, re.M)}


def read_timings():
    return re.findall(r'^TIMING\((\w+),', open(os.path.join(ISA, 'timing.def')).read(), re.M)


def read_classes():
    """sync_class.def -> {class: (number, mask, order, meaning)}."""
    path = os.path.join(ISA, 'sync_class.def')
    text = strip(open(path).read())
    rows = re.findall(r'^SYNC_CLASS\((\w+),\s*(\d+),\s*(0x[0-9a-f]+),\s*(Free|Kept|Memory|All),\s*"([^"]+)"\)$', text, re.M)
    if len(rows) != text.count('SYNC_CLASS('):
        raise TableError('%s: a row that is not whole (expected SYNC_CLASS(class, number, mask, order, meaning))' % path)
    return {name: rest for name, *rest in rows}


def check_class(where, what, name, traits, classes):
    """A class that exists; one other than None where, and only where, a trait synchronises."""
    if name not in classes:
        raise TableError('%s: class "%s" (expected a class of sync_class.def)' % (where, name))
    syncs = sorted(SYNC_TRAITS & set(traits))
    if syncs and name == 'None':
        raise TableError('%s: %s synchronises (trait %s) and has no class (expected one of sync_class.def)'
                         % (where, what, syncs[0]))
    if not syncs and name != 'None':
        raise TableError('%s: %s has class %s and no trait that synchronises (expected one of %s)'
                         % (where, what, name, ', '.join(sorted(SYNC_TRAITS))))


def check_traits(where, words, traits):
    for w in words:
        if w not in traits:
            raise TableError('%s: trait "%s" (expected words of traits.def)' % (where, w))
    if len(set(words)) != len(words):
        raise TableError('%s: a trait is there twice' % where)


def width_of(where, text):
    m = re.fullmatch('([%s])([lrw]?)' % ''.join(WIDTHS), text)
    if not m:
        raise TableError('%s: width "%s" (expected one of %s, perhaps with l or r)' % (where, text, ' '.join(WIDTHS)))
    return m[1], m[2]


def read_operand(u, word):
    name, colon, how = word.partition(':')
    if name in REGISTERS or name in SOURCES:
        if not colon:
            raise TableError('%s: "%s" says not how many registers it takes (expected %s:WIDTH)' % (u.where, name, name))
        place = SOURCES.get(name, name)
        if place in u.width:
            raise TableError('%s: "%s" is there twice' % (u.where, name))
        u.width[place], mark = width_of(u.where, how)
        if mark == 'l':
            u.late.add(place)
        elif mark == 'w':
            u.results.add(place)
        elif mark:
            u.read_only.add(place)
        if name in SOURCES:
            (u.uniform_sources if name[0] == 'U' else u.sources).add(name[-1])
    elif name in PREDICATES:
        if how not in ('', 'U', 'F') or bool(colon) != bool(how):
            raise TableError('%s: predicate "%s" (expected %s, %s:U or %s:F)' % (u.where, word, name, name, name))
        u.predicates[name] = how
    elif name == 'cbar':
        if how not in ('r', 'w', 'rw'):
            raise TableError('%s: "%s" (expected cbar:r, cbar:w or cbar:rw)' % (u.where, word))
        u.cbar = how
    elif name in ('P', 'UP'):
        if how not in ('r', 'w'):
            raise TableError('%s: "%s" (expected %s:r or %s:w)' % (u.where, word, name, name))
        u.mask = (name, how)
        return
    elif colon or (name not in OTHERS and name not in FLAGS):
        raise TableError('%s: operand "%s" (expected a member of struct wl_inst or a flag)' % (u.where, word))
    u.fields.append(name)


def read_uops(path):
    """uops.def -> {name: Uop}; every row must be whole."""
    traits, timings, classes = read_traits(), read_timings(), read_classes()
    text = strip(open(path).read())
    out = {}
    heads = list(re.finditer(r'^UOP\(', text, re.M))
    for h in heads:
        u = Uop()
        u.where = '%s:%d' % (path, text.count('\n', 0, h.start()) + 1)
        m = re.compile(r'UOP\(\s*(\w+),\s*(\w+),\s*(\w+),\s*(\w+),\s*"([^"]*)",\s*"([^"]*)",\s*"([^"]*)"\)').match(text, h.start())
        if not m:
            raise TableError('%s: a row that is not whole (expected UOP(name, unit, timing, class, operands, traits, meaning))' % u.where)
        u.name, u.unit, u.timing, u.sync_class, u.operands, u.meaning = m[1], m[2], m[3], m[4], m[5], m[7]
        if u.name in out:
            raise TableError('%s: %s is there twice' % (u.where, u.name))
        if u.timing not in timings:
            raise TableError('%s: timing "%s" (expected a class of timing.def)' % (u.where, u.timing))
        if not m[5] or not m[6]:
            raise TableError('%s: %s says nothing of its %s (expected words, or - for none)' % (u.where, u.name, 'traits' if m[5] else 'operands'))
        u.width, u.late, u.read_only, u.results, u.sources, u.uniform_sources = {}, set(), set(), set(), set(), set()
        u.predicates, u.cbar, u.mask, u.fields = {}, '', ('', ''), []
        for word in m[5].split() if m[5] != '-' else []:
            read_operand(u, word)
        u.traits = m[6].split() if m[6] != '-' else []
        check_traits(u.where, u.traits, traits)
        check_class(u.where, u.name, u.sync_class, u.traits, classes)
        check_uop(u)
        out[u.name] = u
    return out


def check_uop(u):
    """What words of a row demand of each other."""
    t = set(u.traits)
    memory = t & {'reads_memory', 'writes_memory'}
    if memory and not t & {'shared', 'global', 'generic', 'local'}:
        raise TableError('%s: %s reads or writes memory (expected one of shared, global, generic, local)' % (u.where, u.name))
    if 'atomic' in t and memory != {'reads_memory', 'writes_memory'}:
        raise TableError('%s: %s is atomic (expected reads_memory and writes_memory)' % (u.where, u.name))
    if t & {'leaves', 'calls', 'returns', 'exits', 'indirect'} and 'flow' not in t:
        raise TableError('%s: %s changes where lanes go on (expected flow)' % (u.where, u.name))
    if u.uniform_sources and 'uniform' not in t:
        raise TableError('%s: %s has uniform sources (expected uniform)' % (u.where, u.name))
    if u.cbar in ('w', 'rw') and 'converges' not in t:
        raise TableError('%s: %s writes a convergence barrier (expected converges)' % (u.where, u.name))
    if u.unit != 'FRONT' and not u.cbar and not t & {'reads_memory', 'writes_memory', 'collective', 'barrier', 'fence',
                                                     'converges', 'yields', 'flow'}:
        raise TableError('%s: %s is executed by a unit (expected a trait that says what for)' % (u.where, u.name))
