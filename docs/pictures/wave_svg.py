#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws some cycles of a waveform of wlcosim as SVG: requests, passes, responses.

  docs/pictures/wave_svg.py WAVE.fst FIRST COUNT [ARCH] >picture.svg     cycles FIRST .. FIRST+COUNT-1
  docs/pictures/wave_svg.py WAVE.fst --list                              cycles in which something happens

Values are those at the end of a cycle, before the clock edge. Needs fst2vcd (GTKWave) and build/bin/wlobjdump."""
import os
import subprocess
import sys
from xml.sax.saxutils import escape

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
PERIOD = 10  # time units of a clock cycle; the clock rises in the middle
LEFT, WIDTH, HEIGHT, STEP = 150, 62, 18, 30

# Row: label, signal, how a value is shown, the signal that says when the value counts.
ROWS = (('clk_i', 'clk_i', 'clock', None),
        ('req_valid_i', 'req_valid_i', 'bit', None),
        ('req_ready_o', 'req_ready_o', 'bit', None),
        ('req_word_i', 'req_word_i', 'word', 'req_valid_i'),
        ('warp of req_tag_i', 'req_tag_i', 'warp', 'req_valid_i'),
        ('commit_valid', 'trace_atoms_pipe_commit_valid_o', 'bit', None),
        ('warp of commit_tag', 'trace_atoms_pipe_commit_tag_o', 'warp', 'trace_atoms_pipe_commit_valid_o'),
        ('commit_lanes', 'trace_atoms_pipe_commit_lanes_o', 'hex', 'trace_atoms_pipe_commit_valid_o'),
        ('rsp_valid_o', 'rsp_valid_o', 'bit', None),
        ('warp of rsp_tag_o', 'rsp_tag_o', 'warp', 'rsp_valid_o'),
        ('rsp_passes_o', 'rsp_passes_o', 'number', 'rsp_valid_o'))


def read_wave(path):
    """signal -> value by cycle, of the top's signals that ROWS names"""
    text = subprocess.run(['fst2vcd', '-f', path], capture_output=True, text=True, check=True).stdout
    wanted, names, depth = {r[1] for r in ROWS} - {'clk_i'}, {}, 0
    now, cycles, time = {}, {n: [] for n in wanted}, 0
    for line in text.split('\n'):
        words = line.split()
        if line.startswith('$scope'):
            depth += 1
        elif line.startswith('$upscope'):
            depth -= 1
        elif line.startswith('$var') and depth == 1 and words[4] in wanted:
            names[words[3]] = words[4]
        elif line.startswith('#'):
            for time in range(time, int(line[1:])):
                if time % PERIOD == PERIOD // 2 - 1:  # before the edge
                    for n in wanted:
                        cycles[n].append(now.get(n, 0))
            time = int(line[1:])
        elif words and words[0][0] in 'bB' and len(words) == 2 and words[1] in names:
            now[names[words[1]]] = int(words[0][1:].replace('x', '0').replace('z', '0'), 2)
        elif line and line[0] in '01xz' and line[1:] in names:
            now[names[line[1:]]] = int(line[0] == '1')
    return cycles


def instruction(word, arch):
    p = subprocess.run([ROOT + '/build/bin/wlobjdump', '-arch=' + arch, '--words'], input='%032x\n' % word,
                       capture_output=True, text=True)
    return p.stdout.strip() or '%032x' % word


def shown(value, how, arch):
    return {'word': lambda: instruction(value, arch), 'warp': lambda: str(value >> 16), 'hex': lambda: '%08x' % value,
            'number': lambda: str(value)}[how]()


def bit_row(values, y):
    points = []
    for i, v in enumerate(values):
        level = y if v else y + HEIGHT
        points += ['%d,%d' % (LEFT + i * WIDTH, level), '%d,%d' % (LEFT + (i + 1) * WIDTH, level)]
    return '<polyline class="line" points="%s"/>' % ' '.join(points)


