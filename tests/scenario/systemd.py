#!/usr/bin/env python3
"""systemd.py -- the unit of crawler/OPERATING.md is what `winnow config unit` prints: systemd finds
no fault in it (where there is systemd-analyze), whatever the names are; the exit statuses that it names are those of a crawl, and lines in the
journal have their level; who has started it hears that it is ready, alive, how far it is,
and that it ends.

usage: systemd.py WINNOW
On loopback.  Standard library only.
"""
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from conditions import check, ended, start  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def unit_of_manual():
    with open(os.path.join(ROOT, "crawler", "OPERATING.md"), encoding="utf-8") as f:
        return re.search(r"^## Under systemd\n\n```ini\n(.*?)^```", f.read(), re.M | re.S)[1]


def made(folder, *args, job=""):
    """The unit that is made for a job in `folder`."""
    folder = os.path.realpath(folder)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "be-nl.ini"), "w", encoding="utf-8") as f:
        f.write("[seeds]\nurl = http://127.0.0.1/\n" + job)
    return subprocess.run([WINNOW, "config", "unit", "be-nl.ini", *args], cwd=folder,
                          capture_output=True, text=True)


def verified(folder, text):
    """Without the user, who is of that machine."""
    path = os.path.join(folder, "winnow-test.service")
    with open(path, "w", encoding="utf-8") as f:
        f.write(re.sub("^User=.*\n", "", text, flags=re.M))
    if shutil.which("systemd-analyze"):
        p = subprocess.run(["systemd-analyze", "verify", "--man=no", path], capture_output=True,
                           text=True)
        faults = [line for line in p.stderr.splitlines() if "winnow" in line]
        check(not faults and p.returncode == 0, text, p.stderr)


def unit(folder):
    p = made(folder, "--dir", "be-nl")
    user = pwd.getpwuid(os.stat(folder).st_uid).pw_name
    text = p.stdout.replace("=%s " % WINNOW, "=/usr/local/bin/winnow ").replace(
        os.path.realpath(folder), "/srv/winnow").replace("User=" + user, "User=winnow")
    hides = re.compile(r"^ProtectHome=.*\n|^PrivateTmp=.*\n", re.M)  # by where this folder is
    check(hides.sub("", text) == hides.sub("", unit_of_manual()), "the unit", text + p.stderr)
    verified(folder, p.stdout)
    odd = made(os.path.join(folder, "a b%c$d"), "--as", "dedup", "--set", "seeds.file=",
               "--set", "clean.language=nl", job="[dedup]\nurl = ipc:///run/crawl/of/dedup\n")
    for line in ("ExecStart=%s dedup be-nl.ini --dir be-nl --set seeds.file= --set "
                 "clean.language=nl" % WINNOW, "WorkingDirectory=%s/a b%%%%c$d" % folder,
                 'ReadWritePaths="%s/a b%%%%c$d"' % folder, "RuntimeDirectory=crawl/of"):
        check(line in odd.stdout.splitlines(), line, odd.stdout + odd.stderr)
    verified(folder, odd.stdout)
    for wrong in (made(folder, job="[seed]\n"), made(folder, "--dir", "no/where"),
                  made(folder, "--as", "x"), made(folder + "/a\tb")):
        check(wrong.returncode == 2 and wrong.stdout == "" and wrong.stderr, "refuses", str(wrong))
    return "" if shutil.which("systemd-analyze") else "not verified: no systemd-analyze"


def statuses(folder):
    """Those that the unit names, and that a job which is refused is not tried again."""
    text = unit_of_manual()
    never = re.search(r"^RestartPreventExitStatus=(\d+)$", text, re.M)[1]
    good = re.search(r"^SuccessExitStatus=(\d+)$", text, re.M)[1]
    come = threading.Event()

    class Slow(Site):
        def answer(self, host, path, headers):
            come.set()
            return super().answer(host, path, headers)

    s = Slow(make_pages(1, 40, 4), latency=.2)
    s.write_hosts(os.path.join(folder, "hosts"))
    hosts = "fetch.hosts_file=" + os.path.join(folder, "hosts")
    try:
        p, said = start(folder, "http://h00.scenario.test/0.html", hosts, "fetch.proxy=nonsense")
        ended(p, said, int(never))
        p, said = start(folder, "http://h00.scenario.test/0.html", hosts)
        come.wait(20)
        p.send_signal(signal.SIGTERM)
        ended(p, said, int(good))
        p, said = start(folder, None, "limits.pages=1")
        ended(p, said, 0)
    finally:
        s.close()


