# SPDX-License-Identifier: Apache-2.0
"""mem_wb, classic or pipelined, in front of the subordinate of cocotbext-wishbone with a memory behind it: late answers, stalls, errors, retries."""
import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.wishbone.monitor import WishboneSlave

import sectors

SIGNALS = {'cyc': 'm_wb_cyc_o', 'stb': 'm_wb_stb_o', 'we': 'm_wb_we_o', 'adr': 'm_wb_adr_o', 'datwr': 'm_wb_dat_o', 'datrd': 'm_wb_dat_i',
           'sel': 'm_wb_sel_o', 'ack': 'm_wb_ack_i', 'err': 'm_wb_err_i', 'rty': 'm_wb_rty_i'}
SIZE, HOLE = 2048, 1024


class Memory:
    """Generators of the subordinate, each asked once a transfer: first the answer, then the data."""

    def __init__(self, dut, r):
        self.dut, self.r, self.bytes, self.holes, self.retries = dut, r, bytearray(r.getrandbits(8) for _ in range(SIZE)), False, 0

    def answers(self):
        d = self.dut
        while True:
            width = len(d.m_wb_sel_o)
            at = int(d.m_wb_adr_o.value) * width
            self.code = 1
            if at + width > SIZE or (self.holes and at >= HOLE and at & 16):
                self.code = 2
            elif self.r.random() < 0.1:
                self.code, self.retries = 3, self.retries + 1
            elif d.m_wb_we_o.value:
                word, sel = int(d.m_wb_dat_o.value).to_bytes(width, 'little'), int(d.m_wb_sel_o.value)
                for b in range(width):
                    if sel >> b & 1:
                        self.bytes[at + b] = word[b]
            yield self.code

    def words(self):
        while True:
            width = len(self.dut.m_wb_sel_o)
            at = int(self.dut.m_wb_adr_o.value) * width
            yield int.from_bytes(self.bytes[at:at + width], 'little')

    def waits(self):
        while True:
            yield self.r.randrange(4)

    def stalls(self):
        while True:
            yield self.r.randrange(3), self.r.randrange(1, 4)


class Stalling(WishboneSlave):
    """Pipelined: a transfer is taken where it is not stalled. The monitor of cocotbext-wishbone 2.0.1 waits for an answer to a stalled one."""

    async def _monitor_recv(self):
        while True:
            await RisingEdge(self.clock)
            if self.bus.cyc.value and self.bus.stb.value and not self.bus.stall.value:
                self._respond()


async def start(dut, seed):
    r, unit = await sectors.start(dut, seed)
    memory, pipelined = Memory(dut, r), bool(int(dut.Pipelined.value))
    more = {'waitstallgen': memory.stalls()} if pipelined else {}
    slave, signals = (Stalling, dict(SIGNALS, stall='m_wb_stall_i')) if pipelined else (WishboneSlave, SIGNALS)
    slave(dut, '', dut.clk_i, width=32, signals_dict=signals, datgen=memory.words(), ackgen=memory.answers(), waitreplygen=memory.waits(), **more)
    return r, unit, memory


@cocotb.test(timeout_time=2, timeout_unit='ms')
async def random_requests(dut):
    r, unit, memory = await start(dut, 21)
    await sectors.random_requests(unit, r, memory.bytes, 200)
    assert memory.retries > 10


@cocotb.test(timeout_time=2, timeout_unit='ms')
async def errors(dut):
    _, unit, memory = await start(dut, 22)
    memory.holes = True
    at = HOLE + 96
    ok, halves, got = await unit.ask(at // 32)
    assert (ok, halves) == (True, 1) and got[:16] == memory.bytes[at:at + 16] and unit.errors == [at // 32]
    old = bytes(memory.bytes)
    ok, halves, _ = await unit.ask(at // 32, 1, True, False, 0xffff0000, bytes(32))
    assert (ok, halves) == (True, 1) and bytes(memory.bytes) == old and len(unit.errors) == 2
    ok, halves, _ = await unit.ask(1 << 40)
    assert (ok, halves) == (True, 0) and unit.errors[-1] == 1 << 40


@cocotb.test(timeout_time=2, timeout_unit='ms')
async def a_conditional_write_keeps_the_bus(dut):
    """CYC stays from the read to the end of the write."""
    _, unit, _ = await start(dut, 23)
    _, _, data = await unit.ask(5, 6)
    falls = []

    async def watch():
        was = 0
        while True:
            await RisingEdge(dut.clk_i)
            now = int(dut.m_wb_cyc_o.value)
            if was and not now:
                falls.append(int(dut.mem_rsp_valid_o.value))
            was = now
    cocotb.start_soon(watch())
    ok, _, _ = await unit.ask(5, 6, True, True, 0xf0, data)
    assert ok and len(falls) == 1, falls
