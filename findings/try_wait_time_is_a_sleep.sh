#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_90 to sm_120. One would guess that the suspend time of mbarrier.try_wait travels in the
# instruction that waits, SYNCS.PHASECHK.TRYWAIT. The instruction has no place for a time. ptxas writes three instructions
# for one try_wait with a time: TRYWAIT with the limit of the hardware, then NANOSLEEP.SYNCS with the time in nanoseconds,
# then a look without waiting. So one try_wait looks twice. A tool that counts looks, or that takes NANOSLEEP for a back-off
# which the user wrote, is wrong.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

wait_code() { # ARCH OPERANDS: what one try_wait is made of
	cat >k.ptx <<-END
	.version 9.0
	.target sm_$1
	.address_size 64
	.visible .entry k(.param .u64 p) {
	 .reg .b64 %d<2>; .reg .b32 %r<2>; .reg .pred %p<2>; .shared .align 8 .b64 bar;
	 ld.param.u64 %d1, [p];
	 mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0$2;
	 selp.u32 %r1, 1, 0, %p1; st.global.u32 [%d1], %r1;
	 ret; }
	END
	"$bin/ptxas" "-arch=sm_$1" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin | grep -oE 'SYNCS\.[A-Z0-9.]*|NANOSLEEP[A-Z.]* [0-9a-fx]*' | tr '\n' ' '
}
good=0
expect() { # ARCH OPERANDS TEXT
	local seen; seen=$(wait_code "$1" "$2")
	echo "sm_$1 try_wait${2:-, no time}: $seen"
	if [ "$seen" != "$3 " ]; then good=1; fi
}
for arch in 90 100 120; do
	expect $arch '' 'SYNCS.PHASECHK.TRANS64.TRYWAIT'
	expect $arch ', 1000' 'SYNCS.PHASECHK.TRANS64.TRYWAIT NANOSLEEP.SYNCS 0x3e8 SYNCS.PHASECHK.TRANS64'
done
exit $good
