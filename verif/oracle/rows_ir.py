# SPDX-License-Identifier: Apache-2.0
"""Rows of cicc-builtins.tsv written as LLVM IR (the mapping is described in README.md,
"How a row is written as LLVM IR").  spec(row) -> Spec, or a string: the reason why the row has no IR form."""
import collections
import re

ORD = dict(RELAXED=0, CONSUME=1, ACQUIRE=2, RELEASE=3, ACQ_REL=4, SEQ_CST=5)
SC = dict(THREAD=0, BLOCK=1, CLUSTER=2, DEVICE=3, SYSTEM=4)
# value types; object types (third table) are passed by address everywhere
VAL = {"bool": "i8", "char": "i8", "s8": "i8", "u8": "i8", "ec8": "i8", "short": "i16", "u16": "i16",
       "int": "i32", "u32": "i32", "en32": "i32", "long": "i64", "unsigned long": "i64", "s64": "i64", "u64": "i64",
       "s128": "i128", "u128": "i128", "float": "float", "double": "double", "ptr32": "ptr", "__half": "half",
       "__nv_bfloat16": "bfloat", "__half2": "<2 x half>", "__nv_bfloat162": "<2 x bfloat>",
       "float2": "<2 x float>", "float4": "<4 x float>", "ulonglong2": "<2 x i64>"}
OBJ = {"s3": (3, 1), "s4": (4, 2), "nontriv": (4, 4), "s8b": (8, 8), "s8u": (8, 4), "s12": (12, 4), "s16b": (16, 16),
       "s32b": (32, 32)}
SFX = {"i": "i32", "ui": "i32", "us": "i16", "ll": "i64", "ull": "i64", "f": "float", "d": "double"}
HDR = {"i": "i32", "u": "i32", "us": "i16", "ll": "i64", "ill": "i64", "ull": "i64", "f": "float", "d": "double",
       "f2": "<2 x float>", "f4": "<4 x float>"}
UNTAGGED = set("fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_max fetch_min add sub and or xor max min load load_n "
               "store store_n exchange exchange_n compare_exchange compare_exchange_n".split())

Spec = collections.namedtuple("Spec", "family mode decls body params ret keys roles valued")
# mode: text (compare lines), warn (compare lines and the warning), error (must fail with the key words)
# roles: {"v": parameter index, "e": ...} of the kernel; valued: the result must be used

KEYS = [  # verdict text (prefix of the first message) -> phrases that must all stand in the tool's message
    (r'identifier "(\w+)" is undefined', None),
    (r'no instance of overloaded function "(\w+)"', None),
    (r'Internal Compiler Error \(codegen\): "([^"]+)\."', None),
    (r'atomic operations and, or, xor.*', "valid only on objects of size 4, or 8"),
    (r'atomic operations add and sub.*', "not valid on signed integer of size 8"),
    (r'For a logical atomic operation.*', "cannot be any floating-point type"),
    (r'atomic operations min and max.*', "not supported on any floating-point type"),
    (r'first argument must be a pointer to integer, unscoped.*', "must be a pointer to integer, unscoped enum or float type"),
    (r'first argument must be a pointer to integer or enum type', "must be a pointer to integer"),
    (r'non-generic nv atomic.*', "valid only on integral types"),
    (r'generic nv atomic functions.*', "valid only on objects of size 1, 2, 4, 8 and 16"),
    (r'atomic exchange is valid only.*', "exchange is valid only on objects of size 4, 8 or 16"),
    (r'atomic CAS is valid only.*', "CAS is valid only on objects of size 2, 4, 8 or 16"),
    (r'128-bit atomic exchange.*', "128-bit atomic exchange or compare-and-exchange is supported on"),
    (r"atomic load's memory order.*", "load's memory order cannot be release or acq_rel"),
    (r"atomic store's memory order.*", "store's memory order cannot be consume, acquire or acq_rel"),
    (r"invalid memory order value.*", "invalid memory order value"),
    (r"invalid thread scope value.*", "invalid thread scope value"),
    (r"atomic operation's memory order argument.*", "memory order argument is not an integer literal"),
    (r"atomic operation's (?:thread )?scope argument.*", "scope argument is not an integer literal"),
    (r"too few arguments.*", "too few arguments"),
    (r"nv atomic function must be called directly.*", "must be called directly"),
    (r"vector atomics not supported.*", "vector atomics not supported"),
    (r"unsupported operation.*", "unsupported operation"),
    (r'argument of type', None),
]


