# SPDX-License-Identifier: Apache-2.0
# iCEBreaker v1.0 (iCE40UP5K-SG48).
TEXT       = iCEBreaker, iCE40-UP5K: 4 lanes, 8 warps, 2 CTAs, atoms_pipe, lean
FAMILY     = ice40
DEVICE     = up5k
PACKAGE    = sg48
LINK       = link_serial
PARAMETERS = SmemBytes=4096 Units=1 Arch=75 Warps=8 Slots=2 EventBits=7 ByteBits=12 ClocksPerBit=12
CLOCK_MHZ  = 12
BAUD       = 1000000
PROGRAM    = --board icebreaker
# after synthesis; and of seed 1
LUTS       = 3442
FLIPFLOPS  = 1425
RAMS       = 26
FMAX_MHZ   = 25.26
