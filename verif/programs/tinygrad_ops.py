# SPDX-License-Identifier: Apache-2.0
"""Operations of tinygrad on its device, against numpy: one line each. Run with DEV=CUDA:PTX; prints 'N passed, N failed'."""
import sys

import numpy as np
from tinygrad import Tensor, dtypes

rng = np.random.default_rng(1)


def draw(*shape):
    return rng.uniform(-2, 2, shape).astype(np.float32)


def softmax(a):
    e = np.exp(a - a.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


A, B, P, V, I = draw(45, 33), draw(45, 33), np.abs(draw(45, 33)) + 0.1, draw(33), rng.integers(-50, 50, (20, 17)).astype(np.int32)
J = rng.integers(1, 9, (20, 17)).astype(np.int32)
CASES = [
    ('add', lambda t: t[0] + t[1], lambda n: n[0] + n[1], (A, B)),
    ('sub', lambda t: t[0] - t[1], lambda n: n[0] - n[1], (A, B)),
    ('mul', lambda t: t[0] * t[1], lambda n: n[0] * n[1], (A, B)),
    ('div', lambda t: t[0] / t[1], lambda n: n[0] / n[1], (A, P)),
    ('broadcast', lambda t: t[0] + t[1], lambda n: n[0] + n[1], (A, V)),
    ('neg', lambda t: -t[0], lambda n: -n[0], (A,)),
    ('relu', lambda t: t[0].relu(), lambda n: np.maximum(n[0], 0), (A,)),
    ('exp', lambda t: t[0].exp(), lambda n: np.exp(n[0]), (A,)),
    ('log', lambda t: t[0].log(), lambda n: np.log(n[0]), (P,)),
    ('sqrt', lambda t: t[0].sqrt(), lambda n: np.sqrt(n[0]), (P,)),
    ('rsqrt', lambda t: t[0].rsqrt(), lambda n: 1 / np.sqrt(n[0]), (P,)),
    ('sin', lambda t: t[0].sin(), lambda n: np.sin(n[0]), (A,)),
    ('cos', lambda t: t[0].cos(), lambda n: np.cos(n[0]), (A,)),
    ('tanh', lambda t: t[0].tanh(), lambda n: np.tanh(n[0]), (A,)),
    ('sigmoid', lambda t: t[0].sigmoid(), lambda n: 1 / (1 + np.exp(-n[0])), (A,)),
    ('abs', lambda t: t[0].abs(), lambda n: np.abs(n[0]), (A,)),
    ('maximum', lambda t: t[0].maximum(t[1]), lambda n: np.maximum(n[0], n[1]), (A, B)),
    ('minimum', lambda t: t[0].minimum(t[1]), lambda n: np.minimum(n[0], n[1]), (A, B)),
    ('pow', lambda t: t[0] ** 3, lambda n: n[0] ** 3, (A,)),
    ('floor', lambda t: t[0].floor(), lambda n: np.floor(n[0]), (A,)),
    ('ceil', lambda t: t[0].ceil(), lambda n: np.ceil(n[0]), (A,)),
    ('trunc', lambda t: t[0].trunc(), lambda n: np.trunc(n[0]), (A,)),
    ('where', lambda t: (t[0] > 0).where(t[0], t[1]), lambda n: np.where(n[0] > 0, n[0], n[1]), (A, B)),
    ('less', lambda t: t[0] < t[1], lambda n: n[0] < n[1], (A, B)),
    ('equal', lambda t: t[0] == t[0], lambda n: n[0] == n[0], (A,)),
    ('sum', lambda t: t[0].sum(), lambda n: n[0].sum(), (A,)),
    ('sum rows', lambda t: t[0].sum(0), lambda n: n[0].sum(0), (A,)),
    ('sum columns', lambda t: t[0].sum(1), lambda n: n[0].sum(1), (A,)),
    ('mean', lambda t: t[0].mean(1), lambda n: n[0].mean(1), (A,)),
    ('max', lambda t: t[0].max(0), lambda n: n[0].max(0), (A,)),
    ('min', lambda t: t[0].min(1), lambda n: n[0].min(1), (A,)),
    ('std', lambda t: t[0].std(1), lambda n: n[0].std(1, ddof=1), (A,)),
    ('argmax', lambda t: t[0].argmax(1), lambda n: n[0].argmax(1), (A,)),
    ('cumsum', lambda t: t[0].cumsum(1), lambda n: n[0].cumsum(1), (A,)),
    ('softmax', lambda t: t[0].softmax(), lambda n: softmax(n[0]), (A,)),
    ('sort', lambda t: t[0].sort()[0], lambda n: np.sort(n[0]), (V,)),
    ('matmul', lambda t: t[0] @ t[1].transpose(), lambda n: n[0] @ n[1].T, (A, B)),
    ('dot', lambda t: t[0] @ t[1], lambda n: n[0] @ n[1], (A, V)),
    ('transpose', lambda t: t[0].transpose().contiguous(), lambda n: n[0].T, (A,)),
    ('reshape', lambda t: t[0].reshape(33, 45) + 1, lambda n: n[0].reshape(33, 45) + 1, (A,)),
    ('slice', lambda t: t[0][3:30:2, 5:] * 2, lambda n: n[0][3:30:2, 5:] * 2, (A,)),
    ('flip', lambda t: t[0].flip(0) + 0, lambda n: n[0][::-1], (A,)),
    ('pad', lambda t: t[0].pad(((1, 2), (0, 3))) + 0, lambda n: np.pad(n[0], ((1, 2), (0, 3))), (A,)),
    ('cat', lambda t: t[0].cat(t[1], dim=1), lambda n: np.concatenate(n, 1), (A, B)),
    ('stack', lambda t: t[0].stack(t[1]), lambda n: np.stack(n), (A, B)),
    ('gather', lambda t: t[0][Tensor([3, 1, 2])], lambda n: n[0][[3, 1, 2]], (A,)),
    ('add int', lambda t: t[0] + t[1], lambda n: n[0] + n[1], (I, J)),
    ('mul int', lambda t: t[0] * t[1], lambda n: n[0] * n[1], (I, J)),
    ('floor div int', lambda t: t[0] // t[1], lambda n: n[0] // n[1], (I, J)),
    ('mod int', lambda t: t[0] % t[1], lambda n: n[0] % n[1], (I, J)),
    ('and int', lambda t: t[0] & t[1], lambda n: n[0] & n[1], (I, J)),
    ('xor int', lambda t: t[0] ^ t[1], lambda n: n[0] ^ n[1], (I, J)),
    ('shift int', lambda t: t[1] << 3, lambda n: n[1] << 3, (I, J)),
    ('sum int', lambda t: t[0].sum(), lambda n: n[0].sum(), (I,)),
    ('cast half', lambda t: t[0].cast(dtypes.half).contiguous().float(), lambda n: n[0].astype(np.float16).astype(np.float32), (A,)),
    ('cast int', lambda t: t[0].cast(dtypes.int32), lambda n: n[0].astype(np.int32), (A,)),
    ('add half', lambda t: (t[0].half() + t[1].half()).float(),
     lambda n: (n[0].astype(np.float16) + n[1].astype(np.float16)).astype(np.float32), (A, B)),
    ('double', lambda t: (t[0].cast(dtypes.double) * 3).sum(), lambda n: (n[0].astype(np.float64) * 3).sum(), (A,)),
    ('conv', lambda t: t[0].reshape(1, 1, 45, 33).conv2d(t[1][:3, :3].reshape(1, 1, 3, 3)),
     lambda n: sum(n[0][i:i + 43, j:j + 31] * n[1][i, j] for i in range(3) for j in range(3))[None, None], (A, B)),
    ('max pool', lambda t: t[0][:44, :32].reshape(1, 1, 44, 32).max_pool2d(2),
     lambda n: n[0][:44, :32].reshape(22, 2, 16, 2).max((1, 3))[None, None], (A,)),
]


def main():
    good = bad = 0
    for name, ours, theirs, arrays in CASES:
        try:
            found, expected = ours([Tensor(a) for a in arrays]).numpy(), np.asarray(theirs(list(arrays)))
            fits = found.shape == expected.shape and np.allclose(found, expected, rtol=2e-4, atol=2e-4)
            why = '' if fits else 'wrong'
        except Exception as e:  # whatever it raises: the operation does not work
            fits, why = False, '%s: %s' % (type(e).__name__, str(e)[:100])
        if not fits:
            print('%s: %s' % (name, why))
        good, bad = good + fits, bad + (not fits)
    print('%d passed, %d failed' % (good, bad))
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
