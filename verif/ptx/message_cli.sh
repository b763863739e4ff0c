#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wlcc --message-format from outside, and that variables with initial values, which no object holds yet, are refused by
# name instead of read as zeros. What is expected was written by hand.
set -u
cd "$(dirname "$0")/../.." || exit 2
wlcc=$PWD/build/bin/wlcc
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0; failed=0

# same NAME STATUS COMMAND...: that exit status, and just the text of standard input
same() {
	local name=$1 want=$2 got; shift 2
	cat >expected
	"$@" >out 2>&1; got=$?
	if [ "$got" = "$want" ] && diff expected out >why; then passed=$((passed + 1))
	else echo "$name: exit $got, expected $want"; cat why; failed=$((failed + 1)); fi
}

head=$'.version 7.8\n.target sm_75\n.address_size 64\n'
printf '%s.entry k()\n{\n\t.reg .b32 %%r<4>;\n\tadd.u32 %%r1, %%r2;\n\tredux.sync.add.s32 %%r1, %%r2, -1;\n}\n' "$head" >a.ptx
same human 1 "$wlcc" --check-only --message-format=human a.ptx <<'END'
a.ptx:7:2: error: Arguments mismatch for instruction 'add'
    7 |         add.u32 %r1, %r2;
      |         ^
note: found 2 operands, expected 3 operands
a.ptx:8:2: error: Feature 'redux' requires .target sm_80 or higher
    8 |         redux.sync.add.s32 %r1, %r2, -1;
      |         ^
note: needs .target sm_80 or newer
END
same json 1 "$wlcc" --check-only --message-format json a.ptx <<'END'
{"file": "a.ptx", "line": 7, "column": 2, "severity": "error", "text": "Arguments mismatch for instruction 'add'", "found": "2 operands", "expected": "3 operands", "hint": null}
{"file": "a.ptx", "line": 8, "column": 2, "severity": "error", "text": "Feature 'redux' requires .target sm_80 or higher", "found": null, "expected": null, "hint": "needs .target sm_80 or newer"}
END
for format in '' --message-format=ptxas; do
	# shellcheck disable=SC2086 # no option at all is meant
	same ptxas 1 "$wlcc" --check-only $format a.ptx <<'END'
a.ptx, line 7; error   : Arguments mismatch for instruction 'add'
a.ptx, line 8; error   : Feature 'redux' requires .target sm_80 or higher
END
done
same unknown 2 "$wlcc" --message-format=xml a.ptx <<'END'
wlcc: unknown message format 'xml', expected ptxas, human or json
try `wlcc --help`
END

sed 's/^\.version 7\.8/.version 9.4/; /add\|redux/d' a.ptx >new.ptx
same warning 0 "$wlcc" --check-only --message-format=human new.ptx <<'END'
new.ptx:1:10: warning: .version 9.4 is newer than 9.0 and is read as 9.0
    1 | .version 9.4
      |          ^
END

# refused NAME WORD: b.ptx is no object, and a message holds the word
refused() {
	if "$wlcc" -o b.wlo b.ptx >out 2>&1 || [ -e b.wlo ]; then echo "$1: compiled"; failed=$((failed + 1))
	elif grep -q "error .*$2" out; then passed=$((passed + 1))
	else echo "$1: no '$2' in:"; cat out; failed=$((failed + 1)); fi
}
kernel() { printf '%s%s\n.entry k()\n{\n.reg .b32 %%r<3>; .reg .b64 %%d<3>;\n%s\nret;\n}\n' "$head" "$1" "$2" >b.ptx; }
kernel '.global .u32 weights[2] = {1, 2};' 'ld.global.u32 %r1, [weights+4];'; refused global-load weights
kernel '.global .u32 weights[2] = {1, 2};' 'mov.u64 %d1, weights;'; refused global-address weights
kernel '.const .u32 steps[2] = {3, 4};' 'mov.u64 %d1, steps;'; refused const-address steps
kernel '.const .u32 steps[2] = {3, 4};' 'ld.const.u32 %r1, [steps];'; refused const-load 'steps\|ld\.const'
kernel '.shared .u32 table[2] = {3, 4};' 'ld.shared.u32 %r1, [table];'; refused shared table

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
