#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Score `wlcc -emit=ptx` on LLVM IR (or C) made from rows of cicc-builtins.tsv.gz, against what cicc did with the same call.

  score_cicc.py --wlcc PATH [--rows N] [--seed S] [--min PCT] [--min-rows N] [--min-family PCT] [--family REGEX] [--arch sm_90,..]
           [--spelling ir|c] [--jobs N] [--failures FILE] [--show N] [--keep DIR] [--list] FILE.tsv.gz

Every row that has an IR form (rows_ir.py; described in README.md) is scored:
  ok rows       one function per row, many per module; the sequence of atomic, fence, barrier, warp and async lines must be equal in
                full (ptx_lines.py: modifiers, operand classes, immediates, address form), operands that plainly come from a
                parameter must come from the right one, and a result the row uses must be used; on every arch of the row
  warning rows  alone in a module; as above, and the message must carry the warning's key words
  rejected,     alone in a module, on one arch of the row; the tool must end with an exit status of 1..127 within 60 s and
  failed rows   say the key words, in at most 4,000 characters
Exit status 1 when the agreement is below --min, a family of 8 rows or more is below --min-family, or too few rows were scored."""
import argparse
import collections
import csv
import gzip
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ptx_lines as P
import rows_ir as R

ap = argparse.ArgumentParser()
ap.add_argument("--wlcc")
ap.add_argument("--rows", type=int, default=0)
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--min", type=float, default=99)
ap.add_argument("--min-rows", type=int, default=-1)
ap.add_argument("--min-family", type=float, default=0)
ap.add_argument("--family", default="")
ap.add_argument("--arch", default="")
ap.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1))
ap.add_argument("--batch", type=int, default=150)
ap.add_argument("--failures")
ap.add_argument("--show", type=int, default=12)
ap.add_argument("--keep")
ap.add_argument("--spelling", choices=["ir", "c"], default="ir", help="c: in.c files, for the rows whose names and types C can spell")
ap.add_argument("--list", action="store_true", help="coverage only, run nothing")
ap.add_argument("file")
a = ap.parse_args()
csv.field_size_limit(1 << 24)
rows = list(csv.DictReader((gzip.open if a.file.endswith(".gz") else open)(a.file, "rt"), delimiter="\t", quoting=csv.QUOTE_NONE))
specs, why = {}, collections.Counter()
for i, r in enumerate(rows):
    s = R.spec(r)
    if isinstance(s, str):
        why[s] += 1
        continue
    if s.mode != "error":
        w = P.Body(r["ptx"]).lines
        if not w and r["ptx"] != "(empty)":
            why["no atomic, fence, barrier or warp line in the row"] += 1
            continue
    specs[i] = s
if a.spelling == "c":
    for i in [i for i in specs if R.c_function(rows[i], specs[i], "f") is None]:
        why["name or type that C cannot spell (overloads, half, scoped enum, class) or a row of argument shape"] += 1
        del specs[i]
print("%d rows in the file, %d expressible as %s (%.1f %%)" % (len(rows), len(specs), "C" if a.spelling == "c" else "LLVM IR",
                                                              100.0 * len(specs) / max(1, len(rows))))
for k, n in why.most_common():
    print("  %5d not: %s" % (n, k))
rng = random.Random(a.seed)
pick = [i for i in sorted(specs) if re.search(a.family, specs[i].family)]
archs = [x for x in a.arch.split(",") if x]
on = {i: [x for x in rows[i]["arch"].split(",") if not archs or x in archs] for i in pick}
pick = [i for i in pick if on[i]]
if a.rows and a.rows < len(pick):
    pick = sorted(rng.sample(pick, a.rows))
min_rows = a.min_rows if a.min_rows >= 0 else min(a.rows or 5000, 5000 if a.spelling == "ir" else 3500)
if a.list:
    for k, n in sorted(collections.Counter(specs[i].family for i in pick).items()):
        print("  %5d  %s" % (n, k))
    sys.exit(0)
if not a.wlcc:
    ap.error("--wlcc is needed")
tmpd = tempfile.TemporaryDirectory()
tmp = a.keep or tmpd.name
os.makedirs(tmp, exist_ok=True)
bad = {}          # row -> (arch, text)


def run(tag, arch, idx, limit):
    src, dst = os.path.join(tmp, tag + (".c" if a.spelling == "c" else ".ll")), os.path.join(tmp, tag + ".ptx")
    items = [("fn%d" % i, i, specs[i]) for i in idx]
    with open(src, "w") as f:
        f.write(R.c_module(items, rows) if a.spelling == "c" else R.module(items))
    if os.path.exists(dst):
        os.unlink(dst)
    try:
        p = subprocess.run([a.wlcc, "-arch=" + arch, "-emit=ptx", src, "-o", dst], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           timeout=limit)
        rc, msg = p.returncode, p.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        rc, msg = -99, "no answer within %d s" % limit
    except OSError as e:
        sys.exit("cannot run %s: %s" % (a.wlcc, e))
    text = open(dst, errors="replace").read() if os.path.exists(dst) else ""
    if not a.keep:
        for x in (src, dst):
            if os.path.exists(x):
                os.unlink(x)
    return rc, msg, text


def flat(t):
    return re.sub(r"\s+", " ", re.sub(r"[\"'`‘’“”]", "", t)).lower()


def check(i, arch, fns):
    name = "fn%d" % i
    if name not in fns:
        return "no function %s in the output" % name
    want, got = P.Body(rows[i]["ptx"]).lines, P.Body(fns[name])
    if want != got.lines:
        return "want %s | got %s" % (" ; ".join(want) or "(nothing)", " ; ".join(got.lines) or "(nothing)")
    same = fns[name, "params"] == len(specs[i].params)     # no hidden result pointer
    m = got.misplaced(specs[i].roles) if same else None
    if m:
        return m
    k = None if "trap" in want or not same else got.not_stored(R.stored(specs[i]))
    if k is not None:
        return "nothing is stored through parameter %d" % k
    if specs[i].valued and want and "trap" not in want and not got.result_used():
        return "the result is not used"
    return None


def batch(tag, arch, idx):
    rc, msg, text = run(tag, arch, idx, 120)
    if rc or not text:
        if len(idx) > 1:
            h = len(idx) // 2
            batch(tag + "a", arch, idx[:h])
            batch(tag + "b", arch, idx[h:])
        else:
            bad[idx[0]] = (arch, "exit status %d: %s" % (rc, flat(msg)[:160]) if rc else "no PTX written")
        return
    fns = P.functions(text)
    for i in idx:
        e = check(i, arch, fns)
        if e:
            bad[i] = (arch, e)


def alone(tag, arch, i):
    rc, msg, text = run(tag, arch, [i], 60)
    sp, m = specs[i], flat(msg)
    if sp.mode == "error":
        if not 1 <= rc <= 127:
            bad[i] = (arch, "accepted, expected: %s" % sp.keys[0] if rc == 0 else "exit status %d" % rc)
        elif not all(flat(k) in m for k in sp.keys):
            bad[i] = (arch, "expected the words '%s', got: %s" % ("', '".join(sp.keys), m[:160]))
        elif len(msg) > 4000:
            bad[i] = (arch, "%d characters of message" % len(msg))
        return
    if rc or not text:
        bad[i] = (arch, "exit status %d: %s" % (rc, m[:160]))
        return
    e = check(i, arch, P.functions(text))
    if not e and not all(flat(k) in m for k in sp.keys):
        e = "no warning '%s'" % sp.keys[0]
    if e:
        bad[i] = (arch, e)


ex = ThreadPoolExecutor(a.jobs)
jobs = []
for i in pick:
    if specs[i].mode == "error":
        jobs.append((i, rng.choice(on[i])))
    elif specs[i].mode == "warn":
        jobs += [(i, rng.choice(on[i]))]
list(ex.map(lambda j: alone("r%d" % j[0], j[1], j[0]), jobs))
for arch in sorted({x for i in pick for x in on[i]}):
    groups = []                # modules in which every symbol has one type; text that ptxas refuses is kept apart
    for i in pick:
        if specs[i].mode != "text" or arch not in on[i] or i in bad:
            continue
        c, odd = R.conflicts(specs[i]), "ptxas:" in rows[i]["verdict"]
        for g in groups:
            if g[1] == odd and len(g[2]) < a.batch and all(g[0].get(k, d) == d for k, d in c.items()):
                break
        else:
            g = ({}, odd, [])
            groups.append(g)
        g[0].update(c)
        g[2].append(i)
    list(ex.map(lambda k: batch("%s_%d" % (arch, k), arch, groups[k][2]), range(len(groups))))
fam, ok = collections.Counter(), collections.Counter()
for i in pick:
    fam[specs[i].family] += 1
    ok[specs[i].family] += i not in bad
low = []
for k in sorted(fam):
    p = 100.0 * ok[k] / fam[k]
    print("  %5d of %5d  %6.2f %%  %s" % (ok[k], fam[k], p, k))
    if fam[k] >= 8 and p < a.min_family:
        low.append(k)
if a.failures:
    with open(a.failures, "w") as f:
        for i in sorted(bad):
            f.write("%d\t%s\t%s\t%s\t%s\n" % (i, bad[i][0], rows[i]["builtin"], rows[i]["type"], bad[i][1]))
shown = sorted(bad)
rng.shuffle(shown)
for i in sorted(shown[:a.show]):
    r = rows[i]
    print("  row %d %s %s type %s order %s scope %s space %s: %s" % (i, bad[i][0], r["builtin"], r["type"], r["order"], r["scope"],
                                                                   r["space"], bad[i][1]))
n, good = len(pick), len(pick) - len(bad)
pct = 100.0 * good / max(1, n)
print("scored %d of %d rows (%.1f %%), equal %d (%.2f %%)%s%s" % (
    n, len(rows), 100.0 * n / max(1, len(rows)), good, pct,
    "; below --min-family: " + ", ".join(low) if low else "", "; fewer than --min-rows %d" % min_rows if n < min_rows else ""))
sys.exit(0 if n and n >= min_rows and pct >= a.min and not low else 1)
