# SPDX-License-Identifier: Apache-2.0
# How a changed C unit is built and tested; sourced by verif/mutation/operators. The tests are those of verif/cunits,
# linked with the changed units.
export CC=${CC:-gcc}
tests=(cunits_alu_test cunits_directed_test "cunits_atoms_test 250" "cunits_exhaustive_test 250" cunits_memory_test)
for t in "${tests[@]}"; do
	[ -e "build/obj/verif/cunits/${t%% *}.o" ] || { echo "operators: ${t%% *} is not built; run: make tests" >&2; exit 2; }
done
printf '%s\n' "${tests[@]}" >"$work/tests"

copy() {
	mkdir -p "$1/cmodel" && cp -r cmodel/alu cmodel/units "$1/cmodel"
}

try() {
	local dir=$1 t objects=()
	for t in "$dir"/cmodel/*/*.c; do
		"$CC" -std=c11 -D_DEFAULT_SOURCE -O0 -w -Icmodel/include -c -o "${t%.c}.o" "$t" 2>"$dir/build.log" || return 2
		objects+=("${t%.c}.o")
	done
	while read -r -a t; do
		"$CC" -o "$dir/test" "build/obj/verif/cunits/${t[0]}.o" build/obj/verif/cunits/cunits_{oracle,stim}.o \
			build/obj/cmodel/mem/*.o "${objects[@]}" -lcmocka 2>>"$dir/build.log" || return 2
		# in braces, so that the shell's own word on an abort goes to the log too
		{ timeout 60 "$dir/test" "${t[@]:1}"; } >"$dir/test.log" 2>&1 || { echo "${t[0]}" >"$dir/killer"; return 1; }
	done <"$work/tests"
}

unchanged() {
	rm -rf "$work/unchanged" && mkdir -p "$work/unchanged" && copy "$work/unchanged" && try "$work/unchanged"
}