def clock_row(n, y):
    points = []
    for i in range(n):
        x = LEFT + i * WIDTH
        points += ['%d,%d' % p for p in ((x, y), (x + WIDTH // 2, y), (x + WIDTH // 2, y + HEIGHT), (x + WIDTH, y + HEIGHT))]
    return '<polyline class="line" points="%s"/>' % ' '.join(points)


def value_row(texts, y):
    """Equal neighbours are one box; None is drawn as a line in the middle."""
    out, at = [], 0
    while at < len(texts):
        end = at + 1
        while end < len(texts) and texts[end] == texts[at]:
            end += 1
        x0, x1, middle = LEFT + at * WIDTH, LEFT + end * WIDTH, y + HEIGHT // 2
        if texts[at] is None:
            out.append('<line class="idle" x1="%d" y1="%d" x2="%d" y2="%d"/>' % (x0, middle, x1, middle))
        else:
            out.append('<polygon class="box" points="%d,%d %d,%d %d,%d %d,%d %d,%d %d,%d"/>' % (
                x0, middle, x0 + 4, y, x1 - 4, y, x1, middle, x1 - 4, y + HEIGHT, x0 + 4, y + HEIGHT))
            room = (x1 - x0 - 8) // 6
            text = texts[at] if len(texts[at]) <= room else texts[at][:max(room - 1, 1)] + '…'
            out.append('<text class="value" x="%d" y="%d">%s</text>' % ((x0 + x1) // 2, middle + 4, escape(text)))
        at = end
    return '\n'.join(out)


def draw(cycles, first, count, arch):
    width, height = LEFT + count * WIDTH + 10, STEP * (len(ROWS) + 1) + 10
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="monospace" font-size="11">' % (width, height),
           '<!-- made by docs/pictures/wave_svg.py -->',
           '<style>.line{fill:none;stroke:#070;stroke-width:1.5}.idle{stroke:#999}.box{fill:#eef;stroke:#336}'
           '.value{text-anchor:middle;fill:#003}.grid{stroke:#ddd}.name{text-anchor:end}</style>',
           '<rect width="100%" height="100%" fill="white"/>']
    for i in range(count + 1):
        x = LEFT + i * WIDTH
        out.append('<line class="grid" x1="%d" y1="20" x2="%d" y2="%d"/>' % (x, x, height - 4))
        if i < count:
            out.append('<text class="value" x="%d" y="14">cycle %d</text>' % (x + WIDTH // 2, first + i))
    for r, (label, signal, how, valid) in enumerate(ROWS):
        y = 26 + r * STEP
        out.append('<text class="name" x="%d" y="%d">%s</text>' % (LEFT - 8, y + 13, label))
        if how == 'clock':
            out.append(clock_row(count, y))
            continue
        values = cycles[signal][first:first + count]
        if how == 'bit':
            out.append(bit_row(values, y))
        else:
            counts = cycles[valid][first:first + count]
            out.append(value_row([shown(v, how, arch) if c else None for v, c in zip(values, counts)], y))
    return '\n'.join(out + ['</svg>', ''])


def main(args):
    if len(args) == 2 and args[1] == '--list':
        cycles = read_wave(args[0])
        for c in range(len(cycles['rsp_valid_o'])):
            if cycles['req_valid_i'][c] or cycles['trace_atoms_pipe_commit_valid_o'][c] or cycles['rsp_valid_o'][c]:
                print(c, *['%s=%s' % (r[0], shown(cycles[r[1]][c], r[2], 'sm_75')) for r in ROWS if r[3] and cycles[r[3]][c]])
        return 0
    if len(args) not in (3, 4):
        sys.exit(__doc__)
    cycles = read_wave(args[0])
    sys.stdout.write(draw(cycles, int(args[1]), int(args[2]), args[3] if len(args) == 4 else 'sm_75'))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
