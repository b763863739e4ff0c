# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Where the files of the RTL lie, for scripts: rtl/FOLDER/NAME, one folder a unit. rtl/gen/sources.py is the twin for Python.
# A flat copy of the sources (a folder with all files beside each other) is read in the same way.

rtl_files() { # ENDING [FOLDER]: files with that ending, in the order of their names
	local folder=${2:-rtl} file
	for file in "$folder"/*."$1" "$folder"/*/*."$1"; do [ ! -e "$file" ] || printf '%s %s\n' "${file##*/}" "$file"; done |
		LC_ALL=C sort | cut -d' ' -f2-
}

rtl_includes() { # [FOLDER]: an option -I for every folder that holds a header
	rtl_files vh "${1:-rtl}" | sed 's,^,-I,; s,/[^/]*$,,' | sort -u
}

rtl_path() { # BLOCK [FOLDER]: the file of a block
	local file
	for file in "${2:-rtl}/$1.sv" "${2:-rtl}"/*/"$1.sv"; do [ ! -e "$file" ] || { echo "$file"; return; }; done
	echo "there is no block $1 in ${2:-rtl}" >&2
	return 1
}

rtl_flat() { # FOLDER: a flat copy
	local file
	mkdir -p "$1"
	for file in $(rtl_files sv) $(rtl_files vh); do cp "$file" "$1"; done
}
