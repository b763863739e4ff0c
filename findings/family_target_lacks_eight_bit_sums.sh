#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas 13.5.37. A family target such as sm_120f stands for all chips of the family, so one would guess that an instruction which
# every member takes under its own letter a is there under f, too. multimem.ld_reduce of 8-bit floats is not: sm_100a and
# sm_100f take the instruction, sm_120a and sm_121a, the two chips of that family, take the instruction, and sm_120f and sm_121f
# say "Feature '.e4m3x4' not supported". A back end that picks the widest target must try the letter a before giving up.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION"
ptxas=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin/ptxas)
good=0
expect() { # TARGET VERDICT
	local seen=taken
	cat >k.ptx <<-END
	.version 9.0
	.target $1
	.address_size 64
	.visible .entry k(.param .u64 p) {
	 .reg .b64 %d; .reg .b32 %r;
	 ld.param.u64 %d, [p];
	 multimem.ld_reduce.relaxed.gpu.global.add.e4m3x4 %r, [%d];
	 st.global.u32 [%d], %r;
	 ret; }
	END
	"$ptxas" "-arch=$1" -o k.cubin k.ptx >said 2>&1 || seen=$(grep -o "Feature '.e4m3x4' not supported" said)
	echo "$1: $seen"
	[ "$seen" = "$2" ] && good=$((good + 1))
	return 0
}
for target in sm_100a sm_100f sm_103a sm_103f sm_120a sm_121a; do expect $target taken; done
for target in sm_120f sm_121f; do expect $target "Feature '.e4m3x4' not supported"; done
[ "$good" = 8 ]
