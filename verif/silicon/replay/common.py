# SPDX-License-Identifier: Apache-2.0
"""Tables of the GPU, and kernels run on the models.

A kernel has buffers of 64-bit words as arguments. Rows of a table become buffers, a model runs the kernel, and each
word that the GPU wrote is compared with the word that the model wrote.
"""
import array
import json
import lzma
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
TABLES = os.path.join(ROOT, "verif", "silicon", "tables")
KERNELS = os.path.join(ROOT, "verif", "silicon", "kernels")
SHOWN = 4  # differences told for each part
TYPES = {"Q": "u64", "I": "u32"}


def rows(name, folder=TABLES):
    with lzma.open(os.path.join(folder, name + ".tsv.xz"), "rt", encoding="ascii") as f:
        next(f)
        return [line.rstrip("\n").split("\t") for line in f]


class Machine:
    """Runs launches: wlrun on PTX, wlrun on the cubin of ptxas, or wlcosim."""

    def __init__(self, folder, tool="wlrun", ptxas=None, arch="sm_90", options=()):
        self.folder, self.tool, self.ptxas, self.arch, self.options = folder, tool, ptxas, arch, list(options)
        self.number = 0

    def run(self, ptx, entry, grid, block, args, cluster=None, shared=0, limit=None, options=()):
        """args: (name, list of 64-bit words or array) or (name, number). Returns (status, text, {name: words})."""
        self.number += 1
        place = os.path.join(self.folder, "k%d" % self.number)
        os.makedirs(place)
        listed = []
        for name, value in args:
            if isinstance(value, int):
                listed.append({"name": name, "kind": "scalar", "type": "u32", "value": value})
                continue
            code = value.typecode if isinstance(value, array.array) else "Q"
            with open(os.path.join(place, name + ".in"), "wb") as f:
                f.write(array.array(code, value).tobytes())
            listed.append({"name": name, "kind": "buffer", "type": TYPES[code], "count": len(value),
                           "init": "file:" + name + ".in"})
        launch = {"kernel": entry, "grid": [grid, 1, 1], "block": [block, 1, 1], "args": listed, "expect": "pass"}
        if cluster:
            launch["cluster"] = [cluster, 1, 1]
        if shared:
            launch["dynamic_shared"] = shared
        program = ptx
        if "\n" in ptx:
            program = os.path.join(place, "k.ptx")
            with open(program, "w", encoding="ascii") as f:
                f.write(ptx)
        if self.ptxas and program.endswith(".ptx"):
            cubin = os.path.join(place, "k.cubin")
            subprocess.run([self.ptxas, "-arch=" + self.arch, "-o", cubin, program], check=True)
            program = cubin
        with open(os.path.join(place, "k.json"), "w", encoding="ascii") as f:
            json.dump(launch, f)
        command = [os.path.join(ROOT, "build", "bin", self.tool), "--launch", os.path.join(place, "k.json"), "--arch",
                   self.arch, "--dump", place] + self.options + list(options) + [program]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit, check=False)
        out = {}
        for name, value in args:
            path = os.path.join(place, name + ".bin")
            if not isinstance(value, int) and os.path.exists(path):
                a = array.array(value.typecode if isinstance(value, array.array) else "Q")
                with open(path, "rb") as f:
                    a.frombytes(f.read())
                out[name] = a
        return done.returncode, done.stdout.decode(errors="replace"), out


class Count:
    """Compared rows, differences, and the exceptions that are written down."""

    def __init__(self):
        self.parts, self.bad = {}, 0

    def row(self, part, same, text=""):
        entry = self.parts.setdefault(part, [0, 0])
        entry[0] += 1
        if same:
            return
        entry[1] += 1
        self.bad += 1
        if entry[1] <= SHOWN:
            print("DIFFERS %s: %s" % (part, text() if callable(text) else text))

    def fail(self, part, text):
        self.parts.setdefault(part, [0, 0])[1] += 1
        self.bad += 1
        print("FAILED %s: %s" % (part, text))

    def report(self, title):
        for part, (n, bad) in sorted(self.parts.items()):
            print("%-40s %6d compared%s" % (part, n, ", %d differ" % bad if bad else ""))
        total = sum(n for n, _ in self.parts.values())
        print("%s: %d passed, %d failed" % (title, total - self.bad, self.bad))
        return 1 if self.bad or not total else 0
