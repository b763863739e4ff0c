#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_90, sm_100, sm_120. One would guess that mbarrier.init is the same code wherever it stands, and
# that FENCE.VIEW.ASYNC.S, the word of fence.proxy.async, appears only where the source has a proxy fence. ptxas puts that
# word in front of an init (SYNCS.EXCH.64) of its own accord, without a MEMBAR. A store or a load of shared memory before
# the init brings one, a bar.sync in between or not. So does a guard or a branch around the init, as in the usual "one thread
# initialises", even where the kernel has no other access of shared memory; two inits in one branch share one word. An
# init alone, behind a store to global memory or before a load has none. mbarrier.arrive and .inval bring none, although both
# go through the same unit. So the count of proxy fences in the code tells nothing about proxy fences of the source.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

# FENCE.VIEW.ASYNC.S in the code, and PTX.
init='mbarrier.init.shared.b64 [m], 1;' store='st.shared.u32 [buf], %r1;'
load='ld.shared.u32 %r2, [buf]; st.global.u32 [%d1], %r2;' compare='setp.eq.u32 %p1, %r1, 0;'
cat >rows <<END_ROWS
0|$init
1|$store $init
1|$load $init
1|$store bar.sync 0; $init
1|$compare @%p1 $init
1|$compare @!%p1 bra L; $init mbarrier.init.shared.b64 [n], 1; L:
0|st.global.u32 [%d1], %r1; $init
0|$init $load
0|$store mbarrier.arrive.shared.b64 _, [m];
0|$store mbarrier.inval.shared.b64 [m];
END_ROWS
good=0
for arch in 90 100 120; do
	{
		printf '.version 9.0\n.target sm_%s\n.address_size 64\n' $arch
		n=0
		while IFS='|' read -r _ body; do
			n=$((n + 1))
			cat <<-PTX
			.visible .entry k$n(.param .u64 p, .param .u32 v) {
			 .reg .b64 %d<2>; .reg .b32 %r<3>; .reg .pred %p<2>; .shared .align 8 .b64 m, n; .shared .align 4 .b8 buf[64];
			 ld.param.u64 %d1, [p]; ld.param.u32 %r1, [v];
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
		seen=$(awk -v name=".text.k$n:" '/^\.text\./ {on = $0 == name} on' code | grep -c 'FENCE\.VIEW\.ASYNC\.S' || true)
		echo "sm_$arch: $seen proxy fences for $body"
		[ "$seen" = "$expected" ] || good=1
	done <rows
done
exit $good
