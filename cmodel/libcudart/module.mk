# SPDX-License-Identifier: Apache-2.0
# The CUDA runtime on our driver: build/lib/libcudart.so.12 and .13, of the same sources.
LIBCUDART_SRC := $(wildcard cmodel/libcudart/*.c)

# $(1) = major number of the toolkit; its objects lie beside each other
define libcudart
LIBCUDART_$(1) := $(B)/lib/libcudart.so.$(1)
ALL += $$(LIBCUDART_$(1))
$(B)/obj/cudart$(1)/%.o: %.c
	@mkdir -p $$(@D)
	$$(if $$(Q),@echo '  CC    $$< ($(1))')
	$$(Q)$$(CC) $$(CFLAGS) -Wno-missing-prototypes $$(PIC) -DCUDART=$(1) -MMD -MP -c -o $$@ $$<
$(B)/lib/libcudart$(1).map:
	@mkdir -p $$(@D)
	$$(Q)echo 'libcudart.so.$(1) { global: cuda*; __cuda*; local: *; };' >$$@
$$(LIBCUDART_$(1)): $$(LIBCUDART_SRC:%.c=$(B)/obj/cudart$(1)/%.o) $(B)/lib/libcudart$(1).map $$(LIBCUDA)
	$$(if $$(Q),@echo '  LD    $$@')
	$$(Q)$$(CC) $$(OPT) -shared -Wl,-soname,$$(@F) -Wl,--version-script,$(B)/lib/libcudart$(1).map -Wl,-Bsymbolic \
		-Wl,-rpath,'$$$$ORIGIN' -o $$@ $$(LIBCUDART_SRC:%.c=$(B)/obj/cudart$(1)/%.o) $$(LIBCUDA) -lpthread
endef
$(foreach v,12 13,$(eval $(call libcudart,$(v))))
