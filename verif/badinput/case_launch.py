# SPDX-License-Identifier: Apache-2.0
"""Launch files: every field wrong in turn, missing files, arguments that do not fit the kernel."""
import json

from case import Case, LAUNCH, PTX, WANT, launch

GOOD = {"k.ptx": PTX, "want.bin": WANT}
ABSENT = object()

# Field -> values that must be refused, with what the message must name besides the field.
FIELDS = {
    # a value with a word of its own: (value, what the message must name instead of the field)
    "kernel": [ABSENT, None, 5, "", ["total"], "nobody", "x" * 300],
    "grid": [ABSENT, None, 5, "64", [], [1, 1], [1, 1, 1, 1], [0, 1, 1], [-1, 1, 1], [1.5, 1, 1], ["1", 1, 1],
             ([2**31, 1, 1], "1 to 2147483647"), ([1, 65536, 1], "grid dimension y is 65536, must be 1 to 65535"),
             ([1, 1, 65536], "grid dimension z"), ([2**70, 1, 1], "line 1, column"), {}],
    "block": [ABSENT, None, [0, 1, 1], [1, 1], "x", [1025, 1, 1], [32, 33, 1], [1, 1, -1],
              ([1, 1, 65], "block dimension z is 65, must be 1 to 64"), [2**31 - 1, 2**31 - 1, 1]],
    "cluster": [([2, 1, 1], "clusters of CTAs need sm_90"), [0, 1, 1], "x", 3, [1]],
    "dynamic_shared": [-1, "x", 1.5, 2**40, (70000, "shared memory"), (2**31 - 1, "shared memory"), [], True],
    "heap": [-1, 0, 31, "x", 1.5, 2**29 + 1, [], True],
    "stack": [-1, "x", 1.5, 2**19 + 1, [], True],
    "expect": ["ok", 5, [], "syncs", "Pass", ""],
    "residency": ["some", 5, []],
    "forward_progress": ["always", 1],
    "cooperative": ["yes", 1],
    "checker": [5, [], "", "none.c"],
    "ptx": [ABSENT, None, 5, [], {}, {"sm_75": 5}, {"sm_75": None}, {"sm_42": "k.ptx"}, {"sm_75": ""}, "k.ptx"],
    "args": [ABSENT, None, {}, 5, "in", [5], [[]], [{}], []],
}
ARG_FIELDS = {
    "name": [ABSENT, None, 5, "", "a/b", "../x", ".x", "n", "x" * 300, ("a\0b", "line 1, column")],
    "kind": [ABSENT, None, 5, "bufer", ""],
    "type": [ABSENT, None, 5, "u33", "U32", ""],
    "count": [ABSENT, None, 0, -1, 1.5, "64", 2**33, (2**70, "line 1, column"), 10**9],
    "init": [5, [], "", "ones", "const", "const:", "const:x", "const:4294967296", "const:1e3", "random", "random:1",
             "random:1:2", "random:1:9:2", "random:1:2:3:4", "random:-1:2:3", "random:1:2:4294967296", "file:"],
    "expect": [5, [], "", "ones", "file:", "rule:", "const:", "const:4294967296", "random:1:2"],
}
SCALAR_FIELDS = {"value": [ABSENT, None, "64", 1.5, 2**32, 2**63, 2**64 - 1, 2**64, "9223372036854775808", -2**31 - 1, (2**70, "line 1, column"), [], True]}


def spoil(path, value):
    def change(spec):
        for step in path[:-1]:
            spec = spec[step]
        if value is ABSENT:
            spec.pop(path[-1])
        else:
            spec[path[-1]] = value
    return change


def show(value):
    return "missing" if value is ABSENT else json.dumps(value)[:40]


def wrong_fields():
    """name, launch file, what must be said besides the file's name"""
    for fields, what, path in ((FIELDS, "", []), (ARG_FIELDS, "buffer's ", ["args", 0]),
                               (SCALAR_FIELDS, "scalar's ", ["args", 1])):
        for field, values in fields.items():
            for v in values:
                v, word = v if isinstance(v, tuple) else (v, "args" if path else field)
                yield "%s%s is %s" % (what, field, show(v)), launch(spoil(path + [field], v)), word
    yield "an argument too few", launch(lambda s: s["args"].pop()), "args"
    yield "an argument too many", launch(lambda s: s["args"].append(dict(s["args"][1], name="more"))), "args"
    yield "129 arguments", launch(args=[dict(LAUNCH["args"][1], name="a%d" % i) for i in range(129)]), "args"
    yield "a scalar for a pointer", launch(spoil(["args", 0], dict(LAUNCH["args"][1], name="in"))), "args[0] 'in'"
    yield "a buffer for a number", launch(spoil(["args", 1], dict(LAUNCH["args"][0], name="n"))), "args[1] 'n'"
    yield "a scalar too wide", launch(spoil(["args", 1, "type"], "u64")), "args[1] 'n'"
    yield "a value outside of its type", launch(lambda s: s["args"][1].update(type="u8", value=256)), "value"
    yield "a file too short", launch(spoil(["args", 0, "init"], "file:short.bin")), "short.bin"
    yield "a file too long", launch(spoil(["args", 0, "init"], "file:long.bin")), "long.bin"
    yield "a file that is missing", launch(spoil(["args", 0, "init"], "file:none.bin")), "none.bin"
    yield "a file that is a folder", launch(spoil(["args", 0, "init"], "file:folder")), "folder"
    yield "an address whose buffer wraps", launch(spoil(["args", 0, "address"], "0xfffffffffffffff0")), "beyond the last address"
    yield "all SMs at once", launch(grid=[4000, 1, 1], residency="all"), "residency"


