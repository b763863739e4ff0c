# SPDX-License-Identifier: Apache-2.0
"""Kernels, buffers, runs."""
import json
import os
import struct

from ._native import Error, c_text, ffi, flag, lib, number, text
from ._report import Event, Report


_PIECE = 1 << 22  # warp instructions, some 0.1 s


def _plain(view):
    """Bytes of the elements mean the same on a GPU: neither Python objects and pointers nor big endian."""
    if set(view.format) & set('OPX&'):
        return False
    return not (set(view.format) & set('>!') and view.itemsize > 1)


def _contents(data, what='bytes or an array'):
    """The bytes of bytes, an array, and the like."""
    try:
        view = memoryview(data)
    except TypeError:
        raise Error('buffer: expected %s, found %r' % (what, data)) from None
    if not view.c_contiguous:
        raise Error('buffer: expected a contiguous array, found strides %s' % (view.strides,))
    if not _plain(view):
        raise Error('buffer: expected numbers in little endian or bytes, found elements of format %r' % view.format)
    return view.cast('B').tobytes() if view.nbytes else b''


class Buffer:
    """Device memory of a launch, with start contents.

    Buffer(data)    data: bytes, bytearray, memoryview, array.array, a numpy array (C order); copied
    Buffer(n)       n bytes of zeros, 0 to 2^30

    The elements are plain numbers in the byte order of the GPU (little endian), or single bytes. A launch copies the
    contents. After the run `run[buffer]` is the memory of that launch. The address is aligned to 256 bytes. `name` (1 to
    127 bytes, each name once in a launch) stands in reports; the default is "buffer N" with the place in the launch."""

    def __init__(self, data, name=None):
        if name is not None and not (isinstance(name, str) and 0 < len(ffi.string(c_text(name))) < 128):
            raise Error('buffer: name: expected a text of 1 to 127 bytes, found %r' % (name,))
        self.name = name
        if isinstance(data, int):
            self.data = bytes(number(data, 'buffer: bytes', 0, 1 << 30))
        else:
            self.data = _contents(data, 'bytes, an array or a number of bytes')

    def __len__(self):
        return len(self.data)


def _options(arch, seed, sms, schedule, limit, checks, misuse, native, stack=0):
    """The struct of options, and what must live as long."""
    texts = [c_text(t) for t in (arch, schedule, misuse, ','.join(checks) if isinstance(checks, (list, tuple)) else checks)]
    o = ffi.new('struct wlpy_options *')
    o.arch, o.schedule, o.misuse, o.checks = texts
    o.seed = number(seed, 'seed', 0, 2**64 - 1)
    o.limit = number(limit, 'limit', 0, 2**62)
    o.sms = number(sms, 'sms', 1, 256)
    o.native = flag(native, 'native')
    o.stack = number(stack, 'stack', 0, 512 << 10)
    return o, texts


def _three(value, what, least=1):
    """4 or (4, 2) or (4, 2, 1) as three numbers of 32 bits."""
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    if not 1 <= len(values) <= 3:
        raise Error('%s: expected one to three numbers, found %r' % (what, value))
    return [number(v, what, least, 2**32 - 1) for v in values] + [1] * (3 - len(values))


def _judge(job):
    """The job, or Error with the job's line. The job closes with its Python object."""
    if job == ffi.NULL:
        raise Error('no memory for a launch')
    job = ffi.gc(job, lib.wlpy_close)
    why = text(lib.wlpy_why(job))
    if why:
        raise Error(why, text(lib.wlpy_messages(job)).splitlines())
    return job


