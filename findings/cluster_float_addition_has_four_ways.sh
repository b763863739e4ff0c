#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_90, sm_100, sm_120. red.relaxed.cluster.shared::cluster adds to a word in the shared memory of some
# CTA of the cluster. The space is written in the instruction. One would guess one instruction for u32, and for f32 and u64
# one as well or one loop of compare-exchange. For u32 there is one generic ATOM. For f32 and u64 ptxas treats the address
# as if nothing were known about its space. The code tries a generic ATOM that tells in a predicate whether the addition was
# made, asks by QSPC whether the address is shared, and has more ways: a loop on the CTA's own shared memory (LDS and
# ATOMS.CAST.SPIN), for f32 a loop on another CTA's (LD and ATOM.E.CAST.SPIN), and at last a load, an addition and a store that
# are no atomic at all. The loop on the other CTA's memory has the scope STRONG.SM, although the source asks for the cluster.
# So a reader of the code finds a plain store to a word that only atomics touch, and a test with u32 tries one of the four ways.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)
# NAME|TYPE|OPERAND|accesses and questions in the order of the code
cat >rows <<'END_ROWS'
u32|u32|%r1|ATOM.E.ADD
f32|f32|%f1|ATOM.E.ADD QSPC.E.S LDS ATOMS.CAST.SPIN QSPC.E.D LD.E ATOM.E.CAST.SPIN.STRONG.SM LD.E ST.E
u64|u64|%d1|ATOM.E.ADD QSPC.E.S LDS ATOMS.CAST.SPIN LD.E ST.E
END_ROWS
good=0
for arch in 90 100 120; do
	{
		printf '.version 9.0\n.target sm_%s\n.address_size 64\n' $arch
		while IFS='|' read -r name type operand _; do
			cat <<-PTX
			.visible .entry k_$name(.param .u64 v) {
			 .reg .b64 %d<2>; .reg .b32 %r<4>; .reg .f32 %f<2>; .shared .align 8 .b8 s_$name[8192];
			 ld.param.u64 %d1, [v]; cvt.u32.u64 %r1, %d1; mov.b32 %f1, %r1;
			 mov.u32 %r2, %tid.x; shl.b32 %r2, %r2, 3; mov.u32 %r3, s_$name; add.u32 %r2, %r2, %r3;
			 mapa.shared::cluster.u32 %r2, %r2, 0;
			 red.relaxed.cluster.shared::cluster.add.$type [%r2], $operand;
			 ret; }
			PTX
		done <rows
	} >k.ptx
	"$bin/ptxas" "-arch=sm_$arch" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin >code
	while IFS='|' read -r name _ _ wanted; do
		seen=$(awk -v name=".text.k_$name:" '/^\.text\./ {on = $0 == name} on' code |
			grep -oE '\b(ATOM\.E\.ADD|ATOM\.E\.CAST\.SPIN[.A-Z0-9]*|ATOMS\.CAST\.SPIN|LDS|LD\.E|ST\.E|QSPC\.E\.[SD])\b' |
			sed 's/\(CAST\.SPIN\)\.64/\1/' | tr '\n' ' ' | sed 's/ $//')
		echo "sm_$arch $name: $seen"
		[ "$seen" = "$wanted" ] || good=1
	done <rows
done
exit $good
