# SPDX-License-Identifier: Apache-2.0
"""forms_grammar.py -- one instruction for every way that the PTX manual lets qualifiers and types of arithmetic be combined, and many that it does
not: which of them are PTX is for the checker to say. Registers are of the bare sizes; operand n of size s is %s<n>."""
import itertools
REGISTER = {'h': '%h', 'w': '%r', 'd': '%d', 'p': '%p', 'x': '%x'}

def n(c, i):
    return REGISTER[c] + str(i)
SZ = {'u8': 'h', 's8': 'h', 'b8': 'h', 'u16': 'h', 's16': 'h', 'b16': 'h', 'f16': 'h', 'bf16': 'h', 'u32': 'w', 's32': 'w', 'b32': 'w', 'f32': 'w', 'f16x2': 'w', 'bf16x2': 'w', 'u16x2': 'w', 's16x2': 'w', 'u64': 'd', 's64': 'd', 'b64': 'd', 'f64': 'd', 'f32x2': 'd', 'tf32': 'w', 'b128': 'x', 'e4m3x2': 'h', 'e5m2x2': 'h', 'e2m1x2': 'h', 'e2m3x2': 'h', 'e3m2x2': 'h', 'ue8m0x2': 'h', 's8x4': 'w', 'u8x4': 'w', 'pred': 'p', 'e4m3x4': 'w', 'e5m2x4': 'w', 'e2m1x4': 'h', 'e2m3x4': 'w', 'e3m2x4': 'w'}
ALLT = ['u16', 's16', 'b16', 'f16', 'bf16', 'u32', 's32', 'b32', 'f32', 'f16x2', 'bf16x2', 'u16x2', 's16x2', 'u64', 's64', 'b64', 'f64', 'f32x2']
CMP = 'eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan'.split()
out = []

def ins(parts, ops):
    out.append('.'.join((p for p in parts if p)) + ' ' + ', '.join(ops) + ';')

def prod(op, slots, types, shape):
    for c in itertools.product(*slots):
        for t in types:
            k = SZ[t]
            ops = []
            for i, s in enumerate(shape):
                s = k if s == 't' else s
                ops.append(n(s, i))
            ins([op] + list(c) + [t], ops)
O = lambda *a: [''] + list(a)
for op in ['add', 'sub', 'mul']:
    prod(op, [['', 'rn', 'rz', 'rm', 'rp'], O('ftz'), O('sat')], ALLT, 'ttt')
for op in ['add', 'sub']:
    prod(op, [['', 'rn', 'rz', 'rm', 'rp'], O('sat')], ['f32'], 'twt')
for op in ['add', 'sub', 'fma']:
    for r in ['', 'rn', 'rz', 'rm', 'rp']:
        for s in ['', 'sat']:
            for t in ['f16', 'bf16']:
                if op == 'fma':
                    ins([op, r, s, 'f32', t], [n('w', 0), n('h', 1), n('h', 2), n('w', 3)])
                else:
                    ins([op, r, s, 'f32', t], [n('w', 0), n('h', 1), n('w', 2)])
prod('fma', [['', 'rn', 'rz', 'rm', 'rp'], O('ftz'), O('sat', 'relu', 'oob', 'oob.relu')], ALLT, 'tttt')
for op in ['mad', 'mul']:
    sh = 'tttt' if op == 'mad' else 'ttt'
    prod(op, [['', 'lo', 'hi'], O('sat'), O('cc')], ALLT, sh)
    for t, w in [('u16', 'w'), ('s16', 'w'), ('u32', 'd'), ('s32', 'd')]:
        k = SZ[t]
        ins([op, 'wide', t], [n(w, 0), n(k, 1), n(k, 2)] + ([n(w, 3)] if op == 'mad' else []))
prod('mad', [['', 'rn', 'rz', 'rm', 'rp'], O('ftz'), O('sat')], ['f32', 'f64'], 'tttt')
for op in ['mul24', 'mad24']:
    prod(op, [['lo', 'hi'], O('sat')], ['u32', 's32'], 'tttt' if op[1] == 'a' else 'ttt')
