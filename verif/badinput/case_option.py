# SPDX-License-Identifier: Apache-2.0
"""Misuse of options: exit 2, one message that names the option, no report."""
from case import Case, PTX, WANT, launch

MISUSE = {
    "wlcc": [[], ["--frob", "k.ptx"], ["-arch=sm_7", "k.ptx"], ["-arch", "k.ptx"], ["-o"], ["k.ptx", "l.ptx"], ["k.txt"],
             ["-O9", "k.ptx"], ["-emit=frob", "k.ptx"]],
    "wlas": [["--frob"], ["-arch=sm_7", "--words"], ["a", "b", "--words"]],
    "wlobjdump": [["--frob"], ["-arch=sm_7", "--words"], ["a", "b", "--words"]],
    "wlrun": [[], ["--frob"], ["--launch"], ["--arch", "sm_7", "k.ptx"], ["--seed", "x", "k.ptx"], ["--sms", "0", "k.ptx"],
              ["--sms", "257", "k.ptx"], ["--limit", "-1", "k.ptx"], ["--limit", "1e9", "k.ptx"], ["k.ptx", "l.ptx"],
              ["--seed", "99999999999999999999", "k.ptx"], ["--check", "frob", "k.ptx"],
              ["--check", "", "k.ptx"], ["--check", "syncs", "k.ptx"], ["--check", "race", "--schedule", "f", "k.ptx"],
              ["--explore", "--trace", "t.json", "k.ptx"], ["--explore", "--profile", "k.ptx"],
              ["--explore", "--dot", "w.dot", "k.ptx"], ["--trace", "t.json", "--trace", "frob.json", "k.ptx"],
              ["--report", "r.json", "--report", "frob.json", "k.ptx"], ["--launch", "k.json", "--launch", "frob.json"], ["--explore-limit", "5", "k.ptx"]],
    "wlcosim": [[], ["--frob"], ["--launch"], ["--arch", "sm_7", "k.ptx"], ["--lanes", "5", "k.ptx"],
                ["--banks", "64", "k.ptx"], ["--ports", "3", "k.ptx"], ["--inflight", "0", "k.ptx"],
                ["--random", "0"], ["--random", "x"], ["--random", "10", "--mix", "frob"], ["--random", "10", "k.ptx"],
                ["--seed", "x", "k.ptx"], ["--bug", "x", "--random", "10"], ["--corrupt", "frob", "--random", "10"],
                ["k.ptx", "l.ptx"], ["--only", "frob", "--random", "10"],
                ["--trace", "t.json", "--trace", "frob.json", "k.ptx"]],
}


# Schedules of --explore: each line is refused.
TURNS = ["turn 0 0 -5", "turn -1 0 5", "turn 0 0 4294967296", "turn 0 0 99999999999999999999999", "turn 0 0", "turn 0 0 5 5", "turn 0 0 0",
         "turn 0 0 0x5", "turn 0 +0 5", "seed -4", "seed 99999999999999999999", "seed", "seed x", "frob 1 2",
         "turn-1 0 5", "turn\t0\t0\t-5"]


def cases(everything):
    for line in TURNS:
        yield Case("option: a schedule with '%s'" % line, ["wlrun", "--launch", "k.json", "--schedule", "t"],
                   {"k.ptx": PTX, "k.json": launch(), "want.bin": WANT, "t": "warplock turns 1\n# x\n%s\n" % line},
                   ["t, line 3: expected 'seed N' or 'turn CTA WARP COUNT', found '%s'" % line])
    for name in ("t.json", "none/t.json"):
        yield Case("option: a trace at " + name, ["wlrun", "--launch", "k.json", "--trace", name],
                   {"k.ptx": PTX, "k.json": launch(), "want.bin": WANT, "t.json": None}, [name + ": ", "irectory"])
    for folder in ("none/d", "k.ptx"):
        yield Case("option: a record in " + folder, ["wlrun", "--record", folder, "/bin/true"], {"k.ptx": PTX}, [folder + ": ", "irectory"])
    files = {"k.ptx": PTX, "l.ptx": PTX, "k.json": launch(), "want.bin": WANT, "k.txt": "x", "f": "warplock order 2\n"}
    for tool, lines in MISUSE.items():
        for argv in lines:
            word = next((a for a in argv if "frob" in a or a in ("-o", "--launch", "sm_7")), "sm_7" if "-arch=sm_7" in argv else "")
            yield Case("option: %s %s" % (tool, " ".join(argv)), [tool] + argv, files, [tool + ": ", word], status=2, lines=None)
        yield Case("option: %s --help" % tool, [tool, "--help"], status=0, lines=0, stdout=["usage: " + tool])
