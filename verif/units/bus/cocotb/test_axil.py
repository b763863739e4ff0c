# SPDX-License-Identifier: Apache-2.0
"""axil_window with the AXI4-Lite manager of cocotbext-axi, all five channels stalled at random."""
import itertools

import cocotb
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

import window


class Bus:
    def __init__(self, dut):
        self.m = AxiLiteMaster(AxiLiteBus.from_prefix(dut, 's_axil'), dut.clk_i, dut.rst_i)
        self.m.write_if.log.setLevel('WARNING')
        self.m.read_if.log.setLevel('WARNING')

    def stall(self, r):
        for channel in (self.m.write_if.aw_channel, self.m.write_if.w_channel, self.m.write_if.b_channel, self.m.read_if.ar_channel,
                        self.m.read_if.r_channel):
            channel.set_pause_generator(itertools.cycle([r.random() < 0.4 for _ in range(97)]))

    async def read(self, offset):
        got = await self.m.read(offset, 4)
        assert got.resp in (AxiResp.OKAY, AxiResp.SLVERR)
        return int.from_bytes(got.data, 'little'), got.resp != AxiResp.OKAY

    async def write(self, offset, word, strobe):
        """The manager makes strobes of the bytes that it is given: those must be neighbours."""
        data, low = word.to_bytes(4, 'little'), (strobe & -strobe).bit_length() - 1
        got = await self.m.write(offset + low, data[low:strobe.bit_length()])
        assert got.resp in (AxiResp.OKAY, AxiResp.SLVERR)
        return 0, got.resp != AxiResp.OKAY


@cocotb.test(timeout_time=2, timeout_unit='ms')
async def random_commands(dut):
    bus = Bus(dut)
    r, executor = await window.start(dut, 1)
    for stalls in (False, True):
        if stalls:
            bus.stall(r)
        first = executor.frames
        executor.frames = 0
        await window.commands(bus, r, executor, 12)
        executor.frames += first


@cocotb.test(timeout_time=2, timeout_unit='ms')
async def errors(dut):
    bus = Bus(dut)
    r, _ = await window.start(dut, 2)
    bus.stall(r)
    await window.errors(bus, dut)


@cocotb.test(timeout_time=2, timeout_unit='ms')
async def both_at_once(dut):
    """Reads and writes that stand together all come to their end."""
    bus = Bus(dut)
    r, _ = await window.start(dut, 3)
    bus.stall(r)
    tasks = [cocotb.start_soon(bus.read(0) if i % 2 else bus.write(window.INTERRUPT, i & 3, 15)) for i in range(20)]
    for i, task in enumerate(tasks):
        data, error = await task
        assert not error and data == (0x57424c57 if i % 2 else 0)
