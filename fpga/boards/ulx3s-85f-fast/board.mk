# SPDX-License-Identifier: Apache-2.0
# The ULX3S with two units, for a faster clock.
TEXT       = ULX3S, LFE5U-85F: 8 lanes, 8 warps, atoms_pipe and barrier_file, words of sm_75
WIRING     = ulx3s-85f
FAMILY     = ecp5
DEVICE     = 85k
PACKAGE    = CABGA381
SPEED      = 6
PARAMETERS = Lanes=8 Banks=4 SmemBytes=8192 Units=5 Arch=75 Warps=8 CtaSlots=8 Stimulus=0 EventBits=8 ClocksPerBit=60
PNR        = --placer static --router router2
CLOCK_MHZ  = 30
TARGET_MHZ = 40
BAUD       = 500000
PROGRAM    = --board ulx3s
