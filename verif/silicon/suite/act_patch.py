#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Change the form of each SYNCS.ARRIVE of a cubin: bits 87:84 of the 128-bit word.

usage: act_patch.py IN.cubin FORM OUT.cubin
"""
import struct
import sys

OPCODE = 0x9A7  # bits 11:0


def main():
    source, form, to = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    data = bytearray(open(source, "rb").read())
    found = 0
    for at in range(0, len(data) - 15, 16):
        low, high = struct.unpack_from("<QQ", data, at)
        if low & 0xFFF == OPCODE and high >> 27 & 1:
            struct.pack_into("<Q", data, at + 8, high & ~(0xF << 20) | form << 20)
            found += 1
    open(to, "wb").write(data)
    print("%d words" % found)


if __name__ == "__main__":
    main()
