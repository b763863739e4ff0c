# SPDX-License-Identifier: Apache-2.0
"""Repeats steps, in turn with another tree; medians of values, medians and quartiles of the ratios of each round.

A ratio says how many times better this tree is: of speeds ours / theirs, of what should be little theirs / ours.
"""
import os
import statistics
import subprocess
import time

from figures.measure import Round

LEAST, MOST = 3, 25  # rounds of a step, where nobody says how many


def quartiles(values):
    """Median and quartiles, or the value three times."""
    if len(values) < 2 or len(set(values)) == 1:
        return [statistics.median(values)] * 3
    low, middle, high = statistics.quantiles(values, n=4, method='inclusive')
    return [middle, low, high]


def better(ours, theirs, less):
    """How many times; None where one of the two is 0 and the other is not."""
    if ours == theirs:
        return 1.0
    if 0 in (ours, theirs):
        return None
    return theirs / ours if less else ours / theirs


def measured(step, tree, flip):
    """One round in a tree: figures, or a sentence why there are none."""
    r, here = Round(flip), os.getcwd()
    os.chdir(tree)
    try:
        step.measure(r)
    except subprocess.CalledProcessError as e:
        words = e.cmd if isinstance(e.cmd, str) else ' '.join(e.cmd)
        return r.found, '%s: status %d: %s' % (words, e.returncode, (e.stderr or '').strip().split('\n')[-1])
    except (OSError, ValueError, KeyError, TypeError, IndexError) as e:
        return r.found, '%s: %s' % (type(e).__name__, e)
    finally:
        os.chdir(here)
    return r.found, ''


def rounds(step, trees, exact, seconds):
    """A list for each tree of the figures of each round: A B, B A, A B... and a sentence for each tree that stopped early."""
    found, wrong, k, began = {t: [] for t in trees}, {}, 0, None
    while True:
        order = trees if k % 2 == 0 else trees[::-1]
        for tree in order:
            if tree not in wrong:
                figures, why = measured(step, tree, k // 2 % 2 == 1)
                found[tree].append(figures)
                if why:
                    wrong[tree] = why
        k += 1
        began = began or time.monotonic()  # the first round may build models
        if step.once or trees[0] in wrong:
            break
        if k >= exact if exact else k >= MOST or k >= LEAST and time.monotonic() - began > seconds:
            break
    return found, wrong


def ratio(pairs, less):
    """{ratio, low, high, pairs} of (ours, theirs), or {}."""
    of = [b for b in (better(a, b, less) for a, b in pairs) if b is not None]
    if not of:
        return {}
    middle, low, high = quartiles(of)
    return {'ratio': middle, 'low': low, 'high': high, 'pairs': len(of)}


def figures_of(step, ours, theirs, revision):
    """name -> what build/bench.json says of a figure."""
    out = {}
    for name, last in ours[-1].items():
        here = [f[name] for f in ours if name in f]
        figure = {'step': step.name, 'value': statistics.median(f.value for f in here), 'unit': last.unit, 'command': last.command,
                  'less_is_better': last.less, 'rounds': len(here)}
        if last.peer:
            figure['peer'] = dict(ratio([(f.value, f.peer[1]) for f in here if f.peer], last.less), of=last.peer[0])
        pairs = [(a[name].value, b[name].value) for a, b in zip(ours, theirs) if name in a and name in b]
        if pairs:
            figure['against'] = dict(ratio(pairs, last.less), of=revision)
        out[name] = figure
    return out
