// SPDX-License-Identifier: Apache-2.0
// Functions of warplock/unit_ref.h over DPI-C. 0: the RTL agrees; 1: the RTL differs; 2: the bench is wrong.
package warplock_pkg;
  import "DPI-C" function chandle wl_unit_open(input string name, input string parameters);
  import "DPI-C" function string wl_unit_open_error();
  import "DPI-C" function string wl_unit_list();
  import "DPI-C" function void wl_unit_close(input chandle u);
  import "DPI-C" function string wl_unit_why(input chandle u);
  import "DPI-C" function int wl_unit_start_cta(input chandle u, input int unsigned slot, input int unsigned cta,
    input int unsigned first_warp, input int unsigned warps, input int unsigned base, input int unsigned bytes);
  import "DPI-C" function int wl_unit_end_cta(input chandle u, input int unsigned slot);
  import "DPI-C" function int wl_unit_cluster(input chandle u, input int unsigned cluster, input int unsigned ctas,
    input int unsigned rank);
  import "DPI-C" function int wl_unit_write(input chandle u, input int unsigned slot, input int unsigned at,
    input int unsigned word);
  import "DPI-C" function int wl_unit_global(input chandle u, input longint unsigned address,
    input int unsigned bytes);
  import "DPI-C" function int wl_unit_write_global(input chandle u, input longint unsigned address,
    input int unsigned word);
  import "DPI-C" function int wl_unit_compare_global(input chandle u, input longint unsigned address,
    input int unsigned word);
  import "DPI-C" function int wl_unit_operand(input chandle u, input int unsigned source, input int unsigned lane,
    input int unsigned word, input int unsigned value);
  import "DPI-C" function int wl_unit_request(input chandle u, input int unsigned tag, input int unsigned slot,
    input int unsigned warp, input string instruction, input int unsigned mask, input int unsigned preds);
  import "DPI-C" function int wl_unit_commit(input chandle u, input int unsigned tag, input int unsigned lanes);
  import "DPI-C" function int wl_unit_fault(input chandle u, input int unsigned tag, input int unsigned lanes,
    input int unsigned code);
  import "DPI-C" function int wl_unit_exit(input chandle u, input int unsigned slot, input int unsigned warp);
  import "DPI-C" function int wl_unit_release(input chandle u, input int unsigned slot, input int unsigned id,
    input longint unsigned warps, input int unsigned value);
  import "DPI-C" function int wl_unit_give_up(input chandle u, input int unsigned tag);
  import "DPI-C" function int wl_unit_land(input chandle u, input int unsigned slot, input int unsigned at,
    input string what, input int unsigned amount, input int unsigned code);
  import "DPI-C" function int wl_unit_result(input chandle u, input int unsigned tag, input int unsigned lane,
    input int unsigned word, input int unsigned value);
  import "DPI-C" function int wl_unit_predicates(input chandle u, input int unsigned tag, input int unsigned lanes,
    input int unsigned values);
  import "DPI-C" function int wl_unit_retire(input chandle u, input int unsigned tag);
  import "DPI-C" function int wl_unit_none_due(input chandle u);
  import "DPI-C" function int wl_unit_idle(input chandle u);
  import "DPI-C" function int wl_unit_compare(input chandle u, input int unsigned slot, input int unsigned at,
    input longint unsigned first, input longint unsigned second);
  import "DPI-C" function int unsigned wl_unit_passes(input chandle u, input int unsigned tag);
  import "DPI-C" function int unsigned wl_unit_pass(input chandle u, input int unsigned tag, input int unsigned n);
  import "DPI-C" function int unsigned wl_unit_static_faults(input chandle u, input int unsigned tag);
  import "DPI-C" function int unsigned wl_unit_value(input chandle u, input int unsigned tag, input int unsigned lane,
    input int unsigned word);
  import "DPI-C" function string wl_unit_explain(input chandle u, input int unsigned slot);
endpackage
