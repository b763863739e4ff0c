# SPDX-License-Identifier: Apache-2.0
# ULX3S with LFE5U-85F-6BG381C.
TEXT       = ULX3S, LFE5U-85F: 4 lanes, 8 warps, atoms_pipe and barrier_file, not routed
FAMILY     = ecp5
DEVICE     = 85k
PACKAGE    = CABGA381
SPEED      = 6
PARAMETERS = Lanes=4 Banks=4 SmemBytes=4096 Units=5 Arch=75 Warps=8 Stimulus=0 EventBits=9 ClocksPerBit=30
PNR        = --placer static --router router2 --no-tmdriv
CLOCK_MHZ  = 15
BAUD       = 500000
PROGRAM    = --board ulx3s
# after synthesis under the top of the Colorlight (40 clocks a bit), with an inverter for each of some 200 resets (docs/fpga.md), which are one now; not placed
LUTS       = 16276
FLIPFLOPS  = 11204
RAMS       = 62
