#!/usr/bin/env python3
"""tool_errors.py -- what the user gives a tool that it cannot use is said, by its
name and with an exit code; and what the tools write goes where it was asked to.

usage: tool_errors.py WINNOW
"""
import os
import stat
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
CONLLU = ("1\tDe\tde\tDET\tX\t_\t2\tdet\t_\t_\n"
          "2\thond\thond\tNOUN\tY\t_\t0\troot\t_\t_\n\n")


def winnow(*args):
    """(exit code, what it says, what it prints)"""
    p = subprocess.run([WINNOW, *args], capture_output=True, text=True, timeout=60,
                       stdin=subprocess.DEVNULL)
    return p.returncode, p.stderr, p.stdout


def put(name, text):
    data = text if isinstance(text, bytes) else text.encode()
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "wb") as f:
        f.write(data)
    return name


def content(name):
    with open(name, "rb") as f:
        return f.read()


def outputs():
    """Each tool that writes a whole file: to a symbolic link, a FIFO."""
    put("one.conllu", CONLLU)
    put("site/a.example/index.html", "<p>Een zin over het water.</p>")
    put("page.html", "<p>" + "Dit is een gewone zin over het water en de dijk. " * 60 + "</p>")
    tools = {
        "train tagger": ["train", "tagger", "--conllu", "one.conllu", "--bits", "8", "--out"],
        "lab --record": ["lab", "--web", "site", "--language", "nl", "--record"],
        "job": ["job", "document", "local", "page.html", "-o"],
        "clean": ["clean", "page.html", "-o"],
    }
    for name, words in tools.items():
        for path in ("target", "link"):
            if os.path.lexists(path):
                os.remove(path)
        os.symlink("target", "link")
        code, said, _ = winnow(*words, "link")
        check(code == 0 and os.path.islink("link") and os.path.isfile("target"),
              "%s to a symbolic link: %d %s" % (name, code, said))
        os.mkfifo("fifo")
        reader = os.open("fifo", os.O_RDWR | os.O_NONBLOCK)
        code, said, _ = winnow(*words, "fifo")
        check(code == 0 and stat.S_ISFIFO(os.stat("fifo").st_mode),
              "%s to a FIFO: %d %s" % (name, code, said))
        try:
            check(os.read(reader, 1 << 20) == content("target"), name + ": what a FIFO gets")
        except BlockingIOError:
            check(False, name + ": a FIFO gets nothing")
        os.close(reader)
        os.remove("fifo")


def main():
    with tempfile.TemporaryDirectory(prefix="winnow-tools-") as folder:
        os.chdir(folder)
        outputs()
        os.chdir("/")
    print("FAIL" if checks.failed else "ok  ", "what a tool cannot use is said")
    return checks.failed != 0


if __name__ == "__main__":
    sys.exit(main())
