# SPDX-License-Identifier: Apache-2.0
"""What a run tells: events, reports, waiting groups."""
from ._native import lib, text


class Event:
    """One event of the C model. The text of the event is `str(event)`.

    kind      a name of warplock.EVENTS; cmodel/include/warplock/observe.h describes each kind
    sm, cta, warp
              streaming multiprocessor, CTA of the grid, warp of the CTA
    lanes     mask of the lanes that executed; live: of the lanes that have not exited
    pc        byte address of the instruction
    reads, writes, atomic, size
              of an access: bool, bool, bool, bytes of a lane; stored: mask of the lanes that wrote
    shared    mask of the lanes whose address lies in shared memory
    addr      address of each lane, a tuple of 32
    id, count, waits, warps, phases, passes, bytes, copy, serial, time
              as in observe.h; 0 where the kind has no such value"""

    _names = ('sm', 'cta', 'warp', 'lanes', 'live', 'pc', 'size', 'stored', 'shared', 'id', 'count', 'warps', 'phases',
              'passes', 'bytes', 'copy', 'serial', 'time')
    __slots__ = _names + ('kind', 'reads', 'writes', 'atomic', 'waits', 'addr', '_run')

    def __init__(self, c, run):
        self.kind, self._run = text(lib.wlpy_event_name(c.kind)), run
        for name in self._names:
            setattr(self, name, getattr(c, name))
        for name in ('reads', 'writes', 'atomic', 'waits'):
            setattr(self, name, bool(getattr(c, name)))
        self.addr = tuple(c.addr)

    @property
    def instruction(self):
        """The instruction as nvdisasm prints instructions; None where the event has no instruction."""
        return self._run.instruction(self.pc)

    @property
    def source(self):
        """(file, line), None where no line is known."""
        return self._run.source(self.pc)

    def __str__(self):
        return '%s: CTA %d warp %d lanes 0x%08x at pc 0x%x' % (self.kind, self.cta, self.warp, self.lanes, self.pc)

    def __repr__(self):
        return '<warplock.Event %s>' % self


class Waiting:
    """A group of lanes of a run that stands still. `str(group)` is one line.

    cta, warp, lanes, pc   place; lanes is a mask, pc a byte address
    instruction, text      the instruction; what the group waits for
    what                   "barrier", "mbarrier", "bsync", "spin", ... or "none": the group can go on
    source, line           where known, else None
    waits_for              groups that this group waits for, a list of Waiting
    missing                objects with `warp` and `where` that have not arrived, as in docs/waiting.md
    row                    all fields of the report, a dict"""

    def __init__(self, row):
        self.row, self.waits_for = row, []
        self.cta, self.warp, self.lanes, self.pc = row['cta'], row['warp'], int(row['lanes'], 16), int(row['pc'], 16)
        self.instruction, self.text, self.what = row.get('instruction'), row['text'], row['what']
        self.source, self.line, self.missing = row.get('source'), row.get('line'), row.get('missing', [])

    def __str__(self):
        return 'CTA %d warp %d' % (self.cta, self.warp)

    def __repr__(self):
        return '<warplock.Waiting %s: %s>' % (self, self.text)


class Report:
    """How a run stands.

    outcome            "running", "pass", "wrong", "deadlock", "fault", "limit", "error", the name of a check, "cannot tell"
    detail             one line
    as_expected        the outcome is the expected one ("pass" without a launch file)
    lines              further lines, as wlrun prints them
    printed            what the kernel has printed
    warp_instructions  executed so far
    executed           the same by unit, a dict
    waiting            groups of a run that is under way or stands still, a list of Waiting
    circle             groups that wait for each other, each for the next; an empty list: no circle
    data               the whole report as wlrun --report writes it, a dict"""

    def __init__(self, data):
        self.data = data
        self.outcome, self.detail, self.lines = data['outcome'], data['detail'], data['lines']
        self.as_expected, self.printed = data['as_expected'], data.get('printed', '')
        self.warp_instructions, self.executed = data['warp_instructions'], data['executed']
        self.waiting = [Waiting(row) for row in data.get('waiting', [])]
        for group, others in zip(self.waiting, data.get('waits_for', [])):
            group.waits_for = [self.waiting[i] for i in others]
        self.circle = [self.waiting[i] for i in data.get('circle', [])]

    def __str__(self):
        return '%s: %s' % (self.outcome, self.detail)

    def __repr__(self):
        return '<warplock.Report %s>' % self
