# SPDX-License-Identifier: Apache-2.0
WLCC_SRC += $(wildcard compiler/ptx/*.c compiler/lower/*.c compiler/object/*.c)

PROGRAMS  += wlcc
wlcc_SRC  := compiler/wlcc.c compiler/message.c cmodel/tools/file.c
wlcc_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWLCC_NEEDS) -lm
