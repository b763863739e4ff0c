# SPDX-License-Identifier: Apache-2.0
# Tests of cmodel/isa alone: they link its own sources.
ISA_TEST_SRC := $(wildcard cmodel/isa/*.c)
ISA_TESTS    := isa_words_test isa_roundtrip_test isa_spec_test
TESTS += $(ISA_TESTS)
$(foreach t,$(ISA_TESTS),$(eval $(t)_SRC := verif/isa/$(t).c $(ISA_TEST_SRC)) $(eval $(t)_LIBS := -lcmocka -lm))
CFLAGS_verif/isa/isa_roundtrip_test.c := -Icmodel/isa
