#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_90, sm_100, sm_120. A kernel of a dependent launch loads a weight with ld.global.nc, then
# executes griddepcontrol.wait, then reads what the grid before has written. The load stands in front so that both grids
# overlap, and .nc promises that nobody writes the word. One would guess that .nc gives ptxas no reason to delay the load.
# ptxas moves the load behind the wait (ACQBULK), next to the first use, and the overlap is gone. Plain ld.global of the same
# word stays in front. The same holds at bar.sync 0. In front of barrier.cluster and of a loop that waits for an mbarrier
# the load stays. Of a vector of four words with two in use, two single loads are left behind the wait.
# So the stronger promise gives the later load, and a timing model that follows the source is wrong.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

# Loads and waits in the order of the code, and PTX of the first load with the wait.
nc='ld.global.nc.u32 %r1, [%d1];' plain='ld.global.u32 %r1, [%d1];'
vector='ld.global.nc.v4.u32 {%r4, %r5, %r6, %r7}, [%d1]; add.u32 %r1, %r4, %r7;'
cat >rows <<END_ROWS
ACQBULK LDG.E.CONSTANT LDG.E |$nc griddepcontrol.wait;
LDG.E ACQBULK LDG.E |$plain griddepcontrol.wait;
ACQBULK LDG.E.CONSTANT LDG.E.CONSTANT LDG.E |$vector griddepcontrol.wait;
BAR.SYNC LDG.E.CONSTANT LDG.E |$nc bar.sync 0;
LDG.E BAR.SYNC LDG.E |$plain bar.sync 0;
LDG.E.CONSTANT UCGABAR_WAIT BAR.SYNC LDG.E |$nc barrier.cluster.arrive; barrier.cluster.wait;
LDG.E.CONSTANT TRYWAIT LDG.E TRYWAIT |$nc L: mbarrier.try_wait.parity.shared.b64 %p1, [go], 0; @!%p1 bra L;
END_ROWS
good=0
for arch in 90 100 120; do
	{
		printf '.version 9.0\n.target sm_%s\n.address_size 64\n' $arch
		n=0
		while IFS='|' read -r _ body; do
			n=$((n + 1))
			cat <<-PTX
			.visible .entry k$n(.param .u64 p, .param .u64 q) {
			 .reg .b64 %d<3>; .reg .b32 %r<8>; .reg .pred %p<2>; .shared .align 8 .b64 go;
			 ld.param.u64 %d1, [p]; ld.param.u64 %d2, [q];
			 $body
			 ld.global.u32 %r2, [%d2]; add.u32 %r2, %r2, %r1; st.global.u32 [%d2], %r2;
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
			grep -oE 'LDG\.E(\.CONSTANT)?|ACQBULK|BAR\.SYNC|UCGABAR_WAIT|TRYWAIT' | tr '\n' ' ')
		echo "sm_$arch: $body"
		echo "    $seen"
		[ "$seen" = "$expected" ] || good=1
	done <rows
done
exit $good
