#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sources.py -- where the files of the RTL lie: rtl/FOLDER/NAME, one folder a unit; the one place that knows the layout.

  sources.py path BLOCK...      the file of each block
  sources.py closure BLOCK      the files of a block and of every block below it

A flat copy of the sources (a folder with all files beside each other) is read in the same way."""
import glob
import os
import re
import sys

LINK = 'fpga/link', 'fpga/stimulus'            # the core behind a line or a bus: blocks above the RTL
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def files(ending, folder='rtl', root=ROOT):
    """Paths below root of the files with that ending, in the order of their names."""
    found = glob.glob(os.path.join(root, folder, '*.' + ending)) + glob.glob(os.path.join(root, folder, '*', '*.' + ending))
    return sorted((os.path.relpath(f, root) for f in found), key=os.path.basename)


def blocks(folder='rtl', root=ROOT):
    """{name of a block: path of its file}"""
    return {os.path.basename(f)[:-3]: f for f in files('sv', folder, root)}


def headers(folder='rtl', root=ROOT):
    """{name of a header with its ending: path of its file}"""
    return {os.path.basename(f): f for f in files('vh', folder, root)}


def with_link(known, root=ROOT):
    """The same of the RTL and of the blocks above it: known is `blocks` or `headers`."""
    out = known(root=root)
    for folder in LINK:
        out.update(known(folder, root))
    return out


def unit_tables(root=ROOT):
    """{name of a unit: path of its table rtl/UNIT/UNIT.def}"""
    return {os.path.basename(f)[:-4]: f for f in files('def', 'rtl', root)}


def faults(root=ROOT):
    """Paths of the tables of injected faults, verif/units/UNIT/NAME.plant."""
    return sorted(os.path.relpath(f, root) for f in glob.glob(os.path.join(root, 'verif', 'units', '*', '*.plant')))


def includes(folder='rtl', root=ROOT):
    """Options -IFOLDER for every folder that holds a header."""
    return ['-I' + d for d in sorted({os.path.dirname(f) for f in files('vh', folder, root)})]


def closure(top, root=ROOT, known=None):
    """Files of a block and of all blocks below it."""
    known, found, todo = known or blocks(root=root), [], [top]
    while todo:
        path = known[todo.pop()]
        if path not in found:
            found.append(path)
            with open(os.path.join(root, path)) as f:
                todo += set(known) & set(re.findall(r'\w+', re.sub(r'//[^\n]*', '', f.read())))
    return sorted(found, key=os.path.basename)


def main(words):
    if words[:1] == ['path'] and len(words) > 1:
        known = blocks()
        for name in words[1:]:
            if name not in known:
                sys.exit('sources.py: no block %s below rtl' % name)
            print(known[name])
    elif words[:1] == ['closure'] and len(words) == 2:
        print('\n'.join(closure(words[1])))
    else:
        sys.exit(__doc__)


if __name__ == '__main__':
    main(sys.argv[1:])