def first_message(verdict):
    m = re.search(r"[eE]rror: (.*?)(?: \| |$)", verdict)
    return m.group(1) if m else verdict


def keys_of(verdict, base):
    t = first_message(verdict)
    if verdict.startswith("failed") and "Internal Compiler" in verdict:
        return [re.search(r'"([^"]+?)\.?"', verdict).group(1)]
    for rx, k in KEYS:
        m = re.match(rx, t)
        if m:
            return [k] if k else [m.group(1) if m.groups() else base]
    return None


class F:
    """one function under construction"""

    def __init__(self, row):
        self.t, self.space = row["type"], row["space"].replace(",pairs", "").replace(",unused", "")
        self.unused = "unused" in row["space"]
        self.obj = self.t in OBJ
        self.v = "ptr" if self.obj else VAL.get(self.t, "i32")
        self.decls, self.b, self.params, self.roles, self.n = set(), [], [], {}, 0
        self.ret = "void"

    def mem(self):
        return "[%d x i8]" % OBJ[self.t][0] if self.obj else self.v

    def align(self):
        return ", align %d" % OBJ[self.t][1] if self.obj else ", align 16" if self.v == "i128" else ""

    def par(self, ty, name):
        self.params.append((ty, name))
        return len(self.params) - 1

    def setup(self, e=False):
        """parameters and %p"""
        if self.space == "global":
            self.par("ptr addrspace(1)", "g")
            self.roles["v"] = self.par(self.v, "v")
            self.roles["e"] = self.par(self.v, "e")
            self.par("ptr addrspace(1)", "o")
            self.par("ptr addrspace(1)", "q")
            self.par("i32", "n")
            self.b.append("%p = addrspacecast ptr addrspace(1) %g to ptr")
        elif self.space == "shared":
            self.par("i32", "n")
            self.roles["v"] = self.par(self.v, "v")
            self.roles["e"] = self.par(self.v, "e")
            self.par("ptr addrspace(1)", "o")
            self.par("ptr addrspace(1)", "q")
            self.decls.add("@sm = external addrspace(3) global [0 x i8], align 16")
            self.b += ["%nx = sext i32 %n to i64", "%%sp = getelementptr %s, ptr addrspace(3) @sm, i64 %%nx" % self.mem(),
                       "%p = addrspacecast ptr addrspace(3) %sp to ptr"]
        else:
            self.par("ptr", "p")
            self.roles["v"] = self.par(self.v, "v")
            self.roles["e"] = self.par(self.v, "e")

    def var(self, name, init=None):
        """a local object holding %init (or the object %init points to); gives its address"""
        if self.obj and init:
            return "%" + init
        self.b.append("%%%s = alloca %s%s" % (name, self.mem(), self.align()))
        if init:
            self.b.append("store %s %%%s, ptr %%%s%s" % (self.v, init, name, self.align()))
        return "%" + name

    def call(self, name, ret, args):
        q = name if re.match(r"^[\w.]+$", name) else '"%s"' % name
        self.decls.add("declare %s @%s(%s)" % (ret, q, ", ".join(a.split(" %")[0].rsplit(" ", 1)[0] if " %" not in a
                                                                    else a.split(" %")[0] for a in args)))
        self.n += 1
        r = "%%x%d" % self.n if ret != "void" else ""
        self.b.append("%scall %s @%s(%s)" % (r + " = " if r else "", ret, q, ", ".join(args)))
        return r

    def out(self, ty, val, to="o"):
        if self.unused:
            return
        if self.space in ("global", "shared", "none"):
            self.b.append("store %s %s, ptr addrspace(1) %%%s%s" % (ty, val, to, self.align() if ty == self.v else ""))
        elif to == "o":
            self.ret = ty
            self.b.append("ret %s %s" % (ty, val))

    def outmem(self, addr):
        """what the local object holds"""
        if self.obj:
            if not self.unused and self.space != "generic":
                self.b += ["%%m = load %s, ptr %s, align 1" % (self.mem(), addr),
                           "store %s %%m, ptr addrspace(1) %%o, align 1" % self.mem()]
            return
        self.b.append("%%m = load %s, ptr %s%s" % (self.v, addr, self.align()))
        self.out(self.v, "%m")


