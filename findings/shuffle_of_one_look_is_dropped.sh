#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_80, sm_90, sm_120. All lanes look at a word that other warps change, then shfl.sync
# hands on what lane 0 has seen, so that the warp decides as one; match.all.sync tells whether all have seen the same.
# In PTX the load of each lane is a read of its own, and two lanes may see two values. One would guess that shfl and
# match stay, for ld.relaxed and ld.volatile at least. ptxas drops both wherever all lanes use one address, in shared
# memory, too: the shuffle is a copy and the match is the constant true. The same holds for %clock and for the result of
# mbarrier.test_wait. With an address for each lane, with an atomic that only reads (or with 0), and with one load each
# in two branches, both stay. So the code relies on one load of a warp giving one value to all lanes. A model whose
# lanes read one after another, with other warps in between, breaks a program that was written with care.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

# Shuffles and matches in the code, and PTX that gives the value.
cat >rows <<'END_ROWS'
|ld.volatile.global.u32 %r2, [%d1];
|ld.relaxed.gpu.global.u32 %r2, [%d1];
|ld.acquire.sys.global.u32 %r2, [%d1];
|ld.volatile.shared.u32 %r2, [flag];
|L: ld.relaxed.gpu.global.u32 %r2, [%d1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;
|mov.u32 %r2, %clock;
|mbarrier.test_wait.parity.shared.b64 %p1, [m], 0; selp.u32 %r2, 1, 0, %p1;
MATCH.ALL SHFL.IDX |ld.relaxed.gpu.global.u32 %r2, [%d3];
MATCH.ALL SHFL.IDX |atom.relaxed.gpu.global.or.b32 %r2, [%d1], 0;
MATCH.ALL SHFL.IDX |atom.relaxed.cta.shared.or.b32 %r2, [flag], 0;
MATCH.ALL SHFL.IDX |setp.lt.u32 %p1, %r1, 9; @%p1 ld.relaxed.gpu.global.u32 %r2, [%d1]; @!%p1 ld.relaxed.gpu.global.u32 %r2, [%d1];
END_ROWS
good=0
for arch in 80 90 120; do
	{
		printf '.version 9.0\n.target sm_%s\n.address_size 64\n' $arch
		n=0
		while IFS='|' read -r _ body; do
			n=$((n + 1))
			cat <<-PTX
			.visible .entry k$n(.param .u64 p, .param .u64 q) {
			 .reg .b64 %d<4>; .reg .b32 %r<5>; .reg .pred %p<3>; .shared .align 8 .b64 m; .shared .align 4 .b32 flag;
			 ld.param.u64 %d1, [p]; ld.param.u64 %d2, [q]; mov.u32 %r1, %tid.x;
			 mul.wide.u32 %d3, %r1, 8; add.u64 %d2, %d2, %d3; add.u64 %d3, %d3, %d1;
			 $body
			 shfl.sync.idx.b32 %r3, %r2, 0, 31, -1;
			 match.all.sync.b32 %r4|%p2, %r2, -1; selp.u32 %r4, 1, 0, %p2;
			 st.global.v2.u32 [%d2], {%r3, %r4};
			 ret; }
			PTX
		done <rows
	} >k.ptx
	"$bin/ptxas" "-arch=sm_$arch" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin >code
	n=0
	while IFS='|' read -r expected body; do
		n=$((n + 1))
		seen=$(awk -v name=".text.k$n:" '/^\.text\./ {on = $0 == name} on' code | grep -oE '\b(SHFL|MATCH)\.[A-Z]+' |
			sort | tr '\n' ' ' || true)
		echo "sm_$arch: ${seen:-neither }behind $body"
		[ "$seen" = "$expected" ] || { echo "   expected: $expected"; good=1; }
	done <rows
done
exit $good
