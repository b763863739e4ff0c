#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas 13.0.88 and 13.5.37, nvdisasm 13.5.37, sm_80 to sm_120. All threads of a CTA take a lock in turn (exchange in a loop), add
# to a word, give the lock back by a release store, and meet at bar.sync 0. In front of a barrier ptxas puts WARPSYNC for
# the lanes of the warp. One would guess that this wait stays behind the release store: a lane that holds the lock would
# otherwise wait for lanes that wait for the lock. On sm_80 WARPSYNC stands behind the store. On sm_90 it stands in front,
# inside the critical section, and so the code can stop where the source cannot. barrier.sync 0 gives the same words;
# with bar.warp.sync in place of the barrier, the wait stands behind the store.
# Independent thread scheduling, which the source relies on, therefore ends at a barrier behind the lock.
set -euo pipefail
OLD_VERSION=13.0.88 NEW_VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
for v in "$OLD_VERSION" "$NEW_VERSION"; do
	python3 -m venv "venv-$v"
	"venv-$v/bin/pip" -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$v" "nvidia-cuda-nvdisasm==$NEW_VERSION"
done

order() { # VERSION ARCH MEETING: the words that wait, fence, store and meet, behind the loop of the lock
	local bin; bin=$(echo "venv-$1"/lib/python3*/site-packages/nvidia/cu13/bin)
	cat >k.ptx <<-END
	.version 9.0
	.target $2
	.address_size 64
	.shared .align 4 .b32 lock;
	.shared .align 4 .b32 sum;
	.visible .entry k(.param .u64 out) {
	 .reg .b64 %rd<2>; .reg .b32 %r<6>; .reg .pred %p;
	 ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd1, %rd1; mov.u32 %r1, %tid.x; mov.u32 %r4, 0;
	TAKE: atom.acquire.cta.shared.exch.b32 %r0, [lock], 1; setp.ne.u32 %p, %r0, 0; @%p bra TAKE;
	 ld.shared.u32 %r2, [sum]; add.u32 %r2, %r2, %r1; st.shared.u32 [sum], %r2;
	 st.release.cta.shared.u32 [lock], %r4;
	 $3 ld.shared.u32 %r3, [sum]; st.global.u32 [%rd1], %r3; ret; }
	END
	"$bin/ptxas" -arch="$2" -o k.cubin k.ptx
	"$bin/nvdisasm" -c k.cubin | grep -o 'BSYNC\|WARPSYNC\|MEMBAR\|STS\|BAR.SYNC' | awk 'behind; /^BSYNC$/ { behind = 1 }' | tr '\n' ' '
}
good=0
expect() { # VERSION ARCH MEETING ORDER
	local seen; seen=$(order "$1" "$2" "$3")
	echo "ptxas $1, $2, $3 $seen"
	[ "$seen" = "$4 " ] && good=$((good + 1))
	return 0
}
for v in "$OLD_VERSION" "$NEW_VERSION"; do
	expect "$v" sm_80 'bar.sync 0;' "MEMBAR STS WARPSYNC BAR.SYNC"
	expect "$v" sm_90 'bar.sync 0;' "WARPSYNC MEMBAR STS BAR.SYNC"
	expect "$v" sm_90 'barrier.sync 0;' "WARPSYNC MEMBAR STS BAR.SYNC"
	expect "$v" sm_90 'bar.warp.sync 0xffffffff;' "MEMBAR STS WARPSYNC"
	expect "$v" sm_100 'bar.sync 0;' "WARPSYNC MEMBAR STS BAR.SYNC"
	expect "$v" sm_120 'bar.sync 0;' "WARPSYNC MEMBAR STS BAR.SYNC"
done
[ "$good" = 12 ]
