#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_80, sm_86, sm_89 and sm_90. PTX has one mbarrier for all of them, and sm_90 has instructions of one
# unit for every operation (SYNCS). One would guess the same, or an older form of that unit, on the chips before. There the
# mbarrier is two plain words of shared memory. mbarrier.init is an ordinary store, STS.64. test_wait is an ordinary
# load, LDS, of the upper word and a test of bit 31. inval has no code. An arrival is the only operation with an instruction of
# its own, ATOMS.ARRIVE.64, behind a MEMBAR that sm_90 does not need. arrive_drop is two atomics: an increment of the lower
# word, then the arrival; in the other order the phase could end with the old count. pending_count of a state takes 31
# bits on these chips and 20 bits, in another place, on sm_90.
# So a model or a tool that knows an mbarrier by its instructions sees no init and no wait in code for Ampere and Ada, and a
# state that one chip has written means nothing on another.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)
# NAME|PTX|CODE before sm_90|CODE of sm_90: accesses of shared memory, fences and words of the unit
cat >rows <<'END_ROWS'
init|mbarrier.init.shared.b64 [s], 4;|STS.64|SYNCS.EXCH.64
arrive|mbarrier.arrive.shared.b64 %d2, [s];|MEMBAR.ALL.CTA ATOMS.ARRIVE.64|SYNCS.ARRIVE.TRANS64.A1T0
drop|mbarrier.arrive_drop.shared.b64 %d2, [s];|MEMBAR.ALL.CTA ATOMS.POPC.INC.32 ATOMS.ARRIVE.64|SYNCS.ARRIVE.TRANS64.OPTOUT.A1T0
test|mbarrier.test_wait.parity.shared.b64 %p1, [s], %r1; selp.u64 %d2, 1, 2, %p1;|LDS|SYNCS.PHASECHK.TRANS64
inval|mbarrier.inval.shared.b64 [s];||SYNCS.CCTL.IV
pending|mbarrier.pending_count.b64 %r1, %d2; cvt.u64.u32 %d2, %r1;|mask 0x7fffffff|mask 0xfffff
END_ROWS
good=0
for arch in 80 86 89 90; do
	{
		printf '.version 8.0\n.target sm_%s\n.address_size 64\n' $arch
		while IFS='|' read -r name body _; do
			cat <<-PTX
			.visible .entry $name(.param .u64 p, .param .u64 state, .param .u32 parity) {
			 .reg .b64 %d<3>; .reg .b32 %r<2>; .reg .pred %p<2>; .shared .align 8 .b64 s;
			 ld.param.u64 %d1, [p]; ld.param.u64 %d2, [state]; ld.param.u32 %r1, [parity];
			 $body
			 st.global.u64 [%d1], %d2; ret; }
			PTX
		done <rows
	} >k.ptx
	"$bin/ptxas" "-arch=sm_$arch" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin >code
	while IFS='|' read -r name _ before since; do
		wanted=$before
		[ $arch -lt 90 ] || wanted=$since
		awk -v name=".text.$name:" '/^\.text\./ {on = $0 == name} on' code >part
		if [ "$name" = pending ]; then
			seen=$(sed -n 's/.*LOP3\.LUT.* \(0xf*\|0x7f*\), .*/mask \1/p' part)
		else
			seen=$(grep -oE '\b(STS|LDS|ATOMS|SYNCS|MEMBAR)[A-Z0-9.]*' part | tr '\n' ' ' | sed 's/ $//' || true)
		fi
		echo "sm_$arch $name: ${seen:-nothing}"
		[ "$seen" = "$wanted" ] || good=1
	done <rows
done
exit $good
