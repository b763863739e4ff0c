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
	$(CXX) $(VFLAGS) $(FLAGS) $($*_OPT) -c -o $@ $<
once_OPT := -O0
trace_OPT := -O1
cycle_OPT := $(FAST)
# Two builds may run at a time: each makes its own file and puts it in place.
$(RUNTIME)/$(WAVE)$(COVER)/%.o: $(HOME_V)/include/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(VFLAGS) -O1 -c -o $@.$$$$ $< && mv $@.$$$$ $@
