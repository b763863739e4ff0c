# SPDX-License-Identifier: Apache-2.0
# ULX3S with LFE5U-85F-6BG381C.
TEXT       = ULX3S, LFE5U-85F: 4 lanes, atoms_pipe and barrier_file
FAMILY     = ecp5
DEVICE     = 85k
PACKAGE    = CABGA381
SPEED      = 6
PARAMETERS = Lanes=4 Banks=4 SmemBytes=4096 Units=5 Warps=48 Stimulus=0 EventBits=9 ClocksPerBit=30
# timing-driven, the placement alone takes more than 5 CPU minutes (docs/fpga.md)
PNR        = --router router2 --no-tmdriv --placer-heap-beta 0.7
CLOCK_MHZ  = 15
BAUD       = 500000
PROGRAM    = --board ulx3s
# after synthesis; and of seed 1: both of older RTL, with half the oscillator as clock. With the PLL and the shorter paths it is
# placed (25,994 TRELLIS_COMB, 24.72 MHz estimated), but the router did not end at seed 1: 788 wires overused at best, then more.
LUTS       = 22659
FLIPFLOPS  = 14423
RAMS       = 65
FMAX_MHZ   = 16.59