class Kernel:
    """One kernel of a PTX text, cubin, fat binary or host program; made by `load` and `load_bytes`.

    name             name of the kernel
    arch             chip that runs the kernel, such as "sm_90"
    parameters       size of each parameter in bytes, a list
    instructions     number of machine instructions, called functions included
    registers        of a thread
    shared_bytes     static shared memory of a CTA, bytes
    local_bytes      frame of a thread, bytes
    messages         lines of the PTX compiler; an empty list for machine code"""

    def __init__(self, source, data, entry, arch, native):
        self._source, self._data, self._entry, self._arch, self._native = source, data, entry, arch, native
        job = self._open(1, 1, 'steady', 0, None, None, 0)
        self.messages = text(lib.wlpy_messages(job)).splitlines()
        info = json.loads(text(lib.wlpy_info(job)))
        self.name, self.arch, self.instructions = info['name'], 'sm_%d' % info['chip'], info['instructions']
        self.parameters = [p['size'] for p in info['params']]
        self.registers, self.shared_bytes = info['registers'], info['shared_bytes']
        self.local_bytes = info['local_bytes']

    def __repr__(self):
        return '<warplock.Kernel %s of %s for %s>' % (self.name, self._source, self.arch)

    def _open(self, seed, sms, schedule, limit, checks, misuse, stack):
        o, texts = _options(self._arch, seed, sms, schedule, limit, checks, misuse, self._native, stack)
        job = _judge(lib.wlpy_open_program(c_text(self._source), self._data, len(self._data), c_text(self._entry), o))
        del texts
        return job

    def launch(self, grid=1, block=32, args=(), *, cluster=None, dynamic_shared=0, cooperative=False, heap=0, stack=0,
               buffers=(), seed=1, sms=1, schedule='steady', limit=1000000000, checks=None, misuse=None, record=()):
        """Makes a Run; nothing has run yet.

        grid, block, cluster  CTAs of the grid, threads of a CTA, CTAs of a cluster: a number or up to three (x, y, z)
        args                  one for each parameter: a Buffer (its address), an int (any integer that fits the size of
                              the parameter, signed or unsigned), a float (parameters of 2, 4, 8 bytes: f16, f32, f64),
                              a bool, bytes of exactly the size, or a tuple of Buffers and bytes, one behind the other
        buffers               further Buffers, which no parameter names
        dynamic_shared        bytes of dynamic shared memory of a CTA
        cooperative           the CTAs of the grid may wait for each other: all must run at the same time
        heap, stack           bytes of malloc (0: 8 MiB) and of a thread's stack at least (0: what the code states)
        seed, sms, schedule, checks, misuse
                              as --seed, --sms, --schedule-policy, --check and --misuse of wlrun
        limit                 warp instructions before the outcome "limit"; 0: none
        record                kinds of events to keep: names of `warplock.EVENTS`, or "all"

        Error: a shape that the kernel or the chip has no room for, a wrong number or size of arguments."""
        args, buffers = list(args), list(buffers)
        if len(args) != len(self.parameters):
            takes = len(self.parameters)
            raise Error('kernel %s takes %d argument%s, found %d' % (self.name, takes, '' if takes == 1 else 's', len(args)))
        args = [self._fields(i, a) for i, a in enumerate(args)]
        for item in [i for fields in args for i in fields] + buffers:
            if isinstance(item, Buffer) and not any(item is b for b in buffers):
                buffers.append(item)
        names = [b.name or 'buffer %d' % i for i, b in enumerate(buffers)]
        for i, name in enumerate(names):
            if name in names[:i]:
                raise Error('buffers %d and %d have one name, %r' % (names.index(name), i, name))
        job = self._open(seed, sms, schedule, limit, checks, misuse, stack)
        lib.wlpy_shape(job, _three(grid, 'grid'), _three(block, 'block'), _three(cluster, 'cluster') if cluster else [0, 0, 0],
                       number(dynamic_shared, 'dynamic_shared', 0, 2**32 - 1), flag(cooperative, 'cooperative'),
                       number(heap, 'heap', 0, 1 << 30))
        good = all(self._put(job, i, fields, len(args), buffers) for i, fields in enumerate(args))
        for i, b in enumerate(buffers):
            good = good and lib.wlpy_buffer(job, c_text(names[i]), b.data, len(b.data))
        if not good or not lib.wlpy_start(job):
            raise Error(text(lib.wlpy_why(job)))
        return Run(job, buffers, record)

    def _fields(self, i, value):
        """Argument i as a list of Buffers and bytes that fill the parameter."""
        size, parts = self.parameters[i], list(value) if isinstance(value, tuple) else [value]
        if len(parts) == 1:
            parts = [self._scalar(i, parts[0], size)]
        for part in parts:
            if not isinstance(part, (Buffer, bytes)):
                raise Error('argument %d: expected Buffers and bytes in a tuple, found %r' % (i, part))
        found = sum(8 if isinstance(part, Buffer) else len(part) for part in parts)
        if found != size:
            raise Error('argument %d: %d bytes, parameter %d of kernel %s has %d' % (i, found, i, self.name, size))
        return parts

    def _scalar(self, i, value, size):
        if isinstance(value, Buffer):
            return value
        if isinstance(value, (bytes, bytearray, memoryview)):
            return bytes(value)
        if isinstance(value, float):
            code = {2: '<e', 4: '<f', 8: '<d'}.get(size)
            if not code:
                raise Error('argument %d: a float needs a parameter of 2, 4 or 8 bytes, this parameter has %d' % (i, size))
            try:
                return struct.pack(code, value)
            except OverflowError:
                raise Error('argument %d: %r does not fit %d bytes' % (i, value, size)) from None
        return (number(value, 'argument %d' % i, -(1 << (8 * size - 1)), (1 << 8 * size) - 1) % (1 << 8 * size)).to_bytes(size, 'little')

    def _put(self, job, i, fields, nargs, buffers):
        good, at = lib.wlpy_next_argument(job, self.parameters[i]), 0
        for part in fields:
            if isinstance(part, Buffer):
                place = nargs + next(k for k, b in enumerate(buffers) if b is part)
                good, at = good and lib.wlpy_argument(job, at, place, 8, 0), at + 8
                continue
            for k in range(0, len(part), 8):
                word = part[k:k + 8]
                good, at = good and lib.wlpy_argument(job, at, -1, len(word), int.from_bytes(word, 'little')), at + len(word)
        return good


