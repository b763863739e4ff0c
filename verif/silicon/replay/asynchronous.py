# SPDX-License-Identifier: Apache-2.0
"""Asynchronous reductions: async.tsv. red.async, and cp.reduce.async.bulk into shared and global memory."""
from atoms import CLASS, HEAD, PROLOGUE, SIZES, load, number, params, pointers, ptx_op, registers, split, words

SYNC = "\tbarrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;\n"
WAIT = """W:
	mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p3, [bar], 0;
	@!%p3 bra W;
"""
FILL = "\tld.global.v2.b64 {%d22, %d23}, [%d10];\n\tst.shared.v2.b64 [%r4], {%d22, %d23};\n"
BACK = "\tld.shared.v2.b64 {%d22, %d23}, [%r4];\n\tst.global.v2.b64 [%d10], {%d22, %d23};\n"
FENCE = "\tfence.proxy.async;\n"
SOURCE = "\tld.global.v2.b64 {%d22, %d23}, [%d11];\n\tst.shared.v2.b64 [%r6], {%d22, %d23};\n"


def head(cta):
    return (HEAD + ".visible .entry k(\n%s)\n{\n%s" % (params(["slot", "b"]), registers()) +
            "\t.shared .align 128 .b8 mine[512];\n\t.shared .align 128 .b8 source[512];\n"
            "\t.shared .align 8 .b64 bar;\n" + PROLOGUE.replace("{CTA}", cta) + pointers(["slot", "b"]) +
            "\tmov.u32 %r3, %tid.x;\n\tsetp.eq.u32 %p2, %r3, 0;\n\tshl.b32 %r3, %r3, 4;\n\tmov.u32 %r4, mine;\n"
            "\tadd.u32 %r4, %r4, %r3;\n\tmov.u32 %r6, source;\n\tadd.u32 %r6, %r6, %r3;\n\tmov.u32 %r7, bar;\n"
            "\tmov.u32 %r11, mine;\n\tmov.u32 %r12, source;\n")


def in_cluster(total, before, change):
    """CTA 0 changes the slots of CTA 1, whose mbarrier counts the bytes."""
    return (head("%clusterid.x") + "\tmov.u32 %r5, %cluster_ctarank;\n\tsetp.eq.u32 %p1, %r5, 1;\n"
            "\t@!%p1 bra F;\n" + FILL + "\t@!%p2 bra F;\n\tmbarrier.init.shared::cta.b64 [%r7], 1;\n"
            "\tfence.mbarrier_init.release.cluster;\n"
            "\tmbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %d30, [bar], " + str(total) + ";\nF:\n" + before +
            FENCE + SYNC + "\t@%p1 bra G;\n\tmapa.shared::cluster.u32 %r8, %r7, 1;\n" + change + "\tbra H;\nG:\n" +
            WAIT + BACK + "H:\n" + SYNC + "\tret;\n}\n")


def kernel(kind, op):
    form = ptx_op(op) if op.split("_")[0] == "add" else ptx_op(op).replace(".noftz", "")
    size = SIZES[split(op)[2]]
    if kind == "red.async":
        reg = "%%%s%d" % (CLASS[size][1], 8 if size == 8 else 18)
        text, _ = load(split(op)[2], 1, "%d11", 8 if size == 8 else 18)
        return in_cluster(32 * size, "", text + "\tmapa.shared::cluster.u32 %r10, %r4, 1;\n\tred.async.relaxed.cluster."
                          "shared::cluster.mbarrier::complete_tx::bytes." + form + " [%r10], " + reg + ", [%r8];\n")
    if kind == "bulk.cluster":
        return in_cluster(512, SOURCE, "\t@!%p2 bra H;\n\tmapa.shared::cluster.u32 %r10, %r11, 1;\n"
                          "\tcp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." + form +
                          " [%r10], [%r12], 512, [%r8];\n")
    return (head("%ctaid.x") + SOURCE + FENCE + "\tbar.sync 0;\n\t@!%p2 bra H;\n"
            "\tcp.reduce.async.bulk.global.shared::cta.bulk_group." + form + " [%d10], [%r12], 512;\n"
            "\tcp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;\nH:\n\tret;\n}\n")


def replay(machine, count, table):
    parts = {}
    for r in table:
        parts.setdefault((r[0], r[1]), []).append(r)
    for (kind, op), part in parts.items():
        n = (len(part) + 31) // 32 * 32
        pad = [0] * (n - len(part))
        slots = words([number(r[4]) for r in part] + pad)
        status, text, out = machine.run(kernel(kind, op), "k", n // 32 * (1 if kind == "bulk.global" else 2), 32,
                                        [("slot", slots), ("b", words([number(r[5]) for r in part] + pad))],
                                        cluster=None if kind == "bulk.global" else 2)
        name = kind + " " + op
        if status or "slot" not in out:
            count.fail(name, text[-400:])
            continue
        for i, r in enumerate(part):
            new = out["slot"][2 * i] | out["slot"][2 * i + 1] << 64
            count.row(name, new == number(r[8]), lambda r=r, new=new: "row %s: %s, %s: GPU leaves %s, model %032x" % (
                r[2], r[4], r[5], r[8], new))
