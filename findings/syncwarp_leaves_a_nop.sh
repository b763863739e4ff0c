#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas 13.0.88: where a whole warp stands converged, `bar.warp.sync -1` needs no instruction, and one would guess that no
# trace of it is left in the code. ptxas leaves a NOP at its place; the same kernel without the barrier has none there. So
# a tool that reads cubins can still see where __syncwarp() stood.
# Seen: one NOP before the last EXIT of the kernel with the barrier, no NOP in the kernel without it.
set -euo pipefail
NVCC_VERSION=13.0.88 NVDISASM_VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$NVCC_VERSION" "nvidia-cuda-nvdisasm==$NVDISASM_VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

kernel() { # NAME BARRIER
	cat <<-END
	.visible .entry $1(.param .u64 p) {
	 .reg .b64 %rd<2>; .reg .b32 %r<4>; .shared .align 4 .b8 $1_words[128];
	 mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, $1_words; add.u32 %r2, %r2, %r3;
	 st.shared.u32 [%r2], %r1;
	 $2
	 ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], %r1;
	 ret; }
	END
}
{ printf '.version 9.0\n.target sm_90\n.address_size 64\n'; kernel with_barrier 'bar.warp.sync -1;'; kernel without ''; } >k.ptx
"$bin/ptxas" -arch=sm_90 -o k.cubin k.ptx

nops() { # KERNEL: NOPs before its last EXIT
	"$bin/nvdisasm" -c k.cubin | awk -v name=".text.$1:" '$0 == name {on = 1; next} /^\.text\./ {on = 0} on' |
		awk '/EXIT/ {print n + 0; exit} /NOP/ {n++}'
}
with=$(nops with_barrier) without=$(nops without)
echo "NOPs before EXIT: with bar.warp.sync $with, without $without"
[ "$with" = 1 ] && [ "$without" = 0 ]
