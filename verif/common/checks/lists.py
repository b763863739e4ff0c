# SPDX-License-Identifier: Apache-2.0
"""The lists of checks, and what takes how long (verif/checks.cost)."""
import os
import re
import sys
import time
import zlib

import environ

from . import rows
from .task import Task

UNKNOWN = 20  # CPU seconds of what checks.cost does not know


def stop(text):
    print('run_checks: ' + text, file=sys.stderr)
    sys.exit(2)


def tonight():
    """The night of this run, a number of days; None where NIGHT=all. The environment keeps it: a run that goes past
    midnight stays one night, and so do its checks (verif/formal/prove) and shards."""
    text = os.environ['NIGHT'] = os.environ.get('NIGHT') or str(int(time.time()) // 86400)
    if not re.fullmatch('all|[0-9]{1,9}', text):
        stop("NIGHT is '%s' (expected 'all' or a number of days)" % text)
    return None if text == 'all' else int(text)


def runs_tonight(name, nights):
    """One of a row's nights: N nights in turn run each row of full/N once."""
    night = tonight()
    return night is None or (zlib.crc32(name.encode()) + night) % nights == 0


def read_lists(level, pattern, all_nights=False):
    """The checks of a level whose names match. Rows of other nights are left out where the pattern is '.', so that a row
    asked for by name always runs."""
    patience = environ.number('PATIENCE', 1)
    try:
        known = rows.read(os.environ.get('LISTS', '').split() or rows.files())
    except rows.Bad as e:
        stop(str(e))
    try:
        found = re.compile(pattern.replace('_', '-'))
    except re.error as e:
        stop('the pattern %r is no regular expression: %s' % (pattern, e))
    chosen = {row.name: row for row in known if level in ('full', row.level) and found.search(row.name)}
    for row in list(chosen.values()):
        if pattern == '.' and not all_nights and row.nights > 1 and not runs_tonight(row.name, row.nights):
            del chosen[row.name]
    parts = {row.whole_of for row in chosen.values()}
    return {row.name: Task(row.name, row.command, row.limit * patience, UNKNOWN, row) for row in chosen.values() if row.name not in parts}


# ---- lines `model|check NAME CPU-SECONDS [MODEL]...`; a model's name is the call that builds it, with commas for blanks
# and without verif/ in front

def cost_file():
    return os.environ.get('COSTS', 'verif/checks.cost')


def read_costs():
    costs = {}
    if os.path.exists(cost_file()):
        for words in (line.split() for line in open(cost_file()) if line.strip() and line[0] != '#'):
            costs[words[0], words[1]] = (float(words[2]), words[3:])
    return costs


def write_costs(costs):
    with open(cost_file(), 'w') as f:
        f.write('# SPDX-License-Identifier: Apache-2.0\n# CPU seconds of models and checks, and the models that a check needs: '
                'verif/run_checks --measure\n')
        for (kind, name), (cost, needs) in sorted(costs.items(), key=lambda row: (row[0][0] != 'model', -row[1][0], row[0])):
            f.write(' '.join(['%s %s %.1f' % (kind, name, cost)] + needs) + '\n')


def plan(checks, costs, least=2):
    """The tasks, what is to begin first in front: models in the order of the work that waits for them. What fewer than
    `least` checks need is no task: the check builds it."""
    users = {}
    for check in checks.values():
        check.cost, models = costs.get(('check', check.name), (UNKNOWN, []))
        check.order = check.cost
        for model in models:
            users.setdefault(model, []).append(check)
    tasks = list(checks.values())
    for name, of in users.items():
        cost, _ = costs.get(('model', name), (UNKNOWN, []))
        if len(of) < least:
            of[0].order += cost
            continue
        script, *words = name.split(',')
        model = Task(name, ' '.join(['verif/' + script] + words), None, cost)
        model.order = cost + sum(check.cost for check in of)
        for check in of:
            check.needs.add(model)
        tasks.append(model)
    return sorted(tasks, key=lambda t: (-t.order, t.name))


def measured(task, uses, costs):
    """Notes what a task took, and the models that a check asked for (lines FOLDER SCRIPT [-n] WORDS)."""
    if not task.limit:
        if task.took > 1:  # else it was there
            costs['model', task.name] = (task.cpu, [])
        return
    with open(uses, 'r+') as f:
        asked = [line.split() for line in f]
        f.truncate(0)
    models = {','.join(words[1:]) for words in ([w for w in line if w != '-n'] for line in asked) if words[0] == os.getcwd()}
    for name in models:
        costs.setdefault(('model', name), (UNKNOWN, []))
    costs['check', task.name] = (task.cpu, sorted(models))


# ---- shards

def shard_of(checks, costs, number, count):
    """The checks of one shard, by name. The costliest check goes first to the shard with least work, where a model that
    the shard lacks counts as work. The division depends on the lists and the costs alone."""
    work, models, mine = [0.0] * count, [set() for _ in range(count)], {}
    for name in sorted(checks, key=lambda n: (-costs.get(('check', n), (UNKNOWN, []))[0], n)):
        cost, needs = costs.get(('check', name), (UNKNOWN, []))
        extra = [cost + sum(costs.get(('model', m), (UNKNOWN, []))[0] for m in needs if m not in models[k]) for k in range(count)]
        best = min(range(count), key=lambda k: (work[k] + extra[k], k))
        work[best] += extra[best]
        models[best].update(needs)
        if best == number - 1:
            mine[name] = checks[name]
    return mine
