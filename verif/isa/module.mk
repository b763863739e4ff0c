# SPDX-License-Identifier: Apache-2.0
# Tests of cmodel/isa alone: they link its own sources.
ISA_TEST_SRC := $(wildcard cmodel/isa/*.c)
ISA_TESTS    := isa_words_test isa_roundtrip_test isa_spare_test isa_spec_test isa_traits_test isa_raw_test hazard_test
TESTS += $(ISA_TESTS)
$(foreach t,$(ISA_TESTS),$(eval $(t)_SRC := verif/isa/$(t).c $(ISA_TEST_SRC)) $(eval $(t)_LIBS := -lcmocka -lm))
CFLAGS_verif/isa/isa_roundtrip_test.c := -Icmodel/isa
CFLAGS_verif/isa/isa_spare_test.c := -Icmodel/isa
CFLAGS_verif/isa/isa_raw_test.c := -Icmodel/isa

# The verilated decoder, behind one C function; the numbers of its ports as C.
$(B)/gen/rtl_units.h: $(ISA_TABLES) $(ISA_GEN) $(wildcard rtl/*/*.def) cmodel/units/units.def
	$(if $(Q),@echo '  GEN   $@')
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) cmodel/isa/gen/wlgen.py units_c $@
$(B)/sync_decode.a: rtl/gen/sync_decode.sv rtl/gen/wl_units.vh $(B)/gen/rtl_units.h $(addprefix verif/,isa/sync_decode_shim.cpp isa/sync_decode_shim.h verilate verilate.mk)
	$(if $(Q),@echo '  VERI  $<')
	$(Q)OPT_FAST=-O2 verif/verilate $@ sync_decode verif/isa/sync_decode_shim.cpp -I$(B)/gen
	$(Q)rm -rf $@.parts
CFLAGS_verif/isa/sync_decode_test.c := -Icmodel/isa
$(B)/test/sync_decode_test: $(B)/obj/verif/isa/sync_decode_test.o $(B)/obj/verif/isa/sync_text.o $(patsubst %.c,$(B)/obj/%.o,$(ISA_TEST_SRC)) $(B)/sync_decode.a
	@mkdir -p $(@D)
	$(if $(Q),@echo '  LD    $@')
	$(Q)$(CXX) $(OPT) -o $@ $^ -lm -pthread
tests: $(B)/test/sync_decode_test

TESTS += bench_isa
bench_isa_SRC  := verif/isa/bench_isa.c
bench_isa_LIBS := $(LIBWARPLOCK) -lm
# What the scripts on scheduling read: registers and pipes of every word of an object.
TESTS += hazard_dump
hazard_dump_SRC  := verif/isa/hazard_dump.c
hazard_dump_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm
# The distinct instructions of objects, for the census.
TESTS += census_scan
census_scan_SRC  := verif/isa/census_scan.c
census_scan_LIBS := $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm
# What the tables make of words, for verif/isa/forms.
TESTS += word_scan
word_scan_SRC  := verif/isa/word_scan.c $(ISA_TEST_SRC)
word_scan_LIBS := -lm
