# SPDX-License-Identifier: Apache-2.0
# Lattice iCE40-HX8K breakout board (iCE40HX8K-B-EVN, package CT256).
TEXT       = iCE40-HX8K breakout: 4 lanes, 8 warps, 2 CTAs, atoms_pipe and barrier_file, lean
FAMILY     = ice40
DEVICE     = hx8k
PACKAGE    = ct256
LINK       = link_serial
PARAMETERS = SmemBytes=4096 Units=5 Arch=75 Warps=8 Slots=2 EventBits=7 ByteBits=12 ClocksPerBit=48
CLOCK_MHZ  = 48
BAUD       = 1000000
PROGRAM    = --board ice40_generic
# after synthesis; and of the slowest of seeds 1 to 5 (57.66, 51.33, 55.16, 56.53, 56.03)
LUTS       = 4562
FLIPFLOPS  = 1805
RAMS       = 29
FMAX_MHZ   = 51.33
