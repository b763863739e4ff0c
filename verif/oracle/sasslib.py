# SPDX-License-Identifier: Apache-2.0
"""The kernel around a PTX form, the sync instruction lists, and the normal
form of disassembled code.

Wrapper (one kernel per form): every source register is loaded from [P + tid*1024 + 0x5a000 + 16*k], every result is
stored to [P + tid*1024 + 0x6b000 + 16*k]; those two offset ranges mark what does not belong to the form.  A form without a
result is followed by a store of the thread number; barriers and fences stand between two load + store pairs.
Contexts: lanes       every operand differs per lane
          uniform     addresses, member masks, barrier ids and counts come from kernel parameters, data per lane
          uniall      every operand comes from kernel parameters
          dead        as lanes, but the result is not used (atom only)
"""
import re

VERS = "9.0 8.8 8.7 8.6 8.5 8.4 8.3 8.2 8.1 8.0 7.8 7.7 7.6 7.5 7.4 7.3 7.2 7.1 7.0 6.5 6.4 6.3 6.2 6.1 6.0".split()
LD_MARK, ST_MARK = 0x5a000, 0x6b000
_decl = re.compile(r"^\.reg \.(\w+) %([a-z]+)(?:<(\d+)>)?$")
_reg = re.compile(r"%([a-z]+)(\d*)")
_mem = {"f16": "b16", "f16x2": "b32", "bf16": "b16"}


def split_decls(decls):
    top, body, types = [], [], {}
    for d in decls.split(";"):
        d = d.strip()
        if not d:
            continue
        (top if d.startswith((".global", ".const", ".visible", ".extern")) else body).append(d + ";")
        m = _decl.match(d)
        if m:
            types[m.group(2)] = m.group(1)
    return top, body, types


def operands(instr):
    """-> guard, opcode, [operand texts]"""
    s = instr.strip().rstrip(";").strip()
    guard = ""
    m = re.match(r"@!?%\w+\s+", s)
    if m:
        guard, s = m.group(0).strip(), s[m.end():]
    # opcode ends at the first blank that is not followed by a dot
    m = re.match(r"[\w.:]+(?:\s+\.[\w.:]+)*", s)
    op, rest = re.sub(r"\s+", "", m.group(0)), s[m.end():].strip()
    out, cur, dep = [], "", 0
    for c in rest:
        if c in "[{(":
            dep += 1
        elif c in "]})":
            dep -= 1
        if c == "," and dep == 0:
            out.append(cur.strip())
            cur = ""
        else:
            cur += c
    if cur.strip():
        out.append(cur.strip())
    return guard, op, out


def has_dest(op, ops):
    w = op.split(".")
    if not ops or ops[0].startswith("["):
        return False
    if w[0] in ("red", "st", "membar", "fence", "cp", "nanosleep", "griddepcontrol", "prefetch", "applypriority", "discard", "stas"):
        return False
    if w[0] in ("bar", "barrier"):
        return "red" in w
    if w[0] == "mbarrier":
        return not ({"init", "inval", "expect_tx", "complete_tx"} & set(w[1:2]))
    return True


WARP = ("vote", "match", "shfl", "redux", "elect")


def contexts(family, group, instr):
    """the contexts in which a form is compiled"""
    g, op, ops = operands(instr)
    regs = _reg.findall(" ".join(ops))
    addr = " ".join(o for o in ops if o.startswith("["))
    c = ["lanes"]
    perm = "order" in group
    if family in ("atom", "red"):
        if not re.search(r"%", addr):
            c = ["uniform"]                     # address is a variable: nothing else is possible
        elif not perm:
            c.append("uniform")
        if not perm and len(regs) > 0:
            c.append("uniall")
        if not perm and family == "atom" and has_dest(op, ops) and "%" in ops[0] and "%" in addr:
            c.append("dead")
    elif family in ("mbarrier", "cp.async"):
        if not perm and re.search(r"%", addr):
            c.append("uniform")
        if not perm and any("%" in o and not o.startswith("[") for o in ops[1 if has_dest(op, ops) else 0:]):
            c.append("uniall")
    elif family in WARP + ("barrier",):
        d = 1 if has_dest(op, ops) else 0
        if not perm and _reg.search(" ".join(ops[d:])):
            c.append("uniform")
    return c


