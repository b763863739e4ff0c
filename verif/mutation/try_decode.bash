# SPDX-License-Identifier: Apache-2.0
# How a changed rtl/sync_decode.sv is built and tested; sourced by verif/mutation/operators. The test is verif/isa/sync_decode,
# its objects linked with the changed decoder.
objects=(build/obj/verif/isa/sync_decode_test.o build/obj/verif/isa/sync_text.o build/obj/cmodel/isa/*.o)
for t in "${objects[@]}"; do
	[ -e "$t" ] || { echo "operators: $t is not built; run: make all tests" >&2; exit 2; }
done
export CXX=${CXX:-g++} VERILATOR=${VERILATOR:-verilator} objects_built=${objects[*]}
include=$("$VERILATOR" --getenv VERILATOR_ROOT)/include
export include
for t in verilated verilated_threads; do
	$CXX -O1 -w -c -I"$include" -I"$include/vltstd" -o "$work/$t.o" "$include/$t.cpp" || exit 2
done
{ cat verif/isa/words.tsv; [ -r ../shared/oracle/sass-vectors.tsv.gz ] && zcat ../shared/oracle/sass-vectors.tsv.gz; } >"$work/words"

copy() {
	mkdir -p "$1" && cp -r rtl "$1"
}

try() { # DIR
	local dir=$1
	{
		"$VERILATOR" --cc -O3 -Wno-lint -Wno-style --Mdir "$dir/model" --top-module sync_decode "$dir/rtl/sync_decode.sv" &&
			{ printf '#include "%s"\n' "$dir"/model/*.cpp verif/isa/sync_decode_shim.cpp >"$dir/model/all.cc"; } &&
			$CXX -O1 -w -I. -I"$dir/model" -Iverif/isa -I"$include" -I"$include/vltstd" -o "$dir/test" "$dir/model/all.cc" \
				$objects_built "$work"/verilated{,_threads}.o -lm -pthread
	} >"$dir/build.log" 2>&1 || return 2
	timeout 100 "$dir/test" 20000 <"$work/words" >"$dir/test.log" 2>&1 || { echo sync_decode_test >"$dir/killer"; return 1; }
}

# The list holds a changed comment that must pass.
unchanged() { :; }
