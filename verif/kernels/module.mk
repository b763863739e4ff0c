# SPDX-License-Identifier: Apache-2.0
# Host arithmetic that says what the buffers of our own kernels must hold.
# Expected buffers are made into build/kernels, whatever $(B) is: launch files name them there.
DATA += build/kernels/.made
DATA_PROGRAMS := $(addsuffix _expected,kernels progress functions atomics mbar cccl cluster native policy sectors remote matrix)
build/kernels/.made: verif/kernels/make_data verif/kernels/cccl/run verif/kernels/cccl/kernels.def verif/common/checker.py \
		$(wildcard verif/corpus/*.expected.c verif/corpus/*.h) $(addprefix $(B)/test/,$(DATA_PROGRAMS))
	$(if $(Q),@echo '  DATA  build/kernels')
	$(Q)verif/kernels/make_data $(B)/test
TESTS += kernels_expected
kernels_expected_SRC := verif/kernels/expected.c
TESTS += progress_expected
progress_expected_SRC := verif/kernels/progress/progress_expected.c

.PHONY: demo wave
demo: all
	$(Q)verif/kernels/demo
VIEWER ?= gtkwave
wave: all
	$(Q)verif/kernels/demo wave
	$(Q)command -v $(VIEWER) >/dev/null || { echo 'make wave: $(VIEWER) is missing (Debian package gtkwave; VIEWER=surfer for Surfer)'; exit 1; }
	$(Q)$(if $(filter surfer,$(notdir $(VIEWER))),$(VIEWER) --command-file $(B)/demo/accounts.sucl,$(VIEWER) $(B)/demo/accounts.gtkw)

TESTS += functions_expected
functions_expected_SRC := verif/kernels/functions/functions_expected.c

# Host results of the integer code that nvcc compiles too.
TESTS += int_expected
int_expected_SRC := verif/kernels/intcode/int_expected.c

# Atomics that sm_90 brought, from nvcc.
TESTS += atomics_expected
atomics_expected_SRC := verif/kernels/atomics/atomics_expected.c
atomics_expected_LIBS := -lm

TESTS += mbar_expected
mbar_expected_SRC := verif/kernels/mbar/mbar_expected.c

# Programs over libcu++ and CUB.
TESTS += cccl_expected
cccl_expected_SRC := $(addprefix verif/kernels/cccl/,$(addsuffix _expected.c,cccl cells sync warps blocks sorts values rest waits scans queues))
TESTS += cluster_expected
cluster_expected_SRC := verif/kernels/cluster/cluster_expected.c
TESTS += native_expected
native_expected_SRC := verif/kernels/native/native_expected.c
TESTS += policy_expected
policy_expected_SRC := verif/kernels/policy/policy_expected.c
TESTS += matrix_expected
matrix_expected_SRC := verif/kernels/matrix/matrix_expected.c
TESTS += sectors_expected
sectors_expected_SRC := verif/kernels/sectors/sectors_expected.c
TESTS += remote_expected
remote_expected_SRC := verif/kernels/remote/remote_expected.c
