#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas 13.0.88 and 13.5.37, nvdisasm 13.5.37, sm_80 to sm_120. Each lane looks at one word until the word has reached
# the number of the lane, as at a counter with tickets. Another warp counts the word up, so lanes leave the loop in
# different rounds, each with the value of its last round. One would guess that ptxas knows these values as different:
# the loop ends for each lane alone. ptxas takes them for equal, because all lanes load the same address. Behind the
# loop one lane adds for all: an addition at the word of the value adds the number of lanes to the word of one lane, and
# an addition of the value adds the value of one lane times the number of lanes. match.all.sync becomes the constant
# "all equal". So all three give something else than the source says, with ld.relaxed and ld.acquire. No warning is
# printed. With ld.volatile, with a word for each lane, with a count of rounds, and for match.any.sync the code is right
# (REDUX adds different values). So volatile and relaxed differ in more than the word of the load. We read the code and
# ran none of it.
set -euo pipefail
OLD_VERSION=13.0.88 NEW_VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
for v in "$OLD_VERSION" "$NEW_VERSION"; do
	python3 -m venv "venv-$v"
	"venv-$v/bin/pip" -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$v" "nvidia-cuda-nvdisasm==$NEW_VERSION"
done
bin() { echo "venv-$1"/lib/python3*/site-packages/nvidia/cu13/bin; }

# What is left behind the loop (ONE: a reduction by one lane alone, ALL: by all lanes), and PTX.
loop() { echo "L: ld.$1.global.u32 %r2, [$2]; setp.lt.u32 %p1, %r2, %r1; @%p1 bra L;"; }
index='mul.wide.u32 %d4, %r2, 4; add.u64 %d4, %d4, %d2; red.relaxed.gpu.global.add.u32 [%d4], 1;'
value='red.relaxed.gpu.global.add.u32 [%d2], %r2;'
all='match.all.sync.b32 %r3|%p2, %r2, -1; selp.u32 %r3, 1, 0, %p2; st.global.u32 [%d3], %r3;'
any='match.any.sync.b32 %r3, %r2, -1; st.global.u32 [%d3], %r3;'
rounds='mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; ld.relaxed.gpu.global.u32 %r3, [%d1]; setp.lt.u32 %p1, %r3, %r1; @%p1 bra L;'
cat >rows <<END_ROWS
POPC ONE |$(loop relaxed.gpu %d1) $index
POPC ONE |$(loop relaxed.gpu %d1) $value
|$(loop relaxed.gpu %d1) $all
POPC ONE |$(loop acquire.gpu %d1) $index
POPC ONE |$(loop acquire.gpu %d1) $value
|$(loop acquire.gpu %d1) $all
MATCH.ANY |$(loop relaxed.gpu %d1) $any
ALL |$(loop volatile %d1) $index
REDUX ONE |$(loop volatile %d1) $value
MATCH.ALL |$(loop volatile %d1) $all
ALL |$(loop relaxed.gpu %d5) $index
REDUX ONE |$(loop relaxed.gpu %d5) $value
MATCH.ALL |$(loop relaxed.gpu %d5) $all
ALL |$rounds $index
REDUX ONE |$rounds $value
MATCH.ALL |$rounds $all
END_ROWS
good=0
for arch in 80 90 100 120; do
	{
		printf '.version 9.0\n.target sm_%s\n.address_size 64\n' $arch
		n=0
		while IFS='|' read -r _ body; do
			n=$((n + 1))
			cat <<-PTX
			.visible .entry k$n(.param .u64 turn, .param .u64 sums, .param .u64 out) {
			 .reg .b64 %d<6>; .reg .b32 %r<4>; .reg .pred %p<3>;
			 ld.param.u64 %d1, [turn]; ld.param.u64 %d2, [sums]; ld.param.u64 %d3, [out];
			 mov.u32 %r1, %laneid; mul.wide.u32 %d5, %r1, 4; add.u64 %d3, %d3, %d5; add.u64 %d5, %d5, %d1;
			 $body
			 ret; }
			PTX
		done <rows
	} >k.ptx
	for version in "$OLD_VERSION" "$NEW_VERSION"; do
		"$(bin "$version")/ptxas" "-arch=sm_$arch" -o k.cubin k.ptx
		"$(bin "$NEW_VERSION")/nvdisasm" -c k.cubin >code
		n=0
		while IFS='|' read -r expected body; do
			n=$((n + 1))
			# Behind the first EXIT stand detours of bar.warp.sync, which use MATCH.ANY themselves.
			seen=$(awk -v name=".text.k$n:" '/^\.text\./ {on = $0 == name} on && /EXIT/ {exit} on' code |
				grep -oE '(@!?P[0-9] +)?(U?POPC|REDUX|MATCH\.A..|REDG?\.E\.ADD)' |
				sed -E 's/UPOPC/POPC/; s/^@.*RED.*ADD/ONE/; s/^REDG?\..*/ALL/' | tr '\n' ' ' || true)
			echo "ptxas $version sm_$arch: ${seen:-nothing} from $body"
			[ "$seen" = "$expected" ] || { echo "   expected: $expected"; good=1; }
		done <rows
	done
done
exit $good