def const(text, ty):
    """C constant of an imm:/idle: row -> IR constant"""
    t = re.sub(r"\((?:u32|u64|int|float)\)", "", text).strip().rstrip("uU")
    v = ~int(t[1:], 0) if t.startswith("~") else int(t, 0)
    if ty in ("float", "double"):
        return "%d.0" % v
    w = int(ty[1:])
    v &= (1 << w) - 1
    return str(v - (1 << w) if v >> (w - 1) else v)


def atomic(f, base, name, order, scope, weak="false", fo=None, scoped=True, vconst=None):
    """the C++11 family; base without prefix, name = symbol"""
    tail = ["i32 %s" % order] + (["i32 %s" % scope] if scoped else [])
    V = f.v
    val = "%s %s" % (V, vconst if vconst is not None else "%v")
    rt = "void" if f.obj else V
    k = re.sub(r"_(1|2|4|8|16)(_[usf])?$", "", base)
    if k == "load_n" or base.startswith("load_") and k == "load":
        return f.call(name, rt, ["ptr %p"] + tail)
    if k == "load":
        a = f.var("r")
        f.call(name, "void", ["ptr %p", "ptr " + a] + tail)
        return f.outmem(a)
    if k == "store_n" or base.startswith("store_") and k == "store":
        f.call(name, "void", ["ptr %p", val] + tail)
    elif k == "store":
        f.call(name, "void", ["ptr %p", "ptr " + f.var("va", "v")] + tail)
    elif k == "exchange" and base == k:
        a, r = f.var("va", "v"), f.var("r")
        f.call(name, "void", ["ptr %p", "ptr " + a, "ptr " + r] + tail)
        return f.outmem(r)
    elif k.startswith("compare_exchange"):
        e = f.var("ea", "e")
        v = "ptr " + f.var("va", "v") if base == "compare_exchange" else val
        b = f.call(name, "i1", ["ptr %p", "ptr " + e, v, "i1 " + weak, "i32 %s" % order, "i32 %s" % fo]
                   + (["i32 %s" % scope] if scoped else []))
        if f.space in ("global", "shared") and not f.unused:
            f.b.append("%%z = zext i1 %s to i32" % b)
            f.b.append("store i32 %z, ptr addrspace(1) %q")
        return f.outmem(e)
    elif k in ("add", "sub", "and", "or", "xor", "max", "min"):
        f.call(name, "void", ["ptr %p", val] + tail)
    else:
        return f.call(name, rt, ["ptr %p", val] + tail)


def tag(t):
    return t.replace(" ", "_")


SIMPLE = {  # calls without a type of their own: name -> (result, number of i32 arguments)
    "__syncthreads": ("void", 0), "__nvvm_bar0": ("void", 0), "__nvvm_barrier0": ("void", 0), "__syncwarp": ("void", 1),
    "__nvvm_bar_warp_sync": ("void", 1), "__barrier_sync": ("void", 1), "__barrier_sync_count": ("void", 2),
    "__nvvm_barrier_sync": ("void", 1), "__nvvm_barrier_sync_cnt": ("void", 2), "__nvvm_bar_sync_all": ("void", 1),
    "__nvvm_bar_sync_all_cnt": ("void", 2), "__nvvm_bar_sync": ("void", 1), "__nvvm_membar_cta": ("void", 0),
    "__nvvm_membar_gl": ("void", 0), "__nvvm_membar_sys": ("void", 0), "__threadfence_block": ("void", 0),
    "__threadfence": ("void", 0), "__threadfence_system": ("void", 0), "__nv_threadfence_cluster_impl": ("void", 0),
    "__threadfence_cluster": ("void", 0), "__cluster_barrier_arrive": ("void", 0),
    "__cluster_barrier_arrive_relaxed": ("void", 0), "__cluster_barrier_wait": ("void", 0),
    "__nv_cluster_barrier_arrive_impl": ("void", 0), "__nv_cluster_barrier_arrive_relaxed_impl": ("void", 0),
    "__nv_cluster_barrier_wait_impl": ("void", 0), "__nanosleep": ("void", 1), "__trap": ("void", 0), "__brkpt": ("void", 0),
    "__syncthreads_count": ("i32", 1), "__syncthreads_and": ("i32", 1), "__syncthreads_or": ("i32", 1),
    "__nvvm_bar0_popc": ("i32", 1), "__nvvm_bar0_and": ("i32", 1), "__nvvm_bar0_or": ("i32", 1),
    "__nv_clusterDimIsSpecifed_impl": ("i32", 0), "__nv_clusterDimIsSpecified_impl": ("i32", 0),
    "__nv_clusterRelativeBlockRank_impl": ("i32", 0), "__nv_clusterSizeInBlocks_impl": ("i32", 0),
    "__clusterDimIsSpecified": ("i32", 0), "__clusterRelativeBlockRank": ("i32", 0), "__clusterSizeInBlocks": ("i32", 0),
    "__activemask": ("i32", 0), "__any_sync": ("i32", 2), "__all_sync": ("i32", 2), "__uni_sync": ("i32", 2),
    "__ballot_sync": ("i32", 2), "__nvvm_vote_any_sync": ("i32", 2), "__nvvm_vote_all_sync": ("i32", 2),
    "__nvvm_vote_uni_sync": ("i32", 2), "__nvvm_vote_ballot_sync": ("i32", 2), "__fns": ("i32", 3)}
