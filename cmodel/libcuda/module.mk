# SPDX-License-Identifier: Apache-2.0
# The CUDA driver on the C model: build/lib/libcuda.so.1 exports the names that begin with cu, and nothing else.
LIBCUDA_SRC := $(wildcard cmodel/libcuda/*.c) $(addprefix cmodel/tools/,progress.c unfinished.c)
PIC_SRC     += $(LIBCUDA_SRC)
$(foreach c,$(LIBCUDA_SRC),$(eval CFLAGS_$(c) := -Wno-missing-prototypes))
LIBCUDA     := $(B)/lib/libcuda.so.1
ALL         += $(LIBCUDA)

$(LIBCUDA): $(call obj,$(LIBCUDA_SRC)) $(LIBWLCC) $(LIBWARPLOCK) cmodel/libcuda/exports.map
	@mkdir -p $(@D)
	$(if $(Q),@echo '  LD    $@')
	$(Q)$(CC) $(OPT) -shared -Wl,-soname,$(@F) -Wl,--version-script,cmodel/libcuda/exports.map -Wl,-Bsymbolic -Wl,-z,nodelete \
		$(if $(filter 1,$(SAN)),,-Wl,-z,defs) -o $@ $(call obj,$(LIBCUDA_SRC)) $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm -lpthread
