# SPDX-License-Identifier: Apache-2.0
# Compiles what verilator wrote, with its shim, to a shared object or an archive. Called by verif/verilate, which sets
# WORK, OUT, SHIM, PREFIX, HOME_V, WAVE, COVER, FAST, FLAGS, and RUNTIME (a folder for Verilator's own objects, shared by all).
VFLAGS := -std=c++17 -fPIC -fvisibility=hidden -w -I$(HOME_V)/include -I$(HOME_V)/include/vltstd \
	-DVM_COVERAGE=$(COVER) -DVM_SC=0 -DVM_TRACE=$(WAVE) -DVM_TRACE_FST=$(WAVE) -DVM_TRACE_VCD=0
# Two sources, since reading the headers takes longer than compiling a small one: what runs once (constructors, the first
# settling, tables), which is compiled for size of the build's time, and what runs every cycle, for speed, with the shim.
# Tracing is apart.
SRC := $(notdir $(wildcard $(WORK)/*.cpp))
TRACE := $(strip $(foreach f,$(SRC),$(if $(findstring __Trace,$f),$(if $(findstring __Slow,$f),,$f))))
# Sorted, which takes a file once: some versions of Verilator name one that both lists hold (ConstPool...Slow).
ONCE := $(sort $(filter $(PREFIX).cpp %Syms.cpp %Dpi.cpp $(PREFIX)__ConstPool%,$(SRC)) $(foreach f,$(SRC),$(if $(findstring __Slow,$f),$f)))
OBJ := $(addprefix $(WORK)/,once.o $(if $(TRACE),trace.o) cycle.o)
RUN := $(addprefix $(RUNTIME)/$(WAVE)$(COVER)/,verilated.o verilated_threads.o $(if $(filter 1,$(WAVE)),verilated_fst_c.o) $(if $(filter 1,$(COVER)),verilated_cov.o))

$(OUT): $(OBJ) $(RUN)
ifeq ($(suffix $(OUT)),.a)
	rm -f $@ && ar rcs $@ $^
else
	$(CXX) -shared -o $@ $^ -lpthread -lz
endif

once := $(ONCE)
trace := $(TRACE)
cycle := $(filter-out $(ONCE) $(TRACE),$(SRC)) $(SHIM)
$(WORK)/%.cc: $(addprefix $(WORK)/,$(SRC)) $(SHIM)
	printf '#include "%s"\n' $($*) >$@
$(WORK)/once.o $(WORK)/trace.o $(WORK)/cycle.o: $(WORK)/%.o: $(WORK)/%.cc
	$(CXX) $(VFLAGS) $(FLAGS) $($*_OPT) $($*_HEAD) -c -o $@ $< $(if $($*_HEAD),|| { \
		rm -f $(HEADS)/$($*_OPT)/head.h.gch; $(CXX) $(VFLAGS) $(FLAGS) $($*_OPT) -c -o $@ $<; })
once_OPT := -O0
trace_OPT := -O1
cycle_OPT := $(FAST)
# Verilator's header with what it includes takes longer to read than a small model to compile: it is read once for each level of the
# optimiser, and found precompiled. ccache would keep nothing then. A precompiled header that does not fit any more, as when
# the library of C++ is another one, is put away.
ifeq ($(findstring ccache,$(CXX)),)
HEADS := $(RUNTIME)/$(WAVE)$(COVER)
$(foreach o,once $(if $(TRACE),trace) cycle,$(eval $(o)_HEAD := -include $(HEADS)/$($(o)_OPT)/head.h)\
	$(eval $(WORK)/$(o).o: | $(HEADS)/$($(o)_OPT)/head.h.gch))
endif
$(RUNTIME)/$(WAVE)$(COVER)/%/head.h.gch:
	@mkdir -p $(@D)
	printf '#include "%s"\n' verilated.h $(if $(filter 1,$(WAVE)),verilated_fst_c.h) >$(@D)/head.$$$$; \
		ln $(@D)/head.$$$$ $(@D)/head.h 2>/dev/null; rm $(@D)/head.$$$$ # the first stays: what is precompiled knows its time
	$(CXX) $(VFLAGS) $* -x c++-header -o $@.$$$$ $(@D)/head.h && mv $@.$$$$ $@
# Two builds may run at a time: each makes its own file and puts it in place.
$(RUNTIME)/$(WAVE)$(COVER)/%.o: $(HOME_V)/include/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(VFLAGS) -O1 -c -o $@.$$$$ $< && mv $@.$$$$ $@
