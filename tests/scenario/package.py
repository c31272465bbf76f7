#!/usr/bin/env python3
"""package.py -- the Debian package holds what a machine without this tree needs.

usage: package.py BUILD_FOLDER

Packed by CPack, unpacked into a folder: the program reads its models from there and its
dependencies name the libraries; the manuals find each other; nothing has a folder of ours.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)),
                os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
import checks  # noqa: E402
from checks import check  # noqa: E402
from promises import lost_links, manuals, read  # noqa: E402

BUILD = os.path.abspath(sys.argv[1])
PAGE = os.path.abspath("tests/cases/clean/nl-article.html")
SKIPPED = 77


def run(*command, cwd="/"):
    p = subprocess.run(command, cwd=cwd, text=True, check=False, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT,
                       env={k: v for k, v in os.environ.items() if not k.startswith("WINNOW_")})
    check(p.returncode == 0, " ".join(command) + ": " + p.stdout[-2000:])
    return p.stdout


def pack(folder):
    run("cpack", "--config", BUILD + "/CPackConfig.cmake", "-B", folder)
    return glob.glob(folder + "/winnow_*.deb")[0]


def names_its_libraries(deb):
    needs = run("dpkg-deb", "-f", deb, "Depends")
    for library in "libcurl4", "liblmdb0", "libicu", "libfann2", "libnng1", "libc6":
        check(library in needs, "%s is not in: %s" % (library, needs))


def runs_where_it_is(root):
    program = root + "/usr/bin/winnow"
    text = run(program, "clean", PAGE)
    check("De molen draait weer\n" in text, text)
    check(len(json.loads(run(program, "config", "list", "--json"))) > 50, "options")
    check(os.path.exists(os.path.realpath(root + "/usr/bin/tecl")), "tecl leads nowhere")


def manuals_find_each_other(doc):
    found = sorted(manuals(doc))
    check(len(found) > 10, found)
    for manual in found:
        lost = [x for x in lost_links(read(doc, manual), doc, manual)
                if x.partition("#")[0].endswith(".md")]  # not those to the sources
        check(lost == [], "%s: %s" % (manual, lost))


def main():
    lost = [x for x in ("dpkg-deb", "dpkg-shlibdeps", "file") if not shutil.which(x)]
    if lost:
        print("skipped: no " + ", ".join(lost))
        return SKIPPED
    with tempfile.TemporaryDirectory() as tmp:
        deb = pack(tmp)
        names_its_libraries(deb)
        root = tmp + "/root"
        run("dpkg-deb", "-x", deb, root)
        runs_where_it_is(root)
        manuals_find_each_other(root + "/usr/share/doc/winnow")
        check(os.path.exists(root + "/usr/share/doc/winnow/copyright"), "the licence")
    return checks.failed > 0


sys.exit(main())
