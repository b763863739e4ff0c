#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Texts that mean nothing, under AddressSanitizer and UBSan: first the committed ones (verif/ptx/fuzz: earlier findings and
# seeds), then new ones for so many seconds. Guided by coverage where a clang with libFuzzer is there, with a dictionary
# made from the form tables; otherwise by our own mutator.
#   verif/ptx/fuzz.sh SECONDS SEED
set -u
cd "$(dirname "$0")/../.." || exit 2
seconds=$1; seed=$2
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
seeds=(verif/ptx/good/*.ptx verif/ptx/fuzz/*)
echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d && n ? 0 : 0; }' >"$work/probe.c"
for clang in clang clang-19 clang-14; do
	"$clang" -fsanitize=fuzzer,address,undefined -o "$work/probe" "$work/probe.c" 2>/dev/null || continue
	fuzz=build/test/ptx_libfuzzer
	mkdir -p build/log && flock build/log/ptx_libfuzzer.lock make -s "$fuzz" CLANG="$clang" || exit 1
	build/test/ptx_doc --words >"$work/words" || exit 1
	mkdir "$work/new"
	"$fuzz" "${seeds[@]}" >"$work/log" 2>&1 &&
		"$fuzz" -max_total_time="$seconds" -seed="$seed" -dict="$work/words" -max_len=8192 -timeout=20 -rss_limit_mb=2048 \
			-artifact_prefix=build/log/ptx_fuzz- "$work/new" verif/ptx/good verif/ptx/fuzz \
			>"$work/log" 2>&1 || { tail -n 40 "$work/log"; exit 1; }
	grep -E '^(#[0-9]+.*DONE|Done )' "$work/log"
	echo "${#seeds[@]} committed texts and $seconds s of new ones guided by coverage"
	echo '1 passed, 0 failed'
	exit 0
done
make -s SAN=1 build/san/test/ptx_fuzz && exec build/san/test/ptx_fuzz "$seconds" "$seed" "${seeds[@]}"
