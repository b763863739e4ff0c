# SPDX-License-Identifier: Apache-2.0
"""The atomic, fence, barrier and warp lines of PTX functions in one normal form: registers become classes of a width
(w32; p for predicates), an operand set by a mov from a constant its value, a negated one is marked."""
import re

KEEP = re.compile(r"(atom|red|redux|fence|membar|bar|barrier|mbarrier|vote|shfl|match|activemask|nanosleep|mapa|getctarank|"
                  r"isspacep|fns|trap|brkpt|cp|(ld|st)\.(relaxed|acquire|release|acq_rel|volatile))\b")
CLASS = {"p": "p", "rs": "w16", "r": "w32", "f": "w32", "rd": "w64", "fd": "w64", "rq": "w128"}


def functions(ptx):
    """name -> body text"""
    out = {}
    for m in re.finditer(r"^\.?[^\n]*\.(?:entry|func)\b[^;{]*?\b(fn\d+)\(.*?^\{(.*?)^\}", re.sub(r"//[^\n]*", "", ptx), re.S | re.M):
        out[m.group(1)] = m.group(2)
    return out


def statements(body):
    """Statements without the braces of blocks; those of operand lists stay."""
    text, piece, inside = [], "", 0
    for part in re.split(r"([{};])", body):
        if part == "{" and (inside or re.sub(r"[$\w]+:\s", "", piece).strip()):
            inside += 1
        elif part == "}" and inside:
            inside -= 1
        elif part in ("{", "}") or (part == ";" and not inside):
            text.append(piece)
            piece = ""
            continue
        piece += part
    text.append(piece)
    return [re.sub(r"^(\s*[$\w]+:\s)+", "", t).strip() for t in text if t.strip()]


def split(ops):
    return [x.strip() for x in re.findall(r"(?:\{[^}]*\}|\[[^\]]*\]|[^,{\[])+", ops)]


class Function:
    def __init__(self, body):
        self.width, self.made, self.lines = {}, {}, []
        for s in statements(body):
            d = re.match(r"\.reg\s+\.(\w+)\s+(.*)", s, re.S)
            if d:
                for r in d.group(2).split(","):
                    if "<" not in r:
                        self.width[r.strip()] = "p" if d.group(1) == "pred" else "w" + d.group(1)[1:]
                continue
            i = re.match(r"(@!?[%\w]+\s+)?([a-z][\w.:]*)\s*(.*)", s, re.S)
            if i and not s.startswith("."):
                self.take("@p " if i.group(1) else "", i.group(2), split(i.group(3)))

    def reg(self, x):
        m = re.match(r"%([a-z]+)\d+$", x)
        return self.width.get(x) or (m and CLASS.get(m.group(1)))

    def number(self, x, wide):
        if re.match(r"0[fd]", x):
            return x
        if not re.match(r"-?(0x[0-9a-fA-F]+|\d+)$", x):
            return None
        bits = 64 if wide else 32
        v = int(x, 0) % (1 << bits)
        return str(v - (1 << bits) if v >> bits - 1 else v)

    def take(self, guard, op, ops):
        if KEEP.match(op):
            wide, exact = re.search(r"[bsuf]64$", op), op.startswith(("atom", "ld", "st"))
            self.lines.append((guard + op + " " + ", ".join(self.operand(x, wide, exact, k) for k, x in enumerate(ops))).strip())
        elif op.startswith("mov") and len(ops) == 2 and re.match(r"%(n?cluster|is_explicit)", ops[1]):
            self.lines.append(guard + "mov " + ops[1])
        if ops and not op.startswith("st"):
            for r in re.findall(r"%\w+", ops[0].split("[")[0]):
                self.made[r] = (op, ops)

    def origin(self, r, wide):
        """('#', value), ('-', '') and so on, for a register that is a constant or a negation"""
        op, ops = self.made.get(r, ("", []))
        if op.startswith("mov") and len(ops) == 2:
            n = self.number(ops[1], wide)
            return "=" + n if n is not None else self.origin(ops[1], wide)
        if op.startswith("neg.s"):
            return "-"
        if op.startswith("neg."):
            return ":fneg"
        if op.startswith("sub.") and len(ops) == 3:
            zero = self.origin(ops[1], wide) if self.reg(ops[1]) else "=" + ops[1]
            if zero == "=0" or re.match(r"=0[fd]0+$", zero):
                return ":0-x" if re.search(r"\.f\d\d$", op) else "-"
        return ""

    def operand(self, x, wide, exact, k):
        if x[0] == "[":
            m = re.match(r"\[\s*(\S+?)\s*(\+-?\d+)?\]$", x)
            return "[%s%s]" % ("reg" if self.reg(m.group(1)) else "sym", m.group(2) or "")
        if x[0] == "{":
            return "{%s}" % ",".join(self.operand(y.strip(), wide, exact, k) for y in x[1:-1].split(","))
        if "|" in x:
            return "|".join(self.operand(y.strip(), wide, exact, 0) for y in x.split("|"))
        n = self.number(x, wide)
        if n is not None:
            return "#" + n
        c = self.reg(x.lstrip("!"))
        if not c:
            return x
        how = self.origin(x, wide) if k else ""
        return "#" + how[1:] if how.startswith("=") and not exact else ("!" if x[0] == "!" else "") + c + how
