#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Agreement with the real assembler: on a committed sample, and on EVERY-th of all rows where ../shared is there.
#   verif/ptx/oracle.sh EVERY
set -u
cd "$(dirname "$0")/../.." || exit 2
rows=../shared/oracle/ptxas-accept.tsv.gz
check="build/test/oracle_check --min 99.9 --min-messages 95"
if [ -e "$rows" ]; then zcat "$rows" | $check --every "$1"; else zcat verif/ptx/oracle_sample.tsv.gz | $check; fi
