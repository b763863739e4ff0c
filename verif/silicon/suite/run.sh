#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds every program, runs every section under a time limit, dumps and summarises SASS, packs the results.
# usage: run.sh OUTDIR [TOTAL_SECONDS]      (at most 8 files land in OUTDIR)
# env: BUILD (where binaries go), RAW (uncompressed results), NVCC, LITMUS_REPEATS
HERE=$(cd "$(dirname "$0")" && pwd)
OUT=${1:?output folder}; LIMIT=${2:-560}
mkdir -p "$OUT"; OUT=$(cd "$OUT" && pwd)
WORK=$(mktemp -d)
BUILD=${BUILD:-$WORK/build}; RAW=${RAW:-$WORK/raw}; NVCC=${NVCC:-nvcc}
mkdir -p "$BUILD" "$RAW"
LOG=$OUT/run_log.txt
T0=$(date +%s)
el() { echo $(( $(date +%s) - T0 )); }
say() { echo "[$(el)s] $*" | tee -a "$LOG"; }
: > "$LOG"
say "start; $($NVCC --version | tail -2 | head -1)"
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,temperature.gpu --format=csv 2>&1 | tee -a "$LOG"

timeout 240 make -C "$HERE" -k -j "$(nproc)" B="$BUILD" NVCC="$NVCC" >"$RAW/build.log" 2>&1; say "build rc=$?"
tail -3 "$RAW/build.log" | tee -a "$LOG"

# SASS in the background: it needs only processor time
sass() {
  mkdir -p "$RAW/sass"
  for p in semantics warp_ops mbarrier barriers atoms_cycles litmus questions; do
    [ -x "$BUILD/$p" ] && timeout 150 cuobjdump --dump-sass "$BUILD/$p" >"$RAW/sass/$p.sass" 2>"$RAW/sass/$p.err"
    [ -s "$RAW/sass/$p.sass" ] && awk -v P="$p" '
      /Function :/ { if (f != "") flush_(); f = $3; delete n; next }
      match($0, /^ +\/\*[0-9a-f]+\*\/ +/) { s = substr($0, RSTART + RLENGTH); sub(/^@!?U?P[0-9T]+ +/, "", s); split(s, w, /[ ;]/); o = w[1];
        if (o ~ /^(ATOM|RED|SYNCS|BAR|UCGABAR|CGABAR|VOTE|MATCH|SHFL|REDUX|CREDUX|ELECT|WARPSYNC|BSYNC|MEMBAR|FENCE|CCTL|ERRBAR|LDS|STS|LDG|STG|LD\.|ST\.|UBLKCP|UBLKRED|LDGSTS|ARRIVES|LDGDEPBAR|NANOSLEEP|B2R|R2B|DEPBAR|POPC|HADD2|HFMA2|FADD|DADD|QSPC|MAPA|PRMT|UREDGR|STAS|REDAS)/) n[o]++ }
      function flush_(  k, t) { t = ""; for (k in n) t = t " " k ":" n[k]; print P "\t" f "\t" t }
      END { if (f != "") flush_() }' "$RAW/sass/$p.sass" >>"$RAW/sass/summary.tsv"
  done
  command -v cu++filt >/dev/null && cu++filt <"$RAW/sass/summary.tsv" >"$RAW/sass/summary_demangled.tsv" 2>/dev/null || { command -v c++filt >/dev/null && c++filt <"$RAW/sass/summary.tsv" >"$RAW/sass/summary_demangled.tsv"; }
}
sass & SASS=$!

step() {   # step SECONDS program section...
  local lim=$1 p=$2; shift 2
  local left=$(( LIMIT - $(el) - 25 ))
  if [ $left -lt 5 ]; then say "SKIP $p $* (out of time)"; return; fi
  [ $lim -gt $left ] && lim=$left
  if [ ! -x "$BUILD/$p" ]; then say "MISSING $p"; return; fi
  mkdir -p "$RAW/$p"
  timeout -k 5 $lim "$BUILD/$p" "$RAW/$p" "$@" >>"$RAW/$p/stdout.txt" 2>&1
  local rc=$?
  say "$p $* rc=$rc"
  [ $rc -ne 0 ] && tail -2 "$RAW/$p/stdout.txt" | tee -a "$LOG"
}
pack() {   # pack name folder
  [ -d "$RAW/$2" ] || return
  rm -f "$OUT/$1".tar.*
  if command -v xz >/dev/null; then tar -C "$RAW" -cf - "$2" | xz -T0 -6 >"$OUT/$1.tar.xz"; else tar -C "$RAW" -czf "$OUT/$1.tar.gz" "$2"; fi
}

# most valuable first; packed as they finish so that a cut run still leaves files
step 40 semantics scalar; step 25 semantics vector; step 20 semantics order; step 25 semantics async; pack semantics semantics
step 20 warp_ops base; step 20 warp_ops split; pack warp_ops warp_ops
step 120 mbarrier all; pack mbarrier mbarrier
for s in red latency groups multi warp pc cluster ping red_diverged; do step 20 barriers $s; done; pack barriers barriers
step 30 atoms_cycles base; step 100 atoms_cycles shared; step 30 atoms_cycles coll; step 30 atoms_cycles mbar
step 60 atoms_cycles loops; step 60 atoms_cycles global; step 60 atoms_cycles cluster; step 30 atoms_cycles vector; pack atoms_cycles atoms_cycles
step 120 litmus "${LITMUS_REPEATS:-4}"; pack litmus litmus
step 70 questions; step 100 extra; mkdir -p "$RAW/sass"; cp "$RAW"/questions/questions.tsv "$RAW"/extra/extra.tsv "$RAW/sass/" 2>/dev/null
nvidia-smi --query-gpu=clocks.sm,clocks.mem,temperature.gpu --format=csv,noheader 2>&1 | tee -a "$LOG"
for i in $(seq 1 60); do kill -0 $SASS 2>/dev/null || break; [ $(el) -ge $(( LIMIT - 15 )) ] && break; sleep 1; done
cp "$RAW/build.log" "$RAW/sass/" 2>/dev/null
pack sass sass
say "files:"; ls -l "$OUT" | tee -a "$LOG"
for f in "$OUT"/*; do [ "$(stat -c %s "$f")" -gt 16000000 ] && say "TOO BIG: $(basename "$f")"; done
say "done"