def not_json():
    text = launch()
    yield "empty", "", "line 1"
    yield "a list", "[]", "object"
    yield "a number", "5", ""
    yield "no JSON", "kernel = total", "line 1"
    yield "comma at the end", text[:-1] + ",}", "line 1"
    yield "field twice", text[:-1] + ', "grid": [1, 1, 1]}', "grid"
    yield "text after the end", text + "x", "line 1"
    yield "no UTF-8", b'{"kernel": "\xff"}', "line 1"
    yield "NUL", b'{"kernel": "a\0b"}', "line 1"
    yield "very deep", "[" * 100000, ""
    for at in range(1, len(text) - 1, 41):
        yield "cut after %d bytes" % at, text[:at], "line 1"


LARGE_PTX = """.version 7.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 n)
{
	.reg .b64 %d<3>;
	ld.param.u64 %d1, [out];
	ld.param.u64 %d2, [n];
	st.global.u64 [%d1], %d2;
	ret;
}
"""


def large_values():
    """Numbers that a u64 has and an s64 has not."""
    for value in (0, 2**63 - 1, 2**63, 2**63 + 12345678901, 2**64 - 1):
        spec = {"kernel": "k", "doc": "\\\"9223372036854775808", "grid": [1, 1, 1], "block": [1, 1, 1], "ptx": {"sm_75": "k.ptx"},
                "args": [{"name": "out", "kind": "buffer", "type": "u64", "count": 1, "init": "zero", "expect": "file:want.bin"},
                         {"name": "n", "kind": "scalar", "type": "u64", "value": value}]}
        yield Case("launch: u64 value %d" % value, ["wlrun", "--launch", "k.json"],
                   {"k.ptx": LARGE_PTX, "k.json": json.dumps(spec), "want.bin": value.to_bytes(8, "little")}, status=0, outcome="pass")


def cases(everything):
    yield from large_values()
    more = {"short.bin": b"1234", "long.bin": bytes(300), "folder": None}
    for tool in ("wlrun", "wlcosim"):
        run = [tool, "--launch", "k.json"]
        yield Case("launch: good, " + tool, run, dict(GOOD, **{"k.json": launch()}), status=0, outcome="pass")
        for i, (name, text, word) in enumerate(wrong_fields()):
            if tool == "wlrun" or everything or i % 10 == 0:
                yield Case("launch: %s, %s" % (name, tool), run, dict(GOOD, **dict(more, **{"k.json": text})),
                           ["short.bin" if "short.bin" in text else "k.json", word], outcome="error")
        for name, text, word in not_json():
            if tool == "wlrun" or everything:
                yield Case("launch: %s, %s" % (name, tool), run, dict(GOOD, **{"k.json": text}), ["k.json", word],
                           outcome="error")
        yield Case("launch: missing, " + tool, run, {}, ["k.json", "No such file"], outcome="error")
        yield Case("launch: a folder, " + tool, run, {"k.json": None}, ["k.json"], outcome="error")
        yield Case("launch: a program, " + tool, [tool, "--launch", "k.ptx.o"],
                   {"k.ptx.o": b"\177ELF\2\1\1" + bytes(60)}, ["k.ptx.o", "is a program, expected a launch file"], outcome="error")
        yield Case("launch: a fat binary, " + tool, [tool, "--launch", "k.fatbin"], {"k.fatbin": b"\x50\xed\x55\xba" + bytes(60)},
                   ["k.fatbin", "is a program, expected a launch file"], outcome="error")
        yield Case("launch: a fat binary of other content, " + tool, [tool, "k.fatbin"], {"k.fatbin": "hello\n"},
                   ["k.fatbin", "not an object file"], outcome="error")
        yield Case("launch: program missing, " + tool, run, {"k.json": launch()}, ["k.ptx", "No such file"],
                   outcome="error")
        yield Case("launch: expected file missing, " + tool, run, {"k.ptx": PTX, "k.json": launch()},
                   ["want.bin", "No such file"], outcome="error")
        yield Case("launch: expected file too short, " + tool, run,
                   {"k.ptx": PTX, "want.bin": WANT[:-4], "k.json": launch()}, ["want.bin", "252"], outcome="error")
        yield Case("launch: other data than expected, " + tool, run,
                   {"k.ptx": PTX, "want.bin": WANT[:-1] + b"\1", "k.json": launch()},
                   outcome="wrong", lines=0, stdout=["'out'", "element 63", "2016"])
        yield Case("launch: other outcome than expected, " + tool, run,
                   dict(GOOD, **{"k.json": launch(expect="fault")}), outcome="pass", lines=0, stdout=["fault"])
        files = dict(GOOD, **{"k.json": launch()})
        yield Case("launch: report cannot be written, " + tool, run + ["--report", "none/r.json"], files,
                   ["none/r.json", "No such file"])
        yield Case("launch: report is a folder, " + tool, run + ["--report", "r"], dict(files, r=None), ["r"])
        yield Case("launch: dump cannot be written, " + tool, run + ["--dump", "none/dir"], files,
                   ["none/dir", "No such file"])
        yield Case("launch: dump is a file, " + tool, run + ["--dump", "k.ptx"], files, ["k.ptx"])
        for i, name in enumerate(("wl_none", "k.ptx", "folder")):
            if tool == "wlrun":
                yield Case("launch: schedule is %s" % name, run + ["--schedule", name], dict(files, folder=None), [name],
                           outcome="error")
        if tool == "wlcosim":
            yield Case("launch: order log cannot be written", run + ["--order", "none/o.log"], files, ["none/o.log"],
                       outcome="error")
