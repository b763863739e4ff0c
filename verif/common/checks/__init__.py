# SPDX-License-Identifier: Apache-2.0
"""What verif/run_checks is made of: lists of checks, costs, running, shards, results."""
