#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_75 to sm_120. All lanes execute alloca of 16 bytes, the odd lanes alloca of 256, all
# lanes alloca of 16 again. The distance from the first block to the last is 16 bytes in even lanes and 272 in odd
# lanes, and each lane adds the distance to one word: the sum of a warp is 16 * (16 + 272) = 4,608. One would guess that
# ptxas adds a value for each lane, as it does for a value of the thread number. But alloca has a constant operand, and
# ptxas takes the result for equal in all lanes, in spite of the branch: one lane multiplies its own distance by the
# number of lanes. The sum is 32 * 16 = 512 where that lane is even, and 8,704 where the lane is odd. We read the code
# and ran none of it. %r1 is the thread number, %r3 the distance.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

addition() { # ARCH VALUE: how the warp adds the value, in the order of the code
	cat >k.ptx <<-END
	.version 8.7
	.target sm_$1
	.address_size 64
	.visible .entry k(.param .u64 out) {
	 .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %d<8>;
	 ld.param.u64 %d1, [out];
	 mov.u32 %r1, %tid.x;
	 and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;
	 alloca.u64 %d2, 16;
	 @%p1 bra even;
	 alloca.u64 %d3, 256;
	 st.local.u32 [%d3], %r1;
	even:
	 alloca.u64 %d4, 16;
	 sub.u64 %d5, %d2, %d4;
	 cvt.u32.u64 %r3, %d5;
	 red.global.add.u32 [%d1], $2;
	 ret; }
	END
	"$bin/ptxas" "-arch=sm_$1" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin | sed -n '/BSYNC/,$p' | grep -oE '\b(UPOPC|POPC|IMAD [^;]*UR[0-9]*, RZ|REDUX\.SUM|REDG?\.E\.ADD|RED\.E\.ADD)' | sed 's/IMAD .*/IMAD/' | tr '\n' ' '
}
good=0
expect() { # ARCH VALUE TEXT
	local seen; seen=$(addition "$1" "$2" 2>/dev/null)
	echo "sm_$1 $2: $seen"
	if [ "$seen" != "$3 " ]; then good=1; fi
}
expect 75 %r3 'UPOPC IMAD RED.E.ADD'
expect 80 %r3 'UPOPC IMAD RED.E.ADD'
expect 80 %r1 'REDUX.SUM RED.E.ADD'
for arch in 90 100 120; do
	expect $arch %r3 'UPOPC IMAD REDG.E.ADD'
	expect $arch %r1 'REDUX.SUM REDG.E.ADD'
done
exit $good
