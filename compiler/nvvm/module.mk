# SPDX-License-Identifier: Apache-2.0
# wlnvvm: the one program that loads LLVM. Without LLVM 19's headers and library it is left out, with a message.
LLVM_CONFIG ?= $(shell command -v llvm-config-19)
LLVM_INCLUDE := $(if $(LLVM_CONFIG),$(shell $(LLVM_CONFIG) --includedir))
ifneq ($(wildcard $(LLVM_INCLUDE)/llvm-c/Core.h),)
PROGRAMS += wlnvvm
wlnvvm_SRC := $(addprefix compiler/nvvm/,asmtext.c cfront.c check.c driver.c emit.c expand.c header.c ir.c loops.c lower.c \
	lower_legacy.c lower_sync.c manual.c partword.c resolve.c tables.c wlnvvm.c)
wlnvvm_LIBS := -L$(shell $(LLVM_CONFIG) --libdir) -lLLVM-19
$(foreach f,$(wlnvvm_SRC),$(eval CFLAGS_$(f) := -isystem $(LLVM_INCLUDE)))
else
.PHONY: no-wlnvvm
no-wlnvvm:
	@echo '  note  LLVM 19 is not installed: wlnvvm (for .ll, .bc and .c input) is left out; make setup installs it'
ALL += no-wlnvvm
endif
