#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pins.py -- the ports of a module, for shims that reach them by name.

  pins.py RTLDIR|NETLIST.v MODULE

Prints PIN(name) for each port of RTLDIR/MODULE.sv, included port lists too, or of the module in a netlist.
"""
import os
import re
import sys


def text(path):
    out = open(path).read()
    return re.sub(r'//[^\n]*', '', out)


def ports(folder, module):
    netlist = os.path.isfile(folder)
    body = text(folder if netlist else os.path.join(folder, module + '.sv'))
    m = re.search(r'\bmodule\s+\\?%s\b(.*?)\bendmodule\b' % module, body, flags=re.S)
    if not m:
        sys.exit('pins.py: no module %s' % module)
    body = m[1] if netlist else m[1].split(');', 1)[0]
    body = re.sub(r'`include "(\w+\.vh)"', lambda i: text(os.path.join(folder, i[1])), body)
    return re.findall(r'\b(?:input|output)\s+(?:logic|wire)?\s*(?:\[[^\]]*\])?\s*(\w+)', body)


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    print('\n'.join('PIN(%s)' % p for p in ports(*sys.argv[1:])))
