# SPDX-License-Identifier: Apache-2.0
"""Levels of verif/farm beside verify and full: mutants, fuzz, explore. Each is a list of checks in the format of
verif/run_checks, and a list of costs beside the list. Shards, results and restarts are those of all checks.

Names end in numbers of equal length, so that the order of names is the order of numbers."""
import glob
import json
import os
import re
import shlex
import subprocess
import time

CHANGES = 100            # of a check of mutants, at most
CHANGE_COST, MODEL_COST = 5, 300     # CPU seconds, about: they divide the work, and judge nothing
SWEEP = 16               # seeds of a kernel in one check
PROGRAMS = 40            # of a check of verif/explore/brute
LONG = 6 * 3600          # seconds that a check of mutants or of exploration may take
LEVELS = ('mutants', 'fuzz', 'explore')
CORPUS = 'verif/corpus'


def mutant_rows():
    """(unit, row, changes) of each row of netlist.list."""
    listed = subprocess.run(['verif/mutation/mutants', 'rows'], capture_output=True, text=True, check=True).stdout
    return [(unit, row, int(count)) for unit, row, count in (line.split() for line in listed.splitlines())]


def mutant_units():
    return sorted({unit for unit, _, _ in mutant_rows()})


class List:
    """Checks and costs of a level."""

    def __init__(self):
        self.checks, self.costs, self.head = [], [], ''

    def add(self, name, limit, command, cost, models=()):
        name = re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')
        self.checks.append('full %s %ds %s' % (name, limit, command))
        self.costs.append(' '.join(['check %s %.1f' % (name, cost), *models]))

    def write(self, folder):
        """(path of the list, path of the costs)"""
        paths = [os.path.join(folder, name) for name in ('list', 'costs')]
        for path, lines in zip(paths, (self.checks, self.costs)):
            with open(path, 'w') as f:
                f.write('\n'.join(lines) + '\n')
        return paths


def mutants(o):
    """Parts of the changes of each row. The netlist of a row is built once, in front of its parts."""
    out = List()
    for unit, row, count in mutant_rows():
        if o.unit not in ('all', unit):
            continue
        parts = -(-count // CHANGES)
        model = 'mutation/mutants,%s/%s,all,--prepare' % (unit, row)
        out.costs.append('model %s %d' % (model, MODEL_COST))
        for k in range(1, parts + 1):
            out.add('mutants-%s-%s-%03d' % (unit, row, k), LONG, 'JOBS=1 verif/mutation/mutants %s/%s all --part %d/%d' % (unit, row, k, parts),
                    count / parts * CHANGE_COST, [model])
    return out


def fuzz(o):
    """The three fuzzers of make fuzz for each shard, with seeds that no other shard has."""
    out, base = List(), o.seed or int(time.strftime('%Y%m%d'))
    out.head = 'seeds of %d; repeat: make farm LEVEL=fuzz SHARDS=%d SECONDS=%d SEED=%d' % (base, o.shards, o.seconds, base)
    for k in range(1, o.shards + 1):
        first = (base * 1000 + k) * 10**6           # programs have one seed each; a fuzzer makes fewer than a million
        keep = lambda by: '%s/%s-%04d' % (shlex.quote(o.folder), by, k)
        for name, command in (
                ('parser', 'verif/ptx/run_fuzz %d %d' % (o.seconds, (base * 1000 + k) % (2**32 - 1) + 1)),
                ('warps', 'build/test/warps_fuzz --seconds %d --seed %d --keep %s' % (o.seconds, first, keep('warps'))),
                ('cuda', 'verif/fuzz/cuda_fuzz --seconds %d --seed %d --keep %s' % (o.seconds, first, keep('cuda')))):
            out.add('fuzz-%s-%04d' % (name, k), 2 * o.seconds + 1800, command, o.seconds)
    return out


def kernels():
    """(launch file, architecture) of the kernels of the corpus that pass in every order of their warps."""
    for path in sorted(glob.glob(CORPUS + '/*.json')):
        with open(path) as f:
            launch = json.load(f)
        if launch['expect'] == 'pass':
            yield path, 'sm_90' if 'sm_90' in launch['ptx'] else sorted(launch['ptx'])[0]


def explore(o):
    """Random programs against brute force, kernels with known bugs, and each kernel of the corpus at many seeds."""
    out, base = List(), o.seed or 1
    out.head = 'seeds %d to %d; repeat: make farm LEVEL=explore SHARDS=%d SEEDS=%d SEED=%d' % (base, base + o.seeds - 1, o.shards, o.seeds, base)
    out.add('explore-known', LONG, 'verif/explore/known', 60)
    for seed in range(base, base + o.seeds):
        out.add('explore-brute-%09d' % seed, LONG, 'verif/explore/brute --programs %d --seed %d' % (PROGRAMS, seed), 5)
    for path, arch in kernels():
        for first in range(base, base + o.seeds, SWEEP):
            last = min(first + SWEEP, base + o.seeds) - 1
            out.add('explore-%s-%09d' % (os.path.basename(path)[:-5], first), LONG,
                    'build/bin/wlrun --launch %s --arch %s --seeds %d..%d' % (path, arch, first, last), last - first + 1)
    return out


def make(o):
    return {'mutants': mutants, 'fuzz': fuzz, 'explore': explore}[o.level](o)


def sum_of_mutants(unit):
    """Status of the whole unit, whatever process has run its changes: each has one result, few are explained."""
    units = mutant_units() if unit == 'all' else [unit]
    return max([subprocess.call(['verif/mutation/mutants', name, 'all', '--kept']) for name in units])
