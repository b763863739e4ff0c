#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas 13.0.88, sm_80 and sm_90: kernel parameters lie in constant bank 0 from a fixed offset on, c[0x0][0x160] on sm_80 and
# c[0x0][0x210] on sm_90. One would guess that parameters beyond the old limit of 4,352 bytes begin at the same offset. On
# sm_80 one byte more moves all of them to c[0x0][0x1a80]; on sm_90 they stay. A loader that knows one offset a chip puts
# the arguments of large kernels at the wrong place.
# And nvdisasm 13.5.37 prints an offset from 0x8000 on as a negative number: c[0x0][-0x7e00] is offset 0x8200.
set -euo pipefail
NVCC_VERSION=13.0.88 NVDISASM_VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$NVCC_VERSION" "nvidia-cuda-nvdisasm==$NVDISASM_VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

offsets() { # ARCH BYTES OFFSET: constants that a kernel reads which stores the word at that offset of its parameter
	cat >k.ptx <<-END
	.version 9.0
	.target sm_$1
	.address_size 64
	.visible .entry k(.param .align 4 .b8 p[$2]) {
	 .reg .b32 %r<2>; .reg .b64 %rd<2>;
	 ld.param.u32 %r1, [p+$3]; mov.u64 %rd1, 0; st.global.u32 [%rd1], %r1; ret; }
	END
	"$bin/ptxas" "-arch=sm_$1" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin | grep -oE 'c\[0x0\]\[[^]]*\]' | sort -u | tr '\n' ' '
}
good=0
expect() { # PATTERN ARCH BYTES OFFSET
	local seen; seen=$(offsets "$2" "$3" "$4")
	echo "sm_$2, $3 bytes, word at $4: $seen"
	case "$seen" in *"$1"*) good=$((good + 1)) ;; esac
}
expect 'c[0x0][0x160]' 80 4352 0
expect 'c[0x0][0x1a80]' 80 4353 0
expect 'c[0x0][0x210]' 90 4352 0
expect 'c[0x0][0x210]' 90 4353 0
expect 'c[0x0][-0x7e00]' 90 32764 32752
[ "$good" = 5 ]
