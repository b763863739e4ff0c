# SPDX-License-Identifier: Apache-2.0
"""Figures of lockstep, of RTL and C model together. Speeds are of CPU time; cycles are those of the RTL."""
import json
import os
import re

from figures.measure import run, speed_of, step, words_of

FREE = 'build/bin/wlcosim --random 30000 --mix conflict_free'
WARPS = 'warp instructions / s'


def of_report(command, unit='checked'):
    """Warp instructions of a kernel in lockstep, checked or executed, for each second of CPU time."""
    run(command + ' --report build/bench_report.json')
    with open('build/bench_report.json') as f:
        report = json.load(f)
    return sum(report[unit].values()) / report['cpu_seconds']


def beside_free(r, name, measure, command):
    """Warp instructions a second, beside those of a stream without conflicts."""
    speed, free = r.turn(measure, lambda: speed_of(FREE))
    r.put('lockstep_%s_per_s' % name, speed, WARPS, command, peer=('conflict_free', free))


def unit_lines(r, command, prefix, names, cycles, leave=None):
    for name, value in words_of(run(command)):
        if name.startswith(names) and not (leave and name.startswith(leave)):
            rate = name.endswith('_per_cycle')
            r.put(prefix + name, value, 'a cycle' if rate else cycles, command, less=not rate)


@step('build/bin/wlcosim')
def random(r):
    for name, command in (('conflict_free', FREE), ('mix', 'build/bin/wlcosim --random 10000 --mix all --arch sm_90 --seed 3')):
        r.put('lockstep_%s_checked_per_s' % name, speed_of(command), WARPS, command)


@step('build/bin/wlcosim', once=True)
def bench(r):
    for name, f in json.loads(run('build/bin/wlcosim --bench')).items():
        r.put(name, f['value'], f['unit'], f['command'], less=not name.endswith(('_per_s', '_inflight')))


@step('build/test/barrier_file_test', once=True)
def barrier_release(r):
    """Cycles from the last arrival to RELEASE."""
    for ports in (1, 4):
        model = run('verif/units/build_rtl barrier_file Ports=%d' % ports).split()[-1]
        command = 'build/test/barrier_file_test %s 1 0' % model
        for line in run(command).splitlines():
            word = line.split()
            if len(word) == 3 and ''.join(word).isdigit():
                r.put('barrier_release_%s_warps_%d_ports' % (word[0], ports), word[2], 'cycles after the last arrival', command, less=True)


@step('build/bin/wlcosim')
def barriers(r):
    """Kernels that do little but meet at barriers: in a model of the units that they use, as the stream without conflicts is; the
    block reduce also in the one of nearly all units, which wlcosim takes by itself."""
    corpus, reduce = 'verif/corpus/block_reduce_barred', 'build/bench_block_reduce.json'
    with open(corpus + '.json') as f:
        spec = json.load(f)
    spec.update(grid=[512, 1, 1], ptx={'sm_75': os.path.abspath(corpus + '.sm_75.ptx')})  # two CTAs there: so many that starting does not count
    for buffer in spec['args']:
        buffer.update(count=256 * buffer['count'], expect=None)
    spec.pop('checker', None) # it works out expected values, of which there are none
    with open(reduce, 'w') as f:
        json.dump(spec, f)
    for name, own, launch in (('barriers', 'WARPLOCK_OWN_UNITS=1 ', 'verif/kernels/barriers/rounds.json'),
                              ('block_reduce', 'WARPLOCK_OWN_UNITS=1 ', reduce), ('block_reduce_all_units', '', reduce)):
        command = own + 'build/bin/wlcosim --units barrier_file --launch ' + launch
        beside_free(r, name, lambda: of_report(command), command)


@step('build/test/mbarrier_engine_test', once=True)
def mbarriers(r):
    """From an arrival to the wake, operations a cycle, a warp's arrivals at one object."""
    model = run('verif/units/build_rtl sync_core --quick Lanes=32 Banks=32 Units=9 Arch=0 Suspend=64').split()[-1]
    unit_lines(r, 'build/test/mbarrier_engine_test %s 1 0' % model, '', 'mbar_', 'cycles, 32 lanes')


@step('build/test/bench_corpus', 'build/test/bench_cmodel')
def pipelines(r):
    """A warp-specialised pipeline (one producer of bulk copies, three consumer warps, four stages), and cp.async in stages by
    cuda::pipeline, on the C model."""
    command = 'build/test/bench_corpus verif/sm/bench_mbarrier.list'
    found, loop = r.turn(lambda: dict(words_of(run(command))), lambda: dict(words_of(run('build/test/bench_cmodel'))))
    for name, value in found.items():
        peer = ('cmodel_warp_instr_per_s', float(loop['cmodel_warp_instr_per_s'])) if name == 'specialised_per_s' else None
        r.put('mbar_' + name, value, WARPS, command, peer=peer)


