#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pins.py -- the ports of a module, for shims that reach them by name.

  pins.py RTLDIR|NETLIST.v MODULE

Prints PIN(name) for each port of MODULE.sv in RTLDIR or a folder of it, included port lists too, or of the module in a netlist.
"""
import glob
import os
import re
import sys


def text(path):
    out = open(path).read()
    return re.sub(r'//[^\n]*', '', out)


def inside(folder, name):
    """The path of a file in a folder or in one of its folders."""
    found = glob.glob(os.path.join(folder, name)) + glob.glob(os.path.join(folder, '*', name))
    if not found:
        sys.exit('pins.py: no %s in %s' % (name, folder))
    return found[0]


def ports(folder, module):
    netlist = os.path.isfile(folder)
    body = text(folder if netlist else inside(folder, module + '.sv'))
    m = re.search(r'\bmodule\s+\\?%s\b(.*?)\bendmodule\b' % module, body, flags=re.S)
    if not m:
        sys.exit('pins.py: no module %s' % module)
    body = m[1] if netlist else m[1].split(');', 1)[0]
    body = re.sub(r'`include "(\w+\.vh)"', lambda i: text(inside(folder, i[1])), body)
    return re.findall(r'\b(?:input|output)\s+(?:logic|wire)?\s*(?:\[[^\]]*\])?\s*(\w+)', body)


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    print('\n'.join('PIN(%s)' % p for p in ports(*sys.argv[1:])))
