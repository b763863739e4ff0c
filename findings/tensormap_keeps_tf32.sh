#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_90a, sm_100a, sm_120a. tensormap.replace writes a field of a tensor map in memory. One would
# guess that the new value alone decides about the field afterwards. For the element type it does not. tf32 (value 11) is
# stored as the code of f32 in bits 7 to 10 of a word, plus bit 16 of that word. f32 (value 7) and every other type rewrite
# bits 7 to 10 alone and leave bit 16. So a map that once was tf32 differs, after a replacement by f32, from a map that
# never was: the old type shows through. tf32 and f32.ftz have the same trap with value 12. The swizzle mode
# of the same word also has a second field (bit 22), and every value of the swizzle mode clears that field.
# A program that keeps one map and changes types has to copy a fresh map instead.
# The number in PTX is not the number in the map either: 11 becomes 7, 12 becomes 8, and from 13 on 2 is subtracted.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

masks() { # ARCH FIELD VALUE: the constants that the code masks and sets, in the order of the code
	cat >k.ptx <<-END
	.version 9.5
	.target $1
	.address_size 64
	.visible .entry k(.param .u64 p) {
	 .reg .b64 a; ld.param.u64 a, [p]; cvta.to.global.u64 a, a;
	 tensormap.replace.tile.$2.global.b1024.b32 [a], $3;
	 ret; }
	END
	"$bin/ptxas" -arch="$1" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin | grep LOP3 | sed 's/.*LOP3.LUT [^,]*, [^,]*, \([^,]*\),.*/\1/' | tr '\n' ' '
}
good=0
expect() { # ARCH FIELD VALUE CONSTANTS
	local seen; seen=$(masks "$1" "$2" "$3")
	echo "$1 $2 $3: $seen"
	[ "$seen" = "$4 " ] && good=$((good + 1))
	return 0
}
for arch in sm_90a sm_100a sm_120a; do
	expect $arch elemtype 7 "0x380"              # f32
	expect $arch elemtype 11 "0x10000 0x380"     # tf32: the code of f32 and bit 16
	expect $arch elemtype 8 "0x400"              # f32.ftz
	expect $arch elemtype 12 "0x10000 0x400"     # tf32.ftz
	expect $arch elemtype 10 "0x500"             # bf16: the number of PTX
	expect $arch swizzle_mode 0 "0x6000 0x400000" # clears both fields
	expect $arch swizzle_mode 1 "0x2000 0x400000"
done
expect sm_100a elemtype 13 "0x580"             # b4x16 as 11, not 13
[ "$good" = 22 ]
