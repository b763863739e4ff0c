# SPDX-License-Identifier: Apache-2.0
"""Litmus tests: litmus.tsv against docs/spec/memory-model.md, "Relations". No GPU outcome may be one that the model forbids."""

INSIDE = {"same_cta": ("cta", "cluster", "gpu"), "same_cluster": ("cluster", "gpu"), "other_cluster": ("gpu",)}
# Tests whose weak outcome each mode forbids, where the scope takes in both threads. CoRR: coherence, in every mode.
CAUSAL = ("MP", "LB", "S", "WRC", "ISA2")
EVERY = CAUSAL + ("SB", "R", "2+2W", "IRIW")
FORBIDS = {"relaxed": (), "rmw.relaxed": (), "release/acquire": CAUSAL, "relaxed+fence.acq_rel": CAUSAL,
           "rmw.acq_rel": CAUSAL, "relaxed+fence.sc": EVERY}


def replay(count, table):
    seen = {}
    for test, mode, scope, placement, space, spread, total, weak, outcomes in table:
        inside = scope in INSIDE[placement]
        forbidden = inside and (test == "CoRR" or test in FORBIDS[mode])
        added_up = sum(int(o.split(":")[1]) for o in outcomes.split()) == int(total)
        name = "litmus " + ("forbidden" if forbidden else "allowed" if inside else "scope too narrow")
        count.row(name, added_up and not (forbidden and int(weak)),
                  "%s %s %s %s %s: %s of %s weak" % (test, mode, scope, placement, space, weak, total))
        if inside and int(weak):
            seen.setdefault(test, set()).add(mode)
    for test, modes in sorted(seen.items()):
        print("weak outcomes seen, all allowed: %s in %s" % (test, ", ".join(sorted(modes))))
