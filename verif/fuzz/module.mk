# SPDX-License-Identifier: Apache-2.0
# Random PTX kernels whose threads work together, against their meaning. The meaning of integer instructions is the
# table of verif/compiler; the host's rounding directions must be kept.
TESTS += warps_fuzz
warps_fuzz_SRC  := $(addprefix verif/fuzz/,warps_fuzz.c warps_program.c warps_print.c warps_run.c warps_deviations.c float_rows.c) verif/compiler/rows.c
warps_fuzz_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm
CFLAGS_verif/fuzz/float_rows.c := -frounding-math
# Kernels of cuda_fuzz, which nvcc, ptxas or wlcc has compiled.
TESTS += cuda_run
cuda_run_SRC  := verif/fuzz/cuda_run.c
cuda_run_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm
