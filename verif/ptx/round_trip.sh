#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A tree printed as PTX must be the same code to the real assembler: our fixtures and the shared kernels, each for its own
# target. Skipped where ptxas is not installed.
set -u
cd "$(dirname "$0")/../.." || exit 2
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2>/dev/null) || { echo "no ptxas here"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
code() { # CUBIN: the bytes of its code and constants
	for s in $(readelf -SW "$1" 2>/dev/null | grep -oE ' \.(text|nv\.constant|nv\.global)[^ ]*' | sort -u); do readelf -x "$s" "$1" 2>/dev/null; done | grep '^  0x'
}
shopt -s nullglob
pass=0; fail=0
for f in verif/ptx/good/hist.ptx ../shared/kernels/*.ptx; do
	target=$(grep -m1 -oE '^\.target +sm_[0-9a-z]+' "$f" | grep -oE 'sm_.*')
	"$ptxas" -arch="$target" "$f" -o "$work/a" 2>/dev/null || continue
	if build/test/ptx_accepts --print "$f" >"$work/b.ptx" && "$ptxas" -arch="$target" "$work/b.ptx" -o "$work/b" 2>"$work/why" &&
		[ "$(code "$work/a")" = "$(code "$work/b")" ]; then pass=$((pass + 1)); else fail=$((fail + 1)); echo "$f: $(head -n 1 "$work/why")"; fi
done
echo "$pass passed, $fail failed"
[ "$fail" = 0 ] && [ "$pass" -gt 0 ]
