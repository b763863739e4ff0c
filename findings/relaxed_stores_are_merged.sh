#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_90 to sm_120. One would guess that the assembler leaves every atomic store in place, as the
# common C++ compilers do. ptxas drops an st.relaxed that a later st.relaxed of the same address and scope follows, of scope
# .sys, too. A counted loop that stores its progress eight times becomes one store, so no reader ever sees a step.
# Two equal ld.relaxed stay two, and two red stay two. A fence, a nanosleep, or an access to another address between the
# stores keeps both; two st.volatile stay two, although the code has the same STG.E.STRONG.SYS for st.relaxed.sys.
# The memory model permits the removal. A model that shows each store shows states that the code never passes through.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

cat >rows <<'END_ROWS'
1|st.relaxed.gpu.global.u32 [%d1], 1; st.relaxed.gpu.global.u32 [%d1], 2;
1|st.relaxed.sys.global.u32 [%d1], 1; st.relaxed.sys.global.u32 [%d1], 2;
1|L: st.relaxed.gpu.global.u32 [%d1], %r1; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 8; @%p1 bra L;
2|st.volatile.global.u32 [%d1], 1; st.volatile.global.u32 [%d1], 2;
2|st.relaxed.gpu.global.u32 [%d1], 1; nanosleep.u32 100; st.relaxed.gpu.global.u32 [%d1], 2;
2|st.relaxed.gpu.global.u32 [%d1], 1; fence.acq_rel.cta; st.relaxed.gpu.global.u32 [%d1], 2;
3|st.relaxed.gpu.global.u32 [%d1], 1; st.relaxed.gpu.global.u32 [%d2], 1; st.relaxed.gpu.global.u32 [%d1], 2;
2|ld.relaxed.gpu.global.u32 %r2, [%d1]; ld.relaxed.gpu.global.u32 %r3, [%d1]; st.global.v2.u32 [%d2], {%r2, %r3};
2|red.relaxed.gpu.global.add.u32 [%d3], 1; red.relaxed.gpu.global.add.u32 [%d3], 1;
END_ROWS
good=0
for arch in 90 100 120; do
	{
		printf '.version 9.0\n.target sm_%s\n.address_size 64\n' $arch
		n=0
		while IFS='|' read -r _ body; do
			n=$((n + 1))
			cat <<-PTX
			.visible .entry k$n(.param .u64 p, .param .u64 q) {
			 .reg .b64 %d<4>; .reg .b32 %r<5>; .reg .pred %p<2>;
			 ld.param.u64 %d1, [p]; ld.param.u64 %d2, [q]; mov.u32 %r4, %tid.x; mul.wide.u32 %d3, %r4, 4; add.s64 %d3, %d3, %d1;
			 mov.u32 %r1, 0;
			 $body
			 ret; }
			PTX
		done <rows
	} >k.ptx
	"$bin/ptxas" "-arch=sm_$arch" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin >code
	n=0
	while IFS='|' read -r expected body; do
		n=$((n + 1))
		# Strong loads, strong stores and reductions of this kernel.
		seen=$(awk -v name=".text.k$n:" '/^\.text\./ {on = $0 == name} on' code | grep -cE '(STG|LDG|REDG)\.E[A-Z0-9.]*\.STRONG' || true)
		echo "sm_$arch: $seen of $body"
		[ "$seen" = "$expected" ] || good=1
	done <rows
done
exit $good
