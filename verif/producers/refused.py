# SPDX-License-Identifier: Apache-2.0
"""Fixtures that need what is not modelled: the run must end with an error that names the instruction."""

REFUSED = {
    # fixture: (what the error of a cubin names, what that of the PTX names)
    "cuda-tile/block_sum_tma": ("UTMACCTL.PF", None),
    "triton/product": ("HMMA", "mma"),
}
