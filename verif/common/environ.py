# SPDX-License-Identifier: Apache-2.0
"""Numbers in the environment: JOBS, PATIENCE and others. A value that is none is misuse: one line, exit status 2."""
import os
import sys


def number(name, default, low=1, high=10**6):
    """The value of the variable, `default` where the variable is empty or not set."""
    text = os.environ.get(name) or str(default)
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        print("%s: %s is '%s', expected a number from %d to %d" % (os.path.basename(sys.argv[0]), name, text, low, high), file=sys.stderr)
        sys.exit(2)
    return int(text)
