#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas 13.0.88 refuses `fence.proxy.tensormap::generic.acq_rel.gpu [a], 64`: PTX ISA has .acquire and .release alone, and
# a size of 128. One would guess that a newer assembler refuses it as well, or gates it by a newer .version. ptxas 13.5.37
# takes it in a module of .version 8.8, with the size 64, and the code has a memory barrier and nothing for the tensor map.
# So whether old code assembles depends on the assembler alone, and that it assembles says nothing.
set -euo pipefail
OLD_VERSION=13.0.88 NEW_VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
for v in "$OLD_VERSION" "$NEW_VERSION"; do
	python3 -m venv "venv-$v"
	"venv-$v/bin/pip" -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvcc==$v" "nvidia-cuda-nvdisasm==$NEW_VERSION"
done
cat >k.ptx <<'END'
.version 8.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
 .reg .b64 %rd<2>;
 ld.param.u64 %rd1, [p];
 fence.proxy.tensormap::generic.acq_rel.gpu [%rd1], 64;
 ret; }
END
old=0; "$(echo venv-$OLD_VERSION/lib/python3*/site-packages/nvidia/cu13/bin)/ptxas" -arch=sm_90 -o old.cubin k.ptx 2>old.text || old=$?
bin=$(echo venv-$NEW_VERSION/lib/python3*/site-packages/nvidia/cu13/bin)
new=0; "$bin/ptxas" -arch=sm_90 -o new.cubin k.ptx || new=$?
echo "ptxas $OLD_VERSION: exit $old: $(head -n 1 old.text)"
code=$("$bin/nvdisasm" -c new.cubin | grep -oE 'MEMBAR[^;]*|UTMA[^;]*|FENCE[^;]*|CCTL[^;]*' | tr '\n' ' ')
echo "ptxas $NEW_VERSION: exit $new: $code"
[ "$old" != 0 ] && [ "$new" = 0 ] && [[ $code == MEMBAR* ]] && [[ $code != *UTMA* ]] && [[ $code != *FENCE* ]]
