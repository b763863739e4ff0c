# SPDX-License-Identifier: Apache-2.0
"""The order monitor: warplock/monitor.h with Python's exceptions."""
from ._native import Error, ffi, lib, number, text


class Illegal(AssertionError):
    """Hardware broke an order rule. `rule` is the letter of the rule, 'a' to 'f'; the text tells the place."""

    def __init__(self, rule, why):
        super().__init__(why)
        self.rule = rule


class Monitor:
    """Order rules for the events of any hardware: Monitor(arch="sm_90", lanes=4, rules="abcde").

    The bench tells requests and events without values. A breach raises Illegal; the first breach stays, and each later
    call raises the same Illegal. A wrong number, an unknown tag or unit raises Error and changes nothing."""

    def __init__(self, **parameters):
        m = lib.wl_monitor_open(' '.join('%s=%s' % item for item in parameters.items()).encode())
        if m == ffi.NULL:
            raise Error(text(lib.wl_monitor_open_error()))
        self._monitor = ffi.gc(m, lib.wl_monitor_close)

    def _tell(self, call, *values):
        try:
            verdict = call(self._monitor, *values)
        except (OverflowError, TypeError) as e:
            raise Error('monitor: %s' % e) from None
        if verdict == lib.WL_MONITOR_ILLEGAL:
            raise Illegal(lib.wl_monitor_rule(self._monitor).decode(), text(lib.wl_monitor_why(self._monitor)))
        if verdict:
            raise Error(text(lib.wl_monitor_why(self._monitor)))

    def start_cta(self, slot, first_warp, warps, lanes=32, base=0, size=0, cluster=None, rank=0):
        """A CTA comes to a slot; lanes: of the last warp; base, size: of its shared memory, bytes."""
        if cluster is not None:
            self._tell(lib.wl_monitor_cluster, slot, cluster, rank)
        self._tell(lib.wl_monitor_start_cta, slot, first_warp, warps, lanes, base, size)

    def end_cta(self, slot):
        """The CTA leaves its slot."""
        self._tell(lib.wl_monitor_end_cta, slot)

    def request(self, tag, slot, warp, instruction, mask=0xffffffff, preds=0, a=None, b=None, uniform=None):
        """The hardware takes a request, in program order of the warp. a, b: an int, or a list of 32; only addresses and
        numbers of barriers in registers count."""
        for source, values in ((0, a), (1, b)):
            if values is not None:
                lanes = [values] * 32 if isinstance(values, int) else list(values)
                if len(lanes) != 32:
                    raise Error('operand: expected 32 values, found %d' % len(lanes))
                for lane, value in enumerate(lanes):
                    self._words(source, lane, number(value, 'operand', 0, 2**64 - 1))
        if uniform is not None:
            self._words(3, 0, number(uniform, 'uniform', 0, 2**64 - 1))
        self._tell(lib.wl_monitor_request, tag, slot, warp, instruction.encode(), mask, preds)

    def _words(self, source, lane, value):
        for word in range(2):
            self._tell(lib.wl_monitor_operand, source, lane, word, value >> 32 * word & 0xffffffff)

    def commit(self, tag, lanes):
        """Lanes of a request take effect."""
        self._tell(lib.wl_monitor_commit, tag, lanes)

    def fault(self, tag, lanes, fault):
        """Lanes fault with a number of units.def."""
        self._tell(lib.wl_monitor_fault, tag, lanes, fault)

    def exit(self, tag):
        """The warp of an EXIT has ended."""
        self._tell(lib.wl_monitor_exit, tag)

    def retire(self, tag):
        """The request is complete; the tag is free again."""
        self._tell(lib.wl_monitor_retire, tag)

    def give_up(self, tag):
        """A wait with a time limit ends."""
        self._tell(lib.wl_monitor_give_up, tag)

    def release(self, unit, slot, number, warps):
        """Warps (a bit for each warp of the SM) that wait for a unit such as "barrier_file" go on."""
        self._tell(lib.wl_monitor_release, unit.encode(), slot, number, warps)

    def owed(self, tag):
        """The bench holds something back from the request in this cycle."""
        self._tell(lib.wl_monitor_owed, tag)

    def cycle(self, stalled=False):
        """Once a cycle, after the events; stalled: a result was offered and not taken."""
        self._tell(lib.wl_monitor_cycle, stalled)

    def end(self):
        """The end of a run: nothing but waits may be open."""
        self._tell(lib.wl_monitor_end)
