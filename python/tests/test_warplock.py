# SPDX-License-Identifier: Apache-2.0
"""Tests of the Python module: python3 -m unittest python/tests/test_warplock.py, in the top folder."""
import array
import ctypes
import struct
import unittest

import warplock
from warplock import Buffer, Differs, Error, Unit

TALLY, CIRCLE = 'docs/examples/tally.ptx', 'docs/examples/circle.ptx'
SCALARS = '''.version 8.0
.target sm_75
.address_size 64
.visible .entry put(.param .u64 to, .param .u32 n, .param .f32 x, .param .align 8 .b8 s[16])
{ .reg .b32 %r<3>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [to]; ld.param.u32 %r0, [n]; ld.param.b32 %r1, [x]; ld.param.u64 %d1, [s]; ld.param.u64 %d2, [s+8];
  st.global.b32 [%d0], %r0; st.global.b32 [%d0+4], %r1; st.global.b64 [%d0+8], %d1; ld.global.b32 %r2, [%d2];
  st.global.b32 [%d0+16], %r2; ret; }
'''


def refused(test, part, call):
    with test.assertRaises(Error) as caught:
        call()
    test.assertIn(part, str(caught.exception))
    return caught.exception


class Kernels(unittest.TestCase):
    def test_buffers_and_steps(self):
        kernel = warplock.load(TALLY)
        self.assertEqual((kernel.name, kernel.arch, kernel.parameters), ('tally', 'sm_90', [8, 8]))
        numbers, bins = Buffer(array.array('I', range(1024))), Buffer(32, 'bins')
        whole = kernel.launch(4, 256, [numbers, bins])
        report = whole.run()
        self.assertEqual((report.outcome, report.as_expected), ('pass', True))
        self.assertEqual(struct.unpack('8I', whole[bins]), (128,) * 8)  # 1024 numbers, 8 of each remainder
        self.assertEqual((whole['bins'], whole[1], bins.data), (whole[bins], whole[bins], bytes(32)))
        pieces, steps = kernel.launch(4, 256, [numbers, bins]), 0
        while n := pieces.step(7):
            self.assertLess(n, 7 + 32)
            steps += 1
        self.assertTrue(pieces.over and steps > 10)
        self.assertEqual((pieces.executed, pieces[bins]), (report.warp_instructions, whole[bins]))
        self.assertEqual(sum(report.executed.values()), report.warp_instructions)

    def test_scalars(self):
        kernel, out, word = warplock.load_bytes(SCALARS), Buffer(24), Buffer(struct.pack('I', 77))
        run = kernel.launch(1, 1, [out, -2, 0.5, (struct.pack('q', -9), word)])
        self.assertEqual(run.run().outcome, 'pass')
        self.assertEqual(struct.unpack('<IfqI', run[out][:20]), (2**32 - 2, 0.5, -9, 77))
        again = kernel.launch(1, 1, [out, 2**32 - 1, 1.0, bytes(8) + struct.pack('Q', run.address(word))])
        self.assertEqual(again.run().outcome, 'fault')  # that launch has no second buffer

    def test_events(self):
        run = warplock.load(CIRCLE).launch(1, 64, [Buffer(256)], record=('bar_arrive', 'bar_release'))
        events = list(run.events())
        self.assertEqual({e.kind for e in events}, {'bar_arrive'})
        self.assertEqual(sorted((e.warp, e.id) for e in events), [(0, 1), (1, 2)])
        self.assertIn('BAR.SYNC', events[0].instruction)
        self.assertEqual(run.take_events(), [])
        passed = warplock.load(TALLY).launch(1, 256, [Buffer(4096), Buffer(32)], record='all')
        kinds = [e.kind for e in passed.events()]
        self.assertEqual(kinds.count('issue'), passed.executed)
        self.assertEqual(kinds.count('cta_start'), 1)

    def test_who_waits_for_whom(self):
        run = warplock.load(CIRCLE).launch(1, 64, [Buffer(256)])
        self.assertEqual((run.report().outcome, run.report().waiting), ('running', []))  # no warp is there
        run.step()
        early = run.report()
        self.assertEqual((early.outcome, len(early.waiting)), ('running', 2))
        report = run.run()
        self.assertEqual((report.outcome, report.as_expected), ('deadlock', False))
        first, second = report.waiting
        self.assertEqual((first.what, second.what), ('barrier', 'barrier'))
        self.assertEqual((first.waits_for, second.waits_for), ([second], [first]))
        self.assertEqual({str(g) for g in report.circle}, {'CTA 0 warp 0', 'CTA 0 warp 1'})
        self.assertEqual(run.report().lines, report.lines)  # a second report says the same

    def test_launch_file(self):
        report = warplock.launch_file('docs/examples/tally.json').run()
        self.assertEqual((report.outcome, report.lines), ('pass', ['buffers: 1 compared']))
        found = warplock.launch_file('docs/examples/past_end.json', 'verif/checkers/broken.sm_90.cubin', checks=['mem']).run()
        self.assertEqual((found.outcome, found.as_expected), ('mem', True))

    def test_bad_input(self):
        kernel, b = warplock.load(TALLY), Buffer(32)
        refused(self, 'No such file', lambda: warplock.load('nope.cubin'))
        refused(self, 'object holds no kernel', lambda: warplock.load(TALLY, kernel='z'))
        refused(self, "found 'sm_1'", lambda: warplock.load(TALLY, arch='sm_1'))
        wrong = refused(self, "line 4: error: Arguments mismatch for instruction 'add'", lambda: warplock.load_bytes(
            '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { add.u32 %r1, %r2, 1; }'))
        self.assertIn("program, line 4: error: Unknown symbol '%r1'", wrong.messages[1])
        refused(self, 'takes 2 arguments, found 1', lambda: kernel.launch(args=[b]))
        refused(self, 'kernel circle takes 1 argument, found 0', lambda: warplock.load(CIRCLE).launch(1, 64))
        silent = kernel.launch(args=[b, b])
        refused(self, 'no events are kept', silent.events)
        refused(self, 'no events are kept', silent.take_events)
        self.assertEqual(silent.executed, 0)
        refused(self, 'argument 0: 3 bytes', lambda: kernel.launch(args=[b'123', b]))
        refused(self, 'argument 0: expected a number', lambda: kernel.launch(args=[1 << 64, b]))
        refused(self, 'argument 1: expected a whole number', lambda: kernel.launch(args=[b, 'x']))
        refused(self, 'block dimension x is 2000', lambda: kernel.launch(1, 2000, [b, b]))
        refused(self, 'one to three numbers', lambda: kernel.launch((1, 2, 3, 4), 32, [b, b]))
        refused(self, 'schedule: expected one of', lambda: kernel.launch(args=[b, b], schedule='x'))
        refused(self, 'checks: expected a list of', lambda: kernel.launch(args=[b, b], checks=['race', 'x']))
        refused(self, 'record: expected names', lambda: kernel.launch(args=[b, b], record=['nope']))
        refused(self, 'sms: expected a number from 1 to 256', lambda: kernel.launch(args=[b, b], sms=0))
        refused(self, 'no buffer', lambda: kernel.launch(args=[b, b])[Buffer(4)])
        refused(self, 'buffer: expected bytes', lambda: Buffer('text'))
        refused(self, 'No such file', lambda: warplock.launch_file('nope.json'))
        refused(self, 'expected a path', lambda: warplock.load(0))
        refused(self, 'without a NUL', lambda: warplock.load(TALLY, arch='sm_90\0x'))
        refused(self, 'expected a text', lambda: kernel.launch(args=[b, b], schedule=3))
        refused(self, 'cooperative: expected True or False', lambda: kernel.launch(args=[b, b], cooperative='no'))
        refused(self, 'expected a text', lambda: Unit(None))
        refused(self, 'expected a text', lambda: warplock.launch_file(None))

    def test_buffers_refused(self):
        kernel = warplock.load(TALLY)
        refused(self, "one name, 'x'", lambda: kernel.launch(args=[Buffer(4, 'x'), Buffer(4, 'x')]))
        refused(self, "one name, 'buffer 1'", lambda: kernel.launch(args=[Buffer(4, 'buffer 1'), Buffer(4)]))
        refused(self, 'without a NUL', lambda: Buffer(4, 'a\0b'))
        for name in ('', 5, 'x' * 128):
            refused(self, 'name: expected a text of 1 to 127 bytes', lambda name=name: Buffer(4, name))
        self.assertEqual(Buffer((ctypes.c_uint16 * 2)(1, 2)).data, struct.pack('<2H', 1, 2))
        for element in (ctypes.c_uint32.__ctype_be__, ctypes.py_object, ctypes.c_void_p):
            refused(self, 'found elements of format', lambda element=element: Buffer((element * 2)()))
        run = kernel.launch(args=[Buffer(4096), Buffer(8, 'b')])
        run['b'] = array.array('I', (3, 4))
        for data in (8, [0] * 8, (ctypes.c_uint32.__ctype_be__ * 2)()):  # bytes(8) are eight zeros
            refused(self, 'buffer: expected', lambda data=data: run.__setitem__('b', data))
        self.assertEqual(run['b'], struct.pack('<2I', 3, 4))

    def test_limit_and_fault(self):
        kernel = warplock.load(TALLY)
        self.assertEqual(kernel.launch(1, 256, [Buffer(4096), Buffer(32)], limit=10).run().outcome, 'limit')
        report = kernel.launch(1, 256, [Buffer(16), Buffer(32)]).run()
        self.assertEqual(report.outcome, 'fault')
        self.assertIn('tally', report.detail)


