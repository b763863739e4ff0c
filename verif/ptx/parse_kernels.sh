#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every PTX file of the shared kernel corpus must pass the front end (compilers: nvcc, clang, Triton).
set -u
cd "$(dirname "$0")/../.." || exit 2
shopt -s nullglob
files=(../shared/kernels/*.ptx)
[ ${#files[@]} -gt 0 ] || { echo "no ../shared/kernels here"; exit 77; }
pass=0; fail=0
for f in "${files[@]}"; do
	if out=$(build/test/ptx_accepts "$f" 2>&1); then pass=$((pass + 1)); else fail=$((fail + 1)); echo "$f: ${out%%$'\n'*}"; fi
done
echo "$pass passed, $fail failed"
[ "$fail" = 0 ]
