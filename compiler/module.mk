# SPDX-License-Identifier: Apache-2.0
WLCC_SRC += $(wildcard compiler/ptx/*.c compiler/lower/*.c compiler/object/*.c compiler/orders/*.c compiler/ocg/*.c compiler/safety/*.c compiler/compile.c compiler/stacks.c compiler/sync_report.c)

# Instructions written in PTX: their lines as an array of strings.
$(B)/gen/lower_library.inc: $(wildcard compiler/lower/lib/*.ptx)
	@mkdir -p $(@D)
	$(Q)sed -e 's/^\t*//' -e '/^\/\//d' -e 's/.*/"&\\n",/' $^ >$@
GENERATED += $(B)/gen/lower_library.inc

# Words and forms of PTX as tables that are ready when the compiler starts, by a program of the build.
PTX_GEN := $(wildcard compiler/ptx/gen/*.c) compiler/ptx/names.c compiler/ptx/forms_rows.c
$(B)/gen/ptx_tables: $(PTX_GEN) $(wildcard compiler/ptx/*.def compiler/ptx/*.h compiler/ptx/gen/*.h)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) $(WARN) -Icompiler/include -o $@ $(PTX_GEN)
$(B)/gen/ptx_words.inc $(B)/gen/ptx_forms.inc: $(B)/gen/ptx_%.inc: $(B)/gen/ptx_tables
	$(Q)$< $* >$@.new && mv $@.new $@
GENERATED += $(B)/gen/ptx_words.inc $(B)/gen/ptx_forms.inc

PROGRAMS  += wlcc
wlcc_SRC  := compiler/wlcc.c compiler/wlcc_args.c compiler/message.c $(addprefix cmodel/tools/,file.c output.c unfinished.c progress.c option.c ptx_chip.c)
wlcc_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm
wlcc_STATIC := 1

PROGRAMS  += wlas
wlas_SRC  := compiler/wlas.c compiler/asm_source.c $(addprefix cmodel/tools/,tool.c file.c output.c unfinished.c option.c)
wlas_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm
