# SPDX-License-Identifier: Apache-2.0
"""Random requests of eight warps to barrier_file; the unit of libwarplock judges each event and the state at the end."""
import os
import random

import cocotb
from cocotb.triggers import Timer
from warplock import Unit

WARPS, BARRIERS, EXIT = 8, 2, 6
TEXTS = {0: 'BAR.SYNC.DEFER_BLOCKING 0x%x%s', 1: 'BAR.ARV 0x%x%s', 2: 'BAR.RED.POPC.DEFER_BLOCKING 0x%x%s, P0'}  # by kind


class Bench:
    def __init__(self, dut, unit):
        self.dut, self.unit, self.events, self.tag, self.open, self.gone = dut, unit, 0, 0, {}, set()

    def judge(self):
        """What the RTL shows in this cycle: first the judgement, then the release."""
        d, tag = self.dut, int(self.dut.judged_tag_o.value)
        ended, warps = set(), 0
        if d.commit_o.value:
            self.unit.commit(tag, int(d.judged_mask_o.value))
            ended |= set() if d.park_o.value else {tag}
        if d.fault_o.value:
            self.unit.fault(tag, int(d.judged_mask_o.value), int(d.fault_code_o.value))
            ended |= {tag}
        if d.rel_valid_o.value:
            warps = int(d.rel_warps_o.value)
            self.unit.release(int(d.rel_slot_o.value), int(d.rel_id_o.value), warps, int(d.rel_value_o.value))
        self.events += int(d.commit_o.value) + int(d.fault_o.value) + int(d.rel_valid_o.value)
        for warp, held in list(self.open.items()):
            if held in ended or warps >> warp & 1:
                self.unit.retire(self.open.pop(warp))

    async def cycle(self, look=True):
        await Timer(1, 'ns')
        if look:
            self.judge()
        self.dut.clk_i.value = 1
        await Timer(1, 'ns')
        self.dut.clk_i.value = 0

    async def start(self):
        d = self.dut
        for name in ('cta_valid', 'cta_slot', 'head_valid', 'head_form', 'head_slot', 'status_valid', 'status_slot', 'clk'):
            getattr(d, name + '_i').value = 0
        d.rsp_ready_i.value, d.rst_i.value, d.cta_open_i.value, d.cta_warps_i.value = 1, 1, 1, WARPS
        await self.cycle(look=False)
        d.rst_i.value, d.cta_valid_i.value = 0, 1
        await self.cycle()
        d.cta_valid_i.value = 0
        self.unit.start_cta(0, 0, 0, WARPS)

    async def ask(self, r, warp, plain):
        """plain: BAR.SYNC of the whole CTA and exits alone, so that exits complete phases."""
        kind = EXIT if r.random() < 0.05 else 0 if plain else r.choice((0, 0, 0, 1, 2))
        barrier, votes = r.randrange(BARRIERS), r.getrandbits(32)
        threads = 0 if plain else r.choice((64, 64, 128, 33, 0, 0) if kind != 1 else (64, 64, 128, 33))  # 33 is a fault
        for name, value in (('valid', 1), ('kind', kind), ('tag', self.tag), ('warp', warp), ('id', barrier), ('count', threads),
                            ('mask', 0xffffffff), ('pred', votes)):
            getattr(self.dut, 'head_%s_i' % name).value = value
        await Timer(1, 'ns')
        while not self.dut.head_ready_o.value:
            await self.cycle()
            await Timer(1, 'ns')
        self.judge()
        if kind == EXIT:
            self.unit.exit(0, warp)
            self.gone.add(warp)
        else:
            self.unit.request(self.tag, 0, warp, TEXTS[kind] % (barrier, ', 0x%x' % threads if threads else ''), preds=votes)
            self.open[warp] = self.tag
        self.tag += 1
        await self.cycle(look=False)
        self.dut.head_valid_i.value = 0


@cocotb.test()
async def random_requests(dut):
    r, events = random.Random(int(os.environ.get('SEED', '1'))), 0
    for turn in range(40):
        with Unit('barrier_file') as unit:
            b = Bench(dut, unit)
            await b.start()
            for _ in range(100):
                warp = r.randrange(WARPS)
                await (b.cycle() if warp in b.open or warp in b.gone else b.ask(r, warp, turn % 4 == 0))
            for _ in range(4):
                await b.cycle()
            unit.none_due()
            for barrier in range(BARRIERS):  # told over the status port, a cycle later
                dut.status_valid_i.value, dut.status_id_i.value = 1, barrier
                await b.cycle()
                await Timer(1, 'ns')
                unit.compare(0, barrier, int(dut.status_warps_o.value), int(dut.status_waiting_o.value))
            events += b.events
    assert events > 1000, events
