# SPDX-License-Identifier: Apache-2.0
"""PTX to a cubin by the ptxas that the variable PTXAS names."""
import os
import subprocess
import tempfile


def assemble(arch, ptx, *options):
    with tempfile.TemporaryDirectory() as tmp:
        source, out = os.path.join(tmp, "k.ptx"), os.path.join(tmp, "k.cubin")
        open(source, "w").write(ptx.replace("\0", ""))
        subprocess.run([os.environ["PTXAS"], "-arch=" + arch, *options, "-o", out, source], check=True)
        return open(out, "rb").read()
