#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas 13.0.88 and 13.5.37, nvdisasm 13.5.37, sm_75 to sm_120. A branch around a loop, on a value that each lane loads.
# One would guess that lanes may see different values, because another warp or a copy may write the word meanwhile. ptxas
# knows better: lanes of one load from one address see one value. So the branch gets no BSSY, with ld.relaxed and
# ld.volatile, in shared, global and generic memory, and for mbarrier.test_wait at one mbarrier. With an address for each
# lane, and for an atomic at one address, BSSY is there. Hardware that serves lanes of one load at different times has to
# keep the word as it is meanwhile; else lanes leave the loop at the branch that nobody brings together again. The PTX ISA
# does not promise one value. We read the code and ran none of it.
set -euo pipefail
OLD_VERSION=13.0.88 NEW_VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
for v in "$OLD_VERSION" "$NEW_VERSION"; do
	python3 -m venv "venv-$v"
	"venv-$v/bin/pip" -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$v" "nvidia-cuda-nvdisasm==$NEW_VERSION"
done
bin() { echo "venv-$1"/lib/python3*/site-packages/nvidia/cu13/bin; }

# BSSY in the code, and PTX that sets %p1. %r6, %d5: an address for each lane.
test='setp.eq.u32 %p1, %r2, 7;'
cat >rows <<END_ROWS
0|ld.relaxed.cta.shared.u32 %r2, [s]; $test
0|ld.volatile.shared.u32 %r2, [s]; $test
0|ld.relaxed.gpu.global.u32 %r2, [%d4]; $test
0|ld.relaxed.gpu.u32 %r2, [%d4]; $test
0|mbarrier.test_wait.shared.b64 %p1, [s], 0;
1|ld.relaxed.cta.shared.u32 %r2, [%r6]; $test
1|ld.relaxed.gpu.global.u32 %r2, [%d5]; $test
1|mbarrier.test_wait.shared.b64 %p1, [%r6], 0;
1|atom.global.add.u32 %r2, [%d4], 1; $test
END_ROWS
good=0
for arch in 75 80 90 100 120; do
	[ $arch -ge 80 ] && cp rows these || grep -v mbarrier rows >these
	{
		printf '.version 9.0\n.target sm_%s\n.address_size 64\n.shared .align 16 .b8 s[1024];\n' $arch
		n=0
		while IFS='|' read -r _ body; do
			n=$((n + 1))
			cat <<-PTX
			.visible .entry k$n(.param .u64 out, .param .u64 word) {
			 .reg .b64 %d<6>; .reg .b32 %r<8>; .reg .pred %p<3>;
			 ld.param.u64 %d1, [out]; ld.param.u64 %d4, [word];
			 mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d1, %d2; add.u64 %d5, %d4, %d2;
			 shl.b32 %r6, %r1, 3; mov.u32 %r7, s; add.u32 %r6, %r6, %r7;
			 $body
			 @%p1 bra B; mov.u32 %r4, 0;
			L: st.volatile.global.u32 [%d3], %r4; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 1000; @%p2 bra L;
			B: st.volatile.global.u32 [%d3+4096], 1; ret; }
			PTX
		done <these
	} >k.ptx
	for version in "$OLD_VERSION" "$NEW_VERSION"; do
		"$(bin "$version")/ptxas" "-arch=sm_$arch" -o k.cubin k.ptx
		"$(bin "$NEW_VERSION")/nvdisasm" -c k.cubin >code
		n=0
		while IFS='|' read -r expected body; do
			n=$((n + 1))
			seen=$(awk -v name=".text.k$n:" '/^\.text\./ {on = $0 == name} on && /BSSY/ {n++} END {print n + 0}' code)
			echo "ptxas $version sm_$arch: $seen BSSY from $body"
			[ "$seen" = "$expected" ] || { echo "   expected: $expected"; good=1; }
		done <these
	done
done
exit $good
