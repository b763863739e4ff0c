#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_80 to sm_120. A thread stores a word of shared memory and then, with st.release, a flag in
# the next word. One would guess three steps in the code: store of the data, fence, store of the flag. ptxas writes the
# fence first and then one STS.64 for both words, of scope .gpu, too; three words of data give one STS.128. Likewise one
# LDS.64 reads the flag of ld.acquire and the word beside the flag. The order holds only while a wide access is indivisible.
# Words apart, global memory, st.volatile, and a fence of the source before st.relaxed keep two accesses.
# A model that carries out STS.64 word by word can show a flag without its data. A reader of the code finds no store of the
# flag alone, and the fence stands before the data.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

cat >rows <<'END_ROWS'
MEMBAR.ALL.CTA STS.64 |st.shared.u32 [words+4], %r1; st.release.cta.shared.u32 [words], %r1;
MEMBAR.ALL.GPU STS.64 |st.shared.u32 [words+4], %r1; st.release.gpu.shared.u32 [words], %r1;
MEMBAR.ALL.CTA STS.128 |st.shared.u32 [words+4], %r1; st.shared.v2.u32 [words+8], {%r1, %r1}; st.release.cta.shared.u32 [words], %r1;
LDS.64 |ld.acquire.cta.shared.u32 %r2, [words]; ld.shared.u32 %r3, [words+4]; st.global.v2.u32 [%d1], {%r2, %r3};
STS MEMBAR.ALL.CTA STS |st.shared.u32 [words+64], %r1; st.release.cta.shared.u32 [words], %r1;
STS MEMBAR.ALL.CTA STS |st.shared.u32 [words+4], %r1; fence.acq_rel.cta; st.relaxed.cta.shared.u32 [words], %r1;
STS STS |st.volatile.shared.u32 [words+4], %r1; st.volatile.shared.u32 [words], %r1;
STG MEMBAR.ALL.CTA STG |st.global.u32 [%d1+4], %r1; st.release.cta.global.u32 [%d1], %r1;
END_ROWS
good=0
for arch in 80 90 100 120; do
	{
		printf '.version 8.8\n.target sm_%s\n.address_size 64\n' $arch
		n=0
		while IFS='|' read -r _ body; do
			n=$((n + 1))
			cat <<-PTX
			.visible .entry k$n(.param .u64 p) {
			 .reg .b64 %d<2>; .reg .b32 %r<4>; .shared .align 16 .b8 words[128];
			 ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x;
			 $body
			 ret; }
			PTX
		done <rows
	} >k.ptx
	"$bin/ptxas" "-arch=sm_$arch" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin >code
	n=0
	while IFS='|' read -r expected body; do
		n=$((n + 1))
		seen=$(awk -v name=".text.k$n:" '/^\.text\./ {on = $0 == name} on' code |
			grep -oE '\b(MEMBAR[A-Z.]*|(STS|LDS)(\.(64|128))?|STG\.E(\.STRONG\.SM)?) ' | sed -E 's/STG[A-Z.]*/STG/' | tr -d '\n')
		case $body in *ld.acquire*) seen=${seen/STG /} ;; esac # The store of the result is no part of the row.
		echo "sm_$arch: $seen from $body"
		[ "$seen" = "$expected" ] || good=1
	done <rows
done
exit $good
