#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Score `wlcc -arch=sm_XY -emit=sass in.ptx` against the lowering table.

  score_sass.py --wlcc PATH [--rows N] [--seed S] [--min PERCENT] [--family F,..] [--arch A,..] [--context C,..] [--balance] [--strict | --loose] FILE.tsv.gz

The tool under test prints, per kernel, a line `.entry NAME`, then one SASS instruction per line in nvdisasm's spelling (guard,
opcode.modifiers, operands; registers may be any).  Branch targets are `(NAME) with `NAME:` lines, or a byte address where
instruction k of the kernel is at 16*k.  Comments /* */ and a final `;` are ignored.
A row agrees when the ordered list of synchronisation mnemonics (opcode and modifiers, loops included) is the one in the table.
With --loose the convergence instructions (BSSY, BSYNC) are left out of the comparison; both figures are always printed.
Helpers whose place is the scheduler's business (S2R, FLO, POPC, R2UR, BMOV, LDC) count only with --strict.
Rows are drawn at random; --balance draws the same number from every family.  Modules hold up to 100 kernels; kernels that a
failed module leaves unanswered are tried again alone.
"""
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
import sasslib as S  # noqa: E402

ap = argparse.ArgumentParser()
ap.add_argument("--wlcc", required=True); ap.add_argument("--rows", type=int, default=4000)
ap.add_argument("--seed", type=int, default=1); ap.add_argument("--min", type=float, default=99.0)
ap.add_argument("--family"); ap.add_argument("--arch"); ap.add_argument("--context"); ap.add_argument("--balance", action="store_true")
ap.add_argument("--strict", action="store_true"); ap.add_argument("--loose", action="store_true"); ap.add_argument("--all-bad", action="store_true"); ap.add_argument("--jobs", type=int, default=2)
ap.add_argument("--also", default="", help="opcodes that count beside those of sasslib.py")
ap.add_argument("file")
a = ap.parse_args()
csv.field_size_limit(1 << 26)
BATCH = 100
S.CORE.update(a.also.split(","))
op = gzip.open if a.file.endswith(".gz") else open
with op(a.file, "rt") as fh:
    rows = [r for r in csv.DictReader(fh, delimiter="\t", quoting=csv.QUOTE_NONE) if "ILLEGAL" not in r["mnemonics"]]
for key, val in (("family", a.family), ("arch", a.arch), ("context", a.context)):
    if val:
        rows = [r for r in rows if r[key] in val.split(",")]
rnd = random.Random(a.seed)
rnd.shuffle(rows)
if a.balance:
    fam = collections.defaultdict(list)
    for r in rows:
        fam[r["family"]].append(r)
    rows, k = [], 0
    while len(rows) < a.rows and any(len(v) > k for v in fam.values()):
        rows += [v[k] for v in fam.values() if len(v) > k]
        k += 1
rows = rows[: a.rows]
tmp = tempfile.mkdtemp(prefix="slsc")
helper = re.compile(r"^(?:(?:S2R|S2UR|CS2R)\[.*\]|(?:FLO|UFLO|POPC|UPOPC|LDC|ULDC|LDCU|R2UR|BMOV)(?:\..*)?)$")


def tokens(s):
    t = s.replace("loop(", " loop( ").replace(")", " ) ").split()
    return t if a.strict else [x for x in t if not helper.match(x)]


def call(n, key, rs):
    """-> {index: tokens} for the kernels answered"""
    f = os.path.join(tmp, "m%s.ptx" % n)
    with open(f, "w") as fh:
        fh.write(S.module(key[0], key[1], [(r["decls"], r["instruction"], r["family"], r["context"]) for r in rs])[0])
    try:
        p = subprocess.run([a.wlcc, "-arch=" + key[1], "-emit=sass", f], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20 + len(rs))
        rc, out, err = p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        rc, out, err = 124, "", "timeout"
    os.unlink(f)
    got = {}
    if rc == 0:
        cur = None
        for l in out.splitlines():
            m = re.match(r"\s*\.entry\s+k(\d+)\s*$", l)
            if m:
                cur = got.setdefault(int(m.group(1)), [])
            elif cur is not None:
                cur.append(l)
    ans = {}
    for i, ls in got.items():
        if i < len(rs):
            try:
                ans[i] = tokens(S.analyse(S.parse_plain(ls))[0])
            except Exception as e:              # malformed output of the tool is a wrong answer, not a stop
                ans[i] = ["unreadable:" + str(e)[:60]]
    return ans, rc, (err.strip().split("\n") or [""])[0][:100]


def batch(x):
    n, key, rs = x
    ans, rc, err = call(n, key, rs)
    out = []
    for i, r in enumerate(rs):
        why = err
        if i not in ans and len(rs) > 1:
            one, rc1, why = call("%s_%d" % (n, i), key, [r])
            if 0 in one:
                ans[i] = one[0]
        out.append((r, ans.get(i), why))
    return out


groups = collections.defaultdict(list)
for r in rows:
    groups[r["ptx_version"], r["arch"]].append(r)
work = []
for key, rs in sorted(groups.items()):
    for i in range(0, len(rs), BATCH):
        work.append((len(work), key, rs[i:i + BATCH]))
def loose(t):
    return [x for x in t if not x.startswith(("BSSY", "BSYNC"))]


lax = 0
good, n, ga, na, bad, silent = collections.Counter(), collections.Counter(), collections.Counter(), collections.Counter(), [], 0
with ThreadPoolExecutor(a.jobs) as ex:
    for res in ex.map(batch, work):
        for r, ans, why in res:
            n[r["family"]] += 1
            na[r["arch"]] += 1
            want = tokens(r["mnemonics"])
            near = ans is not None and loose(ans) == loose(want)
            lax += near
            if (near if a.loose else ans == want):
                good[r["family"]] += 1
                ga[r["arch"]] += 1
            else:
                bad.append((r, ans, why))
                silent += ans is None
for f in sorted(n):
    print("%-14s %6d of %6d  %.2f %%" % (f, good[f], n[f], 100.0 * good[f] / n[f]))
print("by arch: " + ", ".join("%s %.2f %%" % (x, 100.0 * ga[x] / na[x]) for x in sorted(na)))
for r, ans, why in (bad if a.all_bad else bad[:10]):
    print("  %s %s %s\n      real %s\n      got  %s" % (r["arch"], r["context"], r["instruction"], " ".join(tokens(r["mnemonics"])) or "(nothing)",
                                                  ("no answer: " + why) if ans is None else " ".join(ans) or "(nothing)"))
t = 100.0 * sum(good.values()) / max(1, sum(n.values()))
print("without BSSY and BSYNC: %.2f %%" % (100.0 * lax / max(1, sum(n.values()))))
print("agreement %.2f %% of %d rows, %d without an answer" % (t, sum(n.values()), silent))
sys.exit(0 if n and t >= a.min else 1)
