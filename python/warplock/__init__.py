# SPDX-License-Identifier: Apache-2.0
"""Warplock from Python: GPU kernels on the C model, and units of the C model as references.

  load, load_bytes   PTX text, cubin, fat binary or host program -> Kernel
  Kernel.launch      shape, Buffers and arguments -> Run
  launch_file        a launch file (docs/launch.md) -> Run
  Run                step, run, events, memory of buffers, report
  Report, Waiting    outcome; who waits for whom
  Unit               one unit judges requests and events of other hardware
  Error, Differs     what Warplock refuses; what differs from the reference

Sizes and addresses are in bytes, program counters in bytes from the start of the kernel, masks are ints.
docs/python.md has examples."""
from ._kernel import EVENTS, Buffer, Kernel, Run, launch_file, load, load_bytes
from ._native import Error, lib as _lib, text as _text
from ._report import Event, Report, Waiting
from ._unit import UNITS, Differs, Unit

__version__ = _text(_lib.wlpy_version())
__all__ = ['EVENTS', 'UNITS', 'Buffer', 'Differs', 'Error', 'Event', 'Kernel', 'Report', 'Run', 'Unit', 'Waiting',
           'launch_file', 'load', 'load_bytes']
