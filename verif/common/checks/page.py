# SPDX-License-Identifier: Apache-2.0
"""A page of a run with the history of each check: one HTML file, no scripts, nothing from outside."""
import json
import os
import time
from html import escape

HISTORY, RUNS = 'build/results/history.jsonl', 20

STYLE = '''body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}td,th{padding:2px 8px;text-align:left}
td.n{text-align:right}tr:nth-child(even){background:#f4f4f4}.passed{color:#070}.failed{color:#b00;font-weight:bold}
.skipped{color:#777}i{display:inline-block;width:7px;height:14px;margin-right:1px}i.passed{background:#7b7}
i.failed{background:#d44}i.skipped{background:#ccc}i.none{background:#f0f0f0}pre{margin:2px 0 8px 2em;color:#b00}'''


def remember(data, path=HISTORY):
    """One line a run: what each check came to, and its CPU seconds."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    row = {'when': data['began'], 'commit': data['commit'], 'level': data['level'], 'complete': data['complete'],
           'checks': {c['name']: [c['result'], c['cpu'], c['reused']] for c in data['checks']}}
    with open(path, 'a') as f:
        f.write(json.dumps(row) + '\n')


def history(path=HISTORY):
    """The last runs, the oldest first; a line that was cut is left out."""
    rows = []
    if os.path.exists(path):
        with open(path) as f:
            for line in f:
                try:
                    rows.append(json.loads(line))
                except ValueError:
                    continue
    return rows[-RUNS:]


def date(when):
    return time.strftime('%Y-%m-%d %H:%M', time.localtime(when))


def bars(name, runs):
    cells = []
    for run in runs:
        result, cpu, _ = run['checks'].get(name, ['none', 0, False])
        title = '%s %s: %s, %.1f CPU s' % (date(run['when']), run['commit'], result, cpu)
        cells.append('<i class="%s" title="%s"></i>' % (result, escape(title)))
    return ''.join(cells)


def usual(name, runs):
    """The median of earlier CPU seconds; None: the check has none."""
    times = sorted(r['checks'][name][1] for r in runs[:-1] if name in r['checks'] and r['checks'][name][0] == 'passed'
                   and not r['checks'][name][2])
    return times[len(times) // 2] if times else None


def html(data, runs, closing):
    rows = []
    order = {'failed': 0, 'skipped': 1, 'passed': 2}
    for c in sorted(data['checks'], key=lambda c: (order[c['result']], -c['cpu'], c['name'])):
        before = usual(c['name'], runs)
        rows.append('<tr><td>%s</td><td class="%s">%s%s</td><td class=n>%d</td><td class=n>%.1f</td><td class=n>%s</td><td>%s</td></tr>' % (
            escape(c['name']), c['result'], c['result'], ' (same)' if c['reused'] else '', c['counts'][0] + c['counts'][1],
            c['cpu'], '' if before is None else '%.1f' % before, bars(c['name'], runs)))
        if c['result'] == 'failed':
            rows.append('<tr><td colspan=6><pre>%s</pre></td></tr>' % escape('\n'.join(c['tail'])))
    return '\n'.join([
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Warplock: %s</title><style>%s</style>' % (escape(closing[-1]), STYLE),
        '<h1>%s</h1><p>%s of commit %s, %s, %d s. %s.%s</p>' % (
            escape(closing[-1]), escape('make verify' if data['level'] == 'verify' else 'make verify-full'), escape(data['commit']),
            date(data['began']), data['seconds'], escape(closing[0]),
            '' if data['complete'] else ' <b>The run is not complete.</b>'),
        '<table><tr><th>check</th><th>result</th><th>comparisons</th><th>CPU s</th><th>usual</th><th>last %d runs</th></tr>' % max(1, len(runs)),
        *rows, '</table></html>', ''])
