# SPDX-License-Identifier: Apache-2.0
TESTS += nvvm_text_test nvvm_expected
nvvm_text_test_SRC := verif/nvvm/nvvm_text_test.c $(addprefix compiler/nvvm/,asmtext.c resolve.c tables.c)
nvvm_text_test_LIBS := -lcmocka
CFLAGS_verif/nvvm/nvvm_text_test.c := -Icompiler/nvvm
nvvm_expected_SRC := verif/nvvm/kernels/expected.c
