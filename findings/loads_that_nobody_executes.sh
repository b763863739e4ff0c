#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_80 to sm_120. One would guess that cp.async is one word of code, LDGSTS, beside its address. In
# front of it ptxas writes three loads of shared memory under the guard !PT, which no thread ever executes, with the zero
# register as address and as result. On sm_90 and later they stand in front of the first cp.async of each stretch between
# barriers; on sm_80 and sm_86 only where another access of shared memory or a barrier stands in front.
# Two neighbours share the three loads; a barrier in between costs three more. .cg with 16 bytes gets them, too. So a
# count of the loads in the code is wrong by three a stretch, and such a load needs no address that exists.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

# Loads under !PT on sm_80 and sm_86, on sm_90 and later, and PTX.
one='cp.async.ca.shared.global [buf], [%d1], 4;' two='cp.async.ca.shared.global [buf+4], [%d1+4], 4;'
cat >rows <<END_ROWS
0|3|$one
0|3|$one $two
0|3|cp.async.cg.shared.global [buf], [%d1], 16;
3|3|st.shared.u32 [buf+64], %r1; $one
3|6|$one bar.sync 0; $two
END_ROWS
good=0
for arch in 80 86 90 100 120; do
	{
		printf '.version 9.0\n.target sm_%s\n.address_size 64\n' $arch
		n=0
		while IFS='|' read -r _ _ body; do
			n=$((n + 1))
			cat <<-PTX
			.visible .entry k$n(.param .u64 p, .param .u32 v) {
			 .reg .b64 %d<2>; .reg .b32 %r<2>; .shared .align 16 .b8 buf[128];
			 ld.param.u64 %d1, [p]; ld.param.u32 %r1, [v];
			 $body
			 ret; }
			PTX
		done <rows
	} >k.ptx
	"$bin/ptxas" "-arch=sm_$arch" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin >code
	n=0
	while IFS='|' read -r old new body; do
		n=$((n + 1))
		[ $arch -lt 90 ] && expected=$old || expected=$new
		seen=$(awk -v name=".text.k$n:" '/^\.text\./ {on = $0 == name} on' code | grep -cE '@!PT LDS RZ, \[RZ\]' || true)
		echo "sm_$arch: $seen loads under !PT for $body"
		[ "$seen" = "$expected" ] || good=1
	done <rows
done
exit $good
