#!/usr/bin/env python3
"""clean_inputs.py -- what `winnow clean` is given: what cannot be read is told by its
path and makes the exit code 3; who waits for an input can be stopped at once, and what
is written stays whole; a saved page of parts (MHTML) is not taken for HTML.

usage: clean_inputs.py WINNOW
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
PAGE = os.path.abspath("tests/cases/clean/nl-article.html")
SOMEBODY = 64321
WAIT_S = 60  # only a fault takes that long


def become_somebody():
    os.setgroups([])
    os.setgid(SOMEBODY)
    os.setuid(SOMEBODY)


def winnow(*args, somebody=False):
    p = subprocess.run([WINNOW, *args], stdin=subprocess.DEVNULL, capture_output=True,
                       preexec_fn=become_somebody if somebody else None, check=False)
    return p.returncode, p.stderr.decode(), p.stdout


def page():
    with open(PAGE, "rb") as f:
        return f.read()


def put(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def somebody_may_run(folder):
    """Root may enter every folder: it has to be somebody else."""
    if os.getuid() != 0:
        return True
    try:
        return winnow("clean", folder + "/a.html", somebody=True)[0] == 0
    except PermissionError:
        return False


def folders_that_may_not_be_entered(tmp):
    put(tmp + "/closed/a.html", page())
    put(tmp + "/closed/in/b.html", page())
    if not somebody_may_run(tmp + "/closed"):
        print("skipped: somebody else than root has to be let in here")
        return
    os.chmod(tmp + "/closed/in", 0o744)
    for words in (["closed"], ["closed", "closed/a.html"]):
        code, said, text = winnow("clean", *[tmp + "/" + w for w in words],
                                  somebody=os.getuid() == 0)
        check(code == 3 and "closed/in/b.html: Permission denied" in said and text,
              "%s: exit %d: %s" % (words, code, said))
    put(tmp + "/closed/open/c.html", page())
    os.chmod(tmp + "/closed/in", 0o711)
    code, said, _ = winnow("clean", "--set", "input.path=%s/closed/*/*.html" % tmp,
                           somebody=os.getuid() == 0)
    check(code == 1 and "closed/in: Permission denied" in said, "a pattern: %d %s" % (code, said))
    os.chmod(tmp + "/closed/in", 0o755)


def paths_longer_than_any_path(tmp):
    """Each folder is made from within the one above it."""
    put(tmp + "/deep/a.html", page())
    here, name = os.open(tmp + "/deep", os.O_RDONLY), "d" * 200
    for _ in range(25):
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    with open(os.open("b.html", os.O_WRONLY | os.O_CREAT, dir_fd=here), "wb") as f:
        f.write(page())
    os.close(here)
    code, said, text = winnow("clean", tmp + "/deep")
    check(code == 3 and "deep/" + name in said and "File name too long" in said and text,
          "exit %d: %s" % (code, said))


def main():
    with tempfile.TemporaryDirectory(prefix="winnow-inputs-") as tmp:
        os.chmod(tmp, 0o755)
        for test in (folders_that_may_not_be_entered, paths_longer_than_any_path):
            before = checks.failed
            test(tmp)
            print("ok  " if checks.failed == before else "FAIL", test.__name__)
    return checks.failed != 0


sys.exit(main())
