#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas 13.5.37, sm_100. One would guess that st.bulk takes the name of a shared variable as its address, as st.shared
# does: PTX gives both the same address operands. ptxas refuses the name, with a message about an instruction that the
# source does not have ("Argument 1 of instruction 'add': must be register"). A register that holds the address is taken.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

verdict() { # PTX LINE: what ptxas says
	cat >k.ptx <<-END
	.version 9.0
	.target sm_100
	.address_size 64
	.visible .entry k() {
	 .shared .align 16 .b8 buf[256]; .reg .b64 %d<2>; .reg .b32 %r<2>;
	 mov.u64 %d1, buf; mov.u32 %r1, 0;
	 $1
	 ret; }
	END
	if "$bin/ptxas" -arch=sm_100 -o k.cubin k.ptx >log 2>&1; then echo taken
	else grep -m 1 -o "Argument 1 of instruction 'add': must be register" log; fi
}
good=0
expect() { # PTX VERDICT
	local seen; seen=$(verdict "$1")
	echo "$1   $seen"
	[ "$seen" = "$2" ] && good=$((good + 1))
	return 0
}
expect 'st.shared.u32 [buf], %r1;' taken
expect 'st.bulk.weak.shared::cta [%d1], 64, 0;' taken
expect 'st.bulk.weak.shared::cta [buf], 64, 0;' "Argument 1 of instruction 'add': must be register"
[ "$good" = 3 ]
