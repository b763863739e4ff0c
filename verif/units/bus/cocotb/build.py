# SPDX-License-Identifier: Apache-2.0
"""Builds each module of MODELS and runs its tests; with --broken a copy with a fault, whose tests must fail. 'N passed, N failed'."""
import os
import re
import shutil
import sys

from cocotb_tools.runner import get_results, get_runner

TOP = os.getcwd()
# name: module, parameters, tests, fault (file, what, instead)
MODELS = {
    'axil': ('axil_window', {}, 'test_axil', ('axil_port', 'if (s_axil_bready) b_q', 'if (s_axil_bready || !rst_i) b_q')),
    'wb_classic': ('wb_window', {}, 'test_wb', ('bus_window', 'if (reg_strb_i[b]) mem', 'mem')),
    'wb_pipelined': ('wb_window', {'Pipelined': 1}, 'test_wb', ('wb_port', 'wb_err_o <= reg_error_i', "wb_err_o <= 1'b0 && reg_error_i")),
    'axi4': ('mem_axi', {'DataBits': 64}, 'test_mem_axi', ('mem_axi', 'if (resp[1]) bad_q <= bad_q | half;', '')),
    'axi_lite': ('mem_axi', {'Lite': 1}, 'test_mem_axi', ('mem_axi', "assign next       = first_q + 1'b1", 'assign next       = first_q')),
    'mem_wb_classic': ('mem_wb', {}, 'test_mem_wb', ('mem_sectors', 'ok_q    <= equal || broken', "ok_q    <= 1'b1")),
    'mem_wb_pipelined': ('mem_wb', {'Pipelined': 1, 'DataBits': 64}, 'test_mem_wb', ('mem_wb', 'waits_q && m_wb_rty_i', "waits_q && 1'b0")),
}


def run(name, broken):
    """Tests of a model and how many failed."""
    top, parameters, tests, (block, what, instead) = MODELS[name]
    out = os.path.join(TOP, 'build/bus_cocotb', name + ('_broken' if broken else ''))
    rtl = os.path.join(TOP, 'rtl/bus')
    shutil.rmtree(out, ignore_errors=True)
    if broken:
        rtl = shutil.copytree(rtl, os.path.join(out, 'rtl'))
        path = os.path.join(rtl, block + '.sv')
        with open(path) as f:
            text = f.read()
        if what not in text:
            sys.exit('%s: no "%s"' % (path, what))
        with open(path, 'w') as f:
            f.write(text.replace(what, instead))
    words = ['-Wno-fatal', '-O1', '-CFLAGS', '-O0'] + ["-G%s=%s" % (k, "1'b1" if v == 1 else v) for k, v in parameters.items()]
    os.makedirs(out, exist_ok=True)
    runner = get_runner('verilator')
    runner.build(sources=[], hdl_toplevel=top, build_dir=out, build_args=['-F', os.path.join(rtl, 'files.f')] + words,
                 log_file=os.path.join(out, 'build.log'))
    results = runner.test(test_module=tests, hdl_toplevel=top, hdl_toplevel_lang='verilog', build_dir=out, test_dir=out,
                          log_file=os.path.join(out, 'test.log'))
    return get_results(results)


def main(words):
    broken = '--broken' in words
    pattern = ([w for w in words if w != '--broken'] or ['.'])[0]
    passed = failed = 0
    for name in [n for n in MODELS if re.search(pattern, n)]:
        tests, failures = run(name, broken)
        if broken:
            failures, tests = (0, 1) if failures else (1, 1)
            if failures:
                print('FAIL %s: the tests do not find the fault' % name)
        elif failures or not tests:
            print('FAIL %s: build/bus_cocotb/%s/test.log' % (name, name))
        passed, failed = passed + tests - failures, failed + failures
    print('%d passed, %d failed' % (passed, failed))
    return failed != 0 or not passed


sys.exit(main(sys.argv[1:]))
