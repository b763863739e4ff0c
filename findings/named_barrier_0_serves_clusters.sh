#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas and nvdisasm 13.5.37, sm_90 to sm_120. One would guess that barrier.cluster has hardware of its own, and that in a
# launch without a cluster both halves do nothing or wait for the CTA in a way that nobody sees. ptxas makes code for both
# launches: a constant of the driver chooses between UCGABAR_ARV with UCGABAR_WAIT and, without a cluster, named barrier 0.
# There the arrival has no code at all, not even the fence of a release, and the wait is BAR.SYNC 0 of the whole CTA. So a
# kernel that counts arrivals at named barrier 0 itself, with fewer threads than the CTA, cannot also use barrier.cluster
# when launched without a cluster. `ptxas -v` says "used 1 barriers" for a source that has no bar or barrier of a CTA. With
# .explicitcluster and .reqnctapercluster in the source no named barrier is used.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
bin=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin)

kernel() { # ARCH ATTRIBUTES: the barriers of the code, and how many named barriers ptxas counts
	cat >k.ptx <<-END
	.version 9.0
	.target sm_$1
	.address_size 64
	.visible .entry k(.param .u64 p) $2 {
	 .reg .b64 %d<2>; .reg .b32 %r<2>;
	 ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x;
	 barrier.cluster.arrive.aligned;
	 st.global.u32 [%d1], %r1;
	 barrier.cluster.wait.aligned;
	 ret; }
	END
	"$bin/ptxas" -v "-arch=sm_$1" -o k.cubin k.ptx >log 2>&1
	echo "$("$bin/nvdisasm" -c k.cubin | grep -oE 'MEMBAR[A-Z.]*|UCGABAR_[A-Z]*|BAR\.SYNC[A-Z_.]*' | tr '\n' ' ')$(grep -oE 'used [0-9]+ barriers' log)"
}
good=0
expect() { # ARCH ATTRIBUTES TEXT
	local seen; seen=$(kernel "$1" "$2")
	echo "sm_$1 ${2:-no attributes}: $seen"
	if [ "$seen" != "$3" ]; then good=1; fi
}
for arch in 90 100 120; do
	expect $arch '' 'MEMBAR.ALL.GPU UCGABAR_ARV UCGABAR_WAIT BAR.SYNC.DEFER_BLOCKING used 1 barriers'
	expect $arch '.explicitcluster .reqnctapercluster 2, 1, 1' 'MEMBAR.ALL.GPU UCGABAR_ARV UCGABAR_WAIT used 0 barriers'
done
exit $good
