# SPDX-License-Identifier: Apache-2.0
"""Random loads, stores and atomics to atoms_pipe with 4 lanes and 4 banks; the unit of libwarplock judges each pass, fault,
result, and word that a bank gets."""
import os
import random

import cocotb
from cocotb.triggers import Timer
from warplock import Unit

LANES, BANKS, BEATS, ROW_BITS, WINDOW, SIZE_4, RESULT = 4, 4, 8, 8, 512, 2 << 5, 1 << 8
FORMS = (('STS [R2], R3', 1, SIZE_4), ('LDS R4, [R2]', 0, SIZE_4 | RESULT),  # kinds: WL_ATOMS_PIPE_* of rtl/gen/wl_units.vh
         ('ATOMS.ADD R4, [R2], R3', 4, SIZE_4 | RESULT), ('ATOMS.XOR R4, [R2], R3', 4, SIZE_4 | RESULT | 7),
         ('ATOMS.CAS R4, [R2], R3, R5', 5, SIZE_4 | RESULT))


def part(value, index, bits):
    return value >> index * bits & (1 << bits) - 1


class Bench:
    def __init__(self, dut, unit):
        self.dut, self.unit, self.open, self.beats, self.checks = dut, unit, [], 0, 0  # requests end in their order

    def judge(self):
        """What the RTL shows in this cycle: faults, a pass with its words, results of a beat."""
        d, unit = self.dut, self.unit
        if d.fault_valid_o.value:
            for code in (1, 2, 3):  # MISALIGNED, OUT_OF_RANGE, ILLEGAL
                lanes = part(int(d.fault_lanes_o.value), code - 1, 32)
                if lanes:
                    unit.fault(int(d.fault_tag_o.value), lanes, code)
        if d.commit_valid_o.value:
            unit.commit(int(d.commit_tag_o.value), int(d.commit_lanes_o.value))
            rows, words, written = (int(s.value) for s in (d.commit_row_o, d.commit_now_o, d.commit_we_o))
            for bank in range(BANKS):
                if written >> bank & 1:
                    unit.compare(0, (part(rows, bank, ROW_BITS) * BANKS + bank) * 4, part(words, bank, 32))
                    self.checks += 1
        lanes = int(d.rsp_we_o.value)
        data = int(d.rsp_data_o.value) if lanes else 0  # X otherwise
        for lane in range(LANES):
            if lanes >> lane & 1:
                unit.result(self.open[0], self.beats * LANES + lane, part(data, lane, 128) & 0xffffffff)
                self.checks += 1
        self.beats += int(d.rsp_finish_o.value)
        if self.beats == BEATS:
            unit.retire(self.open.pop(0))
            self.beats = 0

    async def cycle(self, look=True):
        await Timer(1, 'ns')
        if look:
            self.judge()
        self.dut.clk_i.value = 1
        await Timer(1, 'ns')
        self.dut.clk_i.value = 0

    async def ask(self, tag, form, mask, a, b, c):
        d, (text, kind, ctl) = self.dut, form
        self.unit.request(tag, 0, tag >> 16, text, mask, a=a, b=b, c=c)
        self.open.append(tag)
        d.beat_valid_i.value, d.beat_tag_i.value, d.beat_kind_i.value, d.beat_ctl_i.value = 1, tag, kind, ctl
        for beat in range(BEATS):
            lanes = range(beat * LANES, (beat + 1) * LANES)
            d.beat_index_i.value, d.beat_mask_i.value = beat, mask >> beat * LANES
            d.beat_ra_i.value = sum(a[lane] << 32 * i for i, lane in enumerate(lanes))
            d.beat_rb_i.value = sum((b[lane] | c[lane] << 64) << 128 * i for i, lane in enumerate(lanes))
            await Timer(1, 'ns')
            while not d.beat_ready_o.value:
                await self.cycle()
                await Timer(1, 'ns')
            await self.cycle()
        d.beat_valid_i.value = 0


@cocotb.test()
async def random_accesses(dut):
    r = random.Random(int(os.environ.get('SEED', '1')))
    for name in ('clk', 'cfg_valid', 'beat_valid'):
        getattr(dut, name + '_i').value = 0
    dut.rst_i.value, dut.cfg_size_i.value = 1, WINDOW
    with Unit('atoms_pipe', lanes=LANES, banks=BANKS) as unit:
        b = Bench(dut, unit)
        await b.cycle(look=False)
        dut.rst_i.value, dut.cfg_valid_i.value = 0, 1
        await b.cycle()
        dut.cfg_valid_i.value = 0
        unit.start_cta(0, 0, 0, 48, 0, WINDOW)
        for n in range(400):
            fills, span = n < WINDOW // 128, 4 << r.randrange(7)  # the first stores fill the window
            odd = [0 if fills or r.randrange(200) else r.choice((1, WINDOW)) for _ in range(32)]
            a = [(n * 128 + lane * 4 if fills else r.randrange(span) & ~3) + odd[lane] for lane in range(32)]
            await b.ask(n % 48 << 16 | n, FORMS[0] if fills else r.choice(FORMS), 0xffffffff if fills else r.getrandbits(32) | 1, a,
                        [r.randrange(3) for _ in range(32)], [r.getrandbits(32) for _ in range(32)])
        while b.open:
            await b.cycle()
        unit.idle()
        assert b.checks > 5000, b.checks
