#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_80, sm_90, sm_120. A kernel loads a word, makes an ld.acquire of a flag without any use
# of the value, and loads the word again. PTX calls an acquire a strong operation, so one would guess that it stays and
# keeps both loads of the word apart, or else goes without a trace. ptxas takes the load of the flag away, keeps its
# second half CCTL.IVALL, which makes the L1 cache invalid, and makes one load of the word: the cache is emptied and
# nothing is loaded behind it. So the code pays for an acquire that acquires nothing. With .cta, and in shared memory,
# no trace is left. A use of the value gives both loads of the word. So do atom.acquire without a use, and fence.acq_rel
# behind a relaxed load, although that relaxed load is gone, too. ld.volatile stays without a use. An "acquire to be
# sure" needs a use of its value.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

# The code from the first load of the word on (LDG for the word, STRONG for the flag), and PTX between both loads.
use='st.global.u32 [%d2+64], %r3;'
cat >rows <<END_ROWS
LDG |
LDG CCTL.IVALL |ld.acquire.gpu.global.u32 %r3, [%d1];
LDG CCTL.IVALL |ld.acquire.sys.global.u32 %r3, [%d1];
LDG |ld.acquire.cta.global.u32 %r3, [%d1];
LDG |ld.acquire.cta.shared.u32 %r3, [flag];
LDG |ld.relaxed.gpu.global.u32 %r3, [%d1];
LDG STRONG |ld.volatile.global.u32 %r3, [%d1];
LDG STRONG CCTL.IVALL LDG |ld.acquire.gpu.global.u32 %r3, [%d1]; $use
LDG STRONG LDG |ld.acquire.cta.global.u32 %r3, [%d1]; $use
LDG MEMBAR.ALL.GPU CCTL.IVALL LDG |ld.relaxed.gpu.global.u32 %r3, [%d1]; fence.acq_rel.gpu;
LDG ATOMG CCTL.IVALL LDG |atom.acquire.gpu.global.exch.b32 %r3, [%d1], 1;
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
			 .reg .b64 %d<3>; .reg .b32 %r<4>; .shared .align 4 .b32 flag;
			 ld.param.u64 %d1, [p]; ld.param.u64 %d2, [q];
			 ld.global.u32 %r1, [%d2];
			 $body
			 ld.global.u32 %r2, [%d2]; st.global.v2.u32 [%d2+8], {%r1, %r2};
			 ret; }
			PTX
		done <rows
	} >k.ptx
	"$bin/ptxas" "-arch=sm_$arch" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin >code
	n=0
	while IFS='|' read -r expected body; do
		n=$((n + 1))
		seen=$(awk -v name=".text.k$n:" '/^\.text\./ {on = $0 == name} on' code |
			grep -oE '\b(LDG\.E(\.STRONG)?|LDS|ATOMG|MEMBAR\.[A-Z.]+|CCTL\.[A-Z]+)' |
			sed 's/LDG.E.STRONG/STRONG/; s/LDG.E/LDG/' | tr '\n' ' ')
		echo "sm_$arch: $seen from ${body:-nothing in between}"
		[ "$seen" = "$expected" ] || { echo "   expected: $expected"; good=1; }
	done <rows
done
exit $good
