# SPDX-License-Identifier: Apache-2.0
"""checker -- the program that judges the buffers which a kernel leaves, built from the source that its launch file names.

A program lies in build/kernels/checkers and is built when its source, or a header beside or above the source, is newer."""
import glob, os, subprocess, threading

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
FOLDER = os.path.join(ROOT, "build/kernels/checkers")


def program(source):
    """The program of the C file, an absolute path."""
    source = os.path.abspath(source)
    target = os.path.join(FOLDER, os.path.relpath(source, ROOT).replace("../", "").replace("/", "-")[:-2])
    folder = os.path.dirname(source)
    made_of = [source] + glob.glob(folder + "/*.h") + glob.glob(os.path.dirname(folder) + "/*.h")
    if not os.path.exists(target) or os.path.getmtime(target) < max(map(os.path.getmtime, made_of)):
        os.makedirs(FOLDER, exist_ok=True)
        part = "%s.%d.%d" % (target, os.getpid(), threading.get_ident())  # other checks may build the same program
        subprocess.run(["gcc", "-O1", "-w", "-o", part, source, "-lm"], check=True)
        os.replace(part, target)
    return target


def refuses(launch, spec, dump):
    """Does the checker that the launch file names refuse the buffers in the folder dump?"""
    name = spec.get("checker")
    if not name:
        return False
    folder = os.path.dirname(os.path.abspath(launch))
    return subprocess.run([program(os.path.join(folder, name)), "check", dump], capture_output=True).returncode != 0
