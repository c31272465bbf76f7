#!/usr/bin/env python3
"""few_threads.py -- a crawl that may start few threads (ulimit -u, a container's
limit) says so and ends with exit status 1, or does its work: it never ends by a
signal, and never hangs (as nng 1.5 does when a thread of its own cannot be started).

usage: few_threads.py WINNOW
Root is bound by no limit: it becomes somebody else for that; others are left out
(status 77), since the limit counts all that is theirs.
"""
import os
import resource
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crawl_run import documents  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

PAGES, SOMEBODY = 4, 64321


def become(threads):
    """Somebody who may have so many threads."""
    resource.setrlimit(resource.RLIMIT_NPROC, (threads, threads))
    os.setgroups([])
    os.setgid(SOMEBODY)
    os.setuid(SOMEBODY)


def can_run(winnow):
    try:
        return subprocess.run([winnow, "--version"], preexec_fn=lambda: become(200),
                              stdout=subprocess.DEVNULL).returncode == 0
    except PermissionError:
        return False


def crawl(winnow, folder, site, threads):
    """Exit status (None: it hangs), and what it says."""
    os.mkdir(folder)
    site.write_hosts(os.path.join(folder, "hosts"))
    with open(os.path.join(folder, "job.ini"), "w") as f:
        f.write("[seeds]\nurl = http://%s/0.html\n[politeness]\ndelay_ms = 20\n"
                "[clean]\nbadness_max = 1000\nchars_min = 10\n[output]\n"
                "disk_free_mib = 0\n[fetch]\nhosts_file = hosts\n" % sorted(site.web)[0])
    os.chown(folder, SOMEBODY, SOMEBODY)

    p = subprocess.Popen([winnow, "crawl", "job.ini", "--dir", "crawl"], cwd=folder,
                         preexec_fn=lambda: become(threads), stderr=subprocess.PIPE,
                         text=True)
    try:
        return p, p.communicate(timeout=30)[1]
    except subprocess.TimeoutExpired:
        p.kill()
        p.communicate()
        return None, ""


def without_socket_as_told(said):
    """A crawl that can do its work but not listen: one line why, one what that costs."""
    told = [line for line in said.splitlines() if " error " in line or " warn " in line]
    return not told or (len(told) == 2 and "control.sock: cannot listen: the system allows no more"
                        in told[0] and "pause, resume and delete only through" in told[1])


def main():
    winnow = os.path.abspath(sys.argv[1])
    if os.getuid() != 0 or not can_run(winnow):
        print("skipped: only root can be somebody else, who has to be let in here")
        return 77
    base, bad = tempfile.mkdtemp(prefix="winnow-threads-"), 0
    os.chmod(base, 0o755)
    site = Site(make_pages(1, PAGES, 6))
    try:
        for threads in (2, 5, 8, 11, 12, 13, 14, 17, 20, 25, 200):
            folder = os.path.join(base, str(threads))
            p, said = crawl(winnow, folder, site, threads)
            status = p.returncode if p else "it hangs"
            good = (status == 1 and "the system allows no" in said and threads < 200 and
                    "out of memory" not in said.lower() or
                    status == 0 and len(documents(folder, "crawl")) == PAGES and
                    without_socket_as_told(said))
            print("%s %d threads: %s" % ("ok  " if good else "FAIL", threads, status))
            if not good:
                print(said)
            bad += not good
    finally:
        site.close()
        shutil.rmtree(base, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
