# SPDX-License-Identifier: Apache-2.0
# wlnvvm runs clang for C input and wlnvvm-ir for the lowering. Only wlnvvm-ir holds LLVM; where LLVM 19's headers and
# library are absent it is left out, with a message.
PROGRAMS += wlnvvm
# The command line and output files as the other tools have them.
NVVM_SHARED := cmodel/isa/archs.c $(addprefix cmodel/tools/,file.c output.c option.c unfinished.c)
wlnvvm_SRC := $(NVVM_SHARED) cmodel/tools/progress.c $(addprefix compiler/nvvm/,asmtext.c cfront.c header.c builtins_page.c options.c tables.c wlnvvm.c)
LLVM_CONFIG ?= $(shell command -v llvm-config-19)
LLVM_INCLUDE := $(if $(LLVM_CONFIG),$(shell $(LLVM_CONFIG) --includedir))
ifneq ($(wildcard $(LLVM_INCLUDE)/llvm-c/Core.h),)
PROGRAMS += wlnvvm-ir
wlnvvm-ir_LLVM := $(addprefix compiler/nvvm/,accesses.c cenum.c check.c dead_barriers.c differ.c driver.c emit.c expand.c flow.c ir.c loops.c lower.c lower_legacy.c lower_sync.c partword.c)
wlnvvm-ir_SRC := $(NVVM_SHARED) $(wlnvvm-ir_LLVM) $(addprefix compiler/nvvm/,asmtext.c barriers.c options.c refs.c resolve.c tables.c wlnvvm_ir.c)
# The archives, where they are installed: loading the shared library takes longer than most compilations. What they in turn
# need comes with the shared library's package, without the names that -l looks for.
LLVM_LIBDIR := $(shell $(LLVM_CONFIG) --libdir)
ifneq ($(wildcard $(LLVM_LIBDIR)/libLLVMNVPTXCodeGen.a),)
LLVM_NEEDS := $(foreach l,libz3.so.4 libz.so.1 libzstd.so.1,$(if $(wildcard /usr/lib/*/$(l)),-l:$(l)))
wlnvvm-ir_LIBS := -L$(LLVM_LIBDIR) -Wl,--gc-sections -Wl,--as-needed -Wl,--start-group \
	$(shell $(LLVM_CONFIG) --link-static --libs nvptx irreader bitreader passes analysis target codegen) -Wl,--end-group \
	$(LLVM_NEEDS) -lrt -ldl -lm -l:libstdc++.so.6
else
wlnvvm-ir_LIBS := -L$(LLVM_LIBDIR) -lLLVM-19
endif
$(foreach f,$(wlnvvm-ir_LLVM),$(eval CFLAGS_$(f) := -isystem $(LLVM_INCLUDE)))
else
.PHONY: no-wlnvvm-ir
no-wlnvvm-ir:
	@echo '  note  LLVM 19 is not installed: wlnvvm-ir (for .ll, .bc and .c input) is left out; make setup installs it'
ALL += no-wlnvvm-ir
endif
