# SPDX-License-Identifier: Apache-2.0
"""The shared object below the module, opened with cffi, and the one exception of the module."""
import os

import cffi

_HERE = os.path.dirname(os.path.abspath(__file__))


class Error(Exception):
    """Warplock refuses something. The text is the message of the tools: what was found, what was expected.

    `messages` holds the lines of the PTX compiler (errors, warnings); an empty list elsewhere."""

    def __init__(self, text, messages=()):
        super().__init__(text)
        self.messages = list(messages)


def _open():
    ffi = cffi.FFI()
    paths = [os.path.join(_HERE, name) for name in ('_declarations.h', '_warplock.so')]
    for path in paths:
        if not os.path.exists(path):
            raise ImportError('warplock: %s is missing; `make python` and `pip install ./python` build the file' % path)
    with open(paths[0], encoding='utf-8') as f:
        ffi.cdef(f.read())
    lib = ffi.dlopen(paths[1])
    if lib.wlpy_size_of_event() != ffi.sizeof('struct wlpy_event'):
        raise ImportError('warplock: _declarations.h and _warplock.so are of different versions; build the module again')
    return ffi, lib


ffi, lib = _open()


def text(pointer):
    """A C text as str; None for NULL."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode('utf-8', 'replace')


def c_text(value, needed=False):
    """str or None to a C text or NULL. The result must live as long as the call."""
    if value is None and not needed:
        return ffi.NULL
    try:
        encoded = os.fsencode(value)
    except TypeError:
        raise Error('expected a text, found %r' % (value,)) from None
    except UnicodeEncodeError:
        raise Error('expected a text that UTF-8 can hold, found %r' % (value,)) from None
    if b'\0' in encoded:
        raise Error('expected a text without a NUL, found %r' % (value,))
    return ffi.new('char[]', encoded)


def flag(value, what):
    """True or False, also as 0, 1 or a numpy bool; else Error: a text would be true."""
    if value not in (False, True):
        raise Error('%s: expected True or False, found %r' % (what, value))
    return bool(value)


def number(value, what, low, high):
    """An int between low and high, else Error."""
    try:
        n = value.__index__()
    except (AttributeError, TypeError):
        raise Error('%s: expected a whole number, found %r' % (what, value)) from None
    if not low <= n <= high:
        raise Error('%s: expected a number from %d to %d, found %d' % (what, low, high, n))
    return n
