# SPDX-License-Identifier: Apache-2.0
"""Figures of the compiler, in CPU time of one process; ptxas, where installed, compiles the same in turn."""
import json
import os

from figures import programs
from figures.measure import has_ptxas, process, run, step

PTX = 'verif/corpus/hist_shared.sm_75.ptx'
WLCC = 'build/bin/wlcc'


def compiled(r, name, ours, theirs=None):
    """CPU seconds and memory of a command of wlcc, beside ptxas."""
    if theirs and has_ptxas():
        (seconds, size), (peer, _) = r.turn(lambda: process(ours), lambda: process(theirs))
        r.put('wlcc_%s_s' % name, seconds, 's of CPU', ours, less=True, peer=('ptxas', peer))
    else:
        seconds, size = process(ours)
        r.put('wlcc_%s_s' % name, seconds, 's of CPU', ours, less=True)
    r.put('wlcc_%s_mb' % name, size, 'MB resident', ours, less=True)


def both(r, name, arch, path, peer=True):
    compiled(r, name, '%s -arch=%s -o build/bench.wlo %s' % (WLCC, arch, path),
             'ptxas -arch=%s -o build/bench.cubin %s' % (arch, path) if peer else None)


@step(WLCC)
def lines_100(r):
    both(r, '100', 'sm_75', PTX)


@step(WLCC)
def check(r):
    compiled(r, 'check', WLCC + ' --check-only -arch=sm_75 ' + PTX, 'ptxas -arch=sm_75 -o build/bench.cubin ' + PTX)


@step(WLCC)
def lines_10k(r):
    programs.many_kernels('build/bench_many10k.ptx', 140)
    both(r, 'many10k', 'sm_75', 'build/bench_many10k.ptx')


@step(WLCC)
def long_10k(r):
    programs.long_kernel('build/bench_long10k.ptx', 10000)
    both(r, '10k', 'sm_90', 'build/bench_long10k.ptx')


@step(WLCC)
def lines_100k(r):
    """Ten times the lines, of wlcc alone: ptxas takes minutes."""
    programs.many_kernels('build/bench_many100k.ptx', 1400)
    programs.long_kernel('build/bench_long.ptx', 100000)
    both(r, '100k', 'sm_90', 'build/bench_long.ptx', peer=False)
    both(r, 'many100k', 'sm_75', 'build/bench_many100k.ptx', peer=False)
    compiled(r, 'check_100k', WLCC + ' --check-only build/bench_long.ptx')


@step('build/test/bench_load', WLCC)
def objects(r):
    """A cubin of about 1 MB: opened, its last kernel loaded, all of them loaded."""
    programs.many_kernels('build/bench_many.ptx', 450)
    compiler = 'ptxas' if has_ptxas() else WLCC
    if not os.path.exists('build/bench_many.cubin'):
        run('%s -arch=sm_75 -o build/bench_many.cubin build/bench_many.ptx' % compiler)
    r.lines('build/test/bench_load build/bench_many.cubin', 'ms CPU, best of 15', 'object_', less=True)


@step(WLCC, once=True)
def code(r):
    """Geometric means of ours / ptxas's (recorded in the tree)."""
    command = 'verif/compiler/code_quality --json build/bench_code.json'
    run(command)
    with open('build/bench_code.json') as f:
        for name, value in zip(('executed', 'static', 'stalls', 'registers'), json.load(f)['all']):
            r.put('code_' + name, value, "of ptxas's", command, less=True)
