# SPDX-License-Identifier: Apache-2.0
"""Tensors of tinygrad on two devices, against numpy: copies, parts on each device, sums over both. Run with two devices
and DEV=CUDA:PTX; prints 'N passed, N failed'."""
import sys

import numpy as np
from tinygrad import Tensor

BOTH = ('CUDA:0', 'CUDA:1')
rng = np.random.default_rng(2)
A, B = rng.integers(-9, 9, (8, 6)).astype(np.float32), rng.integers(-9, 9, (6, 10)).astype(np.float32)


def on(device, a):
    return Tensor(a, device=device).realize()


def parts(a, axis):
    return Tensor(a, device=BOTH[0]).shard(BOTH, axis=axis).realize()


CASES = [
    ('copy', lambda: on(BOTH[0], A).to(BOTH[1]).realize() + 1, A + 1),
    ('copy back', lambda: (on(BOTH[1], A) * 2).to(BOTH[0]).realize() + 1, 2 * A + 1),
    ('rows', lambda: parts(A, 0) * 3, 3 * A),
    ('sum in parts', lambda: (parts(A, 0) * 2).sum(axis=1), (2 * A).sum(axis=1)),
    ('sum over both', lambda: (parts(A, 0) * 2).sum(axis=0), (2 * A).sum(axis=0)),
    ('sum of all', lambda: parts(A, 0).sum(), A.sum()),
    ('copies on both', lambda: parts(A, 0) @ parts(B, None), A @ B),
    ('inner parts', lambda: parts(A, 1) @ parts(B, 0), A @ B),
]


def main():
    good = bad = 0
    for name, ours, expected in CASES:
        try:
            found = ours().numpy()
            fits = found.shape == np.shape(expected) and np.array_equal(found, expected)
            why = '' if fits else 'wrong'
        except Exception as e:  # whatever the library raises: the case does not work
            fits, why = False, '%s: %s' % (type(e).__name__, str(e)[:100])
        if not fits:
            print('%s: %s' % (name, why))
        good, bad = good + fits, bad + (not fits)
    print('%d passed, %d failed' % (good, bad))
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
