#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# FuseSoC 2.4.7. One would guess that a second core of the same vendor, library, name and version in one tree is an error, or
# that the first one stays. But FuseSoC takes the core that its walk finds last, with one line of warning and exit status 0.
# A folder with an older or changed copy of the sources (build outputs, a git worktree) therefore can replace the sources of
# a design without an error. A file FUSESOC_IGNORE in that folder, empty, keeps FuseSoC out.
# Seen: of copies in folders a, m and z, one is built with status 0 and two warnings; with FUSESOC_IGNORE in two folders the
# third one is built without a warning.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check "fusesoc==2.4.7" "edalize==0.6.8"
for folder in a m z; do
	mkdir -p "lib/$folder"
	echo "module leaf; localparam From = \"$folder\"; endmodule" >"lib/$folder/leaf.sv"
	printf 'CAPI=2:\nname: "example:finding:leaf:1.0"\nfilesets:\n  rtl:\n    files: [leaf.sv]\n    file_type: systemVerilogSource\n' >"lib/$folder/leaf.core"
	printf 'targets:\n  default:\n    filesets: [rtl]\n    default_tool: verilator\n    toplevel: leaf\n' >>"lib/$folder/leaf.core"
done
setup() { # prints the copy that is built, the warnings and the status
	rm -rf build
	local status=0
	venv/bin/fusesoc --cores-root lib run --build-root build --setup example:finding:leaf:1.0 >log 2>&1 || status=$?
	echo "$(grep -rhoE 'From = "."' build --include=leaf.sv) warnings $(grep -c 'Replacing example:finding:leaf' log || true) status $status"
}
three=$(setup)
touch lib/a/FUSESOC_IGNORE lib/z/FUSESOC_IGNORE
one=$(setup)
echo "three copies: $three"
echo "two of these with FUSESOC_IGNORE: $one"
[[ $three == 'From = "'?'" warnings 2 status 0' ]] && [ "$one" = 'From = "m" warnings 0 status 0' ]
