# SPDX-License-Identifier: Apache-2.0
"""Results of a run as JSON and JUnit, and several shards added up.

The JSON file of a run holds the whole plan from the beginning, and grows with each check that ends. A file of a run that
was killed tells which checks are lacking. `collect` adds files up: every check of the plan exactly once."""
import hashlib
import json
import os
import shlex
import subprocess
import time
from html import escape

FORMAT = 1


def write(path, text):
    """Complete or not at all."""
    folder = os.path.dirname(path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    with open(path + '.new', 'w') as f:
        f.write(text)
    os.replace(path + '.new', path)


def commit():
    p = subprocess.run(['git', 'describe', '--always', '--dirty', '--abbrev=12'], capture_output=True, text=True)
    return p.stdout.strip() if p.returncode == 0 else 'no git'


def names_hash(names):
    return hashlib.sha256('\n'.join(sorted(names)).encode()).hexdigest()


def night_of(path):
    """NIGHT of the run that the file holds; empty without a file or a night, or where the run has ended."""
    if not os.path.exists(path):
        return {}
    data = read(path)
    return {'NIGHT': data['night']} if data.get('night') and not data['complete'] else {}


def same_run(path, data, other, keys, where):
    """Raises Unusable with the first of the keys that differs."""
    for key in keys:
        if data.get(key, '') != other.get(key, ''):
            raise Unusable("%s: '%s' is %s, %s" % (path, key, data.get(key, ''), where % (other.get(key, ''),)))


class Results:
    """The record of one run. `chosen`: names of all checks of the level and pattern; `mine`: those of this shard. With
    `resume` the file may hold the same run, ended early: `passes` has what passed there, by name."""

    def __init__(self, path, level, pattern, shard, chosen, mine, tree, resume=False):
        self.path, self.began = path, time.time()
        self.data = {'format': FORMAT, 'level': level, 'pattern': pattern, 'shard': shard[0], 'shards': shard[1],
                     'commit': commit(), 'tree': tree, 'night': os.environ.get('NIGHT', '') if level == 'full' else '', 'began': int(self.began), 'seconds': 0, 'complete': False,
                     'all': {'count': len(chosen), 'hash': names_hash(chosen)}, 'planned': sorted(mine), 'checks': []}
        self.passes = passes(path, self.data) if resume else {}
        self.save()

    def take(self, task):
        """True: the check has passed in the run that is resumed."""
        c = self.passes.get(task.name)
        if not c or c['command'] != task.command:
            return False
        task.counts, task.reused, task.took, task.cpu, task.status, task.log = c['counts'], True, c['seconds'], c['cpu'], 0, ''
        return True

    def add(self, task):
        self.data['checks'].append({'name': task.name, 'result': task.result(), 'counts': task.counts, 'reused': task.reused,
                                    'seconds': round(task.took, 2), 'cpu': round(task.cpu, 2), 'command': task.command,
                                    'tail': task.tail() if task.result() != 'passed' else []})
        self.save()

    def end(self):
        self.data['complete'] = True
        self.save()

    def save(self):
        self.data['seconds'] = round(time.time() - self.began, 1)
        if self.path:
            write(self.path, json.dumps(self.data, indent=1) + '\n')


def totals(data):
    """([passed, failed, skipped] checks, comparisons)"""
    ends = [sum(c['result'] == word for c in data['checks']) for word in ('passed', 'failed', 'skipped')]
    return ends, sum(c['counts'][0] + c['counts'][1] for c in data['checks'])


def closing(data):
    (passed, failed, skipped), comparisons = totals(data)
    return ['comparisons: %d' % comparisons, '%d passed, %d failed%s' % (passed, failed, ', %d skipped' % skipped if skipped else '')]


def junit(data):
    """Test cases of the class LEVEL, which CI pages show."""
    (_, failed, skipped), _ = totals(data)
    rows = ['<?xml version="1.0" encoding="UTF-8"?>',
            '<testsuite name="warplock.%s" tests="%d" failures="%d" errors="0" skipped="%d" time="%.2f">' % (
                data['level'], len(data['checks']), failed, skipped, sum(c['seconds'] for c in data['checks']))]
    for c in data['checks']:
        head = '  <testcase classname="warplock.%s" name="%s" time="%.2f"' % (data['level'], escape(c['name']), c['seconds'])
        tail = ''.join(ch for ch in '\n'.join(c['tail']) if ch in '\n\t' or ord(ch) >= 32 and not 0xd800 <= ord(ch) < 0xe000
                       and ord(ch) not in (0xfffe, 0xffff))
        if c['result'] == 'passed':
            rows.append(head + '/>')
        elif c['result'] == 'skipped':
            rows.append(head + '><skipped message="%s"/></testcase>' % escape(tail.split('\n')[-1]))
        else:
            rows.append(head + '><failure message="%s">%s</failure></testcase>' % (
                escape('%d passed, %d failed' % tuple(c['counts'][:2])), escape(tail)))
    return '\n'.join(rows + ['</testsuite>']) + '\n'


# ---- shards added up

class Unusable(Exception):
    """Files that cannot be added up at all."""


def read(path):
    try:
        with open(path) as f:
            data = json.load(f)
    except OSError as e:
        raise Unusable('%s: %s; run the shard again' % (path, e.strerror)) from None
    except ValueError:
        raise Unusable('%s: no results of run_checks --json' % path) from None
    if not isinstance(data, dict) or data.get('format') != FORMAT or 'planned' not in data:
        raise Unusable('%s: no results of run_checks --json in format %d' % (path, FORMAT))
    return data


def passes(path, now):
    """What passed in a run that was ended early, by name; nothing where no file is. It must be the run `now`."""
    if not os.path.exists(path):
        return {}
    before = read(path)
    same_run(path, before, now, ('level', 'pattern', 'shard', 'shards', 'tree', 'night', 'all'),
             'now %s: not the same run; without --resume a run begins anew')
    return {c['name']: c for c in before['checks'] if c['result'] == 'passed'}


def repeat(data, shard):
    night = 'NIGHT=%s ' % data['night'] if data.get('night') else ''
    lists = ''.join('%s=%s ' % (name, shlex.quote(os.environ[name])) for name in ('LISTS', 'COSTS') if os.environ.get(name))
    return "%s%sverif/run_checks --shard %d/%d --json FILE %s%s" % (
        night, lists, shard, data['shards'], data['level'], '' if data['pattern'] == '.' else " --only '%s'" % data['pattern'])


def collect(paths):
    """(the whole run, complaints): every check of the plan must have ended exactly once."""
    shards, complaints, seen = {}, [], {}
    for path in paths:
        data = read(path)
        first = next(iter(shards.values()), (path, data))[1]
        same_run(path, data, first, ('level', 'pattern', 'shards', 'tree', 'night', 'all'), 'in the other files %s: not the same run')
        if data['shard'] in shards:
            raise Unusable('%s and %s are both shard %d' % (shards[data['shard']][0], path, data['shard']))
        shards[data['shard']] = (path, data)
    if not shards:
        raise Unusable('no file of results')
    whole = dict(next(iter(shards.values()))[1], shard=1, shards=1, checks=[], planned=[], seconds=0)
    for number in range(1, first['shards'] + 1):
        if number not in shards:
            complaints.append('shard %d of %d is lacking; repeat: %s' % (number, first['shards'], repeat(first, number)))
            continue
        path, data = shards[number]
        ended = {c['name'] for c in data['checks']}
        lacking = [n for n in data['planned'] if n not in ended]
        if lacking or not data['complete']:
            complaints.append('%s: shard %d was ended early: %d of %d checks lack a result (%s); repeat: %s' % (
                path, number, len(lacking), len(data['planned']), ', '.join(lacking[:3]) + (', ...' if len(lacking) > 3 else ''),
                repeat(data, number)))
        for c in data['checks']:
            if c['name'] in seen or c['name'] not in data['planned']:
                complaints.append('%s: %s was run twice, or by the wrong shard' % (path, c['name']))
                continue
            seen[c['name']] = number
            whole['checks'].append(c)
        whole['planned'] += data['planned']
        whole['seconds'] = max(whole['seconds'], data['seconds'])
    if len(shards) == first['shards'] and (len(set(whole['planned'])) != len(whole['planned']) or
                                           names_hash(whole['planned']) != first['all']['hash']):
        complaints.append('the shards together plan %d checks, the level has %d' % (len(set(whole['planned'])), first['all']['count']))
    whole['complete'] = not complaints
    return whole, complaints
