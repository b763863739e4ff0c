# SPDX-License-Identifier: Apache-2.0
"""The state of the sources and of the machine as hashes, and results that are taken over where nothing has changed.

A result is reused for one state only: the content of every file of the tree, the built programs, the packages and tools of the machine, the
environment that the checks read, and the command. Only passes are kept. A run that finds CI in the environment
reuses nothing."""
import hashlib
import json
import os
import shutil
import subprocess
import time

TOOLS = ('gcc', 'g++', 'clang-19', 'verilator', 'yosys', 'iverilog', 'python3', 'ptxas', 'nvcc', 'nvdisasm', 'nextpnr-ice40',
         'fusesoc', 'gtkwave', 'slurmctld')
FOLDER = 'build/results'


def files():
    """Every file of the tree that git does not ignore; without git, every file outside build."""
    listed = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard', '-z'], capture_output=True)
    if listed.returncode == 0:
        return sorted({os.fsdecode(f) for f in listed.stdout.split(b'\0') if f})
    found = []
    for folder, inner, names in os.walk('.'):
        inner[:] = [d for d in inner if os.path.join(folder, d) not in ('./build', './.git')]
        found += [os.path.relpath(os.path.join(folder, n)) for n in names]
    return sorted(found)


def tracked():
    """The content of each file that git keeps, as hashes by path; empty without git."""
    listed = subprocess.run(['git', 'ls-files', '-z'], capture_output=True)
    found = {}
    for path in {os.fsdecode(f) for f in listed.stdout.split(b'\0') if f} if listed.returncode == 0 else ():
        try:
            with open(path, 'rb') as f:
                found[path] = hashlib.sha256(f.read()).digest()
        except OSError:
            continue
    return found


def changed_since(before):
    """Files that git keeps, and that are not what they were when tracked() gave `before`."""
    after = tracked()
    return sorted(p for p in before.keys() | after.keys() if before.get(p) != after.get(p))


def tree_hash():
    """The content of the tree, names and modes included."""
    whole = hashlib.sha256()
    for path in files():
        try:
            mode = os.lstat(path).st_mode & 0o170100  # kind of file, and whether a program
            if os.path.islink(path):
                data = os.fsencode(os.readlink(path))
            else:
                with open(path, 'rb') as f:
                    data = f.read()
        except (FileNotFoundError, IsADirectoryError):
            continue  # deleted, or a repository in the tree
        whole.update(b'%s %o %d\0' % (os.fsencode(path), mode, len(data)))
        whole.update(data)
    return whole.hexdigest()


def machine_hash():
    """Tools, Debian's packages, the venv, and the environment."""
    whole = hashlib.sha256()
    for tool in TOOLS:
        path = shutil.which(tool) or shutil.which(tool, path='/usr/local/cuda/bin')
        s = os.stat(path) if path else None
        whole.update(repr((tool, path and os.path.realpath(path), s and (s.st_size, s.st_mtime_ns))).encode())
    for path in ('/var/lib/dpkg/status', 'build/venv/.installed'):
        if os.path.exists(path):
            with open(path, 'rb') as f:
                whole.update(f.read())
    whole.update(repr((os.getcwd(), os.uname().release, os.cpu_count())).encode())
    whole.update(repr(sorted((k, v) for k, v in os.environ.items() if k not in SESSION)).encode())
    return whole.hexdigest()


def built_hash():
    """Programs and libraries that checks run: a stale program has results of its own."""
    whole = hashlib.sha256()
    for top in ('build/bin', 'build/test', 'build/python', 'build/kernels'):
        for folder, inner, names in os.walk(top):
            inner.sort()
            for path in (os.path.join(folder, n) for n in sorted(names) if not n.endswith('.pyc')):
                try:
                    with open(path, 'rb') as f:
                        whole.update(path.encode() + b'\0' + hashlib.sha256(f.read()).digest())
                except OSError:
                    continue
    return whole.hexdigest()


SESSION = frozenset(('_', 'PWD', 'OLDPWD', 'SHLVL', 'TERM', 'COLUMNS', 'LINES', 'SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY',
                     'MAKEFLAGS', 'MAKELEVEL', 'MFLAGS', 'MAKE_TERMOUT', 'MAKE_TERMERR', 'WL_QUIET', 'JOBS', 'PATIENCE', 'LOGS', 'NIGHT'))


def state_hash():
    return hashlib.sha256((tree_hash() + built_hash() + machine_hash()).encode()).hexdigest()


class Reuse:
    def __init__(self):
        self.state = state_hash()

    def path(self, task):
        night = os.environ.get('NIGHT', '') if 'night/' in task.command else ''
        key = hashlib.sha256('\0'.join((self.state, task.name, task.command, night)).encode()).hexdigest()
        return os.path.join(FOLDER, key[:2], key)

    def take(self, task):
        """True: the check has passed in this very state, and has its counts."""
        try:
            with open(self.path(task)) as f:
                kept = json.load(f)
        except (OSError, ValueError):
            return False
        if kept.get('name') != task.name or kept.get('command') != task.command or kept['counts'][1] or not kept['counts'][0]:
            return False
        task.counts, task.reused, task.took, task.cpu, task.status, task.log = kept['counts'], True, 0.0, 0.0, 0, ''
        return True

    def keep(self, tasks):
        """Keeps the passes of a run, if the state is still the one that the run began with. False: it is not."""
        if state_hash() != self.state:
            return False
        for task in tasks:
            if task.reused or task.result() != 'passed' or task.counts[2]:
                continue
            path = self.path(task)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path + '.new', 'w') as f:
                json.dump({'name': task.name, 'command': task.command, 'counts': task.counts, 'when': int(time.time())}, f)
            os.replace(path + '.new', path)
        return True
