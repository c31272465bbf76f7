#!/usr/bin/env python3
"""demo.py -- demo.sh from its start to its last line, over documentation made
here instead of Debian's and with the program that is built already: it asks for
that program alone, and ends with a text, a factor, a curve in words and next
steps in the language that was asked for.

usage: demo.py WINNOW        exit 77: there is no nginx
"""
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402
from made_web import paragraph  # noqa: E402

PACKAGES = """packages_build= packages_run=
say() { printf '%s: %s\\n' "${0##*/}" "$*" >&2; }
install_packages() { :; }
build() { say "BUILD $*"; }
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def documentation(share):
    """Dutch pages and others, in the folders that demo.sh serves."""
    rng = random.Random(3)
    other = "lorem ipsum dolor sit amet consectetur adipiscing elit sed".split()
    for folder, first, dutch in (
            ("libreoffice/help/nl/text/swriter", "main0000", True),
            ("libreoffice/help/fr/text/simpress", "main0000", False),
            ("libreoffice/help/de/text/scalc", "main0000", False),
            ("libreoffice/help/en-US/text/swriter", "main0000", False),
            ("doc/installation-guide-amd64/en", "index", False)):
        for i in range(40):
            text = "".join("<p>%s</p>" % (paragraph(rng) if dutch else " ".join(
                rng.choice(other) for _ in range(5))) for _ in range(4))
            if dutch and i == 0: # a page of contents is what comes first
                text = "".join("<p>%s.</p>" % " ".join(paragraph(rng).split()[:5])
                               for _ in range(40))
            links = "".join('<li><a href="p%d.html">%d</a>' % (k, k)
                            for k in (2 * i + 1, 2 * i + 2) if k < 40)
            write("%s/%s/%s.html" % (share, folder, first if i == 0 else "p%d" % i),
                  "<!doctype html><html><head><title>Page %d</title></head><body>"
                  "<ul>%s</ul><div>%s</div></body></html>" % (i, links, text))


def run(tmp, language, port):
    p = subprocess.run(["sh", tmp + "/demo.sh", "80"], cwd=tmp, timeout=200,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                       env={**os.environ, "WINNOW_DEMO_LANGUAGE": language,
                            "WINNOW_DEMO_PORT": str(port),
                            # made-up words in any order
                            "WINNOW_CLEAN_BADNESS_MAX": "1000"})
    out, err = p.stdout.decode(), p.stderr.decode()
    check(p.returncode == 0, "exit %d: %s" % (p.returncode, (out + err)[-1500:]))
    check("BUILD release winnow\n" in err, "it builds winnow and nothing else")
    return out


def main(winnow):
    if not (shutil.which("nginx") or os.path.exists("/usr/sbin/nginx")):
        print("skipped: there is no nginx")
        return 77
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="winnow-demo-") as tmp:
        shutil.copy("demo.sh", tmp)
        write(tmp + "/base/packages.sh", PACKAGES)
        write(tmp + "/demo-data/docs/.complete", "")
        os.makedirs(tmp + "/build/release/crawler")
        os.symlink(winnow, tmp + "/build/release/crawler/winnow")
        documentation(tmp + "/demo-data/docs/usr/share")
        out = run(tmp, "nl", port)
        for words in (" times as many documents as", "  After 20 pages breadth-first had ",
                      "  After 80 pages ", "    Page ", "kantoor.demo/nl/",
                      "for French:   WINNOW_DEMO_LANGUAGE=fr"):
            check(words in out, "%s is missing in %s" % (words, out[-2500:]))
        shown = out.split("as it stands in the corpus:")[1].split("The corpus:")[0]
        check(any(len(line) > 60 for line in shown.splitlines()),
              "a text, not a page of contents: " + shown)
        check(any(w in out for w in (" de ", " het ", " een ")), "a Dutch text")
    print("FAIL" if checks.failed else "ok  ", "the demo says what it found")
    return checks.failed != 0


sys.exit(main(os.path.abspath(sys.argv[1])))