for op in ['addc', 'subc']:
    prod(op, [O('cc')], ['u32', 's32', 'u64', 's64'], 'ttt')
for op in ['add', 'sub']:
    prod(op, [['cc']], ['u32', 's32', 'u64', 's64'], 'ttt')
prod('madc', [['lo', 'hi'], O('cc')], ['u32', 's32', 'u64', 's64'], 'tttt')
prod('sad', [['']], ALLT, 'tttt')
for op in ['div']:
    prod(op, [['', 'approx', 'full', 'rn', 'rz', 'rm', 'rp'], O('ftz')], ALLT, 'ttt')
prod('rem', [['']], ALLT, 'ttt')
for op in ['abs', 'neg']:
    prod(op, [O('ftz'), O('sat')], ALLT, 'tt')
for op in ['min', 'max']:
    prod(op, [O('ftz'), O('NaN'), O('xorsign.abs', 'abs'), O('relu')], ALLT, 'ttt')
    prod(op, [O('relu')], ['s32', 's16x2'], 'ttt')
    prod(op, [O('ftz'), O('NaN'), O('abs')], ['f32'], 'tttt')
for op in ['popc', 'clz']:
    for t in ['b32', 'b64']:
        ins([op, t], [n('w', 0), n(SZ[t], 1)])
for s in O('shiftamt'):
    for t in ['u32', 's32', 'u64', 's64']:
        ins(['bfind', s, t], [n('w', 0), n(SZ[t], 1)])
prod('brev', [['']], ['b32', 'b64'], 'tt')
prod('fns', [['']], ['b32'], 'tttt')
prod('bfe', [['']], ['u32', 's32', 'u64', 's64'], 'ttww')
prod('bfi', [['']], ['b32', 'b64'], 'tttww')
prod('szext', [['clamp', 'wrap']], ['u32', 's32'], 'ttt')
prod('bmsk', [['clamp', 'wrap']], ['b32'], 'ttt')
for a in ['u32', 's32']:
    for b in ['u32', 's32']:
        ins(['dp4a', a, b], [n('w', i) for i in range(4)])
        for m in ['lo', 'hi']:
            ins(['dp2a', m, a, b], [n('w', i) for i in range(4)])
prod('testp', [['finite', 'infinite', 'number', 'notanumber', 'normal', 'subnormal']], ['f32', 'f64'], 'pt')
prod('copysign', [['']], ['f32', 'f64'], 'ttt')
for op in ['rcp', 'sqrt']:
    prod(op, [['', 'approx', 'rn', 'rz', 'rm', 'rp'], O('ftz')], ['f32', 'f64'], 'tt')
for op in ['rsqrt', 'sin', 'cos', 'lg2', 'ex2', 'tanh']:
    prod(op, [O('approx'), O('ftz')], ['f32', 'f64', 'f16', 'f16x2', 'bf16', 'bf16x2'], 'tt')
for op in ['set', 'setp']:
    for c in CMP:
        for f in O('ftz'):
            for b in O('and', 'or', 'xor'):
                for t in ALLT:
                    k = SZ[t]
                    src = [n(k, 1), n(k, 2)] + ([n('p', 3)] if b else [])
                    if op == 'setp':
                        ins([op, c, b, f, t], [n('p', 0)] + src)
                        ins([op, c, b, f, t], ['%p0|%p4'] + src)
                    else:
                        for d in ['u32', 's32', 'f32', 'u16', 's16', 'f16', 'bf16', 'f16x2', 'bf16x2', 'u64', 's64', 'f64', 'b32', 'b16']:
                            ins([op, c, b, f, d, t], [n(SZ[d], 0)] + src)
prod('selp', [['']], ALLT, 'tttp')
for t in ALLT + ['b128']:
    for c in ['s32', 'f32']:
        for f in O('ftz'):
            k = SZ[t]
            ins(['slct', f, t, c], [n(k, 0), n(k, 1), n(k, 2), n('w', 3)])
