# SPDX-License-Identifier: Apache-2.0
"""Problems that the kernels of the producers solve: inputs, and results worked out here, in plain Python.

CASES[name] is a function without arguments; it gives the buffers of the problem, in order:
{buffer: (type of a launch file, contents at the start, contents at the end or None)}. All numbers are integers, or
floats whose sums are exact in any order.
"""


def numbers(n, seed, below):
    """n numbers of a linear congruential generator."""
    out, x = [], seed
    for _ in range(n):
        x = (x * 1103515245 + 12345) & 0x7fffffff
        out.append((x >> 16) % below)
    return out


def histogram():
    """1024 numbers of 0..15 counted in 16 bins."""
    x = numbers(1024, 1, 16)
    return {"x": ("s32", x, None), "bins": ("s32", [0] * 16, [x.count(b) for b in range(16)])}


def block_sum():
    """Sums of four blocks of 128, and the sum of all."""
    x = numbers(512, 2, 1000)
    return {"x": ("s32", x, None), "sums": ("s32", [-1] * 4, [sum(x[i:i + 128]) for i in range(0, 512, 128)]),
            "total": ("s32", [0], [sum(x)])}


def scan():
    """Sums of the first 1, 2, ... 128 numbers."""
    x = numbers(128, 3, 1000)
    return {"x": ("s32", x, None), "y": ("s32", [-1] * 128, [sum(x[:i + 1]) for i in range(128)])}


def votes():
    """Of each of 128 numbers, in warps of 32 lanes: the lanes with an odd number, the lanes with the same number,
    whether one of the warp is 7, and the number of the lane above (of lane 31: its own)."""
    x = numbers(128, 4, 9)
    y = []
    for i in range(128):
        warp = x[i & ~31:(i & ~31) + 32]
        y += [sum(1 << l for l in range(32) if warp[l] & 1), sum(1 << l for l in range(32) if warp[l] == x[i]),
              int(7 in warp), warp[min(i % 32 + 1, 31)]]
    return {"x": ("s32", x, None), "y": ("u32", [99] * 512, y)}


def transpose():
    """A matrix of 64 times 64 different numbers of 16 bits, transposed."""
    x = list(range(4096))
    return {"x": ("u16", x, None), "y": ("u16", [0] * 4096, [x[r * 64 + c] for c in range(64) for r in range(64)])}


def row_sums():
    """Sums of 16 rows of 64 floats, all multiples of a quarter."""
    x = [n / 4 for n in numbers(1024, 6, 4096)]
    return {"x": ("f32", x, None), "y": ("f32", [-1.0] * 16, [sum(x[r * 64:r * 64 + 64]) for r in range(16)])}


def row_maxima():
    """Greatest numbers of 16 rows of 64."""
    x = [n - 5000 for n in numbers(1024, 10, 10000)]
    return {"x": ("s32", x, None), "y": ("s32", [0] * 16, [max(x[r * 64:r * 64 + 64]) for r in range(16)])}


def product():
    """Product of two matrices of 16 times 16 small numbers."""
    a, b = numbers(256, 11, 8), numbers(256, 12, 8)
    c = [float(sum(a[i * 16 + k] * b[k * 16 + j] for k in range(16))) for i in range(16) for j in range(16)]
    return {"a": ("f16", a, None), "b": ("f16", b, None), "c": ("f32", [-1.0] * 256, c)}


def extremes():
    """The least and the greatest of 512 numbers, and all their bits together, by atomics in global memory."""
    x = [n - 5000 for n in numbers(512, 7, 10000)]
    bits = 0
    for n in x:
        bits ^= n
    return {"x": ("s32", x, None), "out": ("s32", [2**31 - 1, -2**31, 0], [min(x), max(x), bits])}


def lock():
    """A counter that 32 CTAs raise by 3 under a lock of compare-and-exchange; the lock is open at the end."""
    return {"lock": ("s32", [0], [0]), "counter": ("s32", [5], [5 + 32 * 3])}


def last_block():
    """Four blocks leave their sums; whoever takes the last ticket adds the sums up."""
    x = numbers(512, 8, 1000)
    parts = [sum(x[i:i + 128]) for i in range(0, 512, 128)]
    return {"x": ("s32", x, None), "parts": ("s32", [-1] * 4, parts), "ticket": ("u32", [0], [4]),
            "total": ("s32", [-1], [sum(parts)])}


def stages():
    """Eight tiles of 128 numbers, taken one after the other through shared memory: twice the number, plus the number
    opposite in the tile."""
    x = numbers(1024, 9, 100000)
    return {"x": ("s32", x, None),
            "y": ("s32", [-1] * 1024, [2 * x[i] + x[i - i % 128 + 127 - i % 128] for i in range(1024)])}


CASES = {f.__name__: f for f in (histogram, block_sum, scan, votes, transpose, row_sums, row_maxima, extremes, lock, last_block,
                                 stages, product)}
