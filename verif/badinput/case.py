# SPDX-License-Identifier: Apache-2.0
"""What a case of bad input is, and the good input that the cases spoil."""
import copy, json, os, subprocess, sys, tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path.insert(0, os.path.join(ROOT, "verif/common"))
import environ  # noqa: E402

SECONDS = 60 * environ.number("PATIENCE", 1)  # some cases wait for a model that another process builds
CRASH = ("Sanitizer", "runtime error:", "Segmentation", "Assertion", "core dumped")

# Adds up `n` words of `in` in shared memory and writes the total to out[tid].
HEAD = """.version 7.8
.target sm_75
.address_size 64
.visible .entry total(.param .u64 in, .param .u32 n, .param .u64 out)
{
\t.reg .pred %p<9>;
\t.reg .b32 %r<19>;
\t.reg .b64 %rd<19>;
\t.shared .align 4 .b8 sum[64];
"""
BODY = """\tld.param.u64 %rd1, [in];
\tld.param.u32 %r1, [n];
\tld.param.u64 %rd2, [out];
\tcvta.to.global.u64 %rd3, %rd1;
\tcvta.to.global.u64 %rd4, %rd2;
\tmov.u32 %r2, %tid.x;
\tmov.u32 %r3, sum;
\tsetp.ne.u32 %p1, %r2, 0;
\t@%p1 bra SKIP;
\tst.shared.u32 [%r3], 0;
SKIP:
\tbar.sync 0;
\tsetp.ge.u32 %p2, %r2, %r1;
\t@%p2 bra JOIN;
\tmul.wide.u32 %rd5, %r2, 4;
\tadd.s64 %rd6, %rd3, %rd5;
\tld.global.u32 %r4, [%rd6];
\tatom.shared.add.u32 %r5, [%r3], %r4;
JOIN:
\tbar.sync 0;
\tld.shared.u32 %r6, [%r3];
\tmul.wide.u32 %rd7, %r2, 4;
\tadd.s64 %rd8, %rd4, %rd7;
\tst.global.u32 [%rd8], %r6;
"""
TAIL = "\tret;\n}\n"
PTX = HEAD + BODY + TAIL
BODY_LINE = HEAD.count("\n") + 1        # line of the first instruction

LAUNCH = {
    "kernel": "total", "grid": [1, 1, 1], "block": [64, 1, 1], "cluster": None, "dynamic_shared": 0,
    "args": [{"name": "in", "kind": "buffer", "type": "u32", "count": 64, "init": "iota", "expect": None},
             {"name": "n", "kind": "scalar", "type": "u32", "value": 64},
             {"name": "out", "kind": "buffer", "type": "u32", "count": 64, "init": "zero", "expect": "file:want.bin"}],
    "expect": "pass", "residency": "any", "forward_progress": "warp", "ptx": {"sm_75": "k.ptx"},
}
WANT = (63 * 64 // 2).to_bytes(4, "little") * 64


def kernel(body):
    """PTX with `body` as the first instructions; body's first line is BODY_LINE."""
    return HEAD + body + TAIL


def launch(change=None, **fields):
    spec = copy.deepcopy(LAUNCH)
    spec.update(fields)
    if change:
        change(spec)
    return json.dumps(spec)


class Link:
    """A symbolic link among the files of a case."""

    def __init__(self, to):
        self.to = to


class Case:
    """One run of a tool and what it must do.

    argv      tool name, then arguments; {report} stands for a report file, and asks for one with `outcome`
    files     name -> contents (str or bytes; None makes a folder), in the folder in which the tool runs
    says      texts that must stand in the message: place and cause
    status    exit status; a set where several are right
    outcome   of the report; a set where several are right
    lines     messages on standard error: one unless said otherwise; None for any number
    stdout    texts that must stand in the output
    left      files that the tool is right to leave behind
    """

    def __init__(self, name, argv, files=None, says=(), status=1, outcome=None, lines=1, stdout=(), left=(), stdin=""):
        self.name, self.argv, self.files, self.says = name, argv, files or {}, says
        self.status = status if isinstance(status, set) else {status}
        self.outcome = {outcome} if isinstance(outcome, str) else outcome
        self.lines, self.stdout, self.left, self.stdin = lines, stdout, left, stdin

    def run(self, bindir):
        """'' when the tool did what it must, else why not."""
        with tempfile.TemporaryDirectory() as tmp:
            for name, data in self.files.items():
                path = os.path.join(tmp, name)
                if data is None:
                    os.mkdir(path)
                elif isinstance(data, Link):
                    os.symlink(data.to, path)
                else:
                    open(path, "wb").write(data if isinstance(data, bytes) else data.encode())
            argv = [os.path.join(bindir, self.argv[0])] + list(self.argv[1:])
            if self.outcome:
                argv += ["--report", "report.json"]
            env = dict(os.environ, ASAN_OPTIONS="detect_leaks=1", UBSAN_OPTIONS="print_stacktrace=1")
            try:
                p = subprocess.run(argv, cwd=tmp, env=env, timeout=SECONDS, input=self.stdin.encode("latin-1"),
                                   capture_output=True)
            except subprocess.TimeoutExpired:
                return "runs for more than %d s" % SECONDS
            return self.judge(tmp, p.returncode, p.stdout.decode("latin-1"), p.stderr.decode("latin-1"))

    def judge(self, tmp, status, out, err):
        for word in CRASH:
            if word in err:
                at = err.index(word)
                return "crash: " + err[max(0, at - 200):at + 1500]
        said = "exit %d, said: %s" % (status, (err or "nothing")[:600])
        if status < 0:
            return "ended by signal %d; %s" % (-status, said)
        if status not in self.status:
            return "expected exit %s; %s" % (sorted(self.status), said)
        for text in self.says:
            if text not in err:
                return "does not say '%s'; %s" % (text, said)
        for text in self.stdout:
            if text not in out:
                return "does not print '%s': %s" % (text, out[:600])
        count = len([line for line in err.splitlines() if line.strip()])
        if self.lines is not None and count != (self.lines if status else 0):
            return "%d messages instead of %d; %s" % (count, self.lines, said)
        left = set(os.listdir(tmp)) - set(self.files) - {"report.json"} - (set(self.left) if status == 0 else set())
        if left:
            return "left behind: %s" % ", ".join(sorted(left))
        return self.judge_report(os.path.join(tmp, "report.json"), err)

    def judge_report(self, path, err):
        if not self.outcome:
            return "a report that nobody asked for" if os.path.exists(path) else ""
        if not os.path.exists(path):
            return "no report; said: " + err[:300]
        report = json.load(open(path))
        if report["outcome"] not in self.outcome:
            return "outcome %s, expected %s (%s)" % (report["outcome"], sorted(self.outcome), report["detail"])
        if not report["detail"]:
            return "the report has no detail"
        if report["outcome"] == "error":
            for text in self.says:
                if text not in report["detail"]:
                    return "the report's detail does not say '%s': %s" % (text, report["detail"])
        return ""
