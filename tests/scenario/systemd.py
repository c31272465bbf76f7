#!/usr/bin/env python3
"""systemd.py -- the unit of crawler/OPERATING.md: systemd finds no fault in it (where there is
systemd-analyze), the exit statuses that it names are those of a crawl, and lines in the
journal have their level.

usage: systemd.py WINNOW
On loopback.  Standard library only.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from conditions import check, ended, start  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def unit_of_manual():
    with open(os.path.join(ROOT, "crawler", "OPERATING.md"), encoding="utf-8") as f:
        return re.search(r"^## Under systemd\n\n```ini\n(.*?)^```", f.read(), re.M | re.S)[1]


def unit(folder):
    if not shutil.which("systemd-analyze"):
        return "left out: no systemd-analyze"
    path = os.path.join(folder, "winnow.service")
    with open(path, "w", encoding="utf-8") as f:
        f.write(unit_of_manual().replace("/usr/local/bin/winnow", WINNOW))
    p = subprocess.run(["systemd-analyze", "verify", "--man=no", path], capture_output=True,
                       text=True)
    faults = [line for line in p.stderr.splitlines() if "winnow" in line]
    check(not faults and p.returncode == 0, "the unit", p.stderr)
    return ""


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


def main():
    return checks.run_apart([unit, statuses, levels], "systemd")


if __name__ == "__main__":
    sys.exit(main())
