# SPDX-License-Identifier: Apache-2.0
"""Runs a kernel and prints who waits for whom: who_waits.py FILE"""
import sys
import warplock

kernel = warplock.load(sys.argv[1])
report = kernel.launch(grid=1, block=64, args=[warplock.Buffer(256)]).run()
print(report.outcome)
for group in report.waiting:
    print(group, 'waits at', group.text, 'for', ', '.join(map(str, group.waits_for)))
