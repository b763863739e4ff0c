#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_90. One would guess that every thread of `red.release.gpu` executes the fence: a release
# orders the thread's own earlier stores. ptxas adds the lanes up into one reduction, made by one elected lane, and puts
# MEMBAR.ALL.GPU under the same guard: 31 lanes never execute a fence. `red.relaxed` behind a `fence.acq_rel.gpu` keeps the
# fence of all lanes. A tool that follows the words and asks each lane for its own fence calls correct code a race.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

words() { # PTX LINE...: guards and names of fences and reductions, in order
	cat >k.ptx <<-END
	.version 9.0
	.target sm_90
	.address_size 64
	.visible .entry k(.param .u64 p, .param .u64 q) {
	 .reg .b64 %d<5>; .reg .b32 %r<3>;
	 ld.param.u64 %d1, [p]; ld.param.u64 %d2, [q];
	 mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, 4; add.s64 %d4, %d2, %d3;
	 st.global.u32 [%d4], %r1;
	 $1
	 ret; }
	END
	"$bin/ptxas" -arch=sm_90 -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin | grep -oE '(@!?U?P[0-9] )?(MEMBAR|REDG?)\.[A-Z.]*' | tr '\n' ' '
}
good=0
expect() { # PTX PATTERN
	local seen; seen=$(words "$1")
	echo "$1   $seen"
	[[ "$seen" =~ $2 ]] && good=$((good + 1))
	return 0
}
expect 'red.release.gpu.global.add.u32 [%d1], 1;' '^@!?U?P[0-9] MEMBAR.*GPU .*RED'
expect 'fence.acq_rel.gpu; red.relaxed.gpu.global.add.u32 [%d1], 1;' '^MEMBAR.*GPU .*RED'
[ "$good" = 2 ]
