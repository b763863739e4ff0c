#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_90, sm_100, sm_120. UBLKCP, the word of cp.async.bulk, copies once for a warp, so ptxas
# puts a loop around it that takes the active lanes in turn (ELECT, BRA.U.ANY). One would guess that the loop is left
# out where one thread alone can come: `tid.x == 0` in a launch of one row, or tid.x, tid.y and tid.z all 0. The loop
# stays in both cases. .maxntid 128, 1, 1 does not help, .reqntid 128, 1, 1 does. With .reqntid 1, 1, 1 and no test at
# all the loop stays, and an added test `laneid == 0`, always true there, removes it. Removed as well: elect.sync, and
# `laneid == x` for any x that ptxas takes for equal in all lanes, such as a loaded word. Not removed: `laneid < 1`,
# `lanemask_lt == 0`. A copy back from shared to global memory, without any test, has no loop: one copy stands for the
# equal ones of all lanes. So the spelling of "one thread" decides about the code, and an unneeded test can make the
# code shorter.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

# The code around the copy, attributes of the kernel, and PTX up to the guard of the copy.
cat >rows <<'END_ROWS'
loop||
loop||setp.eq.u32 %p1, %x, 0; @%p1
loop||or.b32 %x, %x, %y; or.b32 %x, %x, %z; setp.eq.u32 %p1, %x, 0; @%p1
loop|.maxntid 128, 1, 1|setp.eq.u32 %p1, %x, 0; @%p1
once|.reqntid 128, 1, 1|setp.eq.u32 %p1, %x, 0; @%p1
loop|.reqntid 128, 1, 1|and.b32 %x, %x, 31; setp.eq.u32 %p1, %x, 0; @%p1
loop|.reqntid 1, 1, 1|
once|.reqntid 1, 1, 1|setp.eq.u32 %p1, %lane, 0; @%p1
once||setp.eq.u32 %p1, %lane, 0; @%p1
loop||setp.lt.u32 %p1, %lane, 1; @%p1
loop||mov.u32 %word, %lanemask_lt; setp.eq.u32 %p1, %word, 0; @%p1
once||ld.global.u32 %word, [%d1]; setp.eq.u32 %p1, %lane, %word; @%p1
loop||ld.global.u32 %word, [%d2]; setp.eq.u32 %p1, %lane, %word; @%p1
once||elect.sync _|%p1, -1; @%p1
loop||elect.sync _|%p1, -1; @!%p1
END_ROWS
good=0
copy='cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf], [%d1], 64, [m];'
back='cp.async.bulk.global.shared::cta.bulk_group [%d1], [buf], 64;'
kernel() { # NAME ATTRIBUTES PTX
	cat <<-PTX
	.visible .entry $1(.param .u64 p) $2 {
	 .reg .b64 %d<3>; .reg .b32 %x, %y, %z, %lane, %word; .reg .pred %p<2>;
	 .shared .align 16 .b8 buf[64]; .shared .align 8 .b64 m;
	 ld.param.u64 %d1, [p]; mov.u32 %x, %tid.x; mov.u32 %y, %tid.y; mov.u32 %z, %tid.z; mov.u32 %lane, %laneid;
	 mul.wide.u32 %d2, %x, 4; add.u64 %d2, %d2, %d1;
	 $3
	 ret; }
	PTX
}
code_around() { # NAME: is the copy in a loop over lanes
	awk -v name=".text.$1:" '/^\.text\./ {on = $0 == name} on' code >one
	grep -q UBLKCP one && if grep -q 'BRA\.U\.ANY' one; then echo loop; else echo once; fi
}
for arch in 90 100 120; do
	{
		printf '.version 9.0\n.target sm_%s\n.address_size 64\n' $arch
		n=0
		while IFS='|' read -r _ attributes body; do
			n=$((n + 1))
			kernel k$n "$attributes" "$body $copy"
		done <rows
		kernel back '' "$back"
	} >k.ptx
	"$bin/ptxas" "-arch=sm_$arch" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin >code
	n=0
	while IFS='|' read -r expected attributes body; do
		n=$((n + 1))
		seen=$(code_around k$n)
		echo "sm_$arch: $seen: ${attributes:-no attributes}, ${body:-no test}"
		[ "$seen" = "$expected" ] || { echo "   expected: $expected"; good=1; }
	done <rows
	seen=$(code_around back)
	echo "sm_$arch: $seen: $back"
	[ "$seen" = once ] || good=1
done
exit $good
