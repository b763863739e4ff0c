#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wlgen.py -- generates what follows from the encoding tables.

  wlgen.py c OUT.h          the tables as C arrays (built, never committed)
  wlgen.py sv OUT.sv        rtl/gen/sync_decode.sv
  wlgen.py config OUT.vh    rtl/gen/wl_config.vh
  wlgen.py units OUT.vh     rtl/gen/wl_units.vh
  wlgen.py units_c OUT.h    the same numbers as C (built, never committed)
  wlgen.py doc OUT.md       docs/reference/isa.md
  wlgen.py check [FILE...]  read and check tables (default: those of the tree); errors on standard error, exit 1
"""
import argparse
import glob
import os
import sys

import archs
import emit_c
import emit_doc
import emit_sv
import rows
import rtl_units
import uops

ISA = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(ISA))


def header(name):
    return open(os.path.join(ISA, '..', 'include', 'warplock', name)).read()


def faults():
    return [open(path).read() for path in sorted(glob.glob(os.path.join(ISA, '..', 'units', 'faults', '*.def')))]


def config_text():
    """config.h with the architectures, which it includes, behind its first list."""
    values = 'enum { %s };' % ', '.join('WL_SM%d = %d' % (a, a) for a in archs.ARCHS)
    return header('config.h').replace('\n};\n', '\n};\n' + values + '\n', 1)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('what', choices=('c', 'sv', 'config', 'units', 'units_c', 'doc', 'check'))
    ap.add_argument('files', nargs='*')
    ap.add_argument('--uops', default=os.path.join(ISA, 'uops.def'), help='micro-operations other than those of the tree')
    a = ap.parse_args()
    paths = sorted(glob.glob(os.path.join(ISA, 'enc_*.def')))
    if a.what == 'check' and a.files:
        paths = a.files
    elif a.what != 'check' and len(a.files) != 1:
        ap.error('one output file expected')
    try:
        table = rows.Table(paths, uops.read_uops(a.uops), rows.SpareBits(os.path.join(ISA, 'spare_bits.tsv')))
        if a.what == 'check':
            print('%d rows' % len(table.rows))
            return 0
        text = {
            'c': lambda: emit_c.Emitter(table).emit(),
            'doc': lambda: emit_doc.emit(table),
            'sv': lambda: emit_sv.sync_decode(table, rtl_units.read(ROOT, table.uops)),
            'units': lambda: rtl_units.macros(ROOT, rtl_units.read(ROOT, table.uops)),
            'units_c': lambda: rtl_units.enumerators(ROOT, rtl_units.read(ROOT, table.uops)),
            'config': lambda: emit_sv.config(config_text(), faults()),
        }[a.what]()
    except (rows.TableError, rtl_units.UnitError, ValueError) as e:
        print(e, file=sys.stderr)
        return 1
    with open(a.files[0], 'w') as f:
        f.write(text)
    return 0


if __name__ == '__main__':
    sys.exit(main())
