# SPDX-License-Identifier: Apache-2.0
PROGRAMS += wlas wlobjdump
wlas_SRC  := $(addprefix cmodel/tools/,wlas.c asm_source.c tool.c file.c)
wlas_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWLCC_NEEDS) -lm
wlobjdump_SRC  := $(addprefix cmodel/tools/,wlobjdump.c listing.c hazards.c tool.c file.c)
wlobjdump_LIBS := $(LIBWLCC) $(LIBWARPLOCK) -ldw $(LIBWLCC_NEEDS) -lm

# Launch files, jobs and reports: wlrun and wlcosim link these with $(WLTOOLS_LIBS).
WLTOOLS_SRC  := $(addprefix cmodel/tools/,launch.c elem.c job.c report.c file.c tool.c)
WLTOOLS_LIBS := $(LIBWLCC) $(LIBWARPLOCK) -ljansson -ldw $(LIBWLCC_NEEDS) -lm

PROGRAMS += wlrun
wlrun_SRC  := cmodel/tools/wlrun.c $(WLTOOLS_SRC)
wlrun_LIBS := $(WLTOOLS_LIBS)
