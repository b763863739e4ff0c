# SPDX-License-Identifier: Apache-2.0
# Sets model_cxx and model_opt, the compiler of verilated models and its level, and defines model_tools: source it.
# MODEL_CXX and OPT_FAST choose. Else clang++-19 at -O2, where it is installed: its models are built in two thirds of the
# time of g++ -O1, and run 1.4 times as fast (docs/performance.md). Else CXX, else g++.
model_cxx=${MODEL_CXX:-}
if [ -z "$model_cxx" ]; then
	model_cxx=${CXX:-g++}
	! command -v clang++-19 >/dev/null || model_cxx=clang++-19
fi
case "$model_cxx" in
*clang*) model_opt=${OPT_FAST:--O2} ;;
*) model_opt=${OPT_FAST:--O1} ;;
esac
# Which programs make a model, for the names under which models are kept: path, size and time of each. Nothing is run: three
# programs that tell their versions took two thirds of the start of wlcosim.
model_tools() {
	local verilator word
	verilator=$(command -v "${VERILATOR:-verilator}") || verilator=${VERILATOR:-verilator}
	for word in "$verilator" "${verilator%/*}/verilator_bin" $model_cxx; do
		stat -Lc '%n %s %Y' "$(command -v "$word" || echo "$word")" 2>/dev/null || echo "$word"
	done
	echo "${VERILATOR_ROOT-} $model_opt ${WL_COVERAGE:+coverage}"
}
