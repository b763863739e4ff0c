# SPDX-License-Identifier: Apache-2.0
"""archs.py -- the architectures: the list of cmodel/include/warplock/archs.h. A script takes it by
`sys.path.insert(0, "cmodel/isa/gen"); from archs import ARCHS, NAMES`."""
import os
import re

HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../include/warplock/archs.h')
ARCHS = tuple(int(n) for n in re.findall(r'(?:FIRST|NEXT)\((\d+)\)', open(HEADER).read()))
# Chips that run another one's words: 86 -> 80.
RELATIVES = {int(n): int(base) for n, base in re.findall(r'RELATIVE\((\d+), (\d+)\)', open(HEADER).read())}
# Architectures with the rows of another, but rows that say `-N`: 107 -> 100.
VARIANTS = {int(n): int(base) for n, base in re.findall(r'VARIANT\((\d+), (\d+)\)', open(HEADER).read())}
NAMES = ['sm_%d' % a for a in ARCHS]
# What a ptxas before 13.4 compiles for.
BASES = tuple(a for a in ARCHS if a not in VARIANTS)
BASE_NAMES = ['sm_%d' % a for a in BASES]
