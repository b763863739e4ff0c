# SPDX-License-Identifier: Apache-2.0
"""One unit of the C model alone, as a reference: warplock/unit_ref.h with Python's exceptions."""
from ._native import Error, c_text, ffi, lib, number, text


class Differs(AssertionError):
    """The RTL under test and the reference differ. The text has the value found and the value of the reference."""


class Unit:
    """A unit as reference for other hardware: the bench tells each request and event, the reference judges.

    Unit("barrier_file", lanes=4)    parameters as in warplock/unit_ref.h, given as keywords
    UNITS                            names that can be opened

    Every method that tells an event raises Differs where the hardware is wrong, and Error where the bench is wrong
    (a number out of range, an unknown tag). A refused event changes nothing. Masks of lanes have 32 bits, masks of
    warps 64 bits. A Unit closes with its object; `with Unit(...) as u` closes earlier."""

    def __init__(self, name, **parameters):
        words = ' '.join('%s=%s' % item for item in parameters.items())
        unit = lib.wl_unit_open(c_text(name, True), c_text(words))
        if unit == ffi.NULL:
            raise Error(text(lib.wl_unit_open_error()))
        self._unit, self.name = ffi.gc(unit, lib.wl_unit_close), name

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the reference; a second call does nothing."""
        if self._unit is not None:
            ffi.release(self._unit)
            self._unit = None

    def _open(self):
        if self._unit is None:
            raise Error('the unit is closed')
        return self._unit

    def _tell(self, call, *values):
        unit = self._open()
        try:
            verdict = call(unit, *values)
        except (OverflowError, TypeError) as e:
            raise Error('%s: %s' % (self.name, e)) from None
        if verdict:
            raise (Differs if verdict == lib.WL_UNIT_DIFFERS else Error)(text(lib.wl_unit_why(unit)))

    def start_cta(self, slot, cta, first_warp, warps, base=0, size=0):
        """A CTA comes to a slot: warps first_warp and on, `size` bytes of shared memory from byte `base` on."""
        self._tell(lib.wl_unit_start_cta, slot, cta, first_warp, warps, base, size)

    def cluster(self, cluster, ctas, rank):
        """The next CTA that comes is CTA `rank` of the `ctas` CTAs of a cluster."""
        self._tell(lib.wl_unit_cluster, cluster, ctas, rank)

    def write(self, slot, at, word):
        """Somebody else writes a word of a CTA's shared memory."""
        self._tell(lib.wl_unit_write, slot, at, word)

    def buffer(self, address, size):
        """atom_unit: a buffer of zeros in global memory, behind the buffers before."""
        self._tell(lib.wl_unit_global, address, size)

    def write_global(self, address, word):
        """atom_unit: somebody else writes a word of a buffer."""
        self._tell(lib.wl_unit_write_global, address, word)

    def compare_global(self, address, word):
        """atom_unit: a word of the hardware's global memory."""
        self._tell(lib.wl_unit_compare_global, address, word)

    def end_cta(self, slot):
        """The CTA leaves its slot."""
        self._tell(lib.wl_unit_end_cta, slot)

    def request(self, tag, slot, warp, instruction, mask=0xffffffff, preds=0, a=None, b=None, c=None, uniform=None):
        """The hardware takes a request.

        tag          a number that no open request has
        instruction  a text such as "BAR.SYNC.DEFER_BLOCKING 0x1, 0x40"
        mask, preds  active lanes; the source predicate of each lane
        a, b, c      operands of the instruction: an int for all lanes, or a list of 32; values of up to 128 bits
        uniform      the uniform register"""
        for source, values in enumerate((a, b, c)):
            if values is not None:
                self._operand(source, values)
        if uniform is not None:
            self._words(3, 0, number(uniform, 'uniform', 0, 2**64 - 1))
        self._tell(lib.wl_unit_request, tag, slot, warp, instruction.encode(), mask, preds)

    def _operand(self, source, values):
        lanes = [values] * 32 if isinstance(values, int) else list(values)
        if len(lanes) != 32:
            raise Error('operand %s: expected 32 values, found %d' % ('abc'[source], len(lanes)))
        for lane, value in enumerate(lanes):
            self._words(source, lane, number(value, 'operand %s' % 'abc'[source], 0, 2**128 - 1))

    def _words(self, source, lane, value):
        word = 0
        while value:
            self._tell(lib.wl_unit_operand, source, lane, word, value & 0xffffffff)
            value, word = value >> 32, word + 1

    def commit(self, tag, lanes):
        """Lanes of a request take effect."""
        self._tell(lib.wl_unit_commit, tag, lanes)

    def fault(self, tag, lanes, fault):
        """Lanes of a request fault with a number of units.def."""
        self._tell(lib.wl_unit_fault, tag, lanes, fault)

    def exit(self, slot, warp):
        """A warp has ended."""
        self._tell(lib.wl_unit_exit, slot, warp)

    def release(self, slot, barrier, warps, value=0):
        """Waiting warps (a bit for each warp of the SM) go on. barrier, value: as id and value of unit_ref.h."""
        self._tell(lib.wl_unit_release, slot, barrier, warps, value)

    def give_up(self, tag):
        """mbarrier_engine: a wait ends without the phase."""
        self._tell(lib.wl_unit_give_up, tag)

    def land(self, slot, at, what, amount=1, fault=0):
        """mbarrier_engine: "tx", "arrive" or "report" arrives at the mbarrier at `at`."""
        self._tell(lib.wl_unit_land, slot, at, what.encode(), amount, fault)

    def result(self, tag, lane, value, word=0):
        """A word of the result of a lane."""
        self._tell(lib.wl_unit_result, tag, lane, word, value)

    def predicates(self, tag, lanes, values):
        """Predicates that a request has written."""
        self._tell(lib.wl_unit_predicates, tag, lanes, values)

    def retire(self, tag):
        """The request is complete; the tag is free again."""
        self._tell(lib.wl_unit_retire, tag)

    def none_due(self):
        """The hardware has shown all releases."""
        self._tell(lib.wl_unit_none_due)

    def idle(self):
        """Nothing is open and no release is due."""
        self._tell(lib.wl_unit_idle)

    def compare(self, slot, at, first, second=0):
        """State of the hardware; what the numbers are, unit_ref.h tells for each unit. barrier_file: barrier, warps that
        have arrived, warps that wait. mbarrier_engine: byte address, 64 bits of the object, warps that wait."""
        self._tell(lib.wl_unit_compare, slot, at, first, second)

    def passes(self, tag):
        """Lanes of each commit that the reference expects, a list of masks."""
        unit = self._open()
        return [lib.wl_unit_pass(unit, tag, n) for n in range(lib.wl_unit_passes(unit, tag))]

    def static_faults(self, tag):
        """Mask of the lanes that fault whatever the state of the unit."""
        return lib.wl_unit_static_faults(self._open(), tag)

    def value(self, tag, lane, word=0):
        """The word that the reference expects as result of a lane that has committed."""
        return lib.wl_unit_value(self._open(), tag, lane, word)

    def explain(self, slot):
        """Open requests and objects at which warps wait, a line each."""
        return text(lib.wl_unit_explain(self._open(), slot))


UNITS = tuple(text(lib.wl_unit_list()).split(', '))
