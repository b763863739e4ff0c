# SPDX-License-Identifier: Apache-2.0
# Compiles what verilator wrote, with its shim, to a shared object or an archive. Called by verif/verilate, which sets
# WORK, OUT, SHIM, HOME_V, WAVE, COVER, QUICK, FAST, FLAGS, and RUNTIME (a folder for Verilator's own objects, shared by all).
VFLAGS := -std=c++17 -fPIC -fvisibility=hidden -w -I$(HOME_V)/include -I$(HOME_V)/include/vltstd \
	-DVM_COVERAGE=$(COVER) -DVM_SC=0 -DVM_TRACE=$(WAVE) -DVM_TRACE_FST=$(WAVE) -DVM_TRACE_VCD=0
SRC := $(wildcard $(WORK)/*.cpp $(WORK)/*.cc)
OBJ := $(addsuffix .o,$(SRC)) $(WORK)/shim.o
RUN := $(addprefix $(RUNTIME)/$(WAVE)$(COVER)/,verilated.o verilated_threads.o $(if $(filter 1,$(WAVE)),verilated_fst_c.o) $(if $(filter 1,$(COVER)),verilated_cov.o))

$(OUT): $(OBJ) $(RUN)
ifeq ($(suffix $(OUT)),.a)
	ar rcs $@ $^
else
	$(CXX) -shared -o $@ $^ -lpthread -lz
endif

# What runs once (constructors, tracing) is compiled for size of the build's time, what runs every cycle for speed.
$(WORK)/%.o: $(WORK)/%
	$(CXX) $(VFLAGS) $(FLAGS) $(if $(findstring __Slow,$<),-O0,$(if $(findstring __Trace,$<),-O1,$(FAST))) -c -o $@ $<
$(WORK)/shim.o: $(SHIM)
	$(CXX) $(VFLAGS) $(FLAGS) $(FAST) -c -o $@ $<
# Two builds may run at a time: each makes its own file and puts it in place.
$(RUNTIME)/$(WAVE)$(COVER)/%.o: $(HOME_V)/include/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(VFLAGS) -O1 -c -o $@.$$$$ $< && mv $@.$$$$ $@
