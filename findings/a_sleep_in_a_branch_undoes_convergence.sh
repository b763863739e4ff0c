#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_75 to sm_120. One would guess that nanosleep costs time and nothing else. A branch of some
# lanes, then a full shuffle: without nanosleep ptxas brackets the branch with BSSY and BSYNC, and the shuffle follows. With one
# nanosleep in the branch ptxas trusts that no more. From sm_90 on BSSY and BSYNC are gone, and WARPSYNC.ALL stands in front of
# the shuffle. On sm_75 and sm_80 BSYNC stays, BRA.CONV tests whether the lanes have met, and if not, a call leads to a second
# copy of the shuffle behind a WARPSYNC. A compiler or a model that takes the lanes to be together behind the branch is wrong.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

flow() { # ARCH STATEMENT: what meets, waits, branches or shuffles, in the order of the code
	cat >k.ptx <<-END
	.version 8.7
	.target sm_$1
	.address_size 64
	.visible .entry k(.param .u64 out) {
	 .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %d<3>;
	 ld.param.u64 %d1, [out];
	 mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;
	 and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; mov.u32 %r3, 5;
	 @!%p1 bra odd;
	 ld.volatile.global.u32 %r3, [%d1];
	 $2
	 st.volatile.global.u32 [%d1], %r3;
	 ld.volatile.global.u32 %r3, [%d1];
	odd:
	 shfl.sync.bfly.b32 %r4, %r3, 1, 31, -1;
	 st.global.u32 [%d1], %r4;
	 ret; }
	END
	"$bin/ptxas" "-arch=sm_$1" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin | grep -oE '\b(BSSY|BSYNC|WARPSYNC|BRA\.CONV|CALL|NANOSLEEP|SHFL)\b' | tr '\n' ' '
}
good=0
expect() { # ARCH STATEMENT TEXT
	local seen; seen=$(flow "$1" "$2")
	echo "sm_$1 ${2:-without nanosleep}: $seen"
	if [ "$seen" != "$3 " ]; then good=1; fi
}
for arch in 75 80 90 100 120; do
	expect $arch '' 'BSSY BSYNC SHFL'
done
for arch in 75 80; do
	expect $arch 'nanosleep.u32 200;' 'BSSY NANOSLEEP BSYNC BRA.CONV CALL SHFL WARPSYNC SHFL'
done
for arch in 90 100 120; do
	expect $arch 'nanosleep.u32 200;' 'NANOSLEEP WARPSYNC SHFL'
done
exit $good
