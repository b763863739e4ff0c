# SPDX-License-Identifier: Apache-2.0
"""mem_axi, AXI4 or AXI4-Lite, in front of the subordinates of cocotbext-axi, all channels stalled at random. These subordinates have no
exclusive monitor: `Monitor` adds one to AXI4, and a test goes without."""
import itertools

import cocotb
from cocotb.triggers import FallingEdge
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteSlave, AxiResp, AxiSlave

import sectors

SIZE, HOLE = 2048, 1024  # bytes; the upper half of each sector from HOLE on is not there


class Memory:
    """The target of a subordinate."""

    def __init__(self, r):
        self.bytes = bytearray(r.getrandbits(8) for _ in range(SIZE))
        self.holes = False

    def check(self, address, length):
        if address + length > SIZE or (self.holes and address >= HOLE and (address + length - 1) & 16):
            raise IndexError('nothing is there')

    async def read(self, address, length, **kwargs):
        self.check(address, length)
        return bytes(self.bytes[address:address + length])

    async def write(self, address, data, **kwargs):
        self.check(address, len(data))
        self.bytes[address:address + len(data)] = data


async def start(dut, seed, monitor=True):
    r, unit = await sectors.start(dut, seed)
    memory, lite = Memory(r), bool(int(dut.Lite.value))
    slave = (AxiLiteSlave if lite else AxiSlave)((AxiLiteBus if lite else AxiBus).from_prefix(dut, 'm_axi'), dut.clk_i, dut.rst_i, target=memory)
    for part in (slave.write_if, slave.read_if):
        part.log.setLevel('CRITICAL')
    w, rd = slave.write_if, slave.read_if
    for channel in (w.aw_channel, w.w_channel, w.b_channel, rd.ar_channel, rd.r_channel):
        channel.set_pause_generator(itertools.cycle([r.random() < 0.4 for _ in range(89)]))
    if not lite and monitor:
        lock_answers(dut, w, rd)
    return r, unit, memory


def lock_answers(dut, write, read):
    """EXOKAY where the subordinate would say OKAY to an exclusive access; nobody else writes between the two here."""
    locked = {'ar': False, 'aw': False}

    async def watch():
        while True:
            await FallingEdge(dut.clk_i)
            if dut.m_axi_arvalid.value:
                locked['ar'] = bool(dut.m_axi_arlock.value)
            if dut.m_axi_awvalid.value:
                locked['aw'] = bool(dut.m_axi_awlock.value)
    cocotb.start_soon(watch())

    def through(channel, field, which):
        send = channel.send

        async def sends(answer):
            if locked[which] and getattr(answer, field) == AxiResp.OKAY:
                setattr(answer, field, AxiResp.EXOKAY)
            await send(answer)
        channel.send = sends
    through(read.r_channel, 'rresp', 'ar')
    through(write.b_channel, 'bresp', 'aw')


@cocotb.test(timeout_time=2, timeout_unit='ms')
async def random_requests(dut):
    r, unit, memory = await start(dut, 11)
    await sectors.random_requests(unit, r, memory.bytes, 200)


@cocotb.test(timeout_time=2, timeout_unit='ms')
async def errors(dut):
    """Halves that are not there, and addresses beyond the memory and beyond the bus."""
    r, unit, memory = await start(dut, 12)
    memory.holes = True
    lite = bool(int(dut.Lite.value))
    at = HOLE + 64
    ok, halves, got = await unit.ask(at // 32)
    assert (ok, halves) == (True, 1) and got[:16] == memory.bytes[at:at + 16] and unit.errors == [at // 32]
    old = bytes(memory.bytes)
    ok, halves, _ = await unit.ask(at // 32, 1, True, False, 0xffff0000, bytes(32))
    assert (ok, halves) == (True, 1) and bytes(memory.bytes) == old and len(unit.errors) == 2
    ok, halves, _ = await unit.ask(at // 32, 1, True, False, 0x0000ffff, bytes([5] * 32))
    assert (ok, halves) == (True, 3) and memory.bytes[at:at + 16] == bytes([5] * 16) and len(unit.errors) == 2
    # a conditional write of the half that is there
    await unit.ask(at // 32, 2)
    ok, halves, _ = await unit.ask(at // 32, 2, True, True, 0x00000001, bytes([9] * 32))
    assert (ok, halves) == (True, 1) and memory.bytes[at] == 9 and len(unit.errors) == 3
    ok, halves, _ = await unit.ask(SIZE // 32)
    assert (ok, halves) == (True, 0) and len(unit.errors) == 4
    ok, halves, _ = await unit.ask(1 << 40)
    assert (ok, halves) == (True, 0) and unit.errors[-1] == 1 << 40
    # a half that was there and is not any more: the unit cannot be told, ERROR is
    memory.holes = False
    await unit.ask(at // 32, 3)
    memory.holes = True
    old, count = bytes(memory.bytes), len(unit.errors)
    ok, halves, _ = await unit.ask(at // 32, 3, True, True, 0xffffffff, bytes([1] * 32))
    assert (ok, halves) == (True, 3) and bytes(memory.bytes) == old and len(unit.errors) == count + 1
    assert lite or unit.errors[-1] == at // 32


@cocotb.test(timeout_time=2, timeout_unit='ms')
async def no_monitor(dut):
    """AXI4 memory that answers an exclusive read with OKAY: nothing is written, and the error is told."""
    if int(dut.Lite.value):
        return
    _, unit, memory = await start(dut, 13, monitor=False)
    await unit.ask(3, 4)
    old = bytes(memory.bytes)
    ok, halves, _ = await unit.ask(3, 4, True, True, 0xff, bytes(32))
    assert (ok, halves) == (True, 3) and bytes(memory.bytes) == old and unit.errors == [3]
