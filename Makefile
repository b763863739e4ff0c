# SPDX-License-Identifier: Apache-2.0
# The one front door: `make` lists the words. One fragment (module.mk) in each folder adds its sources, programs and
# tests to the lists below; everything built lies in build/ (build/san/ with SAN=1).
.DEFAULT_GOAL := help
V ?= 0
Q := $(if $(filter 1,$(V)),,@)

# `make setup demo`: what setup installs decides what the rest can build, so the rest is read afresh after it.
ifneq ($(filter setup,$(MAKECMDGOALS)),)
.PHONY: $(MAKECMDGOALS)
setup:
	$(Q)verif/setup $(if $(shell grep -ls '^LINK *= *soc' fpga/boards/$(BOARD)/board.mk),soc)
$(filter-out setup,$(MAKECMDGOALS)): setup
	$(Q)$(MAKE) --no-print-directory $@
else

# What the command line or the environment says is looked at before anything is built.
given    = $(and $($(1)),$(filter-out undefined default file,$(origin $(1))))
# $(1) = variable, $(2) = its greatest value (only nines), if not 999999
a_number = $(if $(call given,$(1)),$(if $(shell printf %s '$(subst ','"'"',$($(1)))' | grep -xE '[1-9][0-9]*' | awk 'length <= length("$(or $(2),999999)")'),, \
	$(error $(1) is '$($(1))', expected a number from 1 to $(or $(2),999999))))
# $(1) = variable, $(2) = its values; behind a / of the value may stand more
one_of   = $(if $(call given,$(1)),$(if $(and $(filter 1,$(words $($(1)))),$(filter $(firstword $(subst /, ,$($(1)))),$(2))),, \
	$(error $(1) is '$($(1))', expected one of: $(2))))
MUTANTS  = $(sort $(shell sed -n 's/^unit *\([a-z_]*\) .*/\1/p' verif/units/*/mutation/netlist.list))
BOARDS   = $(notdir $(wildcard fpga/boards/*))
$(call a_number,JOBS)
$(if $(filter fuzz,$(MAKECMDGOALS)),$(call a_number,HOURS))
# $(1) = variable of make farm, $(2) = the levels that know the variable
of_level = $(if $(call given,$(1)),$(if $(filter $(or $(LEVEL),full),$(2)),,$(error $(1) belongs to $(subst $() , or ,$(2:%=LEVEL=%)))))
$(if $(filter farm,$(MAKECMDGOALS)),$(call a_number,SHARDS)$(call one_of,ENGINE,local slurm)$(call one_of,LEVEL,verify full mutants fuzz explore))
$(if $(filter farm,$(MAKECMDGOALS)),$(call of_level,UNIT,mutants)$(call one_of,UNIT,all $(MUTANTS)))
$(if $(filter farm,$(MAKECMDGOALS)),$(call a_number,HOURS,9999)$(call a_number,SECONDS)$(call a_number,SEEDS)$(call a_number,SEED,999999999))
$(if $(filter farm,$(MAKECMDGOALS)),$(foreach v,HOURS SECONDS,$(call of_level,$(v),fuzz))$(call of_level,SEEDS,explore)$(call of_level,SEED,fuzz explore))
$(if $(filter farm,$(MAKECMDGOALS)),$(if $(and $(call given,HOURS),$(call given,SECONDS)),$(error SECONDS and HOURS are both given, expected one)))
$(if $(filter mutants,$(MAKECMDGOALS)),$(if $(UNIT),$(call one_of,UNIT,$(MUTANTS)),$(error UNIT is not given, expected one of: $(MUTANTS))))
$(if $(filter fpga,$(MAKECMDGOALS)),$(call one_of,BOARD,list $(BOARDS)))
$(if $(filter fpga-program,$(MAKECMDGOALS)),$(call one_of,BOARD,$(BOARDS)))

# Copies of the RTL in build/, some with faults on purpose, are no cores for FuseSoC.
$(shell mkdir -p build && touch build/FUSESOC_IGNORE)
B            := build
# clang instruments code for the sanitizers in half of gcc's time.
CC           := $(if $(filter default,$(origin CC)),$(if $(filter 1,$(SAN)),$(or $(notdir $(shell command -v clang-19)),gcc),gcc),$(CC))
CXX          := $(if $(filter default,$(origin CXX)),g++,$(CXX))
VERILATOR    ?= verilator
YOSYS        ?= yosys
IVERILOG     ?= iverilog
CLANG_FORMAT ?= clang-format
OPT          ?= -O2 -g
ifeq ($(SAN),1)
B            := build/san
OPT          := -O0 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
CSTD   := -std=c11 -D_DEFAULT_SOURCE
WARN   := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wcast-qual
# gcc's hints for loops mean nothing to clang, and what a braced initializer leaves out is zero.
CLANG_WARN := -Wno-unknown-warning-option -Wno-unknown-pragmas -Wno-unknown-attributes -Wno-missing-field-initializers
# What the optimizer warns of differs with its level and the compiler's version: these warnings are errors only where the
# checks build, gcc 12 with the flags above. Elsewhere a build shows them and goes on.
FLOW   := format-truncation format-overflow maybe-uninitialized stringop-overflow stringop-truncation array-bounds
WARN   += $(if $(filter 12/-O2/-g,$(firstword $(subst ., ,$(shell $(CC) -dumpversion)))/$(subst $(eval) ,/,$(OPT))),,$(if $(findstring clang,$(CC)),$(CLANG_WARN)) $(FLOW:%=-Wno-error=%))
INC    := -Icmodel/include -Icompiler/include -I$(B)/gen
# Position independent: shared objects may link the archives (the Python module, DPI of a simulator). In a program the
# linker makes the same code of the calls.
PIC    := -fPIC -fno-semantic-interposition
CFLAGS := $(CSTD) $(WARN) $(OPT) $(PIC) $(INC)

# Filled by the fragments:
#   WARPLOCK_SRC  sources of libwarplock          WLCC_SRC  sources of libwlcc
#   PROGRAMS      programs, built into build/bin  TESTS     test programs, built into build/test
#   <name>_SRC, <name>_LIBS                       sources, and archives and -l flags in link order, of either
#   <name>_STATIC                                 not empty: linked with no shared library where that is possible, so that it starts sooner
#   CFLAGS_<path of a .c>                         extra flags of one source
#   PIC_SRC       further sources of shared libraries
#   GENERATED     files that must exist before anything is compiled
#   DATA          files that launch files name and programs make
#   SYNTH         targets of `make synth`         LINT      targets of `make lint`
WARPLOCK_SRC :=
WLCC_SRC     :=
PROGRAMS     :=
TESTS        :=
GENERATED    :=
SYNTH        :=
LINT         :=
ALL          :=
DATA         :=
LIBWARPLOCK  := $(B)/libwarplock.a
LIBWLCC      := $(B)/libwlcc.a
# what libwarplock itself is linked with: objects, and the two ways in which fat binaries are compressed
LIBWARPLOCK_NEEDS := -lelf -lzstd -llz4

# Both libraries also become part of libcuda.so.
PIC := -fPIC -fno-semantic-interposition

# objects of C sources
obj = $(patsubst %.c,$(B)/obj/%.o,$(1))

include $(sort $(wildcard */module.mk */*/module.mk))

$(call obj,$(WARPLOCK_SRC) $(WLCC_SRC) $(PIC_SRC)): CFLAGS += $(PIC)

# Sources of tests alone: they run for moments, and the optimiser took longer over them than over the libraries. What is
# measured (bench) and what runs every cycle (harness, the parts of a unit's bench) is optimised.
TEST_SRC := $(filter-out $(foreach p,$(PROGRAMS),$($(p)_SRC)) $(WARPLOCK_SRC) $(WLCC_SRC) $(PIC_SRC) verif/cosim/% verif/sm/bench_% %_bench.c,\
	$(filter verif/%,$(sort $(foreach t,$(TESTS),$($(t)_SRC)))))
$(call obj,$(TEST_SRC)): CFLAGS += -O0

.PHONY: help all demo verify verify-full lint format bench synth wave install clean
help:
	@echo 'make setup        install what is missing (Debian packages, one pinned Python venv)'
	@echo 'make all          build the tools and the RTL models of the default options'
	@echo 'make demo         compile a CUDA kernel, run it on C model and RTL in lockstep, show the result'
	@echo 'make verify       the tests (10 to 25 minutes on two cores); last line: N passed, N failed'
	@echo 'make setup-ip     what the examples of one unit need besides: FuseSoC, slang, cocotb, Verilator 5.48 (build/venv-ip)'
	@echo 'make setup-soc    what a board with a CPU needs besides: LiteX, VexRiscv, a linker for RISC-V (build/venv-soc)'
	@echo 'make setup-farm   what the check of make farm with Slurm needs besides: Slurm and munge of Debian, no services'
	@echo 'make verify-full  all of them, with the long counts; does setup-ip and setup-soc first; NIGHT=all: rows of all nights (docs/verification.md)'
	@echo 'make farm         LEVEL=full SHARDS=8 ENGINE=local|slurm ONLY=pattern: shards of a level, added up (docs/farm.md)'
	@echo '                  LEVEL=verify|full, mutants (UNIT=all), fuzz (HOURS=1 or SECONDS=..., SEED=day), explore (SEEDS=16, SEED=1)'
	@echo 'make formal       proofs of small RTL blocks (Yosys, yices), their covers and seeded bugs'
	@echo 'make mutants      UNIT=name: changes of its RTL that no test may miss (verif/units/UNIT/mutation/netlist.list); goes on where it was ended'
	@echo 'make fuzz         HOURS=1: mutated PTX to the parser, random kernels to wlcc and ptxas; the day is the seed'
	@echo 'make coverage     lines of C and RTL that the quick checks reach: build/coverage/html (CHECKS=pattern: those checks)'
	@echo 'make lint         compiler warnings, verilator -Wall, Yosys and Icarus front ends, formatter check'
	@echo 'make format       lay out the C sources with clang-format'
	@echo 'make bench        measure in turn with a recorded build (AGAINST=revision); build/bench.json'
	@echo 'make synth        Yosys on each unit: LUTs, flip-flops, RAMs; netlists'
	@echo 'make fpga         BOARD=name: a bitstream of the units with their host link (BOARD=list; make fpga-program BOARD=name)'
	@echo 'make fpga-check   area and clock of the boards against the figures that they state; make fpga-table: of each unit (hours)'
	@echo 'make wave         run the demo with a waveform and open it in GTKWave (VIEWER=surfer: in Surfer)'
	@echo 'make install      PREFIX=/usr/local: tools, man pages, libraries, headers, pkg-config files (DESTDIR=... puts them below it)'
	@echo 'make uninstall    PREFIX=... DESTDIR=... as of make install: removes what was installed there'
	@echo 'make python       the Python module in build/python (docs/python.md); pip install ./python makes a wheel of the module'
	@echo 'make dist         the commit as a tarball in build/, which builds without git (docs/releases.md)'
	@echo 'make clean        remove build/'
	@echo 'Variables: V=1 (show commands), SAN=1 (ASan and UBSan), OPT="-O2 -g"'

all: $(addprefix $(B)/bin/,$(PROGRAMS)) $(ALL) $(DATA)

# ---- compiling ---------------------------------------------------------------------------------------------
# Objects of other flags than OPT's are made again.
$(shell mkdir -p $(B) && { echo '$(CSTD) $(PIC)' | cmp -s - $(B)/cflags || echo '$(CSTD) $(PIC)' >$(B)/cflags; })
$(B)/cflags: ; # made above, perhaps after make has read the folder
$(B)/obj/%.o: %.c $(B)/cflags | $(GENERATED)
	@mkdir -p $(@D)
	$(if $(Q),@echo '  CC    $<')
	$(Q)$(CC) $(CFLAGS) $(CFLAGS_$<) -MMD -MP -c -o $@ $<

$(LIBWARPLOCK): $(call obj,$(WARPLOCK_SRC))
	$(if $(Q),@echo '  AR    $@')
	$(Q)rm -f $@ && ar rcs $@ $^
$(LIBWLCC): $(call obj,$(WLCC_SRC))
	$(if $(Q),@echo '  AR    $@')
	$(Q)rm -f $@ && ar rcs $@ $^

# $(1) = path of the program, $(2) = its name
define link_rule
$(1): $(call obj,$($(2)_SRC)) $(filter %.a,$($(2)_LIBS))
	@mkdir -p $$(@D)
	$$(if $$(Q),@echo '  LD    $$@')
	$$(Q)$(if $($(2)_STATIC),$$(CC) $$(OPT) -static -no-pie -o $$@ $(call obj,$($(2)_SRC)) $($(2)_LIBS) -lz 2>/dev/null ||) \
		$$(CC) $$(OPT) -o $$@ $(call obj,$($(2)_SRC)) $($(2)_LIBS)
endef
$(foreach p,$(PROGRAMS),$(eval $(call link_rule,$(B)/bin/$(p),$(p))))
$(foreach t,$(TESTS),$(eval $(call link_rule,$(B)/test/$(t),$(t))))

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)

# ---- checking ----------------------------------------------------------------------------------------------
# What runs is listed in verif/*/*.checks and verif/units/*/*.checks; verif/run_checks runs a level of them and prints the closing line.
.PHONY: tests setup-ip setup-soc setup-farm
tests: $(addprefix $(B)/test/,$(TESTS)) $(DATA)

setup-ip:
	$(Q)verif/setup ip
setup-soc:
	$(Q)verif/setup soc
setup-farm:
	$(Q)verif/setup farm

# Built by two jobs at a time where nothing else was asked for. The models are left to run_checks: it knows who waits for them.
BUILD_FOR_CHECKS = $(Q)$(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(or $(JOBS),2)) \
	all tests ALL='$(filter-out models,$(ALL))'
.PHONY: for-checks
for-checks:
	$(BUILD_FOR_CHECKS)
verify: for-checks
	$(Q)verif/run_checks verify
verify-full: setup-ip setup-soc
	$(BUILD_FOR_CHECKS)
	$(Q)verif/run_checks full

LEVEL  ?= full
SHARDS ?= 8
ENGINE ?= local
.PHONY: farm
farm:
	$(BUILD_FOR_CHECKS)
	$(Q)verif/farm --engine $(ENGINE) --shards $(SHARDS) $(FARM_LEVEL_$(LEVEL)) $(FARM) $(LEVEL) $(if $(ONLY),'$(ONLY)')
FARM_LEVEL_mutants = --unit $(or $(UNIT),all)
FARM_LEVEL_fuzz    = --seconds $(or $(SECONDS),$$(($(HOURS) * 3600))) $(SEED:%=--seed %)
FARM_LEVEL_explore = --seeds $(or $(SEEDS),16) $(SEED:%=--seed %)

C_FILES = $(shell git ls-files -co --exclude-standard '*.c' '*.h')
.PHONY: lint-format
lint-format:
	$(Q)verif/common/layout $(CLANG_FORMAT)
.PHONY: lint-subjects
lint-subjects:
	$(Q)verif/common/subjects
# Optimised, since some warnings come from the optimiser.
LINT_TESTS := $(TEST_SRC:%.c=$(B)/lint/%.o)
$(LINT_TESTS): $(B)/lint/%.o: %.c | tests
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(CFLAGS_$<) -MMD -MP -c -o $@ $<
-include $(LINT_TESTS:.o=.d)
lint: all tests lint-format lint-subjects $(LINT_TESTS) $(LINT)
	@echo 'lint: clean'
format:
	$(Q)$(CLANG_FORMAT) -i $(C_FILES)

synth: $(SYNTH)

.PHONY: coverage
coverage:
	$(Q)verif/common/progress coverage verif/coverage $(CHECKS)

# The recorded build that figures are compared with; without git (make dist) figures stand alone.
AGAINST ?= $(shell git rev-parse --verify --quiet f5be3fcc68ba^{commit})
bench: all tests
	$(Q)verif/common/progress bench verif/bench $(if $(strip $(AGAINST)),--against $(AGAINST))

# What is installed, laid out as it is installed: `make install` copies it. The archives hold one object each, in which
# only the public names are global.
PREFIX ?= /usr/local
VERSION := $(shell sed -n 's/^.define WL_VERSION "\(.*\)".*/\1/p' cmodel/include/warplock/config.h)
STAGE  := $(B)/install
# $(1) = library, $(2) = archive, $(3) = public names
define stage_library
$(STAGE)/lib/lib$(1).a: $(2)
	@mkdir -p $$(@D)
	$$(Q)ld -r --whole-archive -o $$(@:.a=.o) $(2) && objcopy --wildcard --keep-global-symbol='$(3)' $$(@:.a=.o)
	$$(Q)rm -f $$@ && ar rcs $$@ $$(@:.a=.o) && rm $$(@:.a=.o)
endef
$(eval $(call stage_library,warplock,$(LIBWARPLOCK),wl_*))
$(eval $(call stage_library,wlcc,$(LIBWLCC),wlcc_*))
$(eval $(call stage_library,wlmonitor,$(LIBWLMONITOR),wl_monitor_*))
MAN := $(addprefix $(STAGE)/share/man/man1/,$(addsuffix .1,$(shell cut -f1 docs/man.tsv)))
$(MAN): $(STAGE)/share/man/man1/%.1: $(B)/bin/% docs/man docs/man.tsv
	@mkdir -p $(@D)
	$(Q)docs/man $< >$@
PUBLIC_HEADERS := $(wildcard cmodel/include/warplock/*.h) verif/cosim/monitor.h $(PUBLIC_LISTS)
.PHONY: stage
stage: all python $(STAGE)/lib/libwarplock.a $(STAGE)/lib/libwlcc.a $(STAGE)/lib/libwlmonitor.a $(MAN)
	$(Q)rm -rf $(STAGE)/bin $(STAGE)/include && mkdir -p $(STAGE)/bin $(STAGE)/include/warplock $(STAGE)/lib/pkgconfig
	$(Q)cp $(addprefix $(B)/bin/,$(PROGRAMS)) $(STAGE)/bin
	$(Q)mkdir -p $(STAGE)/lib/warplock && cp $(LIBCUDA) $(LIBCUDART_12) $(LIBCUDART_13) $(STAGE)/lib/warplock
	$(Q)cp $(PUBLIC_LISTS) verif/examples/one_unit/dpi/warplock_pkg.sv $(STAGE)/include/warplock
	$(Q)for h in $(filter-out $(PUBLIC_LISTS),$(PUBLIC_HEADERS)); do \
		awk -f docs/cplusplus.awk $$h >$(STAGE)/include/warplock/$${h##*/} || exit 1; done
	$(Q)awk -f docs/cplusplus.awk compiler/include/wlcc.h >$(STAGE)/include/wlcc.h
	$(Q)for p in warplock:cmodel wlcc:compiler wlmonitor:verif/cosim; do sed 's|@VERSION@|$(VERSION)|' \
		$${p#*:}/$${p%:*}.pc.in >$(STAGE)/lib/pkgconfig/$${p%:*}.pc || exit 1; done
	$(Q)rm -rf $(STAGE)/lib/warplock && mkdir -p $(STAGE)/lib/warplock && cp -R $(B)/python $(STAGE)/lib/warplock
	$(Q)rm -rf $(STAGE)/lib/warplock/python/warplock/__pycache__ && cp python/pyproject.toml python/setup.py \
		python/README.md $(STAGE)/lib/warplock/python && echo '$(VERSION)' >$(STAGE)/lib/warplock/python/VERSION
install: stage
	$(Q)(cd $(STAGE) && find . -type f -o -type l) | sort >$(B)/installed && mv $(B)/installed $(STAGE)/lib/warplock
	$(Q)install -d '$(DESTDIR)$(PREFIX)'
	$(Q)cp -R $(STAGE)/. '$(DESTDIR)$(PREFIX)'

# The files that were installed, and folders that are empty then.
.PHONY: uninstall
uninstall:
	$(Q)list='$(DESTDIR)$(PREFIX)/lib/warplock/installed'; [ -r "$$list" ] || { \
		echo "make uninstall: $$list is not there: expected the PREFIX and DESTDIR of make install" >&2; exit 1; }
	$(Q)cd '$(DESTDIR)$(PREFIX)' && tr '\n' '\0' <lib/warplock/installed | xargs -0 rm -f && rm -f lib/warplock/installed && \
		find lib/warplock include/warplock -depth -type d -empty -delete && \
		rmdir --ignore-fail-on-non-empty bin include lib/pkgconfig lib share/man/man1 share/man share

.PHONY: dist
dist:
	$(Q).ci/dist

clean:
	rm -rf build

endif # setup
