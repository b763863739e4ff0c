# SPDX-License-Identifier: Apache-2.0
"""A reader of logs in format Kanata 0004, written from the description in Konata's docs/kanata-log-format.md.

Raises Bad, with the number of the line, where the log breaks a rule of the format or of our stages."""

# Which stage may follow which one; passes P1, P2, ... count for P.
FOLLOWS = {None: {'Pt', 'In'}, 'Pt': {'In'}, 'In': {'Ad', 'P', 'Wt', 'Rs'}, 'Ad': {'P', 'Wt', 'Rs'},
           'P': {'P', 'Bk', 'Rs', 'Wt', 'Ad', 'In'}, 'Bk': {'P', 'Rs'}, 'Wt': set(), 'Rs': set()}


class Bad(Exception):
    pass


class Row:
    def __init__(self, thread, cycle):
        self.thread, self.begin, self.end, self.flushed = thread, cycle, None, False
        self.label, self.notes, self.stages, self.sources = '', [], [], []

    def passes(self):
        return sum(s[1][0] == 'P' and s[1] != 'Pt' for s in self.stages)

    def has(self, stage):
        return any(s[1] == stage for s in self.stages)


def stage(row, cycle, lane, name):
    kind = 'P' if name[0] == 'P' and name[1:].isdigit() else name
    last = row.stages[-1][1] if row.stages else None
    last = 'P' if last and last[0] == 'P' and last[1:].isdigit() else last
    if lane != '0':
        raise Bad(f'lane {lane}')
    if kind not in FOLLOWS or kind not in FOLLOWS[last]:
        raise Bad(f'stage {name} after {last}')
    if kind == 'P' and int(name[1:]) != row.passes() + 1:
        raise Bad(f'pass {name} after {row.passes()} passes')
    if row.stages and row.stages[-1][0] == cycle and last:
        raise Bad(f'two stages in cycle {cycle}')
    row.stages.append((cycle, name))


def take(rows, cycle, f):
    row = rows.get(int(f[1])) if f[0] in 'LSERW' else None
    if f[0] in 'LSERW' and (row is None or row.end is not None):
        raise Bad(f'{f[0]} of row {f[1]}, which is not open')
    if f[0] == 'I':
        if int(f[1]) != len(rows):
            raise Bad(f'row {f[1]}, expected {len(rows)}')
        rows[int(f[1])] = Row(int(f[3]), cycle)
    elif f[0] == 'L' and f[2] == '0':
        row.label += f[3]
    elif f[0] == 'L' and f[2] == '1':
        row.notes.append(f[3])
    elif f[0] == 'S':
        stage(row, cycle, f[2], f[3])
    elif f[0] == 'W':
        if int(f[2]) not in rows or f[3] != '0':
            raise Bad('dependency on a row that is not there')
        row.sources.append(int(f[2]))
    elif f[0] == 'R':
        row.end, row.flushed = cycle, f[3] == '1'
    else:
        raise Bad(f'unknown command {f[0]}')


def read(path):
    """The rows, and the last cycle."""
    rows, cycle = {}, None
    with open(path, encoding='utf-8') as log:
        for number, line in enumerate(log, 1):
            f = line.rstrip('\n').split('\t')
            try:
                if number == 1:
                    if f != ['Kanata', '0004']:
                        raise Bad('header')
                elif f[0] == 'C=' and cycle is None:
                    cycle = int(f[1])
                elif f[0] == 'C' and int(f[1]) > 0 and cycle is not None:
                    cycle += int(f[1])
                elif cycle is None:
                    raise Bad('a command before C=')
                else:
                    take(rows, cycle, f)
            except (ValueError, IndexError, Bad) as e:
                raise Bad(f'{path}, line {number}: {e}') from e
    return rows, cycle
