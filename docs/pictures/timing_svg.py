#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the timing pictures of docs/units: docs/pictures/timing/NAME.json (WaveDrom) to NAME.svg.

  docs/pictures/timing_svg.py [NAME...]    draws; needs the package wavedrom (pip install wavedrom==2.0.3.post3)
  docs/pictures/timing_svg.py --check      each source has a picture that was drawn from the source as the source stands,
                                           each picture stands on a page of docs/units or docs/bus.md; 'N passed, N failed'

The picture keeps a hash of its source in a comment, so the check needs no package. Symbols that a picture does not use
are left out: the package puts all of its symbols into each picture."""
import glob
import hashlib
import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
FOLDER = os.path.join(ROOT, 'docs/pictures/timing')


def text_of(path):
    with open(path) as f:
        return f.read()


def mark(source):
    return '<!-- source %s -->' % hashlib.sha256(source.encode()).hexdigest()[:16]


def kept(defs, used):
    """The symbols of the package that are used."""
    parts = re.split(r'(?=<g id=|<marker |</defs>)', defs)
    unused = [p for p in parts if re.match(r'<(?:g|marker) ', p) and re.search(r' id="([^"]+)"', p)[1] not in used]
    return ''.join(p for p in parts if p not in unused)


def draw(name):
    import wavedrom  # only to draw
    source = text_of(os.path.join(FOLDER, name + '.json'))
    svg = wavedrom.render(source).tostring()
    used = set(re.findall(r'xlink:href="#([^"]+)"', svg))
    svg = re.sub(r'<defs>.*?</defs>', lambda m: kept(m[0], used), svg, flags=re.S)
    svg = re.sub(r'(<svg [^>]*>)', r'\1' + mark(source) + '<rect width="100%" height="100%" fill="white"/>', svg, count=1)
    svg = re.sub(r' id="(?:wave|gmark|label|lane|group)[^"]*"| xml:space="preserve"', '', svg)
    with open(os.path.join(FOLDER, name + '.svg'), 'w') as f:
        f.write(re.sub(r'(</(?:g|defs|style)>)', r'\1\n', svg).rstrip('\n') + '\n')


def check():
    passed, failed = 0, 0
    pages = ''.join(text_of(p) for p in glob.glob(os.path.join(ROOT, 'docs/units/*.md')) + [os.path.join(ROOT, 'docs/bus.md')])
    names = {os.path.basename(p).rsplit('.', 1)[0] for p in glob.glob(os.path.join(FOLDER, '*.*'))}
    for name in sorted(names):
        source, picture = (os.path.join(FOLDER, name + end) for end in ('.json', '.svg'))
        fault = ('no source %s.json' % name if not os.path.exists(source) else
                 'no picture %s.svg' % name if not os.path.exists(picture) else
                 'the picture was drawn from another text of %s.json' % name
                 if mark(text_of(source)) not in text_of(picture) else
                 '%s.svg stands on no page of docs/units, nor on docs/bus.md' % name if 'timing/%s.svg' % name not in pages else '')
        if fault:
            print('docs/pictures/timing: ' + fault)
        passed, failed = passed + (not fault), failed + bool(fault)
    print('%d passed, %d failed' % (passed, failed))
    return failed != 0 or passed == 0


if __name__ == '__main__':
    if sys.argv[1:] == ['--check']:
        sys.exit(check())
    for each in sys.argv[1:] or sorted(os.path.basename(p)[:-5] for p in glob.glob(FOLDER + '/*.json')):
        draw(each)
