# SPDX-License-Identifier: Apache-2.0
PROGRAMS += wlas wlobjdump
ISA_SRC := $(wildcard cmodel/isa/*.c)
wlas_SRC  := cmodel/tools/wlas.c cmodel/tools/tool.c $(ISA_SRC)
wlas_LIBS := -lm
wlobjdump_SRC  := cmodel/tools/wlobjdump.c cmodel/tools/tool.c $(ISA_SRC)
wlobjdump_LIBS := -lm
