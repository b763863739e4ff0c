# SPDX-License-Identifier: Apache-2.0
# What dvsim starts: make -f verif/dvsim/flow.mk build|run NAME=value... (verif/dvsim/config)
.PHONY: build run
export MAKEFLAGS :=
build:
	cd $(proj_root) && $(build_cmd) $(build_opts)

run:
	cd $(proj_root) && RUN_DIR=$(run_dir) $(run_cmd) $(run_opts)
