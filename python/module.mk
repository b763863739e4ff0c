# SPDX-License-Identifier: Apache-2.0
# The Python module: one shared object over the libraries and the part of the tools that loads and reports, and the
# declarations that cffi reads. build/python is the package as it is installed.
PY     := $(B)/python/warplock
PY_SRC := $(wildcard python/native/*.c) $(filter-out compiler/job_compile.c,$(WLTOOLS_SRC))
# verif/cosim/module.mk comes later, and says the same
PY_MONITOR := $(addprefix verif/cosim/,monitor.c mon.c mon_read.c) $(wildcard verif/units/*/cosim/mon.c)
PY_HEADERS := cmodel/include/warplock/unit_ref.h verif/cosim/monitor.h
PY_SO  := $(PY)/_warplock.so
$(PY_SO): $(call obj,$(PY_SRC) $(PY_MONITOR)) $(LIBWLCC) $(LIBWARPLOCK) python/native/exports
	@mkdir -p $(@D)
	$(if $(Q),@echo '  LD    $@')
	$(Q)$(CC) -shared $(OPT) -Wl,-Bsymbolic -Wl,--version-script=python/native/exports -Wl,-z,defs -o $@ \
		$(call obj,$(PY_SRC) $(PY_MONITOR)) $(LIBWLCC) -Wl,--whole-archive $(LIBWARPLOCK) -Wl,--no-whole-archive \
		-ljansson -lz $(LIBWARPLOCK_NEEDS) -lm
$(PY)/_declarations.h: $(PY_HEADERS) python/native/wlpy.h
	@mkdir -p $(@D)
	$(Q)sed '/^#/d' $(PY_HEADERS) >$@.new && sed -n '/^.. BEGIN/,/^.. END/p' python/native/wlpy.h >>$@.new && mv $@.new $@
$(PY)/%.py: python/warplock/%.py
	@mkdir -p $(@D)
	$(Q)cp $< $@
ALL += python
.PHONY: python
python: $(PY_SO) $(PY)/_declarations.h $(patsubst python/warplock/%,$(PY)/%,$(wildcard python/warplock/*.py))
