#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a trace of wlrun and a pipeline log of wlcosim as SVG: what Perfetto and Konata show of the same files.

  docs/pictures/insight_svg.py --write [trace] [konata]     makes docs/pictures/trace.svg, konata.svg
  docs/pictures/insight_svg.py --check [trace] [konata]     holds them against a new run

The kernel is letter_hist. The trace shows two CTAs, the log some rows around the first additions in shared memory.
konata needs a model of the RTL. --check prints 'N passed, N failed'."""
import json
import os
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, '../..'))
sys.path.insert(0, os.path.join(ROOT, 'verif', 'insight'))
import kanata  # noqa: E402

LAUNCH = ['--launch', 'verif/kernels/letter_hist.json']
CTAS, ROWS, WIDTH, STEP, HEIGHT = 2, 24, 900, 22, 16
COLOURS = {'cta': '#dde', 'run': '#7b7', 'wait': '#e96'}
STAGES = {'Pt': '#ccc', 'In': '#9cf', 'Ad': '#9fd', 'P': '#e96', 'Bk': '#fd9', 'Wt': '#e9c', 'Rs': '#bbf'}


def page(width, height, body):
    return '\n'.join(['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="monospace" '
                      'font-size="11">' % (width, height),
                      '<!-- made by docs/pictures/insight_svg.py -->',
                      '<style>.box{stroke:#555;stroke-width:.5}.arrow{stroke:#036;fill:none}</style>',
                      '<rect width="100%" height="100%" fill="white"/>', *body, '</svg>', ''])


def box(x, y, width, colour, text, tip):
    room = int(width / 6.7)
    shown = text if len(text) <= room else text[:room - 1] + '…' if room > 5 else ''
    out = '<rect class="box" x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"><title>%s</title></rect>' % (
        x, y, max(width, 1), HEIGHT, colour, escape(tip))
    return out + ('<text x="%.1f" y="%d">%s</text>' % (x + 2, y + 12, escape(shown)) if shown else '')


def axis(left, last, unit):
    """Times over the picture."""
    step = next(s for s in (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000) if last / s <= 10)
    return ['<text x="%.1f" y="12">%d%s</text>' % (left + t * WIDTH / last, t, ' ' + unit if not t else '')
            for t in range(0, int(last), step)]


def draw_trace(path):
    with open(path, encoding='utf-8') as f:
        events = json.load(f)['traceEvents']
    names = {e['tid']: e['args']['name'] for e in events if e['name'] == 'thread_name'}
    shown = sorted(t for t, n in names.items() if int(n.split()[1]) < CTAS)
    slices = [e for e in events if e['ph'] == 'X' and e['tid'] in shown]
    left, last = 110, max(e['ts'] + e['dur'] for e in slices)
    at = {tid: 20 + i * STEP for i, tid in enumerate(shown)}
    body = axis(left, last, 'warp instructions')
    body += ['<text x="4" y="%d">%s</text>' % (at[t] + 12, names[t]) for t in shown]
    body += [box(left + e['ts'] * WIDTH / last, at[e['tid']], e['dur'] * WIDTH / last, COLOURS[e['cat']], e['name'],
                 '%s, %d to %d' % (e['name'], e['ts'], e['ts'] + e['dur'])) for e in slices]
    ends = {(e['id'], e['ph']): e for e in events if e['ph'] in 'sf' and e['name'] == 'release'}
    for (i, ph), e in sorted(ends.items()):
        to = ends.get((i, 'f'))
        if ph == 's' and to and e['tid'] in at and to['tid'] in at:
            body.append('<path class="arrow" d="M%.1f %d L%.1f %d"/>' % (
                left + e['ts'] * WIDTH / last, at[e['tid']] + HEIGHT // 2, left + to['ts'] * WIDTH / last,
                at[to['tid']] + HEIGHT // 2))
    return page(left + WIDTH + 10, 24 + STEP * len(shown), body)


def draw_konata(path):
    rows = list(kanata.read(path)[0].values())
    first = next(i for i, r in enumerate(rows) if 'ATOMS' in r.label)
    rows = [r for r in rows[max(first - 4, 0):first - 4 + ROWS] if r.end is not None]
    begin = min(r.begin for r in rows)
    left, last = 400, max(r.end for r in rows) - begin
    body = axis(left, last, 'cycles from %d on' % begin)
    for i, row in enumerate(rows):
        y = 20 + i * STEP
        body.append('<text x="4" y="%d">%s</text>' % (y + 12, escape(row.label[:58])))
        ends = [s[0] for s in row.stages[1:]] + [row.end]
        for (cycle, name), end in zip(row.stages, ends):
            kind = 'P' if name[0] == 'P' and name != 'Pt' else name
            body.append(box(left + (cycle - begin) * WIDTH / last, y, (end - cycle) * WIDTH / last, STAGES[kind], name,
                            '%s, cycles %d to %d' % (name, cycle, end)))
    return page(left + WIDTH + 10, 24 + STEP * len(rows), body)


def made(what):
    with tempfile.TemporaryDirectory() as folder:
        trace = what == 'trace'
        path = os.path.join(folder, 't.json' if trace else 'k.log')
        tool = ['build/bin/wlrun', '--trace', path]
        if not trace:
            tool = ['build/bin/wlcosim', '--units', 'all', '--konata', path]
        p = subprocess.run(tool[:1] + LAUNCH + tool[1:], cwd=ROOT, capture_output=True, text=True, check=False)
        if p.returncode:
            sys.exit(p.stdout + p.stderr)
        return draw_trace(path) if trace else draw_konata(path)


def main():
    args = sys.argv[1:]
    if not args or args[0] not in ('--write', '--check') or set(args[1:]) - {'trace', 'konata'}:
        print(__doc__, file=sys.stderr)
        return 2
    passed = failed = 0
    for what in args[1:] or ['trace', 'konata']:
        path = os.path.join(HERE, what + '.svg')
        if args[0] == '--write':
            with open(path, 'w', encoding='utf-8') as f:
                f.write(made(what))
            continue
        with open(path, encoding='utf-8') as f:
            good = f.read() == made(what)
        passed, failed = passed + good, failed + (not good)
        if not good:
            print(f'docs/pictures/{what}.svg is not that of this run: docs/pictures/insight_svg.py --write {what}')
    if args[0] == '--check':
        print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
