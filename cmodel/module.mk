# SPDX-License-Identifier: Apache-2.0
WARPLOCK_SRC += $(wildcard cmodel/isa/*.c cmodel/alu/*.c cmodel/mem/*.c cmodel/units/*.c cmodel/sm/*.c cmodel/object/*.c cmodel/timing/*.c)
