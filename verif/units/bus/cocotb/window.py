# SPDX-License-Identifier: Apache-2.0
"""What the tests of both windows share: an executor of commands, and the tests by means of a bus. A bus has `read(offset)` and
`write(offset, word, strobe)`, which return (data, error)."""
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

COMMAND, STATUS, ANSWER, ERROR, ERROR_ADDRESS, INTERRUPT = 0x08, 0x0c, 0x10, 0x14, 0x18, 0x1c
MEMORY_LOW, MEMORY_HIGH, REQUESTS, ANSWERS = 0x20, 0x24, 0x800, 0x1000


def answer_of(kind, payload):
    """What the executor makes of a command: another length, other bytes."""
    return kind ^ 0x80, bytes((b * 7 + 1) & 255 for b in payload) + bytes([kind, len(payload) & 255])


class Executor:
    """Takes frames and gives answers, as link_exec does: a byte of either buffer comes in the cycle after its address. It works at
    the falling edge of the clock, where nothing races."""

    def __init__(self, dut, r):
        self.dut, self.r, self.frames, self.seqs = dut, r, 0, []
        self.kept = bytearray(2048)
        dut.busy_i.value = dut.start_i.value = dut.addr_i.value = dut.length_i.value = dut.type_i.value = dut.data_i.value = 0
        cocotb.start_soon(self.serve())
        cocotb.start_soon(self.work())

    async def serve(self):
        asked = 0
        while True:
            await FallingEdge(self.dut.clk_i)
            self.dut.data_i.value = self.kept[asked]
            asked = int(self.dut.addr_o.value)

    async def work(self):
        d = self.dut
        while True:
            await FallingEdge(d.clk_i)
            if not d.frame_o.value:
                continue
            kind, length, payload = int(d.type_o.value), int(d.length_o.value), bytearray()
            self.frames += 1
            self.seqs.append(int(d.seq_o.value))
            await FallingEdge(d.clk_i)  # busy before the next edge of the clock would take the frame back
            d.busy_i.value = 1
            for at in range(length):
                d.addr_i.value = at
                await FallingEdge(d.clk_i)
                payload.append(int(d.data_o.value))
            for _ in range(self.r.randrange(20)):
                await FallingEdge(d.clk_i)
            d.type_i.value, text = answer_of(kind, payload)
            d.length_i.value = len(text)
            self.kept[:] = bytes(self.r.getrandbits(8) for _ in self.kept)
            self.kept[:len(text)] = text
            d.start_i.value = 1
            await FallingEdge(d.clk_i)
            d.start_i.value = d.busy_i.value = 0


async def start(dut, seed):
    r = random.Random(seed)
    dut.memory_error_i.value = dut.memory_sector_i.value = 0
    executor = Executor(dut, r)
    cocotb.start_soon(Clock(dut.clk_i, 10, 'ns').start())
    dut.rst_i.value = 1
    for _ in range(4):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    await FallingEdge(dut.clk_i)
    return r, executor


async def good(access):
    data, error = await access
    assert not error, 'an error of the bus'
    return data


async def commands(bus, r, executor, count):
    """Random payloads, some bytes written one by one; each answer is compared whole."""
    for number in range(count):
        payload = bytes(r.getrandbits(8) for _ in range(r.choice((0, 1, 2, 3, 4, 5, 17, 38, 70))))
        for at in range(0, len(payload), 4):
            part = payload[at:at + 4]
            word = int.from_bytes(part, 'little')
            if len(part) == 4 and r.random() < 0.7:
                await good(bus.write(REQUESTS + at, word, 15))
            else:
                for b in range(len(part)):
                    await good(bus.write(REQUESTS + at, word & 255 << 8 * b | r.getrandbits(32) & ~(255 << 8 * b), 1 << b))
        kind = r.choice((1, 2, 6, 7, 19))
        await good(bus.write(COMMAND, len(payload) << 16 | kind, 15))
        while await good(bus.read(STATUS)) & 1:
            pass
        assert await good(bus.read(STATUS)) & 2
        want_kind, want = answer_of(kind, payload)
        head = await good(bus.read(ANSWER))
        assert head == len(want) << 16 | want_kind, hex(head)
        got = b''
        for at in range(0, len(want) + 4, 4):
            got += (await good(bus.read(ANSWERS + at))).to_bytes(4, 'little')
        assert got == want + bytes(len(got) - len(want)), (got, want)
        assert executor.frames == number + 1
    assert all(a != b for a, b in zip(executor.seqs, executor.seqs[1:]))


async def errors(bus, dut):
    """Each cause of ERROR, the offset that is kept, and that nothing else changes."""
    async def wrong(access, bit, offset):
        data, error = await access
        assert error and not data, 'no error of the bus'
        assert await good(bus.read(ERROR)) == 1 << bit
        assert await good(bus.read(ERROR_ADDRESS)) == offset
        await good(bus.write(ERROR, 1 << bit, 15))
        assert await good(bus.read(ERROR)) == 0
    await wrong(bus.read(0x28), 0, 0x28)
    await wrong(bus.write(0x40, 1, 15), 0, 0x40)
    await wrong(bus.read(0x1800), 0, 0x1800)
    await wrong(bus.write(INTERRUPT, 3, 3), 1, INTERRUPT)
    assert await good(bus.read(INTERRUPT)) == 0
    await wrong(bus.write(ANSWER, 1, 15), 2, ANSWER)
    await wrong(bus.write(ANSWERS, 1, 15), 2, ANSWERS)
    await wrong(bus.read(REQUESTS + 8), 3, REQUESTS + 8)
    await wrong(bus.read(ANSWER), 4, ANSWER)
    await wrong(bus.read(ANSWERS), 4, ANSWERS)
    await wrong(bus.write(COMMAND, 2033 << 16 | 1, 15), 5, COMMAND)
    assert not await good(bus.read(STATUS)) & 3
    # while a command runs
    await good(bus.write(COMMAND, 70 << 16 | 1, 15))
    await wrong(bus.write(COMMAND, 1, 15), 4, COMMAND)
    await wrong(bus.write(REQUESTS, 1, 15), 4, REQUESTS)
    while await good(bus.read(STATUS)) & 1:
        pass
    # interrupts
    await good(bus.write(INTERRUPT, 1, 15))
    assert dut.irq_o.value
    await good(bus.write(STATUS, 2, 15))
    assert not dut.irq_o.value and not await good(bus.read(STATUS)) & 2
    await good(bus.write(INTERRUPT, 2, 15))
    for sector in (0x123456789ab, 0x1):
        await FallingEdge(dut.clk_i)
        dut.memory_error_i.value, dut.memory_sector_i.value = 1, sector
        await FallingEdge(dut.clk_i)
        dut.memory_error_i.value = 0
    assert dut.irq_o.value and await good(bus.read(ERROR)) == 64
    address = await good(bus.read(MEMORY_LOW)) | await good(bus.read(MEMORY_HIGH)) << 32
    assert address == 0x123456789ab << 5, hex(address)
    await good(bus.write(ERROR, 64, 15))
    assert not dut.irq_o.value
