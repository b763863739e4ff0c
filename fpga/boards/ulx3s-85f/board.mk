# SPDX-License-Identifier: Apache-2.0
# ULX3S with LFE5U-85F-6BG381C.
TEXT       = ULX3S, LFE5U-85F: 4 lanes, atoms_pipe and barrier_file
FAMILY     = ecp5
DEVICE     = 85k
PACKAGE    = CABGA381
SPEED      = 6
PARAMETERS = Lanes=4 Banks=4 SmemBytes=4096 Units=5 Warps=48 Stimulus=0 EventBits=9 ClocksPerBit=30
PNR        = --placer static --router router2 --no-tmdriv
CLOCK_MHZ  = 15
BAUD       = 500000
PROGRAM    = --board ulx3s
# after synthesis. MHz of seed 1 of older RTL, with half the oscillator as clock: it is placed since (23,114 TRELLIS_COMB, 23.37 MHz
# estimated), but the router has not ended (docs/fpga.md).
LUTS       = 20738
FLIPFLOPS  = 16605
RAMS       = 72
FMAX_MHZ   = 16.59
