# SPDX-License-Identifier: Apache-2.0
TESTS += driver_fuzz_test
driver_fuzz_test_SRC  = verif/programs/driver_fuzz_test.c $(LIBCUDA_SRC)
driver_fuzz_test_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm -lpthread

# Tests of calls, with the driver inside, too.
DRIVER_TESTS := tensor_map_test devices_test leak_test rules_test driver_speed_test isolation_test
TESTS += $(DRIVER_TESTS)
$(foreach t,$(DRIVER_TESTS),$(eval $(t)_SRC = verif/programs/$(t).c $$(LIBCUDA_SRC)))
$(foreach t,$(DRIVER_TESTS),$(eval $(t)_LIBS := $(driver_fuzz_test_LIBS)))
