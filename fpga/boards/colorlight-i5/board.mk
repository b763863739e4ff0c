# SPDX-License-Identifier: Apache-2.0
# Colorlight i5 v7.0 (LFE5U-25F-6BG381C) on its extension board.
TEXT       = Colorlight i5, LFE5U-25F: 4 lanes, atoms_pipe
FAMILY     = ecp5
DEVICE     = 25k
PACKAGE    = CABGA381
SPEED      = 6
PARAMETERS = Lanes=4 Banks=4 SmemBytes=4096 Units=1 Warps=48 Stimulus=0 EventBits=9 ClocksPerBit=40
PNR        = --router router2 --placer-heap-beta 0.8
CLOCK_MHZ  = 20
BAUD       = 500000
PROGRAM    = --board colorlight-i5
# after synthesis, before the clock came out of a PLL, queues of two words were registers, and resets and enables of few flip-flops
# became logic (fpga/common.sh). Placed then (17,955 TRELLIS_COMB, 24.54 MHz estimated), and not routed: for the clock's sake, which
# the PLL is to mend. It has not been mapped since.
LUTS       = 13149
FLIPFLOPS  = 10318
RAMS       = 46
