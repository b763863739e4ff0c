# SPDX-License-Identifier: Apache-2.0
"""Builds barrier_file with the file list of the unit and runs test_barrier.py; `N passed, N failed`."""
import os
import re
import shutil
import sys

from cocotb_tools.runner import get_results, get_runner

TOP = os.getcwd()
OUT = os.path.join(TOP, 'build/one_unit/cocotb')
RTL = os.path.join(TOP, 'rtl')
if sys.argv[1:] == ['--broken']:
    OUT += '_broken'
    shutil.rmtree(OUT, ignore_errors=True)
    RTL = shutil.copytree(RTL, os.path.join(OUT, 'rtl'))
    path = os.path.join(RTL, 'barrier_file/barrier_file.sv')
    with open(path) as f:
        text = f.read()
    with open(path, 'w') as f:
        f.write(re.sub(r'== Exit && !left_q\[p\]', r'\g<0> && slot_q[0]', text))
runner = get_runner('verilator')
runner.build(sources=[], hdl_toplevel='barrier_file', build_dir=OUT, parameters={'Warps': 8, 'Slots': 2, 'Barriers': 2},
             build_args=['-F', os.path.join(RTL, 'barrier_file/files.f'), '-Wno-fatal'], log_file=os.path.join(OUT, 'build.log'))
results = runner.test(test_module='test_barrier', hdl_toplevel='barrier_file', hdl_toplevel_lang='verilog', build_dir=OUT, test_dir=OUT,
                      extra_env={'PYTHONPATH': os.pathsep.join(os.path.join(TOP, p) for p in os.environ['PYTHONPATH'].split(':'))})
tests, failures = get_results(results)
print('%d passed, %d failed' % (tests - failures, failures))
sys.exit(failures != 0 or not tests)
