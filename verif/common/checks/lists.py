# SPDX-License-Identifier: Apache-2.0
"""The lists of checks, and what takes how long (verif/checks.cost)."""
import glob
import os
import re
import sys

import environ

from .task import Task

UNKNOWN = 20  # CPU seconds of what checks.cost does not know


def stop(text):
    print('run_checks: ' + text, file=sys.stderr)
    sys.exit(2)


def read_lists(level, pattern):
    """The checks of a level whose names match."""
    patience = environ.number('PATIENCE', 1)
    name = r'[a-z0-9]+(?:-[a-z0-9]+)*'
    checks, parts, form = {}, {}, re.compile(r'(verify|full)(?::(%s))?\s+(%s)(?:\s+(\d+)s)?\s+(\S.*)' % (name, name))
    names = os.environ.get('LISTS', '').split() or sorted(glob.glob('verif/*/*.checks') + glob.glob('verif/units/*/*.checks'))
    for line in (line.rstrip('\n') for name in names for line in open(name)):
        if not line.strip() or line.lstrip().startswith('#'):
            continue
        m = form.fullmatch(line)
        if not m or m[1] == 'verify' and m[2]:
            stop('not LEVEL NAME [SECONDSs] COMMAND: ' + line)
        if m[3] in checks:
            stop('two checks are named ' + m[3])
        checks[m[3]] = (m[1], int(m[4] or 600) * patience, m[5])
        if m[2]:
            parts[m[3]] = m[2]
    for whole, part in parts.items():
        if checks.get(part, [''])[0] != 'verify':
            stop('%s holds %s, which is no check of verify' % (whole, part))
    try:
        found = re.compile(pattern.replace('_', '-'))
    except re.error as e:
        stop('the pattern %r is no regular expression: %s' % (pattern, e))
    chosen = {name for name, check in checks.items() if level in ('full', check[0]) and found.search(name)}
    chosen -= {parts[name] for name in chosen if name in parts}
    return {name: Task(name, checks[name][2], checks[name][1], UNKNOWN) for name in checks if name in chosen}


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
