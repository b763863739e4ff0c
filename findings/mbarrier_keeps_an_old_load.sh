#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas 13.0.88 and 13.5.37, sm_90 to sm_120. A kernel loads a global word, arrives at an mbarrier (release), tests a second
# mbarrier (acquire), and loads the word again only if that phase is complete. In between, another thread may have waited
# for the arrival and stored a new value: no race. One would guess two loads in the code, as with bar.sync 0 or a fence in
# the middle. ptxas makes one load, before the arrival, and the second value is a copy of the first. With .release.cluster
# and .acquire.cluster it writes MEMBAR and CCTL.IVALL, and still has one load. No warning is printed.
# A loop around the test keeps both loads, so the usual wait is safe; a single test with a branch is not. A word of
# shared memory is loaded twice. `fence.acq_rel.cta` behind the test gives two loads.
# PTX alone therefore does not tell what the hardware does: the source is correct and the code is not.
set -euo pipefail
OLD_VERSION=13.0.88 NEW_VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
for v in "$OLD_VERSION" "$NEW_VERSION"; do
	python3 -m venv "venv-$v"
	"venv-$v/bin/pip" -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$v" "nvidia-cuda-nvdisasm==$NEW_VERSION"
done
bin() { echo "venv-$1"/lib/python3*/site-packages/nvidia/cu13/bin; }

kernel() { # NAME SPACE ADDRESS PTX: two loads of a word around PTX
	cat <<-PTX
	.visible .entry $1(.param .u64 p, .param .u64 q) {
	 .reg .b64 %d<3>; .reg .b32 %r<3>; .reg .pred %p<2>; .shared .align 8 .b64 go, done; .shared .align 4 .b32 word;
	 ld.param.u64 %d1, [p]; ld.param.u64 %d2, [q]; mov.u32 %r2, 0;
	 ld.$2.u32 %r1, [$3];
	 $4
	 ld.$2.u32 %r2, [$3];
	OUT: st.global.v2.u32 [%d2], {%r1, %r2};
	 ret; }
	PTX
}
good=0
expect() { # VERSION ARCH NAME LOADS
	local seen
	seen=$(awk -v name=".text.$3:" '/^\.text\./ {on = $0 == name} on' code | grep -cE '\b(LDG\.E|LDS) ' || true)
	echo "ptxas $1 sm_$2 $3: $seen loads"
	[ "$seen" = "$4" ] || good=1
}
arrive='mbarrier.arrive.release.cta.shared.b64 _, [go];'
look='mbarrier.test_wait.parity.acquire.cta.shared.b64 %p1, [done], 0;'
for arch in 90 100 120; do
	{
		printf '.version 9.0\n.target sm_%s\n.address_size 64\n' $arch
		kernel test_cta global %d1 "$arrive $look @!%p1 bra OUT;"
		kernel test_cluster global %d1 "${arrive/cta/cluster} ${look/cta/cluster} @!%p1 bra OUT;"
		kernel test_and_fence global %d1 "$arrive $look fence.acq_rel.cta; @!%p1 bra OUT;"
		kernel loop global %d1 "$arrive L: $look @!%p1 bra L;"
		kernel bar_sync global %d1 'bar.sync 0;'
		kernel shared_word shared word "$arrive $look @!%p1 bra OUT;"
	} >k.ptx
	for version in "$OLD_VERSION" "$NEW_VERSION"; do
		"$(bin "$version")/ptxas" "-arch=sm_$arch" -o k.cubin k.ptx
		"$(bin "$NEW_VERSION")/nvdisasm" -c k.cubin >code
		expect "$version" $arch test_cta 1
		expect "$version" $arch test_cluster 1
		expect "$version" $arch test_and_fence 2
		expect "$version" $arch loop 2
		expect "$version" $arch bar_sync 2
		expect "$version" $arch shared_word 2
	done
done
exit $good