def levels(folder):
    """As of a stream of the journal; a stream that is another is left as it was."""
    args = [WINNOW, "crawl", "--dir", os.path.join(folder, "crawl"), "--set", "fetch.proxy=x"]
    path = os.path.join(folder, "stderr")
    with open(path, "w+", encoding="utf-8") as f:
        own = os.fstat(f.fileno())
        stream = "%d:%d" % (own.st_dev, own.st_ino)
        for value, pattern in ((stream, r"<3>error \w+: "),
                               ("1:" + stream, r"\d{4}-\d\d-\d\dT\S+ error \w+: ")):
            f.seek(0)
            f.truncate()
            subprocess.run(args, stderr=f, env=dict(os.environ, JOURNAL_STREAM=value),
                           stdin=subprocess.DEVNULL, check=False)
            f.seek(0)
            lines = [line for line in f if "error" in line]
            check(lines and all(re.match(pattern, line) for line in lines), value, str(lines))


def told(folder):
    """What it tells who has started it, at a name in a folder and at an abstract one."""
    s = Site(make_pages(1, 12, 4))
    s.write_hosts(os.path.join(folder, "hosts"))
    hosts = "fetch.hosts_file=" + os.path.join(folder, "hosts")
    try:
        for i, name in enumerate((os.path.join(folder, "n"), "@winnow-test-%d" % os.getpid())):
            own = os.path.join(folder, str(i))
            os.makedirs(own)
            p, said, come = notified(name, lambda: start(
                own, "http://h00.scenario.test/0.html", hosts, "log.status_seconds=1",
                "politeness.delay_ms=200", "limits.wait_seconds=1"))
            ended(p, said, 0)
            kinds = [m.split("=")[0] for m in come()]
            check(kinds[0] == "READY" and kinds[-1] == "STOPPING" and kinds.count("READY") == 1 and
                  kinds.count("WATCHDOG") >= 5 and kinds.count("STATUS") >= 2, str(kinds))
            check(any(re.fullmatch(r"STATUS=\d+ pages fetched, \d+ kept in this run, \d+ URLs "
                                   "queued.*", m) for m in come()), str(come()))
    finally:
        s.close()


def services_tell(folder):
    job = os.path.join(folder, "job.ini")
    with open(job, "w", encoding="utf-8") as f:
        f.write("[frontier]\nurl = ipc://{0}/f\n[dedup]\nurl = ipc://{0}/d\n"
                "pub = ipc://{0}/p\n".format(folder))
    for what in "frontier", "dedup", "publish":
        p, _, come = notified(os.path.join(folder, what + ".n"), lambda w=what: (subprocess.Popen(
            [WINNOW, w, job, "--dir", os.path.join(folder, w)], stderr=subprocess.DEVNULL), None))
        for _ in range(100):
            if come()[-1:] == ["WATCHDOG=1"]:
                break
            time.sleep(.1)
        p.terminate()
        p.wait()
        check(come()[:1] == ["READY=1"] and come()[-1] == "STOPPING=1" and "WATCHDOG=1" in come(),
              "%s: %s" % (what, come()))


def notified(name, begin):
    """What begin() returns, and what has come until now: the kernel holds ten."""
    s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    s.bind("\0" + name[1:] if name[0] == "@" else name)
    got = []

    def read():
        while True:
            got.append(s.recv(1000).decode())

    def come():
        time.sleep(.1)
        return got

    threading.Thread(target=read, daemon=True).start()
    os.environ.update(NOTIFY_SOCKET=name, WATCHDOG_USEC="200000")
    try:
        return (*begin(), come)
    finally:
        del os.environ["NOTIFY_SOCKET"], os.environ["WATCHDOG_USEC"]


def main():
    return checks.run_apart([unit, statuses, levels, told, services_tell], "systemd")


if __name__ == "__main__":
    sys.exit(main())
