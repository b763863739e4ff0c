# SPDX-License-Identifier: Apache-2.0
# Reading the lists of changes; sourced by verif/mutation/operators and verif/mutation/lists.

# rows c|rtl|decode sample|all PATTERN: six words for each change picked, each ended by a NUL: number, kind ('-' must be
# noticed, '=' must not), file, options, from, to.
rows() {
	awk -v level="$2" -v pat="$3" '
		/^#/ || NF == 0 { next }
		$1 == "@" { file = $2; options = $3; for (i = 4; i <= NF; i++) options = options " " $i; next }
		$1 == "=" { kind = "="; next }
		{
			picked = sub(/^\* /, ""); at = index($0, "  ==>  ")
			if (!at) { print FILENAME ": no ==> in: " $0 > "/dev/stderr"; exit 2 }
			if ((level == "all" || picked) && (file " " $0) ~ pat)
				printf "%d%c%s%c%s%c%s%c%s%c%s%c", ++n, 0, kind ? kind : "-", 0, file, 0, options, 0,
					substr($0, 1, at - 1), 0, substr($0, at + 7), 0
			kind = ""
		}' "verif/mutation/$1.list"
}

# stands_once FILE TEXT: says what is wrong unless TEXT stands in exactly one place of FILE.
stands_once() {
	[ -r "$1" ] || { echo "STALE     $1: no such file, for: $2"; return 1; }
	case $(grep -oFe "$2" -- "$1" | wc -l) in
	1) ;;
	0) echo "STALE     $1: does not contain: $2"; return 1 ;;
	*) echo "STALE     $1: stands in several places: $2"; return 1 ;;
	esac
}
