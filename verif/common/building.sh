# SPDX-License-Identifier: Apache-2.0
# For scripts that build something for more than a moment, to be read by bash:
#
#   building WHAT OUT        from here on, once a second, one line on a terminal: what is built, how far, how long still
#   waited COMMAND...        the command, which ends when this script is ended
#
# OUT is what verif/verilate makes, its parts in OUT.parts. The time comes from the last build of the same name. Nothing is
# written where standard error is no terminal, and with WL_QUIET=1. Whatever way the script ends, the trap that `building`
# sets leaves no process, and no file named OUT*.
building_step() { # OUT
	local made=("$1".parts/*.o)
	if [ -e "$1.parts/cycle.cc" ]; then
		[ -e "${made[0]}" ] || made=()
		echo "C++, ${#made[@]} of 2 objects"
	else echo 'reading the RTL'; fi
}

building_line() { # WHAT OUT LAST
	local began=$SECONDS left
	while sleep 1; do
		left=
		[ -z "$3" ] || left=", about $(($3 > SECONDS - began ? $3 - SECONDS + began : 1)) s still"
		printf '\r%s: %s, %d s%s\033[K' "$1" "$(building_step "$2")" $((SECONDS - began)) "$left" >&2
	done
}

building_end() {
	local status=$?
	set +e
	trap '' TERM INT HUP
	[ -z "$building_job" ] || kill -TERM -- "-$building_job" 2>/dev/null
	if [ -n "$building_ticker" ]; then
		kill "$building_ticker"
		wait "$building_ticker" 2>/dev/null
		printf '\r\033[K' >&2
	fi
	rm -rf "$building_out" "$building_out".*
	[ $status != 0 ] || echo $((SECONDS - building_began)) >"$building_took"
	exit $status
}

building() { # WHAT OUT
	building_out=$2 building_began=$SECONDS building_took=$(dirname "$2")/.took-$(basename "$2" | sed 's/-[0-9a-f]\{12\}\..*//') building_ticker='' building_job=
	trap building_end EXIT
	trap 'exit 143' TERM
	trap 'exit 130' INT
	trap 'exit 129' HUP
	if [ -t 2 ] && [ -z "${WL_QUIET:-}" ]; then
		building_line "$1" "$2" "$(cat "$building_took" 2>/dev/null || true)" &
		building_ticker=$!
	fi
}

# The command leads a process group of its own, which ends as a whole.
waited() {
	set -m
	"$@" &
	building_job=$!
	set +m
	local status=0
	wait "$building_job" || status=$?
	building_job=
	return $status
}
