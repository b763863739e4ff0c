# SPDX-License-Identifier: Apache-2.0
# Colorlight i5 v7.0 (LFE5U-25F-6BG381C) on its extension board.
TEXT       = Colorlight i5, LFE5U-25F: 4 lanes, atoms_pipe
FAMILY     = ecp5
DEVICE     = 25k
PACKAGE    = CABGA381
SPEED      = 6
PARAMETERS = Lanes=4 Banks=4 SmemBytes=4096 Units=1 Warps=48 Stimulus=0 EventBits=9 ClocksPerBit=40
PNR        = --placer static --router router2
CLOCK_MHZ  = 40
BAUD       = 1000000
PROGRAM    = --board colorlight-i5
# seed 1: 10,117 of 24,288 TRELLIS_COMB, routed in 61 rounds
LUTS       = 8389
FLIPFLOPS  = 6601
RAMS       = 48
FMAX_MHZ   = 54.91
