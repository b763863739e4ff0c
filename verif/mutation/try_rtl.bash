# SPDX-License-Identifier: Apache-2.0
# How changed RTL is built and tested; sourced by verif/mutation/operators. First the bench of verif/unit through the
# ports of sync_core, with parameters from the list; what that does not notice goes to random lockstep, which sees the
# trace ports too.
for t in build/test/atoms_pipe_test build/bin/wlcosim; do
	[ -x "$t" ] || { echo "operators: $t is not built; run: make all tests" >&2; exit 2; }
done

copy() {
	mkdir -p "$1/verif/unit" "$1/verif/cosim" && cp -r rtl "$1" &&
		cp verif/unit/{build_rtl,rtl_model_shim.cpp,sync_core.pins} "$1/verif/unit" &&
		cp verif/cosim/{build_model,shim.cpp,shim.h,model.vlt} "$1/verif/cosim"
}

try() { # DIR PARAMETERS, which add to or replace those here
	local dir=$1 so
	# shellcheck disable=SC2086
	so=$(OPT_FAST=-O1 "$dir/verif/unit/build_rtl" sync_core Lanes=4 Banks=8 SmemBytes=4096 $2 2>"$dir/build.log") || return 2
	{ timeout 60 build/test/atoms_pipe_test "$dir/$so" 1 1500; } >"$dir/test.log" 2>&1 ||
		{ echo atoms_pipe_test >"$dir/killer"; return 1; }
	JOBS=1 "$dir/verif/cosim/build_model" 4 8 1 >"$dir/model" 2>"$dir/build.log" || return 2
	{ WARPLOCK_ROOT=$dir timeout 60 build/bin/wlcosim --random 20000 --lanes 4 --banks 8 --no-rerun; } \
		>"$dir/test.log" 2>&1 || { echo lockstep >"$dir/killer"; return 1; }
}

# The list holds a changed comment that must pass both.
unchanged() { :; }
