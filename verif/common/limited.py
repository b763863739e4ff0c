# SPDX-License-Identifier: Apache-2.0
"""Tools that tests start: one that does not end fails by name, instead of the whole check by its time."""
import subprocess, sys

SECONDS = 60  # a compilation takes milliseconds; a busy machine is slower by ten


def run(command, seconds=SECONDS, **more):
    more = {"capture_output": True, "text": True, **more}
    try:
        return subprocess.run(command, timeout=seconds, **more)
    except subprocess.TimeoutExpired:
        sys.exit("FAILED: does not end within %d s: %s" % (seconds, " ".join(str(word) for word in command)))