OVER = {"__shfl_sync": 4, "__shfl_up_sync": 4, "__shfl_down_sync": 4, "__shfl_xor_sync": 4, "__match_any_sync": 2,
        "__match_all_sync": 3, "__reduce_add_sync": 2, "__reduce_min_sync": 2, "__reduce_max_sync": 2,
        "__reduce_and_sync": 2, "__reduce_or_sync": 2, "__reduce_xor_sync": 2}


def i32arg(a):
    a = re.sub(r"\((?:unsigned|int)\)", "", a).strip()
    if re.match(r"^[vwn]$", a):
        return "i32 %" + a
    v = int(a.rstrip("uU"), 0) & 0xffffffff
    return "i32 %d" % (v - (1 << 32) if v >> 31 else v)


def barrier(row, f, b):
    f.space = "none" if row["space"] == "none" else row["space"]
    m = re.match(r"(\w+)\((.*)\)( twice in a row| under a divergent if| == constant predicate)?$", b)
    if not m:
        return None
    nm, args, extra = m.group(1), [x.strip() for x in m.group(2).split(",")] if m.group(2) else [], m.group(3)
    if f.space == "none":
        f.par(f.v if nm in OVER else "i32", "v")
        f.par("i32", "w")
        f.par("ptr addrspace(1)", "o")
    if nm in SIMPLE:
        ret, n = SIMPLE[nm]
        if nm == "__syncwarp" and not args:
            args = ["0xffffffffu"]
        if extra == " == constant predicate":
            args = ["1"]
        if len(args) != n:
            return None
        if extra == " under a divergent if":
            f.decls.add("declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
            f.b += ["%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "%c = icmp ult i32 %t, 16", "br i1 %c, label %a, label %z",
                    "a:"]
        r = f.call(nm, ret, [i32arg(x) for x in args])
        if extra == " twice in a row":
            f.call(nm, ret, [])
        if extra == " under a divergent if":
            f.b += ["br label %z", "z:"]
        if r:
            f.out("i32", r)
        return "barriers and warp"
    if nm in OVER:
        T, ty = f.v, tag(row["type"])
        if "(unsigned)v" in args:
            ty = "u32"
        a = [i32arg(args[0]), T + " %v"]
        if nm.startswith("__shfl"):
            a += [i32arg(x) for x in args[2:]] + (["i32 32"] if len(args) == 3 else [])
        if nm == "__match_all_sync":
            f.b.append("%wa = alloca i32")
            a.append("ptr %wa")
        rt = "i32" if nm.startswith("__match") else T
        r = f.call(nm + "." + ty, rt, a)
        f.out(rt, r)
        return "barriers and warp"
    if row["type"] == "dim3" and args == ["&x", "&y", "&z"]:
        f.b += ["%%%s = alloca i32" % x for x in "xyz"]
        f.call(nm, "void", ["ptr %" + x for x in "xyz"])
        for i, x in enumerate("xyz"):
            f.b += ["%%l%s = load i32, ptr %%%s" % (x, x), "%%g%s = getelementptr i32, ptr addrspace(1) %%o, i64 %d" % (x, i),
                    "store i32 %%l%s, ptr addrspace(1) %%g%s" % (x, x)]
        return "cluster queries"
    if "cluster" in nm.lower() and args and args[0] == "s":
        if row["space"] == "none":
            f.decls.add("@smi = external addrspace(3) global [0 x i32], align 4")
            f.b += ["%nx = sext i32 %v to i64", "%sp = getelementptr i32, ptr addrspace(3) @smi, i64 %nx",
                    "%s = addrspacecast ptr addrspace(3) %sp to ptr"]
        else:
            f.par("ptr", "s")
            if len(args) > 1:
                f.par("i32", "w")
        rt = "ptr" if row["type"] == "void*" else "i32"
        r = f.call(nm, rt, ["ptr %s"] + (["i32 %w"] if len(args) > 1 else []))
        if rt == "ptr" and row["space"] == "none":
            f.b.append("%ld = load i32, ptr " + r)
            f.out("i32", "%ld")
        else:
            f.out(rt, r)
        return "cluster queries"
    m = re.match(r"__nv_memcpy_async_shared_global_(4|8|16)(_impl)?$", nm)
    if m:
        f.params = []
        f.par("ptr addrspace(1)", "gp")
        f.par("i32", "n")
        f.par("i32", "v")
        f.decls.add("@sm16 = external addrspace(3) global [0 x <4 x i32>], align 16")
        f.b += ["%nx = sext i32 %v to i64", "%sp = getelementptr <4 x i32>, ptr addrspace(3) @sm16, i64 %nx",
                "%s = addrspacecast ptr addrspace(3) %sp to ptr", "%g = addrspacecast ptr addrspace(1) %gp to ptr"]
        f.call(nm, "void", ["ptr %s", "ptr %g", "i32 %n" if args[2] == "n" else "i32 " + args[2]])
        return "cp.async"
    return None


def diag(f, nm):
    f.space, f.v = "global", "i32"
    A = "__nv_atomic_fetch_add.int"

    def fa(o, s, v="i32 %v", p="ptr %p"):
        r = f.call(A, "i32", [p, v, "i32 %s" % o] + (["i32 %s" % s] if s is not None else []))
        f.out("i32", r)
    f.setup()
    L = {"fetch_add: order is a run-time value": ("%n", 3), "fetch_add: scope is a run-time value": (0, "%n"),
         "fetch_add: order is a constant expression 1+1": (2, 3), "fetch_add: order 6": (6, 3), "fetch_add: order -1": (-1, 3),
         "fetch_add: scope 5": (0, 5), "fetch_add: scope -1": (0, -1), "fetch_add: scope omitted": (0, None)}
    if nm in L:
        fa(*L[nm])
    elif nm.startswith("fetch_add: value immediate"):
        fa(0, 3, "i32 " + nm[-1])
    elif nm == "fetch_sub: value immediate 1":
        f.out("i32", f.call("__nv_atomic_fetch_sub.int", "i32", ["ptr %p", "i32 1", "i32 0", "i32 3"]))
    elif nm == "fetch_add: result unused":
        f.call(A, "i32", ["ptr %p", "i32 %v", "i32 0", "i32 3"])
    elif nm == "fetch_add: not a pointer":
        fa(0, 3, p="i32 %n")
    elif nm == "fetch_add on a local variable":
        f.b.append("%l = alloca i32")
        f.b.append("store i32 %v, ptr %l")
        f.call(A, "i32", ["ptr %l", "i32 %n", "i32 0", "i32 3"])
        f.b.append("%m = load i32, ptr %l")
        f.roles = {"v": 5}
        f.out("i32", "%m")
    elif nm in ("load_n: scope omitted", "too few arguments"):
        f.out("i32", f.call("__nv_atomic_load_n.int", "i32", ["ptr %p"] + (["i32 0"] if "scope" in nm else [])))
    elif nm == "too many arguments":
        f.out("i32", f.call("__nv_atomic_load_n.int", "i32", ["ptr %p", "i32 0", "i32 3", "i32 0"]))
    elif nm in ("store_n: scope omitted", "store_n: value immediate 0"):
        f.call("__nv_atomic_store_n.int", "void", ["ptr %p", "i32 %v" if "omitted" in nm else "i32 0", "i32 0"]
               + ([] if "omitted" in nm else ["i32 3"]))
    elif nm == "exchange_n: scope omitted":
        f.out("i32", f.call("__nv_atomic_exchange_n.int", "i32", ["ptr %p", "i32 %v", "i32 0"]))
    elif nm.startswith("compare_exchange_n: ") and ("scope" in nm or "weak" in nm or "constants" in nm):
        if "constants" in nm:
            f.b += ["%ea = alloca i32", "store i32 0, ptr %ea"]
            f.roles = {}
        else:
            f.var("ea", "e")
        w = "i1 false"
        if "weak" in nm:
            f.b.append("%wk = icmp ne i32 %n, 0")
            w = "i1 %wk"
        b = f.call("__nv_atomic_compare_exchange_n.int", "i1",
                   ["ptr %p", "ptr %ea", "i32 1" if "constants" in nm else "i32 %v", w,
                    "i32 2" if "constants" in nm else "i32 0", "i32 0"] + ([] if "scope" in nm else ["i32 3"]))
        f.b.append("%%z = zext i1 %s to i32" % b)
        f.out("i32", "%z")
    elif nm.startswith("thread_fence: "):
        x = nm[14:]
        f.call("__nv_atomic_thread_fence", "void", {"scope omitted": ["i32 5"], "order 6": ["i32 6", "i32 3"],
                                                    "run-time order": ["i32 %n", "i32 3"]}[x])
    elif nm == "address taken":
        f.decls.add("declare i32 @__nv_atomic_load_n.int(ptr, i32, i32)")
        f.b.append("store ptr @__nv_atomic_load_n.int, ptr addrspace(1) %q")
    elif nm == "mangled name called directly":
        f.out("i32", f.call("__nv_atomic_fetch_add_4_u", "i32", ["ptr %p", "i32 %v", "i32 0", "i32 3"]))
    elif nm == "mangled load name called directly":
        f.out("i32", f.call("__nv_atomic_load_4", "i32", ["ptr %p", "i32 0", "i32 3"]))
    elif nm == "load_n: null pointer":
        f.out("i32", f.call("__nv_atomic_load_n.int", "i32", ["ptr null", "i32 0", "i32 3"]))
    else:
        return None
    return "diagnostics of argument shape"


def spec(row):
    b, t, o, s = row["builtin"], row["type"], row["order"], row["scope"]
    v = row["verdict"]
    f = F(row)
    fam, base, valued = None, b, False
    if b.startswith("diag: "):
        base = b[6:]
        fam = diag(f, base)
        if not fam:
            return "C-level notion without an IR counterpart (const int variable, host code, unlike pointer types, qualifiers)"
    elif re.match(r"(mangled: )?__nv_atomic_", b):
        nm = re.match(r"(?:mangled: )?(\w+)\(", b).group(1)
        base = nm[len("__nv_atomic_"):]
        mangled = b.startswith("mangled")
        oo = "%n" if o == "run_time" else ORD.get(o, o)
        ss = "%n" if s == "run_time" else SC.get(s, s)
        if nm == "__nv_atomic_thread_fence":
            f.space = "none"
            f.call(nm, "void", ["i32 %s" % oo, "i32 %s" % ss])
            fam = "fences"
        else:
            f.setup()
            m = re.search(r"fail_order=(\w+)", b)
            fo = ORD[m.group(1)] if m else oo
            weak = "true" if ", true," in b else "false"
            if base in UNTAGGED and not mangled:
                r = atomic(f, base, "%s.%s" % (nm, tag(t)), oo, ss, weak, fo)
            else:
                r = atomic(f, base, nm, oo, ss, weak, fo)
            if r:
                f.out(f.v, r)
                valued = True
            if "compare" in base or base in ("load", "exchange"):
                valued = True
            k = "CAS" if "compare" in base else "fetch ops" if not re.match("load|store|exch", base) else "load/store/exchange"
            fam = ("suffixed " if mangled else "C++11 ") + k
    elif re.match(r"__nvvm_atom_", b):
        m = re.match(r"__nvvm_atom_(?:cta_|sys_)?(\w+?)_gen_(\w+)\((.*)\)", b)
        nm, sx, args = b[:b.index("(")], m.group(2), m.group(3)
        f.setup()
        if sx in ("f2", "f4", "128"):
            f.v = {"f2": "<2 x float>", "f4": "<4 x float>", "128": "i128"}[sx]
            a = ["ptr %p"] + (["ptr " + f.var("ea", "e")] if "&e" in args else []) + ["ptr " + f.var("va", "v")]
            r = f.var("r")
            f.call(nm, "void", a + ["ptr " + r])
            if not f.unused:
                f.outmem(r)
        else:
            T = SFX[sx]
            r = f.call(nm, T, ["ptr %p"] + (["%s %%e" % T] if "e" in args.split(", ") else []) + ["%s %%v" % T])
            f.out(T, r)
        valued = True
        fam = "legacy __nvvm_atom CAS" if "cas" in nm else "legacy __nvvm_atom"
    elif re.match(r"__(i|u|us|ll|ill|ull|f|d|f2|f4|u128)Atomic", b):
        m = re.match(r"__(\w+?)Atomic(\w+)\((.*)\)", b)
        nm, args = b[:b.index("(")], m.group(3)
        f.setup()
        if m.group(1) == "u128":
            a = ["ptr %p"] + (["ptr " + f.var("ea", "e")] if "&e" in args else []) + ["ptr " + f.var("va", "v")]
            r = f.var("r")
            f.call(nm, "void", a + ["ptr " + r])
            f.outmem(r)
        else:
            T = HDR[m.group(1)]
            r = f.call(nm, T, ["ptr %p"] + (["%s %%e" % T] if "e" in args.split(", ") else []) + ["%s %%v" % T])
            f.out(T, r)
        valued = True
        fam = "typed names __xAtomicOp"
    elif re.match(r"(imm: |idle: )?atomic[A-Z]", b):
        m = re.match(r"(imm: |idle: )?(atomic\w+)\((.*)\)$", b)
        nm = m.group(2)
        base = nm
        f.setup()
        vals = [x.strip() for x in m.group(3).split(",")][1:]
        vals = [re.sub(r"\(T\)", "", x) for x in vals]
        if m.group(1):
            if f.v not in ("i32", "i64", "float"):
                return "constant of a type without an IR literal"
            ops = ["%s %s" % (f.v, const(x, f.v)) for x in vals]
            f.roles = {}
        else:
            ops = ["%s %%%s" % (f.v, x) for x in vals]
        if f.obj:
            r = f.var("r")
            f.call("%s.%s" % (nm, tag(t)), "void", ["ptr %p"] + ops + ["ptr " + r])
            f.outmem(r)
        else:
            r = f.call("%s.%s" % (nm, tag(t)), f.v, ["ptr %p"] + ops)
            f.out(f.v, r)
        valued = True
        fam = "overloaded atomicX" + (", constants" if m.group(1) else "")
    elif re.match(r"__mbarrier|__pipeline", b):
        return "C header code of the library (awbarrier / pipeline primitives), not a builtin"
    else:
        fam = barrier(row, f, b)
        if fam is None:
            return "not a builtin of the layer (%s)" % re.sub(r"\(.*", "", b)
    if v.startswith("ok"):
        mode = "warn" if re.search(r"\[warning #203", v) else "text"
        keys = ["Using device scope instead"] if mode == "warn" else []
    else:
        mode, keys = "error", keys_of(v, base)
        if keys is None:
            return "verdict without a message of its own: " + re.sub(r'"\w+"', '"X"', first_message(v))
        fam = ("undefined names and overloads" if re.match(r'identifier|no instance|argument of type', first_message(v)) else
               "rejections: internal errors and back end" if v.startswith("failed") else "rejections: " + fam)
    return Spec(fam, mode, f.decls, f.b, f.params, (f.ret, f.space == "generic"), keys, f.roles, valued and not f.unused)


def function(sp, name):
    b = list(sp.body)
    if not b or not b[-1].startswith("ret "):
        b.append("ret void")
    head = "define %s%s @%s(%s)%s {" % ("" if sp.ret[1] else "ptx_kernel ", sp.ret[0], name,
                                       ", ".join("%s %%%s" % p for p in sp.params), " noinline" if sp.ret[1] else "")
    return "\n".join([head] + [x if x.endswith(":") else "  " + x for x in b] + ["}"])


def module(items):
    """items: [(function name, row number, Spec)] -> text of one module; one symbol is declared once"""
    decls = {}
    for _, _, sp in items:
        for d in sp.decls:
            decls.setdefault(re.search(r'@("[^"]+"|[\w.]+)', d).group(1), set()).add(d)
    out = ['target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"', 'target triple = "nvptx64-nvidia-cuda"', ""]
    for k in sorted(decls):
        if len(decls[k]) > 1:
            raise ValueError("two types for " + k)
        out += sorted(decls[k])
    for name, n, sp in items:
        out += ["", "; row %d" % n, function(sp, name)]
    return "\n".join(out) + "\n"


def conflicts(sp):
    return {re.search(r'@("[^"]+"|[\w.]+)', d).group(1): d for d in sp.decls}


def stored(sp):
    """indices of the kernel's parameters %o and %q that the body stores through"""
    return [k for k, (_, n) in enumerate(sp.params) if n in "oq" and any(x.startswith("store ") and re.search(r"%%%s(,|$)" % n, x)
                                                                        for x in sp.body)]


# ---------------------------------------------------------------- the same rows as C (clang), for the names C can spell
C_TYPES = """typedef signed char s8; typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32;
typedef long long s64; typedef unsigned long long u64; typedef __int128 s128; typedef unsigned __int128 u128; typedef int *ptr32;
#define bool _Bool
typedef enum { EA, EB } en32; typedef struct { char a, b, c; } s3; typedef struct { short a, b; } s4;
typedef struct { int a, b; } __attribute__((aligned(8))) s8b; typedef struct { int a, b; } s8u; typedef struct { int a, b, c; } s12;
typedef struct { int a, b, c, d; } __attribute__((aligned(16))) s16b; typedef struct { int a[8]; } __attribute__((aligned(32))) s32b;
typedef struct { float x, y; } __attribute__((aligned(8))) float2; typedef struct { float x, y, z, w; } __attribute__((aligned(16))) float4;
typedef struct { u64 x, y; } __attribute__((aligned(16))) ulonglong2;
extern __attribute__((address_space(3))) char sm[];
"""
NOT_C = {"__half", "__half2", "__nv_bfloat16", "__nv_bfloat162", "ec8", "nontriv"}
KERNEL, DEVICE = "__attribute__((nvptx_kernel)) void", "__attribute__((noinline))"


def c_function(row, sp, name):
    """C text of a row that has a Spec, or None"""
    b, t, o, s = row["builtin"], row["type"], row["order"], row["scope"]
    space, unused = row["space"].replace(",pairs", "").replace(",unused", ""), "unused" in row["space"]
    m = re.match(r"(mangled: )?(\w+)\((.*)\)$", b)
    if not m or t in NOT_C or m.group(2).startswith("atomic"):
        return None
    nm, args = m.group(2), m.group(3)
    if nm in SIMPLE:
        return "%s %s(int v, int w, int *o) { %s%s(%s); }" % (KERNEL, name, "*o = (int)" if SIMPLE[nm][0] == "i32" else "", nm, args)
    if nm == "__nv_atomic_thread_fence":
        return "%s %s(void) { %s(%s, %s); }" % (KERNEL, name, nm, ORD[o], SC[s])
    if not re.match(r"__nv_atomic_|__nvvm_atom_|__\w+Atomic", nm):
        return None
    fo = re.search(r"fail_order=(\w+)", args)
    args = re.sub(r"fail_order=\w+", str(ORD[fo.group(1)]) if fo else "", args)
    args = re.sub(r"\border\b", "n" if o == "run_time" else str(ORD.get(o, o)), args)
    args = re.sub(r"\bscope\b", "n" if s == "run_time" else str(SC.get(s, s)), args).replace("false", "0").replace("true", "1")
    call = "%s(%s)" % (nm, args)
    k = re.sub(r"^__nv_atomic_", "", nm)
    if "compare_exchange" in nm:
        body = "int b = %s; " % call
        body += "return e;" if space == "generic" else "*o = e; *q = b;"
        void = False
    elif "&r" in args:
        body, void = "%s r; %s; " % (t, call), unused
        body += "" if unused else "return r;" if space == "generic" else "*o = r;"
    elif k.startswith("store") or k in ("add", "sub", "and", "or", "xor", "max", "min"):
        body, void = call + ";", True
    else:
        body, void = (call if unused else "return " + call if space == "generic" else "*o = " + call) + ";", unused
    if space == "global":
        return "%s %s(%s *p, %s v, %s e, %s *o, int *q, int n) { %s }" % (KERNEL, name, t, t, t, t, body)
    if space == "shared":
        return "%s %s(int n, %s v, %s e, %s *o, int *q) { %s *p = (%s *)sm + n; %s }" % (KERNEL, name, t, t, t, t, t, body)
    return "%s %s %s(%s *p, %s v, %s e) { %s }" % (DEVICE, "void" if void else t, name, t, t, t, body)


def c_module(items, rows):
    return C_TYPES + "".join("// row %d\n%s\n" % (n, c_function(rows[n], sp, name)) for name, n, sp in items)
