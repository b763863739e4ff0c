# SPDX-License-Identifier: Apache-2.0
# Colorlight i5 v7.0 (LFE5U-25F-6BG381C) on its extension board.
TEXT       = Colorlight i5, LFE5U-25F: 4 lanes, atoms_pipe
FAMILY     = ecp5
DEVICE     = 25k
PACKAGE    = CABGA381
SPEED      = 6
PARAMETERS = Lanes=4 Banks=4 SmemBytes=4096 Units=1 Warps=48 Stimulus=0 EventBits=9 ClocksPerBit=40
CLOCK_MHZ  = 20
BAUD       = 500000
PROGRAM    = --board colorlight-i5
# after synthesis; its clock is 24.54 MHz in an earlier mapping with wide LUTs, this one has been packed and not routed
LUTS       = 13379
FLIPFLOPS  = 10299
RAMS       = 46
