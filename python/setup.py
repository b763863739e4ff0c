# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel. `make python` in the folder above makes the shared object; an installed copy of this folder has the
object already."""
import os
import re
import shutil
import subprocess
import sys

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
MADE = ('_warplock.so', '_declarations.h')
READY = all(os.path.exists(os.path.join(HERE, 'warplock', name)) for name in MADE)
SOURCE = os.path.exists(os.path.join(TOP, 'cmodel/include/warplock/config.h'))


def version():
    path = os.path.join(HERE, 'VERSION') if READY else os.path.join(TOP, 'cmodel/include/warplock/config.h')
    with open(path, encoding='utf-8') as f:
        text = f.read()
    return text.strip() if READY else re.search(r'^#define WL_VERSION "(.*?)"', text, re.M)[1]


class Build(build_py):
    def run(self):
        super().run()
        folder = os.path.join(HERE, 'warplock')
        if not READY:
            folder = os.path.join(TOP, 'build/python/warplock')
            clean = {k: v for k, v in os.environ.items() if k not in ('MAKEFLAGS', 'MAKELEVEL', 'MFLAGS')}
            if subprocess.call(['make', '-s', '-C', TOP, '-j%d' % (os.cpu_count() or 1), 'python'], env=clean):
                sys.exit('warplock: make python fails; `make setup` in the folder of Warplock installs what is missing')
        for name in MADE:
            shutil.copy(os.path.join(folder, name), os.path.join(self.build_lib, 'warplock', name))


class Wheel(bdist_wheel):
    """One wheel for every Python 3 of the platform: the shared object uses no API of Python."""

    def get_tag(self):
        return ('py3', 'none', super().get_tag()[2])


class Native(Distribution):
    def has_ext_modules(self):
        return True


if not READY and not SOURCE:
    sys.exit('warplock: this folder alone holds no library; run pip install ./python in a whole checkout of Warplock')
options = {}
if SOURCE and not READY:  # nothing is left beside the sources
    made = os.path.join(TOP, 'build/python-wheel')
    os.makedirs(made, exist_ok=True)
    options = {'build': {'build_base': made}, 'egg_info': {'egg_base': made}}
setup(version=version(), packages=['warplock'], distclass=Native, options=options,
      cmdclass={'build_py': Build, 'bdist_wheel': Wheel})
