#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_100a and sm_120a. PTX gives red.async with .release and global memory the operations add, min,
# max, inc, dec, and, or, xor, and ptxas takes each without a word. One would guess that each has its own operation in the
# code, as red without .async has: REDG.INC, REDG.MIN. ptxas writes an ADD for every one of them (UREDGR.ADD on sm_100a,
# REDG.ADD on sm_120a), so the code computes something else than the source says. Plain red keeps the operation. A test that
# compiles and only looks for errors sees nothing.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

operation() { # ARCH INSTRUCTION TYPE: the operation of the reduction in the code
	cat >k.ptx <<-END
	.version 9.5
	.target sm_$1
	.address_size 64
	.visible .entry k(.param .u64 p, .param .b32 v) {
	 .reg .b64 %d<2>; .reg .b32 %r<2>;
	 ld.param.u64 %d1, [p]; ld.param.b32 %r1, [v];
	 $2.$3 [%d1], %r1;
	 ret; }
	END
	"$bin/ptxas" "-arch=sm_$1" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin | grep -oE 'U?RED(G|GR)?\.[A-Z0-9.]*' | grep -oE '\.(ADD|MIN|MAX|INC|DEC|AND|OR|XOR)\b' | tr -d '.\n'
}
good=0
for arch in 100a 120a; do
	for row in add.u32 min.u32 max.u32 inc.u32 dec.u32 and.b32 or.b32 xor.b32; do
		op=${row%.*} type=${row#*.}
		async=$(operation $arch "red.async.release.gpu.global.$op" "$type") plain=$(operation $arch "red.release.gpu.global.$op" "$type")
		echo "sm_$arch $row: red.async $async, red $plain"
		[ "$async" = ADD ] && [ "$plain" = "${op^^}" ] || good=1
	done
done
exit $good
