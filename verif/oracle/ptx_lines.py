# SPDX-License-Identifier: Apache-2.0
"""The compared lines of a PTX body, in one normal form: guard, opcode with all modifiers, operands as classes.

Register names, labels, blanks and the code in between do not count.  What counts per operand: register or immediate, the width
(w32) or predicate (p), the value of an immediate, a register that holds a constant (w32=1), one that holds the negated value
(w32- by neg or 0-x on integers, w32:0-x and w32:fneg on floats), the form of the address ([reg], [reg+4], [sym], [sym+4])."""
import re

PICK = re.compile(r"^(atom|red|redux|fence|membar|bar|barrier|mbarrier|vote|shfl|match|activemask|nanosleep|elect|mapa|"
                  r"getctarank|isspacep|fns|trap|brkpt|griddepcontrol|cp|ld\.(relaxed|acquire|release|acq_rel|volatile|mmio)|"
                  r"st\.(relaxed|release|acquire|acq_rel|volatile|mmio))(\.|$|\b)")
SREG = re.compile(r"^%(n?cluster|is_explicit_cluster)")
STRICT = re.compile(r"^(atom|red\b|red\.|ld|st)")
PREFIX = {"p": "p", "rs": "w16", "h": "w16", "r": "w32", "f": "w32", "hh": "w32", "rd": "w64", "fd": "w64", "rq": "w128"}


def width(t):
    return "p" if t == "pred" else "w" + re.sub(r"\D", "", t.split("x")[0])


def statements(text):
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    out, cur, depth = [], "", 0
    for ch in text:
        if ch == "{":
            if cur.strip():
                depth += 1
                cur += ch
            continue
        if ch == "}":
            if depth:
                depth -= 1
                cur += ch
            else:
                cur = flush(out, cur)
            continue
        if ch == ";" and not depth:
            cur = flush(out, cur)
            continue
        cur += ch
        m = re.match(r"\s*[$\w]+:(?!:)\s*$", cur)
        if m:
            cur = ""
    flush(out, cur)
    return out


def flush(out, cur):
    s = re.sub(r"\s+", " ", cur).strip()
    if s:
        out.append(s)
    return ""


def operands(s):
    out, cur, d = [], "", 0
    for ch in s:
        d += (ch in "{[(") - (ch in "}])")
        if ch == "," and not d:
            out.append(cur.strip())
            cur = ""
        else:
            cur += ch
    if cur.strip():
        out.append(cur.strip())
    return out


def number(t, bits=32):
    if re.match(r"^0[fFdD][0-9a-fA-F]+$", t):
        return t[:2].lower() + t[2:].upper()
    if not re.match(r"^-?(0[xX][0-9a-fA-F]+|\d+)[uU]?$", t):
        return None
    v = int(t.rstrip("uU"), 0) & ((1 << bits) - 1)
    return str(v - (1 << bits) if v >> (bits - 1) else v)


