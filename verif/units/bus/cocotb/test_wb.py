# SPDX-License-Identifier: Apache-2.0
"""wb_window, classic or pipelined, with the master of cocotbext-wishbone."""
import cocotb
from cocotb.triggers import FallingEdge
from cocotbext.wishbone.driver import WBOp, WishboneMaster

import window

SIGNALS = {'cyc': 'wb_cyc_i', 'stb': 'wb_stb_i', 'we': 'wb_we_i', 'adr': 'wb_adr_i', 'datwr': 'wb_dat_i', 'datrd': 'wb_dat_o',
           'sel': 'wb_sel_i', 'ack': 'wb_ack_o', 'err': 'wb_err_o'}


class Bus:
    def __init__(self, dut):
        pipelined = bool(int(dut.Pipelined.value))
        self.m = WishboneMaster(dut, '', dut.clk_i, timeout=200, width=32,
                                signals_dict=dict(SIGNALS, stall='wb_stall_o') if pipelined else SIGNALS)
        self.r = None

    async def one(self, op):
        op.idle = self.r.randrange(4) if self.r else 0
        [got] = await self.m.send_cycle([op])
        assert got.ack in (1, 2)
        return got

    async def read(self, offset):
        got = await self.one(WBOp(offset >> 2))
        return int(got.datrd), got.ack == 2

    async def write(self, offset, word, strobe):
        got = await self.one(WBOp(offset >> 2, word & 0xffffffff, sel=strobe))
        return 0, got.ack == 2


@cocotb.test(timeout_time=2, timeout_unit='ms')
async def random_commands(dut):
    bus = Bus(dut)
    bus.r, executor = await window.start(dut, 4)
    await window.commands(bus, bus.r, executor, 16)


@cocotb.test(timeout_time=2, timeout_unit='ms')
async def errors(dut):
    bus = Bus(dut)
    bus.r, _ = await window.start(dut, 5)
    await window.errors(bus, dut)


@cocotb.test(timeout_time=2, timeout_unit='ms')
async def a_cycle_of_many(dut):
    """Accesses of one bus cycle: as many answers, in order."""
    bus = Bus(dut)
    await window.start(dut, 6)
    got = await bus.m.send_cycle([WBOp(0), WBOp(window.INTERRUPT >> 2, 2), WBOp(window.INTERRUPT >> 2), WBOp(0x28 >> 2), WBOp(0)])
    assert [g.ack for g in got] == [1, 1, 1, 2, 1]
    assert [int(got[i].datrd) for i in (0, 2, 4)] == [0x57424c57, 2, 0x57424c57]


@cocotb.test(timeout_time=2, timeout_unit='ms')
async def a_cycle_that_ends_early(dut):
    """CYC falls before the answer: none comes, neither then nor in the next cycle."""
    bus = Bus(dut)
    await window.start(dut, 7)
    dut.wb_cyc_i.value = dut.wb_stb_i.value = 1
    dut.wb_adr_i.value, dut.wb_we_i.value = 0, 0
    await FallingEdge(dut.clk_i)
    dut.wb_cyc_i.value = dut.wb_stb_i.value = 0
    for _ in range(6):
        await FallingEdge(dut.clk_i)
        assert not dut.wb_ack_o.value and not dut.wb_err_o.value
    assert await bus.read(0) == (0x57424c57, False)
