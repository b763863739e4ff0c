# SPDX-License-Identifier: Apache-2.0
# $(1) = programs of one shape, $(2) = what each links beside its own source, $(3) = archives and libraries.
define sm_programs
TESTS += $(1)
$(foreach t,$(1),$(eval $(t)_SRC := verif/sm/$(t).c $(2)) $(eval $(t)_LIBS := $(3)))
endef
SM_KERNEL := verif/sm/kernel.c
SM_CASE   := verif/sm/uop_case.c $(SM_KERNEL)
SM_PROBE  := verif/sm/probe.c $(SM_KERNEL)
SM_DUT    := verif/sm/source_dut.c $(SM_KERNEL)
SM_UNIT   := $(LIBWARPLOCK) -lcmocka -lm
SM_LOADS  := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS)

$(eval $(call sm_programs,front_test barrier_test special_test spin_test sleep_test source_test uop_control_test uop_copy_test uop_async_test uop_usyncs_test uop_memory_test uop_global256_test uop_address_test uop_predicate_test uop_reduce_test cluster_test,$(SM_KERNEL),$(SM_UNIT)))
$(eval $(call sm_programs,ahead_test converge_test units_source_test,$(SM_DUT),$(SM_UNIT)))
$(eval $(call sm_programs,warp_test,$(SM_DUT),-Xlinker --wrap=warp_enter $(SM_UNIT)))
$(eval $(call sm_programs,uop_test uop_int_test uop_twin_test uop_uniform_test uop_wide_test uop_modifier_test uop_float2_test,$(SM_CASE),$(SM_UNIT)))
$(eval $(call sm_programs,uop_float_test uop_half_test uop_convert_test uop_mufu_test,$(SM_PROBE),$(SM_UNIT)))
$(eval $(call sm_programs,float_cubin_test,$(SM_PROBE),$(SM_LOADS) -lcmocka -lm))
$(eval $(call sm_programs,launches_test,,$(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lcmocka -lm -lpthread))
$(eval $(call sm_programs,bench_cmodel fuzz_test,$(SM_KERNEL),$(LIBWARPLOCK) -lm))
$(eval $(call sm_programs,bench_cubin,,$(SM_LOADS) -lm))
$(eval $(call sm_programs,bench_corpus,$(WLTOOLS_SRC),$(WLTOOLS_LIBS)))
