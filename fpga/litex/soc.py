#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the LiteX system as Verilog, with the firmware as content of its ROM.

    soc.py header|verilog CLOCK_MHZ BAUD PARAMETER=VALUE...     parameters of link_wb

header: csr.h, mem.h, regions.ld, addresses for the firmware. verilog: soc.v and the content of memories, with firmware.bin in
the ROM; sources, the files of the CPU. All lie in the current folder.
"""
import struct
import sys

from litex.build.generic_platform import GenericPlatform, Pins, Subsignal
from litex.soc.integration.export import get_csr_header, get_linker_regions, get_mem_header
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect import wishbone
from litex.soc.interconnect.csr import AutoCSR, CSRStorage
from migen import ClockDomain, Instance, Module, Signal

WINDOW, GLOBAL, GLOBAL_BYTES = 0x9000_0000, 0x4000_0000, 2048
ATOM_UNIT = 1  # bit of the mask Units
ROM_MOST, ROM_STEP, RAM_BYTES = 128 * 1024, 16 * 1024, 96 * 1024


class Platform(GenericPlatform):
    def __init__(self):
        super().__init__("none", [("clk", 0, Pins("A")), ("rst", 0, Pins("B")),
                                  ("serial", 0, Subsignal("tx", Pins("C")), Subsignal("rx", Pins("D")))], name="soc")


class Clock(Module):
    def __init__(self, clk, rst):
        self.clock_domains.cd_sys = ClockDomain()
        self.comb += [self.cd_sys.clk.eq(clk), self.cd_sys.rst.eq(rst)]


class CoreReset(Module, AutoCSR):
    """Resets the core and leaves the CPU alone."""
    def __init__(self):
        self.held = CSRStorage(1)


class Soc(SoCCore):
    def __init__(self, platform, clock, baud, core, rom):
        SoCCore.__init__(self, platform, clock, cpu_type="vexriscv", cpu_variant="standard", integrated_rom_size=rom,
                         integrated_sram_size=RAM_BYTES, uart_baudrate=baud, with_timer=False, ident="Warplock",
                         ident_version=False)
        self.crg = Clock(platform.request("clk"), platform.request("rst"))
        self.submodules.core_reset = CoreReset()
        bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        self.bus.add_slave("window", bus, SoCRegion(origin=WINDOW, size=0x2000, cached=False))
        has_memory = core["Units"] >> ATOM_UNIT & 1
        if has_memory:
            core = {**core, "Master": 1}
        self.specials += Instance(
            "link_wb", **{"p_" + k: v for k, v in core.items()},
            i_clk_i=self.crg.cd_sys.clk, i_rst_i=self.crg.cd_sys.rst | self.core_reset.held.storage, i_wb_cyc_i=bus.cyc, i_wb_stb_i=bus.stb, i_wb_we_i=bus.we,
            i_wb_adr_i=bus.adr[:11], i_wb_dat_i=bus.dat_w, i_wb_sel_i=bus.sel, o_wb_dat_o=bus.dat_r, o_wb_ack_o=bus.ack,
            o_wb_err_o=bus.err, o_wb_stall_o=Signal(), o_irq_o=Signal(),
            **(self.add_global() if has_memory else dict(
                o_m_wb_cyc_o=Signal(), o_m_wb_stb_o=Signal(), o_m_wb_we_o=Signal(), o_m_wb_adr_o=Signal(30), o_m_wb_dat_o=Signal(32),
                o_m_wb_sel_o=Signal(4), i_m_wb_dat_i=0, i_m_wb_ack_i=0, i_m_wb_err_i=0)),
            i_m_wb_rty_i=0, i_m_wb_stall_i=0)

    def add_global(self):
        """Block RAM as global memory, which CPU and core reach; an address elsewhere is an error at once. Returns the core's pins."""
        outer, inner = (wishbone.Interface(data_width=32, address_width=32, addressing="word") for _ in range(2))
        inside = outer.adr[(GLOBAL_BYTES // 4).bit_length() - 1:] == GLOBAL // GLOBAL_BYTES
        self.comb += [inner.adr.eq(outer.adr), inner.dat_w.eq(outer.dat_w), inner.sel.eq(outer.sel), inner.we.eq(outer.we),
                      inner.stb.eq(outer.stb & inside), inner.cyc.eq(outer.cyc & inside), outer.dat_r.eq(inner.dat_r),
                      outer.ack.eq(inner.ack), outer.err.eq(inner.err | (outer.cyc & outer.stb & ~inside))]
        self.add_ram("global_ram", origin=GLOBAL, size=GLOBAL_BYTES)
        self.bus.add_master("atom_unit", master=inner)
        return dict(o_m_wb_cyc_o=outer.cyc, o_m_wb_stb_o=outer.stb, o_m_wb_we_o=outer.we, o_m_wb_adr_o=outer.adr, o_m_wb_dat_o=outer.dat_w,
                    o_m_wb_sel_o=outer.sel, i_m_wb_dat_i=outer.dat_r, i_m_wb_ack_i=outer.ack, i_m_wb_err_i=outer.err)


def main():
    what, mhz, baud = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    core = {k: int(v) for k, v in (p.split("=") for p in sys.argv[4:])}
    data = b""
    if what == "verilog":  # the ROM is block RAM: no more of it than the firmware needs
        with open("firmware.bin", "rb") as f:
            data = f.read()
        if len(data) > ROM_MOST:
            sys.exit(f"soc: the firmware has {len(data)} bytes, and the ROM {ROM_MOST}")
        data += bytes(-len(data) % 4)
    platform = Platform()
    soc = Soc(platform, mhz * 1_000_000, baud, core, -(-len(data) // ROM_STEP) * ROM_STEP or ROM_MOST)
    soc.finalize()
    if what == "header":
        write("csr.h", get_csr_header(soc.csr_regions, soc.constants, csr_base=soc.bus.regions["csr"].origin,
                                      with_access_functions=False))
        write("mem.h", get_mem_header(soc.mem_regions))
        write("regions.ld", get_linker_regions(soc.mem_regions))
        return
    soc.init_rom(name="rom", contents=list(struct.unpack(f"<{len(data) // 4}I", data)), auto_size=False)
    platform.get_verilog(soc, name="soc").write("soc.v")
    write("sources", "".join(s[0] + "\n" for s in platform.sources))


def write(name, text):
    with open(name, "w") as f:
        f.write(text)


main()
