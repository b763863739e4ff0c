# SPDX-License-Identifier: Apache-2.0
PTX_OBJ_SRC := $(wildcard compiler/ptx/*.c)

TESTS += ptx_test message_test oracle_check ptx_accepts ptx_doc
ptx_test_SRC := verif/ptx/ptx_test.c $(PTX_OBJ_SRC)
ptx_test_LIBS := -lcmocka
message_test_SRC := verif/ptx/message_test.c compiler/message.c $(PTX_OBJ_SRC)
message_test_LIBS := -lcmocka
oracle_check_SRC := verif/ptx/oracle_check.c $(PTX_OBJ_SRC)
ptx_accepts_SRC := verif/ptx/ptx_accepts.c $(PTX_OBJ_SRC)
ptx_doc_SRC := verif/ptx/ptx_doc.c $(PTX_OBJ_SRC)

# The manual of what is understood is made from the form tables; a check tells when it is old.
.PHONY: docs/ptx-support.md
docs/ptx-support.md: $(B)/test/ptx_doc
	$(Q)$< >$@

# Fuzzing: build/test/ptx_fuzz mutates by itself; `make ptx-libfuzzer` builds the coverage-guided one with clang.
TESTS += ptx_fuzz
ptx_fuzz_SRC := verif/ptx/ptx_fuzz.c $(PTX_OBJ_SRC)
CLANG ?= clang
.PHONY: ptx-libfuzzer
ptx-libfuzzer:
	@mkdir -p $(B)/test
	$(Q)$(CLANG) $(CSTD) -O1 -g -fsanitize=fuzzer,address,undefined -DPTX_LIBFUZZER $(INC) -o $(B)/test/ptx_libfuzzer \
		verif/ptx/ptx_fuzz.c $(PTX_OBJ_SRC)