@step('build/bin/wlcosim')
def specialised(r):
    """The first of these in lockstep, where most of its instructions are the front end's."""
    with open('verif/kernels/bulk/specialised.json') as f:
        spec = json.load(f)
    buffers = [dict(a, count=a['count'] * 16, expect=None) for a in spec['args']]
    with open('build/bench_specialised.json', 'w') as f:
        json.dump(dict(spec, grid=[48, 1, 1], args=buffers, ptx={}), f)
    command = ('build/bin/wlcosim --arch sm_90 --units mbarrier_engine,atom_unit --launch build/bench_specialised.json'
               ' verif/kernels/bulk/bulk.sm_90.cubin')
    beside_free(r, 'specialised_executed', lambda: of_report(command, 'executed'), command)
    r.put('lockstep_specialised_checked_per_s', of_report(command), WARPS, command)


@step('build/test/atom_unit_test', once=True)
def atomics(r):
    """Global atomics: lanes and sectors a cycle, compare-and-swap loops beside native atomics at the same conflict degree."""
    cycles = 'cycles, memory answers in 1'
    for combine, prefix, names in (('', '', 'atom_'), (' Combine=1', 'combined_', ('atom_same_word', 'atom_native'))):
        model = run('verif/units/build_rtl atom_unit Lanes=32' + combine).split()[-1]
        unit_lines(r, 'build/test/atom_unit_test %s 1 0' % model, prefix, names, cycles, leave='atom_far')
    model = run('verif/units/build_rtl atom_unit Lanes=32 Slots=16 Ids=256').split()[-1]
    unit_lines(r, 'build/test/atom_unit_test %s 1 0' % model, 'many_', ('atom_far',), 'cycles, memory answers in 200')


@step('build/bin/wlcosim')
def of_global(r):
    """Of global code, as many cycles a second as of shared memory without conflicts, where an instruction takes one.
    With 4 lanes a request is 8 beats long, and no more than 3 of shared memory are ever in flight: a run that allows more would fail."""
    for lanes, size, most in ((32, '', ''), (4, ' --lanes 4 --banks 8', ' --inflight 3')):
        command = 'build/bin/wlcosim --random 10000 --mix global --latency 10' + size
        speed, free = r.turn(lambda: run(command), lambda: speed_of(FREE + size + most, 'cycles'))
        of = {what: float(re.search(r'([0-9]+) %s/s' % what, speed)[1]) for what in ('instructions', 'cycles')}
        r.put('lockstep_global_checked_per_s_%d' % lanes, of['instructions'], WARPS, command)
        r.put('lockstep_global_cycles_per_s_%d' % lanes, of['cycles'], 'cycles / s', command, peer=('conflict_free', free))


def shared_add(code, degree, rounds):
    with open('verif/kernels/native/degree.json') as f:
        spec = json.load(f)
    spec['args'][0]['expect'] = None
    spec['args'][1]['value'], spec['args'][2]['value'] = 32 // degree, rounds
    with open('build/bench_degree.json', 'w') as f:
        json.dump(spec, f)
    command = 'build/bin/wlcosim --native --launch build/bench_degree.json --report build/bench_degree.report ' + code
    run(command)
    with open('build/bench_degree.report') as f:
        return json.load(f)['rtl_cycles'], command


@step('build/bin/wlcosim', 'build/bin/wlcc', once=True)
def native(r):
    """Shared floats: cycles of one atomic add of a warp by the lanes on each word, a loop of compare-and-swaps and ATOMSN, one model."""
    for name, option in (('loop', ''), ('native', '-mnative-shared ')):
        code = 'build/bench_degree_%s.wlo' % name
        run('build/bin/wlcc %s-o %s verif/kernels/native/degree.sm_75.ptx' % (option, code))
        for degree in (1, 2, 4, 8, 16, 32):
            (few, command), (many, _) = shared_add(code, degree, 100), shared_add(code, degree, 200)
            r.put('shared_add_f32_%s_degree_%d' % (name, degree), (many - few) / 100, 'cycles a warp instruction', command, less=True)


@step('build/bin/wlcosim')
def collectives(r):
    for lanes, size in ((32, ''), (4, ' --lanes 4 --banks 8')):
        command = 'build/bin/wlcosim --random 30000 --mix collective --arch sm_90' + size
        text = run(command)
        r.put('collectives_per_cycle_%d' % lanes, re.search(r'\(([0-9.]+) a cycle\)', text)[1], 'warp instructions / cycle', command)
        r.put('collectives_checked_per_s_%d' % lanes, re.search(r'speed +([0-9]+)', text)[1], WARPS, command)
