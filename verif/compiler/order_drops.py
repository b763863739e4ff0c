# SPDX-License-Identifier: Apache-2.0
"""Orders that ptxas drops: findings of wlobjdump --check-orders that are right. docs/lowering.md and docs/toolkits.md list
the same orders."""
import re

# Atomics of shared memory that are made by a loop around CAST.SPIN, at a shared or a generic address.
LOOPED = re.compile(r"(atom|red)\.(?!\S*global)(?=\S*\b(release|acq_rel|acquire)\b)\S*"
                    r"(add\S*\.(u64|s64|f32|f64|f16x2|bf16x2)|(min|max|and|or|xor)\S*\.[usb]64)|"
                    r"(atom|red)\.(add|min|max|and|or|xor)\.(release|acq_rel|acquire)\S*\.([usb]64|f32|f64|f16x2|bf16x2)\b")
ONE_SIDED = re.compile(r"fence\.(release\.\w+|acquire\.(gpu|sys|cluster))\b")
# CCTL.IVALL waits for the address of the load, not for its result: ptxas 13.3 on, sm_90 on.
MMIO = re.compile(r"\bld\.mmio\.acquire\.sys\b")
# CCTL.IVALL does not wait for USYNCS.PHASECHK: ptxas 13.4 on, sm_107, tests whose operands all lanes share.
UNIFORM_TEST = re.compile(r"\bmbarrier\.(try|test)_wait\b\S*\.acquire\.cluster\b")
EARLY = "CCTL.IVALL does not wait for the acquire's result"


def drops(arch, instruction, text=""):
    """Does ptxas lose an order of the instruction? `text`: of the finding."""
    if EARLY in text:
        return (arch >= 90 and bool(MMIO.search(instruction))) or (arch == 107 and "`USYNCS.PHASECHK" in text and bool(UNIFORM_TEST.search(instruction)))
    if arch < 90:
        return bool(ONE_SIDED.search(instruction))
    found = LOOPED.search(instruction)
    return bool(found) and not re.search(r"\.acquire\.cta\b|\.cta\.acquire\b", instruction)
