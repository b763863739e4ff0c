# SPDX-License-Identifier: Apache-2.0
WLCC_SRC += $(wildcard compiler/ptx/*.c compiler/lower/*.c compiler/object/*.c)