class Run:
    """A launch under way. `step` and `run` go on; `report` says how things stand at any time.

    A Run belongs to one thread at a time; Runs of several threads go on side by side.

    run[buffer]   the memory of a Buffer, or of the n-th buffer, or of the buffer with a name: bytes
    over          True at the end: ended, deadlock, fault, limit, error
    executed      warp instructions so far"""

    def __init__(self, job, buffers, record):
        self._job, self._buffers, self._records = job, buffers, bool(record)
        if record:
            self._record(record)

    def _record(self, record):
        wanted = list(EVENTS) if record == 'all' else [record] if isinstance(record, str) else list(record)
        bits = 0
        for name in wanted:
            if name not in EVENTS:
                raise Error("record: expected names of %s, found %r" % (', '.join(EVENTS), name))
            bits |= 1 << EVENTS.index(name)
        lib.wlpy_record(self._job, bits)

    def _run(self, instructions, events):
        if not lib.wlpy_run(self._job, instructions, events):
            raise Error(text(lib.wlpy_why(self._job)))

    @property
    def over(self):
        return bool(lib.wlpy_over(self._job))

    @property
    def executed(self):
        return lib.wlpy_executed(self._job)

    def step(self, n=1):
        """Runs n warp instructions or more; returns how many ran. 0: the run is over.

        A run stops between two turns of a warp: up to 32 instructions of a warp on each SM, one instruction with
        schedule="fair". The order of the run is the same with and without steps."""
        before = self.executed
        self._run(number(n, 'step', 1, 2**62), 0)
        return self.executed - before

    def run(self):
        """Runs to the end and returns the Report. KeyboardInterrupt stops between two pieces of the run."""
        while not self.over:
            self._run(_PIECE, 0)
        return self.report()

    def events(self):
        """Runs to the end and yields the recorded events in order. Events that earlier steps kept come first.

        Error: the launch records nothing."""
        self._must_record()
        return self._all_events()

    def _must_record(self):
        if not self._records:
            raise Error('no events are kept: `record` of the launch names the kinds (warplock.EVENTS), or "all"')

    def _all_events(self):
        while True:
            found = self.take_events()
            yield from found
            if self.over and not found:
                return
            self._run(0, 1000)

    def take_events(self):
        """The recorded events since the last call, a list; the kept ones are forgotten. An event takes 400 bytes.

        Error: the launch records nothing."""
        self._must_record()
        found = [Event(lib.wlpy_event(self._job, i)[0], self) for i in range(lib.wlpy_events(self._job))]
        lib.wlpy_forget_events(self._job)
        return found

    def report(self):
        """A Report of the run so far."""
        return Report(json.loads(text(lib.wlpy_report(self._job))))

    def instruction(self, pc):
        """The instruction at a byte address of the kernel, as nvdisasm prints instructions. None: no instruction."""
        return text(lib.wlpy_instruction(self._job, number(pc, 'pc', 0, 2**32 - 1)))

    def source(self, pc):
        """(file, line) of the instruction at a byte address; None where no line is known."""
        line = ffi.new('uint32_t *')
        name = text(lib.wlpy_source(self._job, number(pc, 'pc', 0, 2**32 - 1), line))
        return None if name is None else (name, line[0])

    def _find(self, which):
        names = [text(lib.wlpy_buffer_name(self._job, i)) for i in range(lib.wlpy_buffers(self._job))]
        if isinstance(which, Buffer):
            found = [i for i, b in enumerate(self._buffers) if b is which]
        elif isinstance(which, str):
            found = [i for i, name in enumerate(names) if name == which]
        else:
            found = [number(which, 'buffer', 0, len(names) - 1)] if names else []
        if not found:
            raise Error('this launch has no buffer %r; the buffers are: %s' % (which, ', '.join(names) or 'none'))
        return found[0]

    def __getitem__(self, which):
        i = self._find(which)
        data = ffi.new('uint8_t[]', lib.wlpy_buffer_bytes(self._job, i))
        lib.wlpy_buffer_copy(self._job, i, data)
        return bytes(ffi.buffer(data))

    def __setitem__(self, which, data):
        i, data = self._find(which), _contents(data)
        if len(data) != lib.wlpy_buffer_bytes(self._job, i):
            raise Error('the buffer has %d bytes, found %d' % (lib.wlpy_buffer_bytes(self._job, i), len(data)))
        lib.wlpy_buffer_write(self._job, i, data)

    def address(self, which):
        """The global address of a buffer."""
        return lib.wlpy_buffer_address(self._job, self._find(which))


