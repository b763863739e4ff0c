#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_80, sm_90, sm_120. Shared memory is the near memory, and its atomics have been native for many
# chips. One would guess that what is one instruction in global memory is one instruction in shared memory. For words
# of 32 bits with integers that holds. An addition of f32, f16x2 or f64, and add, min and or of 64 bits, are one REDG or RED in global
# memory, and in shared memory a loop: LDS, the operation, ATOMS.CAST.SPIN, and a branch back if another thread was
# faster. exch and cas of 64 bits are one instruction. min has a second way out of the loop: no write if the word
# is small enough already. So lanes of one warp that add floats to one word go round the loop in turn, on new chips, too, and a model
# of red.shared as one access is wrong for half of the types.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)
# OPERATION|OPERAND|shared: native or loop. Global memory: native for all of them.
cat >rows <<'END_ROWS'
red add.u32|%r1|native
red dec.u32|%r1|native
red max.s32|%r1|native
red add.f32|%f1|loop
red add.noftz.f16x2|%r1|loop
red add.u64|%d3|loop
red min.u64|%d3|loop
red or.b64|%d3|loop
red add.f64|%e1|loop
atom exch.b64|%d3|native
atom cas.b64|%d3, %d1|native
END_ROWS
good=0
for arch in 80 90 120; do
	{
		printf '.version 9.0\n.target sm_%s\n.address_size 64\n' $arch
		n=0
		while IFS='|' read -r operation operand _; do
			n=$((n + 1))
			result=''
			[ "${operation% *}" = red ] || result='%d4,'
			for space in shared global; do
				address='%d2'
				[ $space = global ] || address='%r2'
				cat <<-PTX
				.visible .entry k${n}_$space(.param .u64 p, .param .u64 v) {
				 .reg .b64 %d<5>; .reg .b32 %r<3>; .reg .f32 %f<2>; .reg .f64 %e<2>; .shared .align 8 .b8 s_${n}_$space[8192];
				 ld.param.u64 %d1, [p]; ld.param.u64 %d3, [v]; cvt.u32.u64 %r1, %d3; mov.b32 %f1, %r1; mov.b64 %e1, %d3;
				 mov.u32 %r2, %tid.x; shl.b32 %r2, %r2, 3; cvt.u64.u32 %d2, %r2; add.s64 %d2, %d2, %d1;
				 ${operation% *}.$space.${operation#* } $result [$address], $operand;
				 ret; }
				PTX
			done
		done <rows
	} >k.ptx
	"$bin/ptxas" "-arch=sm_$arch" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin >code
	kind() { # SPACE: how the operation of row n is made
		awk -v name=".text.k${n}_$1:" '/^\.text\./ {on = $0 == name} on' code >part
		if grep -q 'CAST\.SPIN' part && grep -q 'LDS' part && grep -q 'BRA' part; then
			echo loop
		elif [ "$(grep -cE '\b(ATOMS|ATOMG|REDG|RED)\.' part)" = 1 ]; then
			echo native
		fi
	}
	n=0
	while IFS='|' read -r operation _ wanted; do
		n=$((n + 1))
		global=$(kind global) shared=$(kind shared)
		# The way out without a write: an EXIT in front of the compare-exchange.
		[ "$operation" != 'red min.u64' ] || sed '/CAST/q' part | grep -q '@!*P[0-9]* EXIT' || good=1
		echo "sm_$arch $operation: shared $shared, global $global"
		[ "$shared $global" = "$wanted native" ] || good=1
	done <rows
done
exit $good
