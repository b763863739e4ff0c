# SPDX-License-Identifier: Apache-2.0
"""What the tests of the memory masters share: requests as atom_unit makes them, and a model of memory with halves that are not there."""
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


class Unit:
    """The request side, at the falling edge of the clock."""

    def __init__(self, dut):
        self.dut, self.errors, self.answers = dut, [], 0
        dut.mem_req_valid_i.value = 0
        cocotb.start_soon(self.watch())

    async def watch(self):
        while True:
            await FallingEdge(self.dut.clk_i)
            if self.dut.error_o.value:
                self.errors.append(int(self.dut.error_sector_o.value))
            self.answers += int(self.dut.mem_rsp_valid_o.value)

    async def ask(self, sector, id=0, write=False, cond=False, mask=0, data=b''):
        """(ok, halves, sector)"""
        d = self.dut
        d.mem_req_valid_i.value, d.mem_req_id_i.value, d.mem_req_addr_i.value = 1, id, sector
        d.mem_req_write_i.value, d.mem_req_cond_i.value, d.mem_req_mask_i.value = write, cond, mask
        d.mem_req_data_i.value = int.from_bytes(data, 'little')
        await FallingEdge(d.clk_i)
        d.mem_req_valid_i.value = 0
        for _ in range(3000):
            if d.mem_rsp_valid_o.value:
                break
            await FallingEdge(d.clk_i)
        assert d.mem_rsp_valid_o.value and int(d.mem_rsp_id_o.value) == id
        got = bool(d.mem_rsp_ok_o.value), int(d.mem_rsp_halves_o.value), int(d.mem_rsp_data_o.value).to_bytes(32, 'little')
        await FallingEdge(d.clk_i)
        assert not d.mem_rsp_valid_o.value and d.mem_req_ready_o.value
        await FallingEdge(d.clk_i)  # error_o has been seen
        return got


async def start(dut, seed):
    unit = Unit(dut)
    cocotb.start_soon(Clock(dut.clk_i, 10, 'ns').start())
    dut.rst_i.value = 1
    for _ in range(4):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    for _ in range(2):
        await FallingEdge(dut.clk_i)
    return random.Random(seed), unit


def bytes_of(r, mask):
    return bytes(r.getrandbits(8) if mask >> b & 1 else 0 for b in range(32))


async def random_requests(unit, r, memory, count):
    """memory: a bytearray, which the bus side serves as well. Other writers come between a read and its conditional write."""
    told, failed, done = {}, 0, 0
    for _ in range(count):
        sector, id = r.randrange(len(memory) // 32), r.randrange(16)
        mask = r.choice((r.getrandbits(32), 0xffffffff, 0xf << 4 * r.randrange(8), 1 << r.randrange(32), 0xffff0000))
        data, at = bytes_of(r, mask), sector * 32
        kind = r.choice('rrwccc')
        if kind == 'r':
            ok, halves, got = await unit.ask(sector, id)
            assert (ok, halves) == (True, 3) and got == memory[at:at + 32]
            told[id] = sector, got
        elif kind == 'w' and mask:
            old = memory[at:at + 32]
            ok, halves, _ = await unit.ask(sector, id, True, False, mask, data)
            assert (ok, halves) == (True, 3)
            assert memory[at:at + 32] == bytes(data[b] if mask >> b & 1 else old[b] for b in range(32))
            told.pop(id, None)
        elif kind == 'c' and id in told:
            sector, old = told[id]
            at, mask = sector * 32, r.choice((mask, 0))
            if r.random() < 0.4:
                memory[at + r.randrange(32)] ^= 1 << r.randrange(8)
            now = bytes(memory[at:at + 32])
            ok, halves, got = await unit.ask(sector, id, True, True, mask, bytes_of(random.Random(7), mask))
            want = bytes_of(random.Random(7), mask)
            assert halves == 3 and ok == (now == old), (ok, now, old)
            assert memory[at:at + 32] == bytes(want[b] if ok and mask >> b & 1 else now[b] for b in range(32))
            if ok:
                told.pop(id)
                done += 1
            else:
                assert got == now
                told[id] = sector, now
                failed += 1
    assert not unit.errors and failed > 5 and done > 5, (unit.errors, failed, done)
