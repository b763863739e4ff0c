# SPDX-License-Identifier: Apache-2.0
# How changed RTL is built and tested; sourced by verif/mutation/operators. First the bench of verif/unit through the
# ports of sync_core, with parameters from the list; what that does not notice goes to random lockstep, which sees the
# trace ports too.
for t in build/test/atoms_pipe_test build/bin/wlcosim; do
	[ -x "$t" ] || { echo "operators: $t is not built; run: make all tests" >&2; exit 2; }
done
export CXX=${CXX:-g++} VERILATOR=${VERILATOR:-verilator}
include=$("$VERILATOR" --getenv VERILATOR_ROOT)/include
export include
for t in verilated verilated_threads; do
	"$CXX" -O1 -fPIC -w -c -I"$include" -I"$include/vltstd" -o "$work/$t.o" "$include/$t.cpp" || exit 2
done

copy() {
	mkdir -p "$1/verif/cosim" && cp -r rtl "$1" && cp verif/cosim/{build_model,shim.cpp,shim.h,model.vlt} "$1/verif/cosim"
}

# As verif/unit/build_rtl does, made to be built once and run for a second: one source, not optimised.
bench_model() { # DIR PARAMETERS
	local dir=$1 params=$2 sizes=() p
	for p in $params; do sizes+=("-G$p"); done
	"$VERILATOR" --cc -O3 --x-assign fast --x-initial fast --assert -Wno-lint -Wno-style -I"$dir/rtl" "${sizes[@]}" \
		--top-module sync_core --prefix Vsync_core --Mdir "$dir/model" "$dir"/rtl/*.sv &&
		{ printf '#include "%s"\n' "$dir"/model/*.cpp verif/unit/rtl_model_shim.cpp >"$dir/model/all.cc"; } &&
		"$CXX" -O0 -fPIC -w -shared -o "$dir/model.so" -DMODEL=Vsync_core '-DMODEL_HEADER="Vsync_core.h"' \
			'-DPINS="sync_core.pins"' "-DPARAMS=\"$params\"" -I. -I"$dir/model" -Iverif/unit -I"$include" \
			-I"$include/vltstd" "$dir/model/all.cc" "$work"/verilated{,_threads}.o -pthread
}
export -f bench_model

try() { # DIR PARAMETERS, which are added to those here
	local dir=$1 mix
	bench_model "$dir" "Lanes=4 Banks=8 SmemBytes=4096 $2" >"$dir/build.log" 2>&1 || return 2
	{ timeout 100 build/test/atoms_pipe_test "$dir/model.so" 1 1500; } >"$dir/test.log" 2>&1 ||
		{ echo atoms_pipe_test >"$dir/killer"; return 1; }
	JOBS=1 "$dir/verif/cosim/build_model" 4 8 1 >"$dir/build.log" 2>&1 || return 2
	for mix in mixed faults; do
		{ WARPLOCK_ROOT=$dir timeout 100 build/bin/wlcosim --random 20000 --mix $mix --lanes 4 --banks 8 --no-rerun; } \
			>"$dir/test.log" 2>&1 || { echo "lockstep_$mix" >"$dir/killer"; return 1; }
	done
}

# The list holds a changed comment that must pass both.
unchanged() { :; }
