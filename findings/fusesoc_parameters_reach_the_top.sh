#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# FuseSoC 2.4.7. One would guess that a parameter which a core lists in its target `default` belongs to that core's own top:
# the description file binds a name to the module of the core. But FuseSoC merges the `default` targets of all dependencies
# into the design of the user. So the parameter of a dependency arrives at the user's top module, which has no parameter of
# that name, and simulators stop with an error about an unknown parameter. A core that others depend on must list
# parameters only in targets that others do not use, such as `lint` or `sim`.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check "fusesoc==2.4.7" "edalize==0.6.8"
mkdir lib
cat >lib/leaf.sv <<'END'
module leaf #(parameter int Depth = 4) (input logic [Depth-1:0] a_i, output logic b_o);
  assign b_o = ^a_i;
endmodule
END
cat >lib/top.sv <<'END'
module top (input logic [3:0] a_i, output logic b_o);
  leaf u (.a_i, .b_o);
endmodule
END
core() { # NAME DEPENDS TARGET-THAT-LISTS-THE-PARAMETER
	printf 'CAPI=2:\nname: "example:finding:%s"\nfilesets:\n  rtl:\n    files: [%s.sv]\n    file_type: systemVerilogSource\n%s' \
		"$1" "$1" "${2:+    depend: [\"$2\"]$'\n'}"
	if [ -n "$3" ]; then
		printf 'parameters:\n  Depth: {datatype: int, default: 4, paramtype: vlogparam}\n'
	fi
	printf 'targets:\n  default: &d\n    filesets: [rtl]\n%s' "$([ "$3" = default ] && echo '    parameters: [Depth]' || true)"
	printf '\n  lint:\n    <<: *d\n    default_tool: verilator\n    toplevel: %s\n%s\n' "$1" \
		"$([ "$3" = lint ] && echo '    parameters: [Depth]' || true)"
}
seen() { # TARGET-THAT-LISTS-THE-PARAMETER: parameters of the user's design
	core leaf '' "$1" >lib/leaf.core
	core top 'example:finding:leaf' '' >lib/top.core
	rm -rf build
	venv/bin/fusesoc --cores-root lib run --build-root build --setup --target=lint example:finding:top >log 2>&1 || { cat log; exit 1; }
	venv/bin/python - <<'END'
import glob, yaml
eda = yaml.safe_load(open(glob.glob("build/**/*.eda.yml", recursive=True)[0]))
print(eda["toplevel"], " ".join(sorted(eda["parameters"])) or "none")
END
}
in_default=$(seen default) in_lint=$(seen lint)
echo "the leaf lists Depth in its target default: parameters of the user's top: $in_default"
echo "the leaf lists Depth in its target lint:    parameters of the user's top: $in_lint"
[ "$in_default" = "top Depth" ] && [ "$in_lint" = "top none" ]
