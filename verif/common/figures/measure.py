# SPDX-License-Identifier: Apache-2.0
"""What a step of verif/bench measures with: commands, CPU time, and the figures of one round.

A step is a function of one argument, a Round, and runs in the root of a tree. A step measures once and puts figures;
verif/common/figures/pairs.py repeats steps.
"""
import collections
import os
import re
import shutil
import subprocess

Figure = collections.namedtuple('Figure', 'value unit command less peer')
Step = collections.namedtuple('Step', 'section name needs once measure')
STEPS = []


def step(*needs, once=False):
    """A step of the section that the module is named after. needs: files of make. once: no second round, counts and long runs."""
    def add(f):
        STEPS.append(Step(f.__module__.rsplit('.', 1)[-1], f.__name__, needs, once, f))
        return f
    return add


class Round:
    """The figures of one step, measured once. flip: of two commands that are compared, the second one runs first."""

    def __init__(self, flip=False):
        self.flip, self.found = flip, {}

    def put(self, name, value, unit, command, less=False, peer=None):
        """less: less is better. peer: (name, value) of what does the same in the same round."""
        self.found[name] = Figure(float(value), unit, command, less, peer)

    def turn(self, *measures):
        """The results of both, run one after the other."""
        results = [m() for m in (reversed(measures) if self.flip else measures)]
        return results[::-1] if self.flip else results

    def lines(self, command, unit, prefix='', less=False):
        """Puts the lines `name value` that a program prints."""
        for name, value in words_of(run(command)):
            if name.endswith(('_per_s', '_ms')):
                self.put(prefix + name, value, unit, command, less)


def run(command):
    """What a command prints. Words NAME=VALUE in front are its environment."""
    words, env = command.split(), dict(os.environ)
    while re.match(r'[A-Z_]+=', words[0]):
        name, value = words.pop(0).split('=', 1)
        env[name] = value
    return subprocess.run(words, capture_output=True, text=True, check=True, env=env).stdout


def words_of(text):
    """The (name, value) of the lines `name value`."""
    return [line.split() for line in text.splitlines() if len(line.split()) == 2]


def process(command):
    """CPU seconds (user and system) and the greatest resident size in MB of one process."""
    child = subprocess.Popen(command.split(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, use = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)
    return max(use.ru_utime + use.ru_stime, 1e-4), use.ru_maxrss / 1024


def speed_of(command, what='instructions'):
    """Instructions or cycles a second of CPU time, as a random run says."""
    return float(re.search(r'([0-9]+) %s/s' % what, run(command))[1])


def has_ptxas():
    return shutil.which('ptxas') is not None
