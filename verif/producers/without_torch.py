# SPDX-License-Identifier: Apache-2.0
"""A stand-in for torch: tilelang imports torch for its types of numbers, and needs nothing of torch to compile. The
package has gigabytes."""
import sys
from unittest.mock import MagicMock


class Type:
    pass


torch = MagicMock()
for part in ("utils", "utils.cpp_extension", "utils.dlpack", "cuda", "nn", "version"):
    owner = torch
    for word in part.split("."):
        owner = getattr(owner, word)
    sys.modules["torch." + part] = owner
sys.modules["torch"] = torch
torch.dtype, torch.Tensor, torch.device = Type, type("Tensor", (), {}), type("device", (), {})
for name in ("float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool float8_e4m3fn "
             "float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu float4_e2m1fn_x2 half float double long int "
             "short").split():
    setattr(torch, name, Type())
torch.__version__, torch.version.hip, torch.version.cuda = "2.9.0", None, "13.0"
torch.cuda.is_available = lambda: False
torch.utils.cpp_extension.CUDA_HOME = None
