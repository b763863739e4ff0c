# SPDX-License-Identifier: Apache-2.0
"""Another revision in build/against/HASH: its sources, built once, with the inputs of this tree."""
import glob
import os
import shutil
import subprocess

# What figures read, so that both trees run the same: no sources, and nothing that the other revision builds of.
INPUTS = ('verif/corpus/*.json', 'verif/corpus/*.ptx', 'verif/sm/bench_*.list', 'verif/sm/bench_*.cubin', 'verif/isa/words.tsv',
          'verif/kernels/*/*.json', 'verif/kernels/*/*.ptx', 'verif/kernels/*/*.cubin', 'verif/kernels/*/*.fatbin')


class Unusable(Exception):
    """A sentence for who asked."""


def hash_of(revision):
    git = subprocess.run(['git', 'rev-parse', '--verify', '--quiet', '--end-of-options', revision + '^{commit}'],
                         capture_output=True, text=True, check=False)
    if git.returncode:
        raise Unusable("no revision '%s' in this checkout%s" % (revision, ': ' + git.stderr.strip().split('\n')[0] if git.stderr else ''))
    return git.stdout.strip()


def checkout(commit):
    """The folder of the sources; git's archive, as `make dist` builds of."""
    tree = os.path.join('build', 'against', commit[:12])
    if not os.path.exists(tree):
        part = '%s.%d' % (tree, os.getpid())
        os.makedirs(part)
        archive = subprocess.Popen(['git', 'archive', commit], stdout=subprocess.PIPE)
        unpacked = subprocess.run(['tar', '-x', '-C', part], stdin=archive.stdout, check=False).returncode
        archive.stdout.close()
        if archive.wait() or unpacked:
            raise Unusable('%s: git archive failed' % commit)
        os.makedirs(part + '/build')
        if os.path.exists('build/venv'):
            os.symlink(os.path.abspath('build/venv'), part + '/build/venv')
        os.rename(part, tree)
    return tree


def build(tree, needs, jobs):
    """Builds what is lacking. What that revision has no rule for is left out: its figures say so."""
    env = {k: v for k, v in os.environ.items() if not k.startswith('MAKE') and k != 'MFLAGS'}
    lacking = [n for n in needs if not os.path.exists(os.path.join(tree, n))]
    if not lacking:
        return
    print('building %s in %s (log: %s.log)' % (' '.join(lacking), tree, tree), flush=True)
    with open(tree + '.log', 'a') as log:
        for need in lacking:
            if subprocess.run(['make', '-s', '-j%d' % jobs, need], cwd=tree, env=env, stdout=log, stderr=log, check=False).returncode:
                print('  %s could not be built' % need, flush=True)


def same_inputs(tree):
    for pattern in INPUTS:
        for path in glob.glob(pattern):
            there = os.path.join(tree, path)
            os.makedirs(os.path.dirname(there), exist_ok=True)
            shutil.copy2(path, there)