for op in ['and', 'or', 'xor']:
    prod(op, [['']], ['pred', 'b16', 'b32', 'b64'], 'ttt')
prod('not', [['']], ['pred', 'b16', 'b32', 'b64'], 'tt')
prod('cnot', [['']], ['b16', 'b32', 'b64'], 'tt')
for op in ['shl', 'shr']:
    prod(op, [['']], ALLT, 'ttw')
for d in ['l', 'r']:
    for m in ['clamp', 'wrap']:
        ins(['shf', d, m, 'b32'], [n('w', i) for i in range(4)])
ins(['lop3', 'b32'], [n('w', i) for i in range(4)] + ['0xe8'])
for b in ['and', 'or', 'xor']:
    ins(['lop3', b, 'b32'], ['%r0|%p1', n('w', 1), n('w', 2), n('w', 3), '0xe8', '%p2'])
    ins(['lop3', b, 'b32'], ['_|%p1', n('w', 1), n('w', 2), n('w', 3), '0xe8', '%p2'])
for m in ['', 'f4e', 'b4e', 'rc8', 'ecl', 'ecr', 'rc16']:
    ins(['prmt', 'b32', m], [n('w', i) for i in range(4)])
prod('mov', [['']], ALLT + ['pred', 'b128'], 'tt')
T1 = ['u8', 's8', 'u16', 's16', 'u32', 's32', 'u64', 's64', 'f16', 'bf16', 'f32', 'f64', 'tf32', 'b16', 'b8', 'b32']
for d in T1:
    for s in T1:
        for r in ['', 'rn', 'rz', 'rm', 'rp', 'rna', 'rni', 'rzi', 'rmi', 'rpi']:
            for f in O('ftz'):
                for sa in O('sat', 'relu', 'satfinite', 'relu.satfinite', 'satfinite.relu'):
                    ins(['cvt', r, f, sa, d, s], [n(SZ[d], 0), n(SZ[s], 1)])
SM = ['e4m3x2', 'e5m2x2', 'e2m1x2', 'e2m3x2', 'e3m2x2', 'ue8m0x2', 'f16x2', 'bf16x2']
for d in SM:
    for r in ['', 'rn', 'rz', 'rp', 'rna', 'rs']:
        for a in O('relu'):
            for sa in O('satfinite'):
                for order in (0, 1):
                    mods = [a, sa] if order == 0 else [sa, a]
                    if d in ('f16x2', 'bf16x2'):
                        dst = '%r0'
                    elif d == 'e2m1x2':
                        dst = '%b0'
                    else:
                        dst = '%h0'
                    ins(['cvt', r] + mods + [d, 'f32'], [dst, '%r1', '%r2'])
                    if r == 'rs':
                        ins(['cvt', r] + mods + [d, 'f32'], [dst, '%r1', '%r2', '%r3'])
                    for s in ['f16x2', 'bf16x2']:
                        ins(['cvt', r] + mods + [d, s], [dst, '%r1'])
                    for s in SM[:6]:
                        ins(['cvt', r] + mods + [d, s], [dst, '%b1' if s == 'e2m1x2' else '%h1'])
                    for x in ['e4m3x4', 'e5m2x4', 'e2m3x4', 'e3m2x4', 'e2m1x4']:
                        if d == 'e4m3x2':
                            ins(['cvt', r] + mods + [x, 'f32'], ['%h0' if x == 'e2m1x4' else '%r0', '{%r1, %r2, %r3, %r4}', '%r5'])
for d in ['u16', 's16']:
    ins(['cvt', 'pack', 'sat', d, 's32'], ['%r0', '%r1', '%r2'])
for d in ['u2', 's2', 'u4', 's4', 'u8', 's8', 'u16', 's16']:
    for c in ['b32']:
        ins(['cvt', 'pack', 'sat', d, 's32', c], ['%r0', '%r1', '%r2', '%r3'])
