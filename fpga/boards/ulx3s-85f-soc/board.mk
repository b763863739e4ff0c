# SPDX-License-Identifier: Apache-2.0
# The ULX3S with a LiteX system: a VexRiscv checks the core on the board (fpga/litex).
TEXT       = ULX3S, LFE5U-85F: VexRiscv and 4 lanes, atoms_pipe, checked on the board
FAMILY     = ecp5
DEVICE     = 85k
PACKAGE    = CABGA381
SPEED      = 6
LINK       = soc
PARAMETERS = Lanes=4 Banks=4 SmemBytes=4096 Units=1 Arch=90 Warps=8 CtaSlots=2 Stimulus=0 EventBits=8
PNR        = --placer static --router router2
RAM_SITES  = 1
CLOCK_MHZ  = 40
BAUD       = 1000000
PROGRAM    = --board ulx3s
# seed 1
LUTS       = 10670
FLIPFLOPS  = 8343
RAMS       = 135
FMAX_MHZ   = 56.15