class Body:
    def __init__(self, text, fn=None):
        self.st = statements(text)
        self.decl, self.pre, self.defs, self.fn = {}, dict(PREFIX), {}, fn
        self.lines, self.src, self.dst, self.stores = [], [], [], []
        for i, s in enumerate(self.st):
            self.one(i, s)

    def cls(self, r):
        if r in self.decl:
            return self.decl[r]
        m = re.match(r"^%([a-z]+)\d+$", r)
        return self.pre.get(m.group(1)) if m else None

    def one(self, i, s):
        m = re.match(r"^\.reg \.(\w+) (.*)$", s)
        if m:
            for d in m.group(2).split(","):
                k = re.match(r"\s*(%?[\w$]+?)<\d+>$", d)
                if k:
                    self.pre[k.group(1).lstrip("%")] = width(m.group(1))
                else:
                    self.decl[d.strip()] = width(m.group(1))
            return
        if s.startswith("."):
            return
        m = re.match(r"^(@!?\S+ )?([a-z][\w.:]*)\s*(.*)$", s)
        if not m:
            return
        guard, op, ops = ("@p " if m.group(1) else ""), m.group(2), operands(m.group(3))
        if PICK.match(op):
            self.lines.append(guard + self.canon(op, ops))
            self.src.append((op, [self.origin(x) for x in ops], [self.sources(x) for x in ops] if op.startswith(("atom", "st")) else []))
            self.dst.append((i, ops[0] if ops and not op.startswith(("st", "red.", "fence", "membar", "bar.sync", "barrier",
                                                                     "cp", "nanosleep", "bar.warp")) else None))
        elif op.startswith("mov") and len(ops) == 2 and SREG.match(ops[1]):
            self.lines.append(guard + "mov " + ops[1])
            self.src.append((op, [], []))
            self.dst.append((i, ops[0]))
        if op.startswith("st.") and not op.startswith("st.param") and ops:
            m = re.match(r"\[\s*([^\s+\]]+)", ops[0])
            self.stores.append(self.origin(m.group(1)) if m else None)
        if ops and not op.startswith(("st", "red.", "bra")):
            for d in re.findall(r"%?[\w$]+", re.sub(r"\[.*", "", ops[0])):
                if self.cls(d):
                    self.defs[d] = (op, ops)

    def canon(self, op, ops):
        bits = 64 if re.search(r"\.[busf]64$", op) else 32
        return (op + " " + ", ".join(self.arg(x, bits, STRICT.match(op), k) for k, x in enumerate(ops))).strip()

    def arg(self, x, bits, strict, k):
        if x.startswith("["):
            m = re.match(r"\[\s*([^\s+\]]+)\s*(?:\+\s*(-?\w+))?\s*\]$", x)
            if not m:
                return x
            off = number(m.group(2), 64) if m.group(2) else "0"
            return "[%s%s]" % ("reg" if self.cls(m.group(1)) else "sym", "+" + off if off != "0" else "")
        if x.startswith("{"):
            return "{%s}" % ",".join(self.arg(y, bits, strict, k) for y in operands(x[1:-1]))
        if "|" in x:
            return "|".join(self.arg(y.strip(), bits, strict, 0) for y in x.split("|"))
        n = number(x, bits)
        if n is not None:
            return "#" + n
        neg = "!" if x.startswith("!") else ""
        c = self.cls(x.lstrip("!"))
        if not c:
            return x
        if k:
            v = self.value(x, bits)
            if v and v[0] == "#" and not strict:
                return v
            if v:
                return c + ("=" if v[0] == "#" else "") + v.lstrip("#")
        return neg + c

    def value(self, r, bits):
        d = self.defs.get(r)
        if not d:
            return None
        op, ops = d
        if op.startswith("mov") and len(ops) == 2:
            n = number(ops[1], bits)
            return "#" + n if n is not None else self.value(ops[1], bits) if self.cls(ops[1]) else None
        if re.match(r"neg\.s", op):
            return "-"
        if re.match(r"neg\.(ftz\.)?f", op):
            return ":fneg"
        if op.startswith("sub.") and len(ops) == 3:
            z = number(ops[1], bits)
            z = "#" + z if z is not None else self.value(ops[1], bits)
            if z and re.match(r"^#(0|0[fd]0+)$", z):
                return ":0-x" if re.search(r"\.f\d+$", op) else "-"
        return None

    def origin(self, x, depth=0):
        """index of the parameter a plain operand comes from, or None"""
        if depth > 12:
            return None
        if x.startswith("{"):
            o = {self.origin(y, depth + 1) for y in operands(x[1:-1])}
            return o.pop() if len(o) == 1 else None
        d = self.defs.get(x)
        if not d:
            return None
        op, ops = d
        if op.startswith("ld.param"):
            m = re.match(r"\[\w+?_param_(\d+)", ops[1])
            return int(m.group(1)) if m else None
        if re.match(r"(mov|cvt|cvta|neg)\b", op) and len(ops) == 2:
            return self.origin(ops[1], depth + 1)
        if op.startswith("sub.") and len(ops) == 3:
            return self.origin(ops[2], depth + 1)
        return None

    def sources(self, x, depth=0):
        """the set of parameters a computed operand depends on, loads through a pointer included; None in it: unknown"""
        if depth > 40:
            return {None}
        if x.startswith(("{", "[")):
            return set().union(*[self.sources(y, depth + 1) for y in re.findall(r"%[\w$]+", x)] or [{None}])
        d = self.defs.get(x)
        if not d:
            return set() if number(x) is not None else {None}
        op, ops = d
        if op.startswith("ld.param"):
            m = re.match(r"\[\w+?_param_(\d+)", ops[1])
            return {int(m.group(1)) if m else None}
        if op.startswith(("atom", "ld.local")):
            return {None}
        return set().union(*[self.sources(y, depth + 1) for y in ops[1:]] or [{None}])

    def misplaced(self, roles):
        """an operand that plainly comes from the wrong parameter"""
        for op, src, dep in self.src:
            want = {}
            if re.match(r"atom\S*\.cas\b", op) and len(src) == 4:
                want = {2: "e", 3: "v"}
            elif op.startswith("atom") and len(src) == 3:
                want = {2: "v"}
            elif op.startswith("st.") and len(src) == 2:
                want = {1: "v"}
            for k, role in want.items():
                other = {roles[r] for r in roles} - {roles.get(role)}
                if role in roles and (src[k] is not None and src[k] != roles[role] or len(dep[k]) == 1 and dep[k] <= other):
                    return "%s: operand %d comes from parameter %s, expected %d" % (op, k, src[k] if src[k] is not None else dep[k],
                                                                                     roles[role])
        return None

    def not_stored(self, wanted):
        """a parameter the row stores through and the body plainly does not"""
        return None if None in self.stores else next((k for k in wanted if k not in self.stores), None)

    def result_used(self):
        for i, d in reversed(self.dst):
            if d is None:
                continue
            names = [y for y in re.findall(r"%?[\w$]+", d) if self.cls(y) and self.cls(y) != "p"]
            return any(re.search(r"(?<![\w$%%])%s(?![\w$])" % re.escape(y), t) for y in names for t in self.st[i + 1:])
        return True


def functions(ptx):
    ptx = re.sub(r"//[^\n]*", "", ptx)
    out = {}
    for m in re.finditer(r"\.(?:entry|func)\b([^{;]*?)([{;])", ptx):
        n = re.findall(r"\b(fn\d+)\b(?!_)", m.group(1))
        if m.group(2) == ";" or not n:
            continue
        d, j = 1, m.end()
        while d and j < len(ptx):
            d += {"{": 1, "}": -1}.get(ptx[j], 0)
            j += 1
        out[n[0]] = ptx[m.end():j - 1]
        out[n[0], "params"] = len(set(re.findall(r"%s_param_\d+" % n[0], m.group(1))))
    return out