def wrapper(name, decls, instr, family, context):
    """-> (module level declarations, [kernel lines])"""
    top, body, types = split_decls(decls)
    g, op, ops = operands(instr)
    dest = ops[0] if has_dest(op, ops) else ""
    src = (ops[1:] if dest else ops) + ([g] if g else [])
    dn, sn = [], []
    for m in _reg.finditer(dest):
        if m.group(0) not in dn:
            dn.append(m.group(0))
    for o in src:
        for m in _reg.finditer(o):
            if m.group(0) not in sn:
                sn.append(m.group(0))
    for x in dn if g else []:
        if x not in sn:
            sn.append(x)
    uni = set()
    if context == "uniform":
        u = [o for o in ops if o.startswith("[")]
        if family in WARP:
            u += ops[-1:]
        if family == "barrier":
            u += [o for o in src if "%p" not in o]
        uni = {"%" + a + b for a, b in _reg.findall(" ".join(u))}
    elif context == "uniall":
        uni = set(sn)
    L = [".visible .entry %s(.param .u64 P, .param .align 16 .b8 A[512])" % name, "{"] + body
    L += [".reg .b64 %zp<2>; .reg .b32 %zt<40>;", "ld.param.u64 %zp0, [P];", "mov.u32 %zt0, %tid.x;",
          "mad.wide.u32 %zp1, %zt0, 1024, %zp0;"]

    def ty(r):
        t = types[_reg.match(r).group(1)]
        return _mem.get(t, t)
    t = 3
    for k, r in enumerate(sn):
        if _reg.match(r).group(1) not in types:
            continue                            # special register
        a = "ld.param.%s %s, [A+%d];" if r in uni else "ld.global.%s %s, [%%zp1+%d];"
        at = 16 * k if r in uni else LD_MARK + 16 * k
        if ty(r) == "pred":
            L += [a % ("u32", "%%zt%d" % t, at), "setp.ne.u32 %s, %%zt%d, 0;" % (r, t)]
            t += 1
        else:
            L.append(a % (ty(r), r, at))
    traffic = family in ("barrier", "fence", "griddepcontrol", "nanosleep", "header")
    if traffic:
        L += ["ld.global.u32 %%zt1, [%%zp1+%d];" % (LD_MARK + 0xff0), "st.global.u32 [%%zp1+%d], %%zt1;" % (ST_MARK + 0xff0)]
    L.append(instr)
    for k, r in enumerate(dn):
        if _reg.match(r).group(1) not in types or context == "dead":
            continue
        if ty(r) == "pred":
            L += ["selp.u32 %%zt%d, 1, 0, %s;" % (t, r), "st.global.u32 [%%zp1+%d], %%zt%d;" % (ST_MARK + 16 * k, t)]
            t += 1
        else:
            L.append("st.global.%s [%%zp1+%d], %s;" % (ty(r), ST_MARK + 16 * k, r))
    if not traffic and (context == "dead" or not any(_reg.match(r).group(1) in types for r in dn)):
        L.append("st.global.u32 [%%zp1+%d], %%zt0;" % (ST_MARK + 0xfd0))     # code goes on after the form
    if traffic:
        L += ["ld.global.u32 %%zt2, [%%zp1+%d];" % (LD_MARK + 0xfe0), "st.global.u32 [%%zp1+%d], %%zt2;" % (ST_MARK + 0xfe0)]
    return top, L + ["ret;", "}"]


def module(version, target, rows):
    """rows: (decls, instruction, family, context) -> (text, {line: index}); kernels are k0 k1 ..."""
    tops, parts = [], []
    for i, (d, ins, fam, ctx) in enumerate(rows):
        top, L = wrapper("k%d" % i, d, ins, fam, ctx)
        tops += [x for x in top if x not in tops]
        parts.append(L)
    out, at = [".version " + version, ".target " + target, ".address_size 64"] + tops, {}
    for i, L in enumerate(parts):
        for x in L:
            out.append(x)
            at[len(out)] = i
    return "\n".join(out) + "\n", at


