# SPDX-License-Identifier: Apache-2.0
# Tests of cmodel/isa alone: they link its own sources.
ISA_TEST_SRC := $(wildcard cmodel/isa/*.c)
ISA_TESTS    := isa_words_test isa_roundtrip_test isa_spare_test isa_spec_test isa_raw_test hazard_test
TESTS += $(ISA_TESTS)
$(foreach t,$(ISA_TESTS),$(eval $(t)_SRC := verif/isa/$(t).c $(ISA_TEST_SRC)) $(eval $(t)_LIBS := -lcmocka -lm))
CFLAGS_verif/isa/isa_roundtrip_test.c := -Icmodel/isa
CFLAGS_verif/isa/isa_spare_test.c := -Icmodel/isa
CFLAGS_verif/isa/isa_raw_test.c := -Icmodel/isa

# The verilated decoder, behind one C function.
SYNC_DECODE_DIR  := $(B)/isa_decode
SYNC_DECODE_OBJ  := $(SYNC_DECODE_DIR)/Vsync_decode__ALL.a $(SYNC_DECODE_DIR)/verilated.o $(SYNC_DECODE_DIR)/verilated_threads.o
VERILATOR_HOME    = $(shell $(VERILATOR) --getenv VERILATOR_ROOT)
$(SYNC_DECODE_DIR)/Vsync_decode__ALL.a: rtl/sync_decode.sv
	@mkdir -p $(@D)
	$(if $(Q),@echo '  VERI  $<')
	$(Q)$(VERILATOR) --cc --build -Wall -O3 -CFLAGS -O2 --Mdir $(SYNC_DECODE_DIR) --top-module sync_decode $< >$(@D)/log 2>&1 || { cat $(@D)/log; exit 1; }
	$(Q)$(MAKE) -s -C $(@D) -f Vsync_decode.mk verilated.o verilated_threads.o >>$(@D)/log 2>&1 || { cat $(@D)/log; exit 1; }
$(SYNC_DECODE_DIR)/shim.o: verif/isa/sync_decode_shim.cpp verif/isa/sync_decode_shim.h $(SYNC_DECODE_DIR)/Vsync_decode__ALL.a
	$(Q)$(CXX) -O2 -w -I$(SYNC_DECODE_DIR) -Iverif/isa -I$(VERILATOR_HOME)/include -I$(VERILATOR_HOME)/include/vltstd -c -o $@ $<
CFLAGS_verif/isa/sync_decode_test.c := -Icmodel/isa
$(B)/test/sync_decode_test: $(B)/obj/verif/isa/sync_decode_test.o $(B)/obj/verif/isa/sync_text.o $(patsubst %.c,$(B)/obj/%.o,$(ISA_TEST_SRC)) $(SYNC_DECODE_DIR)/shim.o
	@mkdir -p $(@D)
	$(if $(Q),@echo '  LD    $@')
	$(Q)$(CXX) -o $@ $^ $(SYNC_DECODE_OBJ) -lm -pthread
tests: $(B)/test/sync_decode_test

TESTS += bench_isa
bench_isa_SRC  := verif/isa/bench_isa.c
bench_isa_LIBS := $(LIBWARPLOCK) -lm
# What the scripts on scheduling read: registers and pipes of every word of an object.
TESTS += hazard_dump
hazard_dump_SRC  := verif/isa/hazard_dump.c
hazard_dump_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm
