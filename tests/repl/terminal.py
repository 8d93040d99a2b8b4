"""tests/repl/terminal.py - the prompt at a terminal, as TAP: prompts, Ctrl-C, completion,
history; and Ctrl-C where it is fed by a pipe, also on ranks

MPAC names the compiler. Times are printed, never judged.
"""
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time

MPAC = os.environ["MPAC"]
PROMPT, MORE = b"mpa> ", b"...> "
PATIENCE = 120
count = 0


def report(name, good, seen=b""):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {name}", flush=True)
    if not good:
        print(f"# {seen!r}")


def skip(name, why):
    global count
    count += 1
    print(f"ok {count} - {name} # SKIP {why}")


class Terminal:
    """mpac --repl with a terminal of its own"""

    def __init__(self, home):
        self.seen = b""
        self.start = time.time()
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.environ.update(HOME=home, TERM="dumb", INPUTRC="/dev/null", LC_ALL="C.UTF-8")
            os.execv(MPAC, [MPAC, "--repl"])

    def until(self, text):
        """what comes up to this text; what came if it does not"""
        end = time.time() + PATIENCE
        while text not in self.seen and time.time() < end:
            if select.select([self.file], [], [], 0.1)[0]:
                try:
                    data = os.read(self.file, 4096)
                except OSError:
                    break
                if not data:
                    break
                self.seen += data
        if text not in self.seen:
            return self.seen
        at = self.seen.index(text) + len(text)
        got, self.seen = self.seen[:at], self.seen[at:]
        return got

    def say(self, text, until=PROMPT):
        os.write(self.file, text)
        return self.until(until)

    def status(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def at_a_terminal(home):
    t = Terminal(home)
    got = t.until(PROMPT)
    report("the first prompt", got.endswith(PROMPT) and b":help" in got, got)
    print(f"# the first prompt came after {time.time() - t.start:.3f} s")
    got = t.say(b"1 + 2\n")
    report("a value", b"\n3\r\n" in got, got)
    t.say(b"grid plate[x: 8, y: 8]\n")
    t.say(b"field temperature on plate = x\n")
    t.say(b"boundary temperature = edge\n")
    start = time.time()
    got = t.say(b"temperature += 0.1 * laplacian(temperature)\n")
    print(f"# a statement took {time.time() - start:.3f} s")
    report("a statement says nothing", got.count(b"\n") == 1, got)
    got = t.say(b"sum(tempe\t)\n")
    report("a name is completed", b"\n224.0\r\n" in got, got)
    got = t.say(b"lapla\t\n")
    report("a function of the library is completed", b"fn laplacian(" in got, got)
    got = t.say(b"plate.x.si\t\n")
    report("what stands behind a dot is completed", b"\n8\r\n" in got, got)
    got = t.say(b":va\t\n")
    report("a command is completed", b"temperature" in got, got)
    got = t.say(b"max(1,\n", MORE)
    report("a line goes on", got.endswith(MORE), got)
    got = t.say(b"7)\n")
    report("and ends", b"\n7\r\n" in got, got)
    t.say(b"min(1,\n", MORE)
    got = t.say(b"\x03")
    report("Ctrl-C gives a begun item up", b"error" not in got and got.endswith(PROMPT), got)
    got = t.say(b"1 + nonsense\x03")
    report("and a line", b"error" not in got, got)
    t.say(b"var n = 0\n")
    os.write(t.file, b"while true { n += 1 }\n")
    time.sleep(0.5)
    got = t.say(b"\x03")
    report("Ctrl-C stops a loop", b"interrupted" in got, got)
    got = t.say(b"n > 0 and sum(temperature) == 224\n")
    report("the session goes on with what it had", b"\ntrue\r\n" in got, got)
    os.write(t.file, b"for i in 0..1000000000 { temperature += 1; n = i }\n")
    time.sleep(0.5)
    got = t.say(b"\x03")
    report("Ctrl-C stops a loop over a field", b"interrupted" in got, got)
    got = t.say(b"sum(temperature) > 224\n")
    report("complete statements stay done", b"\ntrue\r\n" in got, got)
    got = t.say(b"nonsense\n")
    report("an error", b"there is no `nonsense`" in got, got)
    os.write(t.file, b"\x04")
    report("the end of the input", t.status() == 0)
    t = Terminal(home)
    t.until(PROMPT)
    got = t.say(b"\x1b[A\n", b"there is no `nonsense`")
    report("history of the session before", b"there is no `nonsense`" in got, got)
    t.until(PROMPT)
    os.write(t.file, b"exit(5)\n")
    report("exit gives the status", t.status() == 5)


def stopped(name, launcher):
    """the first process that is mpac gets the signal while a loop runs"""
    lines = b"var n = 0\nprint(\"pid\")\nwhile true { n += 1 }\nn > 0\n"
    p = subprocess.Popen(launcher + [MPAC, "--repl"], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    p.stdin.write(lines)
    p.stdin.flush()
    got = p.stdout.readline()
    time.sleep(1)
    pids = [p.pid] if not launcher else ranks_below(p.pid)
    os.kill(pids[0], signal.SIGINT)
    p.stdin.close()
    p.stdin = None
    out, err = p.communicate(timeout=PATIENCE)
    report(name, got == b"pid\n" and out == b"true\n" and err.count(b"interrupted") == 1 and
           p.returncode == 1, out + err)


def ranks_below(parent):
    """all processes below that are mpac itself"""
    found, below = [], [parent]
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as f:
                    rest = f.read().rsplit(")", 1)[1].split()
                children.setdefault(int(rest[1]), []).append(int(entry))
            except OSError:
                pass
    while below:
        for child in children.get(below.pop(), []):
            below.append(child)
            try:
                if os.path.samefile(os.readlink(f"/proc/{child}/exe"), MPAC):
                    found.append(child)
            except OSError:
                pass
    return sorted(found)


with tempfile.TemporaryDirectory() as home:
    at_a_terminal(home)
stopped("a signal stops a loop of piped input", [])
for word in "MPICH", "OPENMPI":
    mpiexec = os.environ.get(f"MPIEXEC_{word}")
    if mpiexec:
        stopped(f"a signal to a rank stops it on all ({word})", mpiexec.split() + ["-n", "3"])
    else:
        skip(f"a signal to a rank ({word})", "not here")
print(f"1..{count}")
