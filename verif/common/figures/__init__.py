# SPDX-License-Identifier: Apache-2.0
"""What verif/bench is made of: steps that measure, pairs, the build of another revision, table and plot."""
