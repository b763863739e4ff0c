# SPDX-License-Identifier: Apache-2.0
"""Table and plot of docs/performance.md, of what build/bench.json holds. matplotlib of build/venv draws. The quartiles
of a ratio to a peer stand in the plot alone: a line of the table has at most 120 characters."""
import json
import os
import subprocess
import sys

PAGE, PLOT = 'docs/performance.md', 'docs/pictures/performance.svg'
BEGIN, END = '<!-- figures: verif/bench --doc -->', '<!-- end of figures -->'
ROWS = (  # figure, words of the table, factor and unit there
    ('cmodel_warp_instr_per_s', 'C model, loop with one eighth shared atomics', 1e-6, 'M warp instructions/s'),
    ('real_corpus_per_s', 'C model, twenty real kernels, geometric mean', 1e-6, 'M warp instructions/s'),
    ('sm_75_cubin_warp_instr_per_s', 'C model, cubin code of sm_75', 1e-6, 'M warp instructions/s'),
    ('sm_90_cubin_warp_instr_per_s', 'C model, cubin code of sm_90', 1e-6, 'M warp instructions/s'),
    ('real_race_per_s', 'C model with the race checker, the same kernels', 1e-6, 'M warp instructions/s'),
    ('decode_words_per_s', 'decoder', 1e-6, 'M words/s'),
    ('print_words_per_s', 'printer', 1e-6, 'M words/s'),
    ('lockstep_conflict_free_checked_per_s', 'lockstep, 32 lanes, no conflicts', 1e-3, 'k checked warp instructions/s'),
    ('lockstep_mix_checked_per_s', 'lockstep, 32 lanes, mix of all units', 1e-3, 'k checked warp instructions/s'),
    ('lockstep_block_reduce_per_s', 'lockstep, reduction', 1e-3, 'k checked instructions/s'),
    ('lockstep_specialised_executed_per_s', 'lockstep, bulk copies', 1e-3, 'k instructions/s'),
    ('wlcc_100_s', '`wlcc`, kernel of 100 lines', 1e3, 'ms'),
    ('wlcc_many10k_s', '`wlcc`, 140 kernels, 10,000 lines together', 1e3, 'ms'),
    ('wlcc_10k_s', '`wlcc`, one kernel of 10,000 lines', 1e3, 'ms'),
    ('object_list_ms', 'cubin of 1 MB, all kernels loaded', 1, 'ms'),
)
DRAW = '''
import json, sys
import matplotlib
matplotlib.use('svg')
matplotlib.rcParams.update({'svg.hashsalt': 'warplock', 'svg.fonttype': 'none', 'font.family': 'sans-serif', 'font.size': 9})
from matplotlib import pyplot
rows, path = json.load(sys.stdin), sys.argv[1]
figure, axes = pyplot.subplots(figsize=(8, 0.32 * len(rows) + 1.2))
for kind, colour, mark in (('against', '#4477aa', 'o'), ('peer', '#cc6677', 's')):
    of = [(len(rows) - n, r[kind]) for n, r in enumerate(rows) if 'ratio' in r.get(kind, {})]
    if of:
        names = ', '.join(dict.fromkeys(w['of'] for _, w in of))
        axes.errorbar([w['ratio'] for _, w in of], [y for y, _ in of], fmt=mark, color=colour, capsize=3, markersize=5,
                      xerr=[[w['ratio'] - w['low'] for _, w in of], [w['high'] - w['ratio'] for _, w in of]], label='of ' + names)
axes.set_xscale('log')
axes.xaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter('%g'))
axes.set_yticks([len(rows) - n for n in range(len(rows))], [r['words'].replace('`', '') for r in rows])
axes.axvline(1, color='black', linewidth=0.8)
axes.grid(axis='x', color='#dddddd', which='both')
axes.set_xlabel('times better: median of pairs, quartiles as bars')
if axes.get_legend_handles_labels()[0]:
    axes.legend(loc='best')
figure.tight_layout()
figure.savefig(path, metadata={'Date': None})
'''


def cell(of, places):
    if 'ratio' not in of:
        return ''
    spread = ' (%.*f to %.*f)' % (places, of['low'], places, of['high']) if of['pairs'] > 1 else ''
    return '%.*f%s' % (places, of['ratio'], spread)


def table(kept):
    rows = [(kept[name], words, factor, unit) for name, words, factor, unit in ROWS if name in kept]
    revisions = {f['against']['of'] for f, _, _, _ in rows if 'against' in f}
    lines = ['| figure | value | times better than %s | than its peer | rounds | `verif/bench` |' % (', '.join(sorted(revisions)) or 'another build'),
             '|---|---|---|---|---|---|']
    for f, words, factor, unit in rows:
        peer = f.get('peer', {})
        lines.append('| %s | %.3g %s | %s | %s | %d | `%s` |' % (
            words, f['value'] * factor, unit, cell(f.get('against', {}), 2),
            '%.2f of %s' % (peer['ratio'], peer['of']) if 'ratio' in peer else '', f['rounds'], f['step']))
    return lines, rows


def write(kept, page=PAGE, plot=PLOT):
    lines, rows = table(kept)
    if not rows:
        print('verif/bench: build/bench.json has no figure of the table: make bench', file=sys.stderr)
        return 1
    with open(page) as f:
        head, found, rest = f.read().partition(BEGIN)
    if not found or END not in rest:
        print('verif/bench: %s has no place for the table' % page, file=sys.stderr)
        return 1
    with open(page, 'w') as f:
        f.write('%s%s\n%s\n%s%s' % (head, BEGIN, '\n'.join(lines), END, rest.partition(END)[2]))
    python = 'build/venv/bin/python3' if os.path.exists('build/venv/bin/python3') else sys.executable
    data = json.dumps([dict(f, words=words) for f, words, _, _ in rows])
    if subprocess.run([python, '-c', DRAW, plot], input=data, text=True, check=False).returncode:
        print('verif/bench: matplotlib did not draw (make setup installs matplotlib)', file=sys.stderr)
        return 1
    return 0
