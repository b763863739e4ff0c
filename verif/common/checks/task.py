# SPDX-License-Identifier: Apache-2.0
"""One check under way, and how its end is judged."""
import os
import re
import signal
import subprocess
import sys
import time

COUNTS = re.compile(rb'^(?:[A-Za-z_]+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$', re.M)


def signals_by_default():
    """Checks end programs by signals. nohup, and a shell that starts a job in the background, leave some ignored."""
    for how in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(how, signal.SIG_DFL)


class Task:
    """A check with its row, or a model that checks need (limit None: it does not count)."""

    def __init__(self, name, command, limit, cost, row=None):
        self.name, self.command, self.limit, self.cost, self.row = name, command, limit, cost, row
        self.needs, self.order, self.deadline = set(), cost, None
        self.counts, self.reused = None, False

    def start(self, logs, uses):
        self.log, self.began = os.path.join(logs, self.name.replace('/', '-') + '.log'), time.monotonic()
        self.deadline = self.began + (self.limit or 1800)
        env = dict(os.environ, WL_MODELS_USED=uses) if uses else None
        with open(self.log, 'wb') as out:
            self.process = subprocess.Popen(['bash', '-o', 'pipefail', '-c', self.command], stdin=subprocess.DEVNULL,
                                            stdout=out, stderr=subprocess.STDOUT, start_new_session=True, env=env,
                                            preexec_fn=signals_by_default)
        return self.process.pid

    def kill(self, how):
        try:
            os.killpg(self.process.pid, how)
        except ProcessLookupError:
            pass

    def ended(self, status, usage):
        self.kill(signal.SIGKILL)  # what it left behind
        self.process.returncode = self.status = os.waitstatus_to_exitcode(status)
        self.took, self.cpu = time.monotonic() - self.began, usage.ru_utime + usage.ru_stime
        if self.limit and self.took >= self.limit and self.status:
            with open(self.log, 'a') as f:
                f.write('run_checks: stopped after its limit of %d s\n' % self.limit)

    def tail(self, lines=12):
        try:
            with open(self.log, errors='replace') as f:
                return f.read().splitlines()[-lines:]
        except OSError:
            return []

    def result(self):
        """"passed", "failed" or "skipped": how the closing line counts a check that ended."""
        return 'failed' if self.counts[1] else 'passed' if self.counts[0] else 'skipped'


def judge(task):
    """[passed, failed, skipped]: the comparisons of a check that ended."""
    with open(task.log, 'rb') as f:
        text = f.read()
    counts, cases = COUNTS.findall(text), re.findall(rb'\[  (PASSED|FAILED)  \] (\d+)', text)
    if task.status == 77:
        n = [0, 0, 1]
    elif counts:
        n = [int(x or 0) for x in counts[-1]]
    else:
        n = [sum(int(k) for word, k in cases if word == w) for w in (b'PASSED', b'FAILED')] + [0]
        if not n[0] + n[1] and not task.status and not re.search(rb'^\[=*\] 0 test\(s\) run', text, re.M):
            n[0] = 1
    if task.status not in (0, 77) and not n[1]:
        n[1] = 1
    if not sum(n):
        n[1] = 1
        with open(task.log, 'a') as f:
            f.write('run_checks: it ran nothing\n')
    return n


def tell(task):
    n, tail = task.counts, task.tail()
    times = '%-36s %5d s %5d CPU s' % (task.name, task.took, task.cpu + 0.5)
    if n[1]:
        print('FAIL  %s   %s' % (times, task.log), *('      | ' + line for line in tail), sep='\n')
    elif not n[0]:
        print('skip  %-36s                       %s' % (task.name, tail[-1] if tail else ''))
    else:
        print('%s  %s   %d passed%s' % ('same' if task.reused else 'ok  ', times, n[0], ', %d skipped' % n[2] if n[2] else ''))
    sys.stdout.flush()
