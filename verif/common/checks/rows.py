# SPDX-License-Identifier: Apache-2.0
"""Rows of the files of checks, one by one and by matrix. verif/run_checks describes the format."""
import glob
import itertools
import re

NAME = r'[a-z0-9]+(?:-[a-z0-9]+)*'
LEVEL = re.compile(r'(verify)|(full)(?:/([2-9]))?(?::(%s))?' % NAME)
HOLE = re.compile(r'(?<!\$)\{([a-z]\w*)\}')
GROUP = re.compile(r'( ?)\[([^\s\[\]][^\[\]]*)\]')
COLUMNS = ('level', 'name', 'limit')


class Bad(Exception):
    """A line that is no row: the text has the file, the line, what is found and what is expected."""


class Row:
    """A check as the files have it. `place` is FILE:LINE."""

    def __init__(self, place, level, name, limit, command):
        parts = LEVEL.fullmatch(level)
        if not parts:
            raise Bad("%s: the level is '%s', expected verify, full, full/N, full:NAME or full/N:NAME, N from 2 to 9" % (place, level))
        if not re.fullmatch(NAME, name):
            raise Bad("%s: the name is '%s', expected words of small letters and digits with '-' between them" % (place, name))
        self.place, self.name, self.command = place, name, command
        self.level = parts[1] or parts[2]
        self.nights, self.whole_of = int(parts[3] or 1), parts[4]
        self.limit = int(limit or 600)

    def text(self):
        nights = '/%d' % self.nights if self.nights > 1 else ''
        whole = ':' + self.whole_of if self.whole_of else ''
        return '%s%s%s %s %ds %s' % (self.level, nights, whole, self.name, self.limit, self.command)


def plain(place, line):
    """The row of a line outside a matrix."""
    m = re.fullmatch(r'(\S+)\s+(\S+)(?:\s+(\d+)s)?\s+(\S.*)', line)
    if not m or line[0].isspace():
        raise Bad("%s: found '%s', expected LEVEL NAME [SECONDSs] COMMAND" % (place, line))
    hole = HOLE.search(m[4])
    if hole:
        raise Bad("%s: {%s} stands outside a matrix, expected a command without {COLUMN}" % (place, hole[1]))
    return Row(place, *m.groups())


def put(place, text, values, where):
    """A command or a part of one with the values of its columns."""
    for hole in HOLE.findall(text):
        if values[hole] == '-':
            raise Bad("%s: '%s' is '-', expected a value, since {%s} stands %s" % (place, hole, hole, where))
    return HOLE.sub(lambda hole: values[hole[1]], text)


def fill(place, text, values):
    """A command with the values of one row. A group in brackets goes, with the blank before it, where its columns are '-'."""
    def group(found):
        if all(values[hole] == '-' for hole in HOLE.findall(found[2])):
            return ''
        return found[1] + put(place, found[2], values, "in [ ] with a column that has a value")
    return put(place, GROUP.sub(group, text), values, "outside of [ ]").lstrip()


