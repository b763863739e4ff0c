# SPDX-License-Identifier: Apache-2.0
PROGRAMS += wlas wlobjdump
ISA_SRC := $(wildcard cmodel/isa/*.c)
wlas_SRC  := cmodel/tools/wlas.c cmodel/tools/tool.c $(ISA_SRC)
wlas_LIBS := -lm
wlobjdump_SRC  := cmodel/tools/wlobjdump.c cmodel/tools/tool.c $(ISA_SRC)
wlobjdump_LIBS := -lm

# Launch files, jobs and reports: wlrun and wlcosim link these with $(WLTOOLS_LIBS).
WLTOOLS_SRC  := $(addprefix cmodel/tools/,launch.c elem.c job.c report.c file.c tool.c)
WLTOOLS_LIBS := $(LIBWLCC) $(LIBWARPLOCK) -ljansson -lelf -lm

PROGRAMS += wlrun
wlrun_SRC  := cmodel/tools/wlrun.c $(WLTOOLS_SRC)
wlrun_LIBS := $(WLTOOLS_LIBS)
