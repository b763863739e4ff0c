# SPDX-License-Identifier: Apache-2.0
# ULX3S with LFE5U-85F-6BG381C.
TEXT       = ULX3S, LFE5U-85F: 8 lanes, 8 warps, every unit
FAMILY     = ecp5
DEVICE     = 85k
PACKAGE    = CABGA381
SPEED      = 6
PARAMETERS = Lanes=8 Banks=4 SmemBytes=8192 Units=255 Arch=90 Warps=8 CtaSlots=8 Stimulus=0 EventBits=8 ClocksPerBit=40
PNR        = --placer static --router router2
RAM_SITES  = 1
CLOCK_MHZ  = 40
TARGET_MHZ = 42
BAUD       = 1000000
PROGRAM    = --board ulx3s
# seed 1: 40,752 of 83,640 TRELLIS_COMB, routed in 55 rounds
LUTS       = 34462
FLIPFLOPS  = 22652
RAMS       = 143
FMAX_MHZ   = 44.71
