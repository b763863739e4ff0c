# SPDX-License-Identifier: Apache-2.0
PTX_OBJ_SRC := $(wildcard compiler/ptx/*.c)

TESTS += ptx_test message_test oracle_check ptx_accepts ptx_doc
ptx_test_SRC := verif/ptx/ptx_test.c $(PTX_OBJ_SRC)
ptx_test_LIBS := -lcmocka
message_test_SRC := verif/ptx/message_test.c compiler/message.c $(PTX_OBJ_SRC)
message_test_LIBS := -lcmocka
oracle_check_SRC := verif/ptx/oracle_check.c $(PTX_OBJ_SRC)
ptx_accepts_SRC := verif/ptx/ptx_accepts.c $(PTX_OBJ_SRC)
TESTS += ocg_check
ocg_check_SRC := verif/ptx/ocg_check.c
ocg_check_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm
ptx_doc_SRC := verif/ptx/ptx_doc.c $(PTX_OBJ_SRC)

# The manual of what is understood is made from the form tables; a check tells when it is old.
.PHONY: docs/reference/ptx-support.md
docs/reference/ptx-support.md: $(B)/test/ptx_doc
	$(Q)$< >$@

# Fuzzing: build/test/ptx_fuzz mutates by itself, build/test/ptx_libfuzzer (no part of `tests`: it wants clang's
# libFuzzer) is guided by coverage; verif/ptx/run_fuzz takes what is there.
TESTS += ptx_fuzz
ptx_fuzz_SRC := verif/ptx/ptx_fuzz.c $(PTX_OBJ_SRC)
CLANG ?= clang
$(B)/test/ptx_libfuzzer: verif/ptx/ptx_fuzz.c verif/ptx/fuzz.ignore $(PTX_OBJ_SRC) $(wildcard compiler/ptx/*.h compiler/ptx/*.def)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(CSTD) -O1 -g -fsanitize=fuzzer,address,undefined -DPTX_LIBFUZZER \
		-fsanitize-coverage-ignorelist=verif/ptx/fuzz.ignore $(INC) -o $@ \
		verif/ptx/ptx_fuzz.c $(PTX_OBJ_SRC)

# A campaign as long as you like; verify-full fuzzes for two minutes.
HOURS ?= 1
.PHONY: fuzz
fuzz: tests
	$(Q)verif/common/progress fuzz-parser verif/ptx/run_fuzz $$(($(HOURS) * 1200)) $$(date +%Y%m%d)
	$(Q)verif/common/progress fuzz-warps $(B)/test/warps_fuzz --seconds $$(($(HOURS) * 1200)) --seed $$(($$(date +%Y%m%d) * 10000))
	$(Q)verif/common/progress fuzz-cuda verif/fuzz/cuda_fuzz --seconds $$(($(HOURS) * 1200)) --resume || [ $$? = 77 ]
