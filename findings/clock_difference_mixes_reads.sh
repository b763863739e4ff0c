#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_80 to sm_120. One would guess that two reads of %clock are two times the same instruction, so
# that the cost of a read cancels out in the difference. How the kernel uses the values decides. If the kernel stores both,
# the code has two CS2R.32. If the kernel stores the difference, the first read becomes S2UR and the second stays CS2R.32:
# the start is read through the uniform datapath, the end is not. %clock64 gives two CS2R up to sm_100, the mix on sm_120.
# So a table of latencies from %clock differences compares two kinds of reads, and a model of one read cost is wrong.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

kernel() { # NAME PTX
	cat <<-PTX
	.visible .entry $1(.param .u64 p) {
	 .reg .b64 %d<5>; .reg .b32 %r<5>;
	 ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 8; add.s64 %d1, %d1, %d2;
	 $2
	 ret; }
	PTX
}
good=0
expect() { # ARCH NAME PATTERN: the instructions of this kernel that read the clock, in order
	local seen
	seen=$(awk -v name=".text.$2:" '/^\.text\./ {on = $0 == name} on && /SR_CLOCKLO/' code | grep -oE '(CS2R|S2UR|S2R)(\.32)?' | tr '\n' ' ')
	echo "sm_$1 $2: $seen"
	[[ "$seen" =~ $3 ]] || good=1
}
for arch in 80 90 100 120; do
	{
		printf '.version 9.0\n.target sm_%s\n.address_size 64\n' $arch
		kernel both 'mov.u32 %r2, %clock; bar.sync 0; mov.u32 %r3, %clock; st.global.u32 [%d1], %r2; st.global.u32 [%d1+4], %r3;'
		kernel difference 'mov.u32 %r2, %clock; bar.sync 0; mov.u32 %r3, %clock; sub.u32 %r3, %r3, %r2; st.global.u32 [%d1], %r3;'
		kernel difference64 'mov.u64 %d3, %clock64; bar.sync 0; mov.u64 %d4, %clock64; sub.u64 %d4, %d4, %d3; st.global.u64 [%d1], %d4;'
	} >k.ptx
	"$bin/ptxas" "-arch=sm_$arch" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin >code
	expect $arch both '^CS2R.32 CS2R.32 $'
	expect $arch difference '^S2UR(\.32)? CS2R.32 $'
	expect $arch difference64 "^$([ $arch = 120 ] && echo S2UR || echo CS2R) CS2R \$"
done
exit $good
