# SPDX-License-Identifier: Apache-2.0
"""Runs tasks side by side: what is ready begins in the order of the plan, a seat each."""
import os
import signal
import sys
import time

from .task import judge, tell


class Runner:
    def __init__(self, tasks, logs, seats, uses=None):
        self.waiting, self.logs, self.seats, self.uses = tasks, logs, seats, uses
        self.count, self.shown = len(tasks), 0
        self.running, self.busy, self.cpu, self.stopped = {}, 0, 0.0, False

    def begin(self):
        undone = set(self.waiting) | set(self.running.values())
        while len(self.running) < self.seats:
            task = next((t for t in self.waiting if not t.needs & undone), None)
            if not task:
                return
            self.waiting.remove(task)
            self.running[task.start(self.logs, self.uses)] = task

    def end(self, pid, status, usage):
        task = self.running.pop(pid)
        task.ended(status, usage)
        self.busy, self.cpu = self.busy + task.took, self.cpu + task.cpu
        if task.limit:
            task.counts = judge(task)
            tell(task)
        elif task.status or task.took >= 1:  # the checks that need it say more when it cannot be built
            print('model %-36s %5d s %5d CPU s%s' % (task.name, task.took, task.cpu + 0.5, '   not built: ' + task.log if task.status else ''), flush=True)
        return task

    def show(self, now):
        """One line on a terminal: what runs, how far, how long still."""
        running = sorted(self.running.values(), key=lambda t: t.began)
        undone = sum(t.cost for t in self.waiting) + sum(max(1, t.cost - (now - t.began)) for t in running)
        sys.stderr.write('\r%d of %d done, about %d s still: %s\033[K' % (
            self.count - len(self.waiting) - len(running), self.count, undone / self.seats,
            ', '.join('%s %d s' % (t.name[:30], now - t.began) for t in running[:2])))
        sys.stderr.flush()
        self.shown = now

    def run(self):
        """Gives each task when it has ended."""
        terminal, began = os.isatty(2) and not os.environ.get('WL_QUIET'), time.monotonic()
        while self.waiting or self.running:
            if self.stopped:
                self.end_all()
            self.begin()
            pid, status, usage = os.wait4(-1, os.WNOHANG)
            if self.shown and (pid or not self.running):
                sys.stderr.write('\r\033[K')
                self.shown = 0
            if pid:
                if pid in self.running:
                    yield self.end(pid, status, usage)
                continue
            now = time.monotonic()
            if terminal and now - began >= 3 and now - self.shown >= 1:
                self.show(now)
            for task in self.running.values():
                if now > task.deadline:
                    task.kill(signal.SIGKILL if now > task.deadline + 10 else signal.SIGTERM)
            time.sleep(0.02)

    def stop(self, *_):
        self.stopped = True  # and no more: a signal may come while a check is being started

    def end_all(self):
        for task in self.running.values():
            task.kill(signal.SIGKILL)
            try:
                os.waitpid(task.process.pid, 0)
            except ChildProcessError:
                pass
        if self.shown:
            sys.stderr.write('\r\033[K')
        sys.exit('run_checks: stopped')