# ---------------------------------------------------------------- disassembly
CORE = set("""ATOM ATOMG ATOMS RED REDG REDS MEMBAR ERRBAR CGAERRBAR CCTL CCTLL CCTLT FENCE BAR B2R R2B SYNCS SYNCSU ARRIVES UCGABAR_ARV UCGABAR_WAIT
UCGABAR_GET UCGABAR_SET CGABAR_ARV CGABAR_WAIT CGABAR_GET CGABAR_SET VOTE VOTEU MATCH SHFL REDUX CREDUX UREDUX ELECT WARPSYNC BSSY BSYNC BREAK NANOSLEEP
LDGSTS LDGDEPBAR DEPBAR QSPC STAS REDAS UBLKCP UBLKRED UBLKPF UTMACMDFLUSH UTMACCTL UTMALDG MAPA UMAPA GETCTARANK ACQBULK PREEXIT USETMAXREG
LD LDG LDS LDL ST STG STS STL CALL WARPSYNC YIELD ATOMSU UATOMS LDT STT LDSM USTGR RET ILLEGAL""".split())
# helpers (S2R of lane or CTA ids, FLO, POPC, LDC from a bank other than 0) are recorded, but their place is the scheduler's business
_ins = re.compile(r"^\s*/\*([0-9a-f]{4,6})\*/\s+(.*?)\s*;?\s*(?:/\*\s*0x([0-9a-f]{16})\s*\*/)?\s*$")
_hx = re.compile(r"^\s*/\*\s*0x([0-9a-f]{16})\s*\*/\s*$")
_lab = re.compile(r"^([.$\w@]+):\s*$")


class Ins:
    __slots__ = ("addr", "guard", "op", "args", "hexa", "labels", "text")


def parse_body(lines):
    """nvdisasm text of one code section -> [Ins]; label names stay as written"""
    out, labs = [], []
    for l in lines:
        m = _lab.match(l)
        if m:
            labs.append(m.group(1))
            continue
        m = _ins.match(l)
        if m and m.group(2):
            t = m.group(2).rstrip(" ;")
            out.append(mk(int(m.group(1), 16), t, labs))
            out[-1].hexa = m.group(3) or ""
            labs = []
            continue
        m = _hx.match(l)
        if m and out:
            out[-1].hexa = m.group(1) + out[-1].hexa
    return out


def mk(addr, text, labs=()):
    i = Ins()
    i.addr, i.labels, i.hexa, i.text = addr, list(labs), "", text
    m = re.match(r"(@!?U?P\w+)\s+", text)
    i.guard = m.group(1) if m else ""
    t = text[m.end():] if m else text
    p = t.split(None, 1)
    i.op, i.args = p[0].rstrip(";"), (p[1] if len(p) > 1 else "").rstrip(" ;")
    return i


def parse_plain(lines):
    """output of a compiler under test: one instruction per line, labels `name:` or absolute addresses optional"""
    out, labs = [], []
    for l in lines:
        l = re.sub(r"/\*[^*]*\*/", "", l).strip().rstrip(";").strip()
        if not l:
            continue
        m = re.match(r"^([.$\w@]+):\s*(.*)$", l)
        if m and not l.startswith("@"):
            labs.append(m.group(1))
            l = m.group(2).strip()
            if not l:
                continue
        out.append(mk(len(out) * 16, l, labs))
        labs = []
    return out


def sections(text):
    """nvdisasm -c output -> {kernel: [Ins]}"""
    cur, acc, res = None, [], {}
    for l in text.splitlines():
        m = re.match(r"^\s*\.section\s+\.text\.([\w$.]+?),", l)
        if m:
            if cur is not None:
                res[cur] = parse_body(acc)
            cur, acc = m.group(1), []
        elif l.startswith("//-----"):
            if cur is not None:
                res[cur] = parse_body(acc)
            cur = None
        elif cur is not None:
            acc.append(l)
    if cur is not None:
        res[cur] = parse_body(acc)
    return res


_off = re.compile(r"\[[^\]]*?\+(0x[0-9a-f]+)\]")


def marked(i):
    for m in _off.finditer(i.args):
        o = int(m.group(1), 16)
        if LD_MARK <= o < LD_MARK + 0x1000 or ST_MARK <= o < ST_MARK + 0x1000:
            return True
    return False


def relevant(i):
    """0 no, 1 core, 2 helper"""
    b = i.op.split(".")[0]
    if b in CORE:
        if b in ("LD", "LDG", "ST", "STG", "LDL", "STL", "LDS", "STS") and marked(i):
            return 0
        return 1
    if i.op.startswith("BRA.DIV") or i.op.startswith("BRA.CONV"):
        return 1
    if b in ("S2R", "S2UR", "CS2R"):
        return 2 if re.search(r"SR_(\w*MASK|LANEID|Cga\w*|CGA\w*|SWINHI)", i.args) else 0
    if b == "R2UR":                             # one step of a loop over the distinct values of a register
        return 2 if re.match(r"U?P\d", i.args) or "BROADCAST" in i.op else 0
    if b in ("LDC", "ULDC", "LDCU"):
        return 2 if "c[0x3]" in i.args or "c[0x4]" in i.args else 0
    if b in ("FLO", "UFLO", "POPC", "UPOPC", "BMOV"):
        return 2
    return 0