SEL4 = ['', '.b0', '.b3', '.h0', '.h1']
for op in ['vadd', 'vsub', 'vabsdiff', 'vmin', 'vmax']:
    for d in ['u32', 's32']:
        for a in ['u32', 's32']:
            for b in ['u32', 's32']:
                for sat in O('sat'):
                    for ds, asel, bs in [('', '', ''), ('', '.b2', '.h1'), ('', '.h0', '.b1')]:
                        for o2 in O('add', 'min', 'max'):
                            ins([op, d, a, b, sat, o2], ['%r0' + ds, '%r1' + asel, '%r2' + bs] + (['%r3'] if o2 else []))
                    for ds in ['.b0', '.b3', '.h0', '.h1']:
                        ins([op, d, a, b, sat], ['%r0' + ds, '%r1.b1', '%r2', '%r3'])
for op in ['vshl', 'vshr']:
    for d in ['u32', 's32']:
        for a in ['u32', 's32']:
            for sat in O('sat'):
                for m in ['clamp', 'wrap']:
                    for o2 in O('add', 'min', 'max'):
                        for asel, bs in [('', ''), ('.b2', '.h1')]:
                            ins([op, d, a, 'u32', sat, m, o2], ['%r0', '%r1' + asel, '%r2' + bs] + (['%r3'] if o2 else []))
                    ins([op, d, a, 'u32', sat, m], ['%r0.h1', '%r1.b1', '%r2', '%r3'])
for d in ['u32', 's32']:
    for a in ['u32', 's32']:
        for b in ['u32', 's32']:
            for sat in O('sat'):
                for sc in O('shr7', 'shr15'):
                    for po in O('po'):
                        for neg in [('', '', ''), ('-', '', ''), ('', '-', ''), ('', '', '-')]:
                            for asel, bs in [('', ''), ('.b2', '.h1')]:
                                ins(['vmad', po, d, a, b, sat, sc] if po else ['vmad', d, a, b, sat, sc], ['%r0', neg[0] + '%r1' + asel, neg[1] + '%r2' + bs, neg[2] + '%r3'])
                                if po:
                                    ins(['vmad', d, a, b, po, sat, sc], ['%r0', neg[0] + '%r1' + asel, neg[1] + '%r2' + bs, neg[2] + '%r3'])
for a in ['u32', 's32']:
    for b in ['u32', 's32']:
        for c in ['eq', 'ne', 'lt', 'le', 'gt', 'ge']:
            for o2 in O('add', 'min', 'max'):
                ins(['vset', a, b, c, o2], ['%r0', '%r1.b1', '%r2'] + (['%r3'] if o2 else []))
            ins(['vset', a, b, c], ['%r0.h1', '%r1', '%r2.h0', '%r3'])
for w, sels in [('2', ['', '.h10', '.h32']), ('4', ['', '.b3210', '.b7654'])]:
    for op in ['vadd', 'vsub', 'vavrg', 'vabsdiff', 'vmin', 'vmax']:
        for d in ['u32', 's32']:
            for a in ['u32', 's32']:
                for b in ['u32', 's32']:
                    for sat in O('sat'):
                        for add in O('add'):
                            for asel in sels:
                                for msk in [''] + (['.h0', '.h1', '.h10'] if w == '2' else ['.b0', '.b31', '.b3210']):
                                    ins([op + w, d, a, b, sat, add], ['%r0' + msk, '%r1' + asel, '%r2' + asel, '%r3'])
    for a in ['u32', 's32']:
        for b in ['u32', 's32']:
            for c in ['eq', 'ne', 'lt', 'le', 'gt', 'ge']:
                for add in O('add'):
                    for msk in [''] + (['.h0', '.h1', '.h10'] if w == '2' else ['.b0', '.b31', '.b3210']):
                        ins(['vset' + w, a, b, c, add], ['%r0' + msk, '%r1', '%r2', '%r3'])


def lines():
    return sorted(set(out))
