#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_90 to sm_120. One would guess that a CTA barrier stops the assembler from unrolling a
# loop, and that all orderings are alike to the unroller. ptxas unrolls a counted loop of four rounds with a bar.sync in the
# body, with an acq_rel atomic, a release store, an acquire load, an mbarrier arrival or a proxy fence. One fence.acq_rel,
# fence.sc or membar of any scope keeps the loop, although the release store becomes the same MEMBAR word.
# So the spelling of an ordering decides about the code: a fence with a relaxed store stays a loop, st.release does not.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

# Copies of the loop's reduction in the code, and the rest of the body.
cat >rows <<'END_ROWS'
4|
4|bar.sync 0;
4|bar.warp.sync 0xffffffff;
4|atom.acq_rel.gpu.global.exch.b32 %r2, [%d2], 1;
4|st.release.gpu.global.u32 [%d2], %r1;
4|ld.acquire.gpu.global.u32 %r2, [%d2];
4|mbarrier.arrive.shared.b64 _, [s];
4|nanosleep.u32 20;
1|fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%d2], %r1;
1|fence.acq_rel.cta;
1|fence.sc.gpu;
1|membar.cta;
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
			 .reg .b64 %d<3>; .reg .b32 %r<3>; .reg .pred %p<2>; .shared .align 8 .b64 s;
			 ld.param.u64 %d1, [p]; ld.param.u64 %d2, [q]; mov.u32 %r1, 0;
			L: red.relaxed.gpu.global.max.u32 [%d1], %r1;
			 $body
			 add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 4; @%p1 bra L;
			 ret; }
			PTX
		done <rows
	} >k.ptx
	"$bin/ptxas" "-arch=sm_$arch" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin >code
	n=0
	while IFS='|' read -r expected body; do
		n=$((n + 1))
		seen=$(awk -v name=".text.k$n:" '/^\.text\./ {on = $0 == name} on' code | grep -cE '(RED|REDG|ATOMG)\.E\.MAX' || true)
		echo "sm_$arch: $seen copies with ${body:-no other instruction}"
		[ "$seen" = "$expected" ] || good=1
	done <rows
done
exit $good