class Units(unittest.TestCase):
    def test_barrier(self):
        with Unit('barrier_file', arch='sm_90') as u:
            u.start_cta(0, 0, 0, 2)
            u.request(1, 0, 0, 'BAR.SYNC.DEFER_BLOCKING 0x1, 0x40')
            u.commit(1, 0xffffffff)
            u.compare(0, 1, 1, 1)
            self.assertIn('barrier 1', u.explain(0))
            with self.assertRaises(Differs):
                u.release(0, 1, 3)
            u.request(2, 0, 1, 'BAR.SYNC.DEFER_BLOCKING 0x1, 0x40')
            u.commit(2, 0xffffffff)
            with self.assertRaises(Differs):
                u.none_due()
            u.release(0, 1, 3)
            u.none_due()
            with self.assertRaises(Differs):
                u.idle()
            u.retire(1)
            u.retire(2)
            u.idle()
            refused(self, 'tag 9', lambda: u.commit(9, 1))
            refused(self, 'negative', lambda: u.commit(-1, 1))
        refused(self, 'closed', u.idle)

    def test_atomics(self):
        u = Unit('atoms_pipe', lanes=32, banks=32)
        u.start_cta(0, 0, 0, 1, 0, 256)
        u.request(7, 0, 0, 'STS [R0], R2', mask=0xf, a=[4 * lane for lane in range(32)], b=5)
        for lanes in u.passes(7):
            u.commit(7, lanes)
        u.retire(7)
        u.compare(0, 12, 5)
        self.assertRaises(Differs, u.compare, 0, 12, 6)
        u.request(8, 0, 0, 'ATOMS.ADD R3, [R0], R2', mask=1, a=12, b=2)
        u.commit(8, 1)
        self.assertEqual(u.value(8, 0), 5)
        u.result(8, 0, 5)
        u.retire(8)
        u.compare(0, 12, 7)

    def test_mbarrier(self):
        with Unit('mbarrier_engine', arch='sm_90') as u:
            u.start_cta(0, 0, 0, 2, 0, 256)
            init = (-1 & 0xfffff) << 1 | (-1 & 0xfffff) << 43  # one arrival: docs/spec/mbarrier.md, "Layouts"
            u.request(1, 0, 0, 'SYNCS.EXCH.64 URZ, [UR6], UR4', mask=1, b=init, uniform=16)
            u.commit(1, 1)
            u.retire(1)
            u.compare(0, 16, init)
            for tag in (1, 2):
                u.request(tag, 0, 0, 'SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R6+URZ], R5', a=16)
                u.commit(tag, 0xffffffff)
                u.compare(0, 16, init, 1)
                if tag == 1:
                    u.give_up(tag)
                    u.predicates(tag, 0xffffffff, 0)
                    u.retire(tag)
            u.land(0, 16, 'tx', 32)
            self.assertRaises(Differs, u.land, 0, 16, 'arrive', fault=30)
            u.land(0, 16, 'arrive')
            u.none_due()
            self.assertIn('mbarrier at 0x10: phase 0, 0 of 1 arrivals are missing', u.explain(0))
            u.request(1, 0, 1, 'SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [R6+URZ], R5', mask=1, a=16, b=32)
            u.commit(1, 1)
            u.release(0, 16, 1, 1)
            u.predicates(2, 0xffffffff, 0xffffffff)
            u.compare(0, 16, init | 1 << 63)
            u.write(0, 16, 0)
            refused(self, "'bytes': expected", lambda: u.land(0, 16, 'bytes'))

    def test_clusters_and_fences(self):
        with Unit('cluster_barrier', arch='sm_90') as u:
            for rank in range(2):
                u.cluster(3, 2, rank)
                u.start_cta(rank, rank, rank, 1)
                u.request(rank, rank, rank, 'UCGABAR_ARV')
            u.commit(0, 0xffffffff)
            u.retire(0)
            u.request(0, 0, 0, 'UCGABAR_WAIT')
            u.commit(0, 0xffffffff)
            self.assertRaises(Differs, u.release, 0, 0, 1)
            u.commit(1, 0xffffffff)
            u.release(0, 0, 1)
        with Unit('fence_unit') as u:
            u.start_cta(0, 0, 0, 1)
            u.request(1, 0, 0, 'MEMBAR.SC.GPU')
            self.assertRaises(Differs, u.release, 0, 0, 1)
            u.commit(1, 0xffffffff)
            u.release(0, 0, 1)
            u.retire(1)

    def test_global(self):
        with Unit('atom_unit', arch='sm_90') as u:
            u.start_cta(0, 0, 0, 1)
            u.buffer(0x300000000, 64)
            u.write_global(0x300000004, 10)
            u.request(1, 0, 0, 'ATOMG.E.ADD.STRONG.GPU PT, R4, [R2], R6', mask=3, a=0x300000004, b=3)
            u.commit(1, 3)
            u.result(1, 1, 13)
            u.compare_global(0x300000004, 16)
            self.assertRaises(Differs, u.compare_global, 0x300000004, 13)

    def test_convergence(self):
        with Unit('convergence') as u:
            u.start_cta(0, 0, 0, 1)
            u.request(1, 0, 0, 'WARPSYNC R0', mask=1, a=3)
            u.commit(1, 1)
            u.result(1, 0, 0xfffffffe)
            self.assertIn('lane 0 for 0x2', u.explain(0))

    def test_names(self):
        self.assertEqual(warplock.UNITS, ('atoms_pipe', 'atom_unit', 'barrier_file', 'mbarrier_engine',
                                          'warp_collective', 'convergence', 'fence_unit', 'cluster_barrier'))
        refused(self, 'there are atoms_pipe', lambda: Unit('x'))
        refused(self, 'lanes is 5', lambda: Unit('barrier_file', lanes=5))


class Orders(unittest.TestCase):
    def test_monitor(self):
        m = warplock.Monitor(arch='sm_90')
        m.start_cta(0, 0, 2, size=4096)
        addresses = [4 * lane for lane in range(32)]
        m.request(1, 0, 0, 'STS [R0], R2', a=addresses)
        m.request(2, 0, 0, 'LDS R3, [R0]', a=addresses)
        refused(self, 'tag 9', lambda: m.commit(9, 1))
        m.commit(1, 0xffffffff)
        m.retire(1)
        m.commit(2, 0xffff)
        for _ in range(2):
            with self.assertRaises(warplock.Illegal) as caught:
                m.retire(2)
        self.assertEqual(caught.exception.rule, 'a')
        refused(self, 'expected letters of abcdefg', lambda: warplock.Monitor(rules='x'))
        refused(self, 'negative', lambda: warplock.Monitor().end_cta(-1))


if __name__ == '__main__':
    unittest.main()
