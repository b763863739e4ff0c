#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37. One would guess that sm_110 runs the arithmetic instructions of sm_100: PTX takes tcgen05 for
# both (sm_100a, sm_110a) and fma.rn.f32x2 for both. For one PTX kernel ptxas writes VIMNMX and one FFMA2 for sm_100 and
# sm_103, but IMNMX and two FFMA for sm_110. sm_120 is a third case: VIMNMX, two FFMA, and IADD. A table of forms or of
# latencies that is taken from sm_100 is wrong for sm_110, and packed float arithmetic gains nothing there.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

forms() { # ARCH: counts of the arithmetic instructions of one kernel
	cat >k.ptx <<-END
	.version 9.0
	.target sm_$1
	.address_size 64
	.visible .entry k(.param .u64 p) {
	 .reg .b64 %d<2>, %x<4>; .reg .b32 %r<6>;
	 ld.param.u64 %d1, [p];
	 ld.global.v2.u32 {%r1, %r2}, [%d1]; ld.global.v2.u64 {%x1, %x2}, [%d1+16];
	 add.s32 %r3, %r1, %r2; min.s32 %r4, %r1, %r2; sub.s32 %r5, %r3, %r4; add.s32 %r5, %r5, 7;
	 fma.rn.f32x2 %x3, %x1, %x2, %x1;
	 st.global.u32 [%d1], %r5; st.global.u32 [%d1+4], %r4; st.global.u64 [%d1+8], %x3;
	 ret; }
	END
	"$bin/ptxas" "-arch=sm_$1" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin | grep -oE '\b(VIMNMX|IMNMX|IADD3|IADD|FFMA2|FFMA)\b' | sort | uniq -c | awk '{printf "%s:%s ", $2, $1}'
}
good=0
expect() { # ARCH FORMS
	local seen; seen=$(forms "$1")
	echo "sm_$1: $seen"
	[ "$seen" = "$2 " ] && good=$((good + 1))
	return 0
}
expect 100 "FFMA2:1 IADD3:2 VIMNMX:1"
expect 103 "FFMA2:1 IADD3:2 VIMNMX:1"
expect 110 "FFMA:2 IADD3:2 IMNMX:1"
expect 120 "FFMA:2 IADD:1 IADD3:1 VIMNMX:1"
[ "$good" = 4 ]
