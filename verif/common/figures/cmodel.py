# SPDX-License-Identifier: Apache-2.0
"""Figures of the C model: loops, cubins, real kernels, the race checker, the decoder. All of CPU time."""
import json

from figures.measure import run, step, words_of

SECONDS = '0.1'  # of each kernel in a round


def corpus(words):
    command = 'build/test/bench_corpus %s' % words
    return command, dict(words_of(run(command)))


@step('build/test/bench_cmodel')
def loop(r):
    command = 'build/test/bench_cmodel'
    for name, value in words_of(run(command)):
        if name.startswith('cmodel_'):
            r.put(name, value, 'of the loop without' if name.endswith('_ratio') else 'warp instructions / s', command)


@step('build/test/bench_cubin')
def cubins(r):
    for arch in ('sm_75', 'sm_90'):
        r.lines('build/test/bench_cubin verif/sm/bench_cubin.%s.cubin' % arch, 'warp instructions / s', arch + '_')


@step('build/test/bench_corpus', 'build/kernels/.made')
def real(r):
    """Ten kernels of the corpus and ten over CUDA's libraries, alone and with the race checker; corpus_per_s is a geometric mean."""
    names = 'verif/sm/bench_corpus.list'
    (command, alone), (race, watched) = r.turn(lambda: corpus('--seconds %s %s' % (SECONDS, names)),
                                               lambda: corpus('--race --seconds %s %s' % (SECONDS, names)))
    for name, value in alone.items():
        r.put('real_' + name, value, 'warp instructions / s', command)
    r.put('real_race_per_s', watched['corpus_per_s'], 'warp instructions / s', race)
    r.put('real_race_slowdown', float(alone['corpus_per_s']) / float(watched['corpus_per_s']), 'of the run alone', race, less=True)


@step('build/test/bench_corpus', once=True)
def shadow(r):
    """Memory of the race checker a byte of which accesses are known: kernels of the corpus with many CTAs and long buffers."""
    lines = []
    for name, factor in (('block_reduce_barred', 256), ('scan_shfl', 64), ('triton_softmax', 64)):
        with open('verif/corpus/%s.json' % name) as f:
            spec = json.load(f)
        spec.pop('checker', None)
        spec.update(grid=[factor * spec['grid'][0], 1, 1], ptx={})
        for arg in spec['args']:
            if arg['kind'] == 'buffer':
                arg.update(count=factor * arg['count'], expect=None)
        with open('build/bench_shadow_%s.json' % name, 'w') as f:
            json.dump(spec, f)
        lines.append('%s sm_75 bench_shadow_%s.json ../verif/corpus/%s.sm_75.ptx\n' % (name, name, name))
    with open('build/bench_shadow.list', 'w') as f:
        f.writelines(lines)
    command, found = corpus('--race --seconds 0 build/bench_shadow.list')
    r.put('real_race_shadow', found['shadow_per_byte'], 'bytes / byte known', command, less=True)


@step('build/test/bench_isa')
def isa(r):
    r.lines('build/test/bench_isa verif/isa/words.tsv', 'words / s')
