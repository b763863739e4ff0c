# SPDX-License-Identifier: Apache-2.0
WLCC_SRC += $(wildcard compiler/ptx/*.c compiler/lower/*.c compiler/object/*.c compiler/orders/*.c compiler/compile.c)

# Instructions written in PTX: their lines as an array of strings.
$(B)/gen/lower_library.inc: $(wildcard compiler/lower/lib/*.ptx)
	@mkdir -p $(@D)
	$(Q)sed -e 's/^\t*//' -e '/^\/\//d' -e 's/.*/"&\\n",/' $^ >$@
GENERATED += $(B)/gen/lower_library.inc

PROGRAMS  += wlcc
wlcc_SRC  := compiler/wlcc.c compiler/message.c cmodel/tools/file.c
wlcc_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm
wlcc_STATIC := 1

PROGRAMS  += wlas
wlas_SRC  := compiler/wlas.c compiler/asm_source.c cmodel/tools/tool.c cmodel/tools/file.c
wlas_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm
