# SPDX-License-Identifier: Apache-2.0
"""Random CUDA C kernels whose threads work together, and their meaning in plain C.

A program is a tree of statements. One that touches a thread's own variables alone is a function whose text is the same for the
device and for the reference; one in which threads meet is written twice: as CUDA, and as loops over all threads. What is left does not
depend on any order: shared cells are changed by operations that commute, and their results are not looked at."""
import random

BLOCKS, THREADS, WORDS, COMMON = 2, 96, 6, 12
WORDS_OUT = 32  # of 32 bits, for each thread
VARS = "struct V { u32 w[%d]; u64 d[3]; float f[3]; double g[2]; unsigned short h[2], b[2]; u32 a[8]; };\n" % WORDS


class Gen:
    def __init__(self, seed):
        self.r, self.functions, self.count = random.Random(seed), [], 0
        self.body = [self.statement(0) for _ in range(self.r.randint(8, 18))]

    # ---- expressions over struct V *v ----
    def u32(self, depth=3):
        r, e = self.r, lambda: self.u32(depth - 1)
        if depth <= 0 or r.random() < 0.15:
            return r.choice(["v->w[%d]" % r.randrange(WORDS), "v->w[%d]" % r.randrange(WORDS), "%du" % r.choice([0, 1, 2, 7, 31, 255, 65535, 0x80000000, 0xffffffff, r.getrandbits(32)]),
                             "(u32)v->d[%d]" % r.randrange(3), "v->a[%s & 7]" % ("v->w[%d]" % r.randrange(WORDS)), "(u32)v->h[0]", "(u32)(short)v->h[1]", "(u32)(signed char)v->w[1]"])
        return r.choice([
            lambda: "(%s %s %s)" % (e(), r.choice("+-*&|^"), e()),
            lambda: "(%s %s %s)" % (e(), r.choice("+-*&|^"), e()),
            lambda: "(%s %s (%s & 31))" % (e(), r.choice(["<<", ">>"]), e()),
            lambda: "(u32)((int)%s >> (%s & 31))" % (e(), e()),
            lambda: "(%s %s (%s | 1))" % (e(), r.choice("/%"), e()),
            lambda: "(u32)((int)%s %s (int)((%s & 0xffff) + 3))" % (e(), r.choice("/%"), e()),
            lambda: "(%s %s %s ? %s : %s)" % (e(), r.choice(["<", "==", ">=", "!="]), e(), e(), e()),
            lambda: "((int)%s %s (int)%s ? %s : %s)" % (e(), r.choice(["<", "<=", ">"]), e(), e(), e()),
            lambda: "%s(%s)" % (r.choice(["popc", "clz", "ffs1", "brev"]), e()),
            lambda: "%s(%s)" % (r.choice(["popcl", "clzl"]), self.u64(depth - 1)),
            lambda: "%s(%s, %s)" % (r.choice(["mulhi", "smulhi", "absdiff4", "sabsdiff4", "add2", "addss2", "subus4", "maxs2", "minu4", "cmplts4"]), e(), e()),
            lambda: "%s(%s, %s, %s)" % (r.choice(["perm", "fshl", "fshrc", "sad", "usad", "dp4a", "udp4a"]), e(), e(), e()),
            # the bits of a NaN are nobody's promise
            lambda: {"ftoi": "ftoi(%s)", "ftou": "ftou(%s)", "bits": "bits(CLEAN(%s))"}[r.choice(["ftoi", "ftou", "bits"])] % self.f32(depth - 1),
            lambda: "(u32)(%s >> %d)" % (self.u64(depth - 1), r.randrange(33)),
            lambda: "hlt(%s, %s)" % (self.half(1), self.half(1)),
        ])()

    def u64(self, depth=2):
        r, e = self.r, lambda: self.u64(depth - 1)
        if depth <= 0 or r.random() < 0.2:
            return r.choice(["v->d[%d]" % r.randrange(3), "(u64)%s" % self.u32(1), "0x%xull" % r.getrandbits(64), "(u64)(long long)(int)v->w[0]"])
        return r.choice([
            lambda: "(%s %s %s)" % (e(), r.choice("+-*&|^"), e()),
            lambda: "(%s %s (%s & 63))" % (e(), r.choice(["<<", ">>"]), self.u32(1)),
            lambda: "(u64)((long long)%s >> (%s & 63))" % (e(), self.u32(1)),
            lambda: "(%s %s (%s | 1))" % (e(), r.choice("/%"), e()),
            lambda: "(%s < %s ? %s : %s)" % (e(), e(), e(), e()),
            lambda: "((u64)%s * %s)" % (self.u32(1), self.u32(1)),
            lambda: "mulhil(%s, %s)" % (e(), e()),
            lambda: "dtol(%s)" % self.f64(1),
        ])()

    def f32(self, depth=2):
        r, e = self.r, lambda: self.f32(depth - 1)
        if depth <= 0 or r.random() < 0.2:
            return r.choice(["v->f[%d]" % r.randrange(3), "%.8ff" % r.uniform(-9, 9), "itof(%s)" % self.u32(0), "htof(v->h[0])", "btof(v->b[1])", "(float)v->g[0]"])
        return r.choice([
            lambda: "(%s %s %s)" % (e(), r.choice("+-*/"), e()),
            lambda: "fmaf(%s, %s, %s)" % (e(), e(), e()),
            lambda: "sqrtf(fabsf(%s))" % e(),
            lambda: "%s(%s, %s)" % (r.choice(["fadd_rd", "fadd_ru", "fmul_rz", "fdiv_ru"]), e(), e()),
            lambda: "fsqrt_rd(fabsf(%s))" % e(),
            lambda: "(%s < %s ? %s : -(%s))" % (e(), e(), e(), e()),
            lambda: "%s(%s)" % (r.choice(["floorf", "ceilf", "truncf", "rintf"]), e()),
        ])()

    def f64(self, depth=2):
        r, e = self.r, lambda: self.f64(depth - 1)
        if depth <= 0 or r.random() < 0.25:
            return r.choice(["v->g[%d]" % r.randrange(2), "(double)v->f[0]", "ltod(v->d[0])", "%.12f" % r.uniform(-5, 5)])
        return r.choice([
            lambda: "(%s %s %s)" % (e(), r.choice("+-*/"), e()),
            lambda: "fma(%s, %s, %s)" % (e(), e(), e()),
            lambda: "%s(%s, %s)" % (r.choice(["dadd_ru", "dmul_rd"]), e(), e()),
            lambda: "sqrt(fabs(%s))" % e(),
        ])()

    def half(self, depth=2):
        r, e = self.r, lambda: self.half(depth - 1)
        if depth <= 0:
            return r.choice(["v->h[0]", "v->h[1]", "ftoh(v->f[1])"])
        return r.choice([lambda: "hadd(%s, %s)" % (e(), e()), lambda: "hmul(%s, %s)" % (e(), e()), lambda: "hfma(%s, %s, %s)" % (e(), e(), e()), e])()

    def condition(self):
        r = self.r
        return r.choice(["(%s & %d) != 0" % (self.u32(1), r.choice([1, 3, 4, 64])), "%s < %s" % (self.u32(2), self.u32(2)), "%s > 0.25f" % self.f32(1), "v->w[%d] %% 3 == 1" % r.randrange(WORDS)])

    # ---- statements of one thread ----
    def local(self, depth=0):
        r, body = self.r, lambda: self.local(depth + 1)
        k = r.random()
        if depth < 2 and k < 0.12:
            return "if (%s) { %s } else { %s }" % (self.condition(), body(), body())
        if depth < 2 and k < 0.2:
            i = "i%d" % depth
            return "for (u32 %s = 0; %s < (%s & 7); %s++) { %s%s }" % (i, i, "v->w[%d]" % r.randrange(WORDS), i, body(), r.choice(["", " if (%s) break;" % self.condition(), " v->a[%s] += %s;" % (i, i)]))
        if depth < 2 and k < 0.27:
            return "switch (%s & 7) { case 0: %s break; case 1: %s case 3: %s break; case 4: %s break; case 6: return; default: %s }" % (self.u32(1), body(), body(), body(), body(), body())
        return r.choice([
            lambda: "v->w[%d] = %s;" % (r.randrange(WORDS), self.u32()),
            lambda: "v->w[%d] = %s;" % (r.randrange(WORDS), self.u32()),
            lambda: "v->w[%d] += %s;" % (r.randrange(WORDS), self.u32()),
            lambda: "v->d[%d] = %s;" % (r.randrange(3), self.u64()),
            lambda: "v->f[%d] = CLEAN(%s);" % (r.randrange(3), self.f32()),
            lambda: "v->g[%d] = CLEAN(%s);" % (r.randrange(2), self.f64()),
            lambda: "v->h[%d] = %s;" % (r.randrange(2), self.half()),
            lambda: "v->b[%d] = ftob(%s);" % (r.randrange(2), self.f32(1)),
            lambda: "v->a[%s & 7] = %s;" % (self.u32(1), self.u32(2)),
        ])()

    def function(self, text, result="void"):
        name = "l%d" % self.count
        self.count += 1
        return name, "OWN %s%s %s(struct V *v)" % (self.r.choice(["NOINLINE ", "", ""]), result, name), [text]

    # ---- statements ----
    def statement(self, depth):
        k = self.r.random()
        if depth < 2 and k < 0.16:
            name, head, text = self.function("return %s;" % self.condition(), "int")
            n = self.r.randint(1, 3)
            return ("if", name, head, text, [self.statement(depth + 1) for _ in range(n)], [self.statement(depth + 1) for _ in range(self.r.randint(0, 2))])
        if k < 0.45:
            name, head, _ = self.function("")
            return ("local", name, head, [self.local() for _ in range(self.r.randint(1, 4))])
        r, w = self.r, lambda: self.r.randrange(WORDS)
        kinds = ["ballot", "reduce", "first", "match", "own", "common", "common"]
        if depth == 0:
            kinds += ["shuffle", "shuffle", "shuffle64", "exchange", "count", "half"]
        kind = r.choice(kinds)
        return (kind, w(), w(), w(), r.randrange(1 << 16))


# ---- the two texts ----

OWN_OPS = [("atomicExch(&X, y)", "t = *x; *x = y;"), ("atomicAdd(&X, y)", "t = *x; *x += y;"), ("atomicCAS(&X, y & 3 ? X : y, y * 5)", "t = *x; if (t == (y & 3 ? *x : y)) *x = y * 5;"),
           ("atomicMin((int *)&X, (int)y)", "t = *x; if ((int)y < (int)t) *x = y;"), ("atomicInc(&X, y)", "t = *x; *x = t >= y ? 0 : t + 1;"),
           ("atomicDec(&X, y)", "t = *x; *x = t == 0 || t > y ? y : t - 1;"), ("atomicSub(&X, y)", "t = *x; *x -= y;"), ("atomicMax(&X, y)", "t = *x; if (y > t) *x = y;")]
COMMON_OPS = ["add", "min", "max", "and", "or", "xor", "add64", "max64", "fadd", "dadd", "h2", "b2", "cas"]


def device(s, depth=0):
    kind = s[0]
    mask = "m%d" % depth
    if kind == "local":
        return " %s(v);\n" % s[1]
    if kind == "if":
        inner = "m%d" % (depth + 1)
        text = " { u32 c = %s(v), %s = __ballot_sync(%s, c != 0);\n if (c) {\n" % (s[1], inner, mask)
        text += "".join(device(x, depth + 1) for x in s[4]) + " } else { %s = %s & ~%s;\n" % (inner, mask, inner)
        return text + "".join(device(x, depth + 1) for x in s[5]) + " } __syncwarp(%s); }\n" % mask
    _, a, b, c, k = s
    if kind == "ballot":
        return [" v->w[%d] = __ballot_sync(%s, v->w[%d] & 1);\n", " v->w[%d] = __any_sync(%s, v->w[%d] %% 7 == 3);\n", " v->w[%d] = __all_sync(%s, v->w[%d] %% 7 != 3);\n"][k % 3] % (a, mask, b)
    if kind == "reduce":
        return " v->w[%d] = red_%s(%s, v->w[%d]);\n" % (a, ["add", "min", "max", "xor"][k % 4], mask, b)
    if kind == "first":
        return " v->w[%d] = first_of(%s, v->w[%d]);\n" % (a, mask, b)
    if kind == "match":
        if k % 3 == 0:
            return " { int p; v->w[%d] = __match_all_sync(%s, v->w[%d] & %d, &p); v->w[%d] += (u32)p; }\n" % (a, mask, b, k % 2, a)
        return " v->w[%d] = __match_any_sync(%s, v->%s & %d);\n" % (a, mask, "d[1]" if k % 3 == 1 else "w[%d]" % b, [1, 3, 7][k % 3])
    if kind == "own":
        op = OWN_OPS[k % len(OWN_OPS)][0].replace("X", ["s_own[tid]", "g_own[gid]"][k >> 8 & 1])
        return " { u32 y = v->w[%d]; v->w[%d] = (u32)%s; }\n" % (b, a, op)
    if kind == "common":
        op, at = COMMON_OPS[k % len(COMMON_OPS)], (k >> 6) % 4
        y, p = "v->w[%d]" % b, ["s_common", "g_common"][k >> 10 & 1]
        text = {"add": "atomicAdd(&%s[0], %s)", "min": "atomicMin((int *)&%s[1], (int)%s)", "max": "atomicMax(&%s[2], %s)", "and": "atomicAnd(&%s[3], %s)", "or": "atomicOr(&%s[4], %s & 0x11111111)",
                "xor": "atomicXor(&%s[5], %s)", "add64": "atomicAdd((unsigned long long *)&%s[6], (u64)%s << 7)", "max64": "atomicMax((unsigned long long *)&%s[8], (u64)%s << 9)",
                "fadd": "atomicAdd((float *)&%s[10], (float)(%s & 63))", "dadd": "atomicAdd((double *)&%s[12], (double)(%s & 1023))", "h2": "atomic_h2(&%s[14], %s)", "b2": "atomic_b2(&%s[15], %s)",
                "cas": "cas_max(&%s[11], %s)"}[op] % (p, y)
        return " %s;\n" % text
    if kind == "shuffle" or kind == "shuffle64":
        how, width = ["", "_up", "_down", "_xor"][k % 4], [32, 16, 8, 4][k >> 2 & 3]
        arg = "v->w[%d] & 31" % c if k >> 4 & 1 and not how else "%d" % (k >> 5 & (31 if not how else width - 1))
        var = "v->w[%d]" if kind == "shuffle" else "v->d[%d]"
        return " %s = __shfl%s_sync(m0, %s, %s, %d);\n" % (var % (a % 3 if kind != "shuffle" else a), how, var % (b % 3 if kind != "shuffle" else b), arg, width)
    if kind == "exchange":
        return " __syncthreads(); s_x[tid] = v->w[%d]; __syncthreads(); v->w[%d] = s_x[(tid * %d + %d) %% %d];\n" % (b, a, k % 16 * 2 + 1, k % 97, THREADS)
    if kind == "count":
        return " v->w[%d] = (u32)__syncthreads_%s(v->w[%d] %% %d == 1);\n" % (a, ["count", "or", "and"][k % 3], b, 2 + k % 5)
    if kind == "half":
        return " v->w[%d] = half2_add(v->w[%d] & 0xbfffbfff, __shfl_xor_sync(m0, v->w[%d] & 0xbfffbfff, %d));\n" % (a, b, c, 1 << k % 5)
    raise KeyError(kind)


def reference(s, depth=0):
    """Over V v[THREADS] of one block; A[depth][t] says who is there."""
    kind, A, each = s[0], "A[%d]" % depth, " EACH(%d) " % depth
    if kind == "local":
        return each + "%s(&v[t]);\n" % s[1]
    if kind == "if":
        text = " { u32 c[THREADS];" + each + "c[t] = %s(&v[t]) != 0;\n" % s[1]
        for body, want in ((s[4], 1), (s[5], 0)):
            text += " for (u32 t = 0; t < THREADS; t++) A[%d][t] = %s[t] && c[t] == %d;\n" % (depth + 1, A, want) + "".join(reference(x, depth + 1) for x in body)
        return text + " }\n"
    _, a, b, c, k = s
    old = " memcpy(o, v, sizeof o);"
    others = "for (u32 i = t & ~31u; i < (t | 31u) + 1; i++) if (%s[i])" % A
    if kind == "ballot":
        return old + each + ["{ u32 r = 0; %s r |= (o[i].w[%d] & 1) << (i & 31); v[t].w[%d] = r; }\n", "{ u32 r = 0; %s r |= o[i].w[%d] %% 7 == 3; v[t].w[%d] = r; }\n",
                             "{ u32 r = 1; %s r &= o[i].w[%d] %% 7 != 3; v[t].w[%d] = r; }\n"][k % 3] % (others, b, a)
    if kind == "reduce":
        fold = ["r += x", "r = first || (int)x < (int)r ? x : r", "r = first || x > r ? x : r", "r ^= x"][k % 4]
        return old + each + "{ u32 r = 0, first = 1; %s { u32 x = o[i].w[%d]; %s; first = 0; } (void)first; v[t].w[%d] = r; }\n" % (others, b, fold, a)
    if kind == "first":
        return old + each + "{ %s { v[t].w[%d] = o[i].w[%d]; break; } }\n" % (others, a, b)
    if kind == "match":
        if k % 3 == 0:
            return old + each + "{ u32 all = 1, r = 0; %s { r |= 1u << (i & 31); all &= (o[i].w[%d] & %d) == (o[t].w[%d] & %d); } v[t].w[%d] = (all ? r : 0) + all; }\n" % (others, b, k % 2, b, k % 2, a)
        var, m = ("d[1]" if k % 3 == 1 else "w[%d]" % b), [1, 3, 7][k % 3]
        return old + each + "{ u32 r = 0; %s r |= (u32)((o[i].%s & %d) == (o[t].%s & %d)) << (i & 31); v[t].w[%d] = r; }\n" % (others, var, m, var, m, a)
    if kind == "own":
        return each + "{ u32 y = v[t].w[%d], t_ = t, *x = &%s; u32 t = 0; %s v[t_].w[%d] = t; }\n" % (b, ["s_own[t]", "g_own[block * THREADS + t]"][k >> 8 & 1], OWN_OPS[k % len(OWN_OPS)][1], a)
    if kind == "common":
        op, p = COMMON_OPS[k % len(COMMON_OPS)], ["s_common", "g_common"][k >> 10 & 1]
        text = {"add": "%s[0] += y;", "min": "if ((int)y < (int)%s[1]) @[1] = y;", "max": "if (y > %s[2]) @[2] = y;", "and": "%s[3] &= y;", "or": "%s[4] |= y & 0x11111111;", "xor": "%s[5] ^= y;",
                "add64": "put64(%s + 6, get64(@ + 6) + ((u64)y << 7));", "max64": "{ u64 n = (u64)y << 9; if (n > get64(%s + 8)) put64(@ + 8, n); }", "fadd": "float_add(%s + 10, (float)(y & 63));",
                "dadd": "double_add(%s + 12, (double)(y & 1023));", "h2": "%s[14] = hadd((u16)@[14], ftoh((float)(y & 1))) | (u32)hadd((u16)(@[14] >> 16), ftoh((float)(y >> 1 & 1))) << 16;",
                "b2": "%s[15] = ftob(btof((u16)@[15]) + (float)(y & 1)) | (u32)ftob(btof((u16)(@[15] >> 16)) + (float)(y >> 1 & 1)) << 16;", "cas": "if (y > %s[11]) @[11] = y;"}[op]
        return each + "{ u32 y = v[t].w[%d]; %s }\n" % (b, (text % p).replace("@", p))
    if kind == "shuffle" or kind == "shuffle64":
        how, width = k % 4, [32, 16, 8, 4][k >> 2 & 3]
        arg = "(o[t].w[%d] & 31)" % c if k >> 4 & 1 and not how else "%du" % (k >> 5 & (31 if not how else width - 1))
        var = "w" if kind == "shuffle" else "d"
        a, b = (a, b) if var == "w" else (a % 3, b % 3)
        at = ["(l & ~%du) | (%s & %du)" % (width - 1, arg, width - 1), "(l & %du) >= %s ? l - %s : l" % (width - 1, arg, arg),
              "(l & %du) + %s < %d ? l + %s : l" % (width - 1, arg, width, arg), "l ^ %s" % arg][how]
        return old + each + "{ u32 l = t & 31; v[t].%s[%d] = o[(t & ~31u) | (%s)].%s[%d]; }\n" % (var, a, at, var, b)
    if kind == "exchange":
        return old + each + "v[t].w[%d] = o[(t * %d + %d) %% THREADS].w[%d];\n" % (a, k % 16 * 2 + 1, k % 97, b)
    if kind == "count":
        return " { u32 n = 0;" + each + "n += v[t].w[%d] %% %d == 1;" % (b, 2 + k % 5) + each + "v[t].w[%d] = %s; }\n" % (a, ["n", "n != 0", "n == THREADS"][k % 3])
    if kind == "half":
        return old + each + "v[t].w[%d] = half2_add(o[t].w[%d] & 0xbfffbfff, o[t ^ %d].w[%d] & 0xbfffbfff);\n" % (a, b, 1 << k % 5, c)
    raise KeyError(kind)


def functions(body):
    for s in body:
        if s[0] in ("local", "if"):
            yield "%s { %s }\n" % (s[2], " ".join(s[3]))
        if s[0] == "if":
            yield from functions(s[4])
            yield from functions(s[5])


def without(body):
    """Bodies with one thing less: a statement with all in it, or a piece of a thread's own."""
    for i, s in enumerate(body):
        yield body[:i] + body[i + 1:]
        if s[0] == "if":
            for part in (4, 5):
                for less in without(s[part]):
                    yield body[:i] + [s[:part] + (less,) + s[part + 1:]] + body[i + 1:]
        if s[0] == "local" and len(s[3]) > 1:
            for k in range(len(s[3])):
                yield body[:i] + [s[:3] + (s[3][:k] + s[3][k + 1:],)] + body[i + 1:]


# Threads start with numbers of their own; at the end all variables are written. Floats never hold NaN or -0: their bits may differ.
COMMON_TEXT = """#define CLEAN(x) clean(x)
OWN double clean(double x) { return x != x ? 1.5 : x == 0 ? 0 : x; }
OWN u32 mix(u32 x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ x >> 16; }
OWN void begin(struct V *v, u32 gid, u32 seed) {
 for (u32 i = 0; i < %d; i++) { u32 x = mix(seed + 64 * gid + i); v->w[i] = x >> (mix(x) & 24); }
 for (u32 i = 0; i < 3; i++) { v->d[i] = (u64)mix(seed + 7 * gid + i) << 32 | mix(gid + i); v->f[i] = (float)(int)(mix(gid * 3 + i) & 0xffff) / 64.0f - 100.0f; }
 for (u32 i = 0; i < 2; i++) { v->g[i] = (double)(int)mix(gid + 9 * i) / 1024.0; v->h[i] = ftoh(v->f[i]); v->b[i] = ftob(v->f[i]); }
 for (u32 i = 0; i < 8; i++) v->a[i] = mix(gid ^ i << 20);
}
OWN void end(const struct V *v, u32 *out) {
 for (u32 i = 0; i < %d; i++) out[i] = v->w[i];
 for (u32 i = 0; i < 3; i++) { out[6 + 2 * i] = (u32)v->d[i]; out[7 + 2 * i] = (u32)(v->d[i] >> 32); out[12 + i] = bits(v->f[i]); }
 for (u32 i = 0; i < 2; i++) { out[15 + 2 * i] = (u32)dbits(v->g[i]); out[16 + 2 * i] = (u32)(dbits(v->g[i]) >> 32); out[19 + i] = v->h[i]; out[21 + i] = v->b[i]; }
 for (u32 i = 0; i < 8; i++) out[23 + i] = v->a[i];
 out[31] = 0;
}
""" % (WORDS, WORDS)


def sources(programs):
    """(CUDA text, reference text) of a list of (number, Gen). Kernel kN: out, global cells of threads, common cells."""
    cu = ["#define THREADS %d\n#define NOINLINE __noinline__\n#include \"cuda_device.h\"\n" % THREADS, VARS,
          "#define dbits(x) ((u64)__double_as_longlong(x))\n", COMMON_TEXT]
    c = ["#define THREADS %du\n#define NOINLINE\n#include \"cuda_host.h\"\n" % THREADS, VARS,
         "static u64 dbits(double x) { u64 v; memcpy(&v, &x, 8); return v; }\n"
         "static u64 get64(u32 *p) { return (u64)p[1] << 32 | p[0]; }\nstatic void put64(u32 *p, u64 v) { p[0] = (u32)v; p[1] = (u32)(v >> 32); }\n"
         "static void float_add(u32 *p, float x) { float f; memcpy(&f, p, 4); f += x; memcpy(p, &f, 4); }\n"
         "static void double_add(u32 *p, double x) { double f; memcpy(&f, p, 8); f += x; memcpy(p, &f, 8); }\n"
         "#define EACH(n) for (u32 t = 0; t < THREADS; t++) if (A[n][t])\n", COMMON_TEXT]
    for number, g in programs:
        own = "".join(functions(g.body))
        prefix = "".join("#define l%d k%d_l%d\n" % (i, number, i) for i in range(g.count))
        undo = "".join("#undef l%d\n" % i for i in range(g.count))
        cu += [prefix, own, 'extern "C" __global__ void k%d(u32 *out, u32 *g_own, u32 *g_common, u32 seed)\n{\n' % number,
               " __shared__ u32 s_own[THREADS], s_x[THREADS];\n __shared__ __align__(16) u32 s_common[16];\n"
               " const u32 tid = threadIdx.x, gid = blockIdx.x * THREADS + tid, m0 = 0xffffffffu;\n struct V mine, *v = &mine;\n"
               " s_own[tid] = tid * 3; s_x[tid] = 0; if (tid < 16) s_common[tid] = 0;\n __syncthreads();\n begin(v, gid, seed);\n",
               "".join(device(s) for s in g.body), " end(v, out + gid * %d);\n __syncthreads();\n" % WORDS_OUT,
               " if (tid < 16) out[gridDim.x * THREADS * %d + blockIdx.x * 16 + tid] = s_common[tid];\n (void)m0;\n}\n" % WORDS_OUT, undo]
        c += [prefix, own, "static void r%d(u32 *out, u32 *g_own, u32 *g_common, u32 seed, u32 block)\n{\n" % number,
              " static struct V v[THREADS], o[THREADS];\n static unsigned char A[4][THREADS];\n u32 s_own[THREADS], s_common[16] = {0};\n memset(A, 1, sizeof A);\n"
              " for (u32 t = 0; t < THREADS; t++) { memset(&v[t], 0, sizeof v[t]); begin(&v[t], block * THREADS + t, seed); s_own[t] = t * 3; }\n",
              "".join(reference(s) for s in g.body), " for (u32 t = 0; t < THREADS; t++) end(&v[t], out + (block * THREADS + t) * %d);\n" % WORDS_OUT,
              " memcpy(out + %d * THREADS * %d + block * 16, s_common, sizeof s_common);\n (void)o; (void)s_own; (void)g_own; (void)g_common;\n}\n" % (BLOCKS, WORDS_OUT), undo]
    total = BLOCKS * THREADS * WORDS_OUT + BLOCKS * 16
    c.append("int main(void)\n{\n static u32 out[%d + %d + 16];\n" % (total, BLOCKS * THREADS))
    for number, g in programs:
        c.append(" memset(out, 0, sizeof out);\n for (u32 b = 0; b < %d; b++) r%d(out, out + %d, out + %d, %du, b);\n fwrite(out, 1, sizeof out, stdout);\n"
                 % (BLOCKS, number, total, total + BLOCKS * THREADS, number * 977))
    c.append(" return 0;\n}\n")
    return "".join(cu), "".join(c)