class Matrix:
    """A line `matrix COMMAND` and the lines of the table below it."""

    def __init__(self, place, command):
        self.place, self.command, self.columns, self.lines, self.used = place, command.strip(), None, [], set()
        if not HOLE.search(self.command):
            raise Bad("%s: the command of the matrix is '%s', expected one with a {COLUMN}" % (place, self.command))
        for _, group in GROUP.findall(self.command):
            if not HOLE.search(group):
                raise Bad("%s: found [%s], expected a {COLUMN} between the brackets" % (place, group))

    def take(self, place, line):
        """A line of the table. The first one names the columns."""
        cells = [cell.strip() for cell in line[1:].split('|')]
        if self.columns is None:
            self.head(place, cells)
            return
        if len(cells) != len(self.columns):
            raise Bad("%s: found %d cells, expected %d: %s" % (place, len(cells), len(self.columns), ' | '.join(self.columns)))
        values = [re.split(r',\s+', cell) for cell in cells]
        for column, several in zip(self.columns, values):
            hole = None if column in COLUMNS else HOLE.search(' '.join(several))
            if hole:
                raise Bad("%s: a value of '%s' holds {%s}, expected a text without a column" % (place, column, hole[1]))
            if '' in several:
                raise Bad("%s: a value of '%s' is empty, expected a text, or '-' for none" % (place, column))
        self.lines.append((place, values))

    def head(self, place, cells):
        for name in cells:
            if not re.fullmatch(r'[a-z]\w*', name):
                raise Bad("%s: a column is named '%s', expected a word of small letters" % (place, name))
            if cells.count(name) > 1:
                raise Bad("%s: two columns are named '%s'" % (place, name))
        for name in COLUMNS[:2]:
            if name not in cells:
                raise Bad("%s: found the columns %s, expected one named '%s', too" % (place, ' | '.join(cells), name))
        for hole in HOLE.findall(self.command):
            self.known(self.place, hole, cells)
        self.columns = cells

    def known(self, place, hole, columns):
        if hole not in columns or hole in COLUMNS:
            raise Bad("%s: {%s} is no column, expected one of: %s" % (place, hole, ' '.join(c for c in columns if c not in COLUMNS)))
        self.used.add(hole)

    def rows(self):
        """The rows, the last column changing first."""
        if self.columns is None:
            raise Bad("%s: the matrix has no table, expected lines '| level | name | COLUMN...' below" % self.place)
        made = [self.row(place, dict(zip(self.columns, chosen))) for place, values in self.lines for chosen in itertools.product(*values)]
        for column in self.columns:
            if column not in self.used and column not in COLUMNS:
                raise Bad("%s: column '%s' is used nowhere, expected {%s} in the command or in a name" % (self.place, column, column))
        if len(made) < 2:
            raise Bad("%s: the matrix has %d rows, expected two or more" % (self.place, len(made)))
        return made

    def row(self, place, values):
        for hole in HOLE.findall(values['level'] + values['name']):
            self.known(place, hole, self.columns)
        level, name = (HOLE.sub(lambda hole: values[hole[1]].replace('_', '-'), values[c]) for c in ('level', 'name'))
        limit = values.get('limit', '-')
        if not re.fullmatch(r'-|\d+s', limit):
            raise Bad("%s: the limit is '%s', expected SECONDSs or '-'" % (place, limit))
        return Row(place, level, name, limit.strip('-s'), fill(place, self.command, values))


def rows_of(path):
    """The rows of a file, in the order of the file."""
    found, matrix = [], None
    with open(path) as f:
        lines = f.read().split('\n')
    for number, line in enumerate(lines, 1):
        place = '%s:%d' % (path, number)
        if not line.strip() or line.lstrip().startswith('#'):
            continue
        if line[0] == '|':
            if not matrix:
                raise Bad("%s: a line of a table without a matrix, expected a line 'matrix COMMAND' above" % place)
            matrix.take(place, line)
            continue
        found += matrix.rows() if matrix else []
        matrix = Matrix(place, line[len('matrix'):]) if line.split()[0] == 'matrix' else None
        found += [] if matrix else [plain(place, line)]
    return found + (matrix.rows() if matrix else [])


def files():
    return sorted(glob.glob('verif/*/*.checks') + glob.glob('verif/units/*/*.checks'))


def read(paths):
    """All rows of files, each name once; a whole names a row of verify as its part."""
    found = {}
    for row in (row for path in paths for row in rows_of(path)):
        if row.name in found:
            raise Bad("%s: two checks are named %s, the other one at %s" % (row.place, row.name, found[row.name].place))
        found[row.name] = row
    for row in found.values():
        if row.whole_of and (row.whole_of not in found or found[row.whole_of].level != 'verify'):
            raise Bad("%s: %s holds %s, which is no check of verify" % (row.place, row.name, row.whole_of))
    return list(found.values())
