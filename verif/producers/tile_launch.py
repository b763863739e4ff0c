# SPDX-License-Identifier: Apache-2.0
"""Launches a kernel of tiles through the driver: wlrun -- python3 tile_launch.py. The driver is asked for one thread a
block, and the compiler's block runs; any other block than that one is refused."""
import ctypes
import os

from cases import CASES

CUBIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures/cuda-tile/block_sum.sm_90.cubin")
INVALID_VALUE = 1
cuda = ctypes.CDLL("libcuda.so.1")
pointer, size = ctypes.c_uint64, ctypes.c_size_t


def must(result):
    if result:
        raise SystemExit("the driver gives error %d" % result)


def array(values):
    """Device address of 32-bit numbers."""
    at, data = pointer(), (ctypes.c_int32 * len(values))(*values)
    must(cuda.cuMemAlloc_v2(ctypes.byref(at), size(ctypes.sizeof(data))))
    must(cuda.cuMemcpyHtoD_v2(at, data, size(ctypes.sizeof(data))))
    return at


def contents(at, n):
    data = (ctypes.c_int32 * n)()
    must(cuda.cuMemcpyDtoH_v2(data, at, size(ctypes.sizeof(data))))
    return list(data)


must(cuda.cuInit(0))
context, module, function = (ctypes.c_void_p() for _ in range(3))
must(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
must(cuda.cuCtxSetCurrent(context))
must(cuda.cuModuleLoad(ctypes.byref(module), CUBIN.encode()))
must(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"block_sum"))
problem = CASES["block_sum"]()
places = {name: array(start) for name, (_, start, _) in problem.items()}
params = []
for name, (_, start, _) in problem.items():
    params += [places[name], ctypes.c_int32(len(start)), ctypes.c_int32(1)]
params = (ctypes.c_void_p * len(params))(*(ctypes.addressof(p) for p in params))
good = bad = 0
for block, expected in (((2, 1, 1), INVALID_VALUE), ((1, 2, 1), INVALID_VALUE), ((1, 1, 1), 0)):
    found = cuda.cuLaunchKernel(function, 4, 1, 1, *block, 0, None, params, None)
    good, bad = good + (found == expected), bad + (found != expected)
    if found != expected:
        print("blocks of %s: result %d, expected %d" % (block, found, expected))
for name, (_, start, end) in problem.items():
    found = contents(places[name], len(start))
    if end is not None:
        good, bad = good + (found == end), bad + (found != end)
        if found != end:
            print("buffer '%s': %s, expected %s" % (name, found, end))
print("%d passed, %d failed" % (good, bad))
raise SystemExit(bad != 0)