_tgt = re.compile(r"`\(([^)]+)\)")


def targets(i, labs):
    b = i.op.split(".")[0]
    if b not in ("BRA", "BRX", "JMP"):
        return []
    r = [labs[x] for x in _tgt.findall(i.args) if x in labs]
    if not r:
        m = re.search(r"(?:^|,|\s)(0x[0-9a-f]+|[.$\w@]+)$", i.args.strip())
        if m:
            x = m.group(1)
            r = [labs[x]] if x in labs else [int(x, 16)] if x.startswith("0x") else []
    return r


def analyse(code):
    """[Ins] -> (mnemonics, mnemonics without helpers, sass text, encodings)"""
    labs = {l: i.addr for i in code for l in i.labels}
    at = {i.addr: n for n, i in enumerate(code)}
    succ = []
    for n, i in enumerate(code):
        b = i.op.split(".")[0]
        t = [at[x] for x in targets(i, labs) if x in at]
        fall = n + 1 < len(code)
        if b in ("EXIT", "RET", "BRX", "JMX") and not i.guard:
            fall = False
        if b in ("BRA", "JMP") and not i.guard and not i.op.startswith(("BRA.DIV", "BRA.CONV")) and not re.match(r"!?U?P\w+\s*,", i.args):
            fall = False
        succ.append((t, fall))

    def reach(a, z):
        seen, st = set(), [a]
        while st:
            x = st.pop()
            if x == z:
                return True
            if x in seen:
                continue
            seen.add(x)
            t, f = succ[x]
            st += t
            if f:
                st.append(x + 1)
        return False
    loops, back = {}, set()
    for n, i in enumerate(code):
        for t in succ[n][0]:
            if t < n and reach(t, n):
                loops[t] = max(loops.get(t, 0), n)
                back.add(n)
    # a loop that overlaps another without nesting is widened
    tok, core, txt, enc = [], [], [], []
    keep, need = [], {}
    for n, i in enumerate(code):
        r = relevant(i)
        b = i.op.split(".")[0]
        isb = b == "BRA" and not (succ[n][0] == [n])
        keep.append(r or (3 if isb else 0))
        if keep[-1]:
            for x in targets(i, labs):
                need[x] = None
            for x in _tgt.findall(i.args):
                if x in labs:
                    need[labs[x]] = None
    # unreachable padding after the last EXIT carries nothing
    for n, i in enumerate(code):
        for t in sorted(t for t in loops if t == n):
            tok.append("loop(")
            core.append("loop(")
        if keep[n] in (1, 2):
            s = i.op
            if i.op.split(".")[0] in ("S2R", "S2UR", "CS2R"):
                s += "[" + i.args.split(",")[-1].strip() + "]"
            tok.append(s)
            if keep[n] == 1:
                core.append(s)
        for t in [t for t in loops if loops[t] == n]:
            tok.append(")")
            core.append(")")
    names, ren, pend = {}, {}, []

    def sub(m):
        w, num = m.group(1), m.group(2)
        c = ren.setdefault(w, {})
        return w + str(c.setdefault(num, len(c)))

    def lab(a):
        return names.setdefault(a, "L%d" % len(names))
    for n, i in enumerate(code):
        if i.addr in need:
            pend.append(i.addr)
        if not keep[n]:
            continue
        a = _tgt.sub(lambda m: lab(labs[m.group(1)]) if m.group(1) in labs else re.sub(r"\bk\d+\b", "k", m.group(1)), i.args)
        s = ((i.guard + " ") if i.guard else "") + i.op + ((" " + a) if a else "")
        s = re.sub(r"\b(UR|UP|R|P|B)(\d+)\b", sub, s)
        s = re.sub(r"\s+", " ", s)
        for x in pend:
            s = lab(x) + ": " + s
        pend = []
        txt.append(s)
        enc.append(i.hexa)
    return fmt(tok), fmt(core), " ; ".join(txt), " ".join(enc)


def fmt(t):
    return " ".join(t).replace("loop( ", "loop(").replace(" )", ")")
