#!/usr/bin/env python3
"""progress.py -- long work says how far it is.

Each command runs on a terminal (a pty) and into a file, stopped and continued all
the time, so that its work takes seconds whatever the machine; it has to show the
share that is done, a rate and the time left, and nothing of that stays behind on
the terminal.

usage: progress.py WINNOW
Standard library only.
"""
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from made_web import make_pages  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
SEEDS = 50000
LIVE = re.compile(r"\((\d+\.\d) %\).* [\d.,]+( [kMG]?B)?/s  \d+:\d\d:\d\d left")
PLAIN = re.compile(r"info [a-z ]+: seconds=\d+ \w+=\d+ of=\d+ .*per_second=[\d.]+ "
                   r"seconds_left=\d+")


def slowed(p, seconds, pause):
    """Let `p` run little of the time; True: it ended by itself."""
    end = time.time() + seconds
    while p.poll() is None and time.time() < end:
        time.sleep(.004)
        if p.poll() is None:
            p.send_signal(signal.SIGSTOP)
            time.sleep(pause)
            p.send_signal(signal.SIGCONT)
    if p.poll() is None:
        p.kill()
    return p.wait() in (0, 3)


def on_terminal(args, pause):
    master, slave = pty.openpty()
    got = []

    def read():
        try:
            while True:
                got.append(os.read(master, 65536))
        except OSError:
            pass

    p = subprocess.Popen([WINNOW, *args], stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=slave,
                         env=dict(os.environ, TERM="xterm"))
    os.close(slave)
    reader = threading.Thread(target=read)
    reader.start()
    good = slowed(p, 60, pause)
    reader.join(10)
    os.close(master)
    return good, b"".join(got).decode(errors="replace")


def in_file(args):
    with tempfile.TemporaryFile("w+") as f:
        p = subprocess.Popen([WINNOW, *args, "--set", "log.status_seconds=1"],
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=f)
        good = slowed(p, 60, .2)
        f.seek(0)
        return good, f.read()


def check(args, what):
    """The command line `args` shows its progress, named `what`."""
    fault = []
    good, text = on_terminal([a.replace("%d", "1") for a in args],
                             .5 if what in ("lab record", "check", "compact") else .1)
    shown = [line for line in re.split(r"[\r\n]+(?:\033\[J)?", text)
             if line.startswith(what + "  ") and LIVE.search(line)]
    if not good or not shown:
        fault.append("on a terminal: %s" % text[-1500:])
    # a recording knows of more URLs the further it is
    elif what != "lab record" and [float(LIVE.search(s).group(1)) for s in shown] != sorted(
            float(LIVE.search(s).group(1)) for s in shown):
        fault.append("it goes back: %s" % shown)
    elif "\033[J" not in text.rsplit(shown[-1], 1)[1]:
        fault.append("it stays on the screen: %r" % text[-500:])
    if what not in ("clean", "load"): # it is one helper
        return fault
    good, text = in_file([a.replace("%d", "2") for a in args])
    if not good or not PLAIN.search(text) or "\r" in text or "\033" in text:
        fault.append("in a file: %s" % text[-1500:])
    return fault


def make_sites(folder, hosts, pages):
    for host, web in make_pages(hosts, pages, 5).items():
        os.makedirs(os.path.join(folder, host))
        for path, page in web.items():
            with open(folder + "/" + host + path, "wb") as f:
                f.write(page)


def cases(base):
    sites = os.path.join(base, "sites")
    make_sites(sites, 3, 200)
    yield "clean", ["clean", "-o", os.path.join(base, "out.txt"), "--join", sites]
    with open(os.path.join(base, "seeds.txt"), "w") as f:
        f.write("".join("http://h%02d.scenario.test/0.html\n" % i for i in range(3)))
    web = os.path.join(base, "made.web")
    record = ["lab", "--web", sites, "--set", "clean.badness_max=1000", "--set",
              "dedup.near=0", "--record", web]
    yield "lab record", record
    subprocess.run([WINNOW, *record], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    yield "lab", ["lab", "--web", web, "--set", "dedup.near=0", "--scorers",
                  "bfs,learned", "--chance", "3"]


def labelled(folder, hosts, pages):
    """Pages whose menus are boilerplate, as winnow train wants them."""
    rows = ["set\tid\tdomain\tsuspect\n"]
    for kind in "pages", "truth":
        os.makedirs(os.path.join(folder, kind, "made"))
    for host, web in make_pages(hosts, pages, 6).items():
        for path, page in web.items():
            name = host + "-" + path.strip("/").replace(".html", "")
            rows.append("made\t%s\t%s\t0\n" % (name, host))
            text = re.search(rb"<article>(.*)</article>", page, re.S).group(1)
            for kind, data in (("pages/made/%s.html", page),
                               ("truth/made/%s.txt", re.sub(rb"<[^>]*>", b"\n", text))):
                with open(os.path.join(folder, kind % name), "wb") as f:
                    f.write(data)
    with open(os.path.join(folder, "manifest.tsv"), "w") as f:
        f.writelines(rows)
    return folder


def train_case(base):
    yield "train", ["train", "--pages", labelled(os.path.join(base, "labelled"), 10, 20),
                    "--first", "net", "--one-pass", "--nets", "4", "--epochs", "6"]


def frontier_cases(base):
    """A frontier of many URLs, made by a crawl that only reads a seed file."""
    seeds = os.path.join(base, "many.txt")
    with open(seeds, "w") as f:
        f.write("".join("http://h%d.test/%d\n" % (i % 997, i) for i in range(SEEDS)))
    with open(os.path.join(base, "no_hosts"), "w") as f:
        f.write("nobody.test 127.0.0.1:9\n")
    crawl, dump = os.path.join(base, "crawl"), os.path.join(base, "dump.jsonl")
    for seconds in range(1, 20):  # a busy machine does not read all of them in one
        subprocess.run([WINNOW, "crawl", "--dir", crawl, "--quiet", "--set",
                        "seeds.file=" + seeds, "--set", "limits.seconds=%d" % seconds, "--set",
                        "fetch.hosts_file=" + base + "/no_hosts", "--set",
                        "fetch.parallel=1", "--set", "output.disk_free_mib=0"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        stat = subprocess.run([WINNOW, "frontier", crawl, "--stat", "--json"], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if stat.returncode == 0 and json.loads(stat.stdout)["seen"] >= SEEDS:
            break
    yield "check", ["frontier", crawl, "--check"]
    yield "dump", ["frontier", crawl, "--dump"]
    with open(dump, "w") as f:
        subprocess.run([WINNOW, "frontier", crawl, "--dump"], stdout=f, check=True,
                       stderr=subprocess.DEVNULL)
    yield "load", ["frontier", os.path.join(base, "loaded%d"), "--load", dump]
    yield "compact", ["frontier", crawl, "--compact"]


def main():
    base = tempfile.mkdtemp(prefix="winnow-progress-")
    bad = 0
    try:
        for what, args in [*cases(base), *train_case(base),
                           *frontier_cases(base)]:
            fault = check(args, what)
            bad += bool(fault)
            print("%s %s" % ("FAIL" if fault else "ok  ", what))
            for f in fault:
                print("     " + f)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