def _event_names():
    names = []
    while lib.wlpy_event_name(len(names)) != ffi.NULL:
        names.append(text(lib.wlpy_event_name(len(names))))
    return tuple(names)


EVENTS = _event_names()


def load_bytes(data, name='program', *, kernel=None, arch=None, native=False):
    """A Kernel from bytes or str: PTX text, cubin, fat binary, or a host program with device code.

    kernel   name of the kernel; None: the only one
    arch     chip such as "sm_90"; None: the program's own
    native   allow native shared operations (docs/native.md)
    name     stands in messages"""
    if isinstance(data, str):
        data = data.encode()
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise Error('expected bytes or str, found %r' % type(data).__name__)
    return Kernel(name, bytes(data), kernel, arch, native)


def load(path, *, kernel=None, arch=None, native=False):
    """load_bytes for a file. Error: the file cannot be read, or holds no kernel that the model runs."""
    if isinstance(path, int):  # open() would take the number of a file of the caller's, and close the file
        raise Error('load: expected a path, found %r' % path)
    try:
        with open(path, 'rb') as f:
            data = f.read()
    except OSError as e:
        raise Error('%s: %s' % (path, e.strerror)) from None
    return Kernel(os.fspath(path), data, kernel, arch, native)


def launch_file(path, program=None, *, kernel=None, arch=None, native=False, seed=1, sms=1, schedule='steady',
                limit=1000000000, checks=None, misuse=None, record=()):
    """A Run of a launch file (docs/launch.md): shape, arguments and expected contents come from the file.

    program  file of the program; None: the PTX that the launch file names
    Other arguments as for `load` and `Kernel.launch`. The report compares the buffers as wlrun does."""
    o, texts = _options(arch, seed, sms, schedule, limit, checks, misuse, native)
    job = _judge(lib.wlpy_open_launch(c_text(path, True), c_text(program), c_text(kernel), o))
    del texts
    return Run(job, [], record)
