# SPDX-License-Identifier: Apache-2.0
"""Writes fixtures: launch file, PTX and cubin of a kernel. Imports no producer.

    fixture = Fixture("triton", "histogram", kernel="histogram", grid=[4], block=[128], args=[pointer("x"), ...])
    fixture.add("sm_90a", ptx_text, cubin_bytes)
    fixture.write(folder)
"""
import json
import os
import re

from cases import CASES


def pointer(name):
    return {"buffer": name}


def scalar(name, kind, value):
    return {"name": name, "kind": "scalar", "type": kind, "value": value}


def struct_of(name, *fields):
    """A parameter passed by value: fields as in docs/launch.md."""
    return {"name": name, "kind": "bytes", "fields": list(fields)}


def stripped(ptx):
    """PTX without what tells of the machine or of the producer's sources: comments, line tables, debug sections."""
    ptx = ptx.replace("\0", "")
    ptx = re.sub(r"(?ms)^\t*\.section\s+\.debug.*?^\t*}\s*$", "", ptx)
    ptx = re.sub(r"(?s)/\*.*?\*/", "", ptx)
    ptx = re.sub(r"//[^\n]*", "", ptx)
    ptx = re.sub(r"(?m)^\s*\.(loc|file)\s[^\n]*\n", "", ptx)
    ptx = re.sub(r"(?m)(^\.target[^\n]*), debug", r"\1", ptx)
    ptx = re.sub(r"(?m)^\$L_?(tmp|func_(begin|end)|_func_(begin|end)|_tmp)\w*:\s*\n", "", ptx)
    ptx = re.sub(r"(?m)[ \t]+$", "", ptx)
    return re.sub(r"\n{2,}", "\n", ptx).lstrip("\n")


def tells(data):
    """A part of data that names the machine, or None."""
    found = re.search(rb"/(tmp|root|home|work|usr|opt|build|var|mnt)/[\w./-]*|[\w./-]*site-packages[\w./-]*", data)
    return found and found[0].decode("ascii", "replace")


def lists(values):
    if all(v == values[0] for v in values):
        return "zero" if values[0] == 0 else "const:%s" % values[0]
    if values == list(range(len(values))):
        return "iota"
    return values


def buffers_of(case):
    """The buffers of a case, as a launch file has them."""
    return {name: {"name": name, "kind": "buffer", "type": kind, "count": len(start), "init": lists(start),
                   "expect": None if end is None else lists(end)} for name, (kind, start, end) in CASES[case]().items()}


class Fixture:
    def __init__(self, producer, case, kernel, grid, block, args, shared=0, cluster=None, name=None):
        self.name, self.case, self.codes = name or case, case, {}
        three = lambda v: (list(v) + [1, 1])[:3]
        buffers = buffers_of(case)
        named, out = set(), []
        for a in args:
            if list(a) == ["buffer"] and a["buffer"] not in named:
                named.add(a["buffer"])
                out.append(buffers[a["buffer"]])
            elif list(a) == ["buffer"]:
                out.append({"name": "again%d" % len(out), "kind": "bytes", "fields": [a]})
            else:
                out.append(a)
        self.spec = {"kernel": kernel, "doc": "%s, by %s: %s" % (case, producer, " ".join(CASES[case].__doc__.split())),
                     "grid": three(grid), "block": block and three(block), "dynamic_shared": shared, "args": out}
        if cluster:
            self.spec["cluster"] = three(cluster)
        rest = [{k: v for k, v in b.items() if k != "kind"} for n, b in buffers.items() if n not in named]
        if rest:
            self.spec["buffers"] = rest

    def add(self, arch, ptx, cubin):
        """ptx: None where the producer makes none."""
        self.codes[arch] = (stripped(ptx) if ptx else None, cubin)
        told = ptx and tells(self.codes[arch][0].encode()) or tells(cubin)
        if told:
            raise SystemExit("%s %s names a place of this machine: %s" % (self.name, arch, told))

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.spec["ptx"] = {arch: "%s.%s.ptx" % (self.name, arch) for arch, code in self.codes.items() if code[0]}
        self.spec["expect"] = "pass"
        for arch, (ptx, cubin) in self.codes.items():
            if ptx:
                open(os.path.join(folder, self.spec["ptx"][arch]), "w").write(ptx)
            open(os.path.join(folder, "%s.%s.cubin" % (self.name, arch)), "wb").write(cubin)
        with open(os.path.join(folder, self.name + ".json"), "w") as f:
            f.write("{\n")
            items = list(self.spec.items())
            for i, (key, value) in enumerate(items):
                if key in ("args", "buffers"):
                    text = "[\n  %s\n ]" % ",\n  ".join(json.dumps(v) for v in value)
                else:
                    text = json.dumps(value)
                f.write(" %s: %s%s\n" % (json.dumps(key), text, "," if i + 1 < len(items) else ""))
            f.write("}\n")
        print("%s %s: %s" % (os.path.basename(folder), self.name, " ".join(self.codes)))
