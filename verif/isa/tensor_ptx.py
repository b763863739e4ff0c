# SPDX-License-Identifier: Apache-2.0
"""PTX of tensor copies: every number of dimensions, every mode that an architecture has."""

HEAD = """.version 8.8
.target %s
.address_size 64
.visible .entry copies(.param .u64 map, .param .u32 x)
{
.reg .b32 %%r<6>, %%to, %%bar;
.reg .b64 %%map;
.reg .b16 %%h<4>;
ld.param.u64 %%map, [map];
ld.param.u32 %%to, [x];
add.u32 %%bar, %%to, 4096;
"""
LOAD = "cp.async.bulk.tensor.%dd.shared::cluster.global.%s.mbarrier::complete_tx::bytes%s [%%to], [%%map, %s], [%%bar]%s;"
STORE = "cp.async.bulk.tensor.%dd.global.shared::cta.%s.bulk_group [%%map, %s], [%%to];"
REDUCE = "cp.reduce.async.bulk.tensor.%dd.global.shared::cta.add.%s.bulk_group [%%map, %s], [%%to];"
PREFETCH = "cp.async.bulk.prefetch.tensor.%dd.L2.global.%s [%%map, %s]%s;"


def group(register, n):
    return "{" + ", ".join("%%%s%d" % (register, i) for i in range(1, n + 1)) + "}"


def copies(family):
    """Lines, each a copy. family: does the target have what sm_100a has?"""
    for d in range(1, 6):
        at = group("r", d)
        yield from (LOAD % (d, "tile", "", at, ""), LOAD % (d, "tile", ".multicast::cluster", at, ", %h1"))
        yield from (STORE % (d, "tile", at), REDUCE % (d, "tile", at), PREFETCH % (d, "tile", at, ""))
        if d < 3:
            continue
        modes = [("im2col", ", " + group("h", d - 2))]
        modes += [(w, ", " + group("h", 2)) for w in ("im2col::w", "im2col::w::128") if family]
        for mode, offsets in modes:
            yield from (LOAD % (d, mode, "", at, offsets), PREFETCH % (d, mode, at, offsets))
        yield STORE % (d, "im2col_no_offs", at)
    if family:
        at = group("r", 5)
        yield from (LOAD % (2, "tile::gather4", "", at, ""), PREFETCH % (2, "tile::gather4", at, ""), STORE % (2, "tile::scatter4", at))


def text(target):
    """Coordinates are loaded before each copy, so that each copy has registers of its own."""
    lines = [HEAD % target]
    for copy in copies(target.endswith("a")):
        lines += ["ld.volatile.shared.u32 %%r%d, [%%to + %d];" % (i, 4 * i) for i in range(1, 6)]
        lines += ["ld.volatile.shared.u16 %%h%d, [%%to + %d];" % (i, 64 + 2 * i) for i in range(1, 4)]
        lines.append(copy)
    return "\n".join(lines + ["prefetch.tensormap [%map];", "fence.proxy.tensormap::generic.acquire.gpu [%map], 128;", "ret;", "}", ""])
