#!/usr/bin/env python3
"""libwinnow installed, and used as include/README.md says.

usage: library.py BUILD_FOLDER CC

Installs library, data and program into a fresh prefix; compiles the C example
with pkg-config, runs the Python one; what winnow/clean.h declares is exported; the data is
that of the prefix, or that of WINNOW_DATA_DIR.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402

BUILD, CC = os.path.abspath(sys.argv[1]), sys.argv[2]
CASES = os.path.abspath("tests/cases/library")
PAGE = os.path.abspath("tests/cases/clean/nl-article.html")


def run(*args, **env):
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       env={**os.environ, **env}, check=False, cwd="/")
    return p.returncode, p.stdout.decode()


def find(folder, name):
    for path, _, files in os.walk(folder):
        if name in files:
            return os.path.join(path, name)
    sys.exit(f"no {name} in {folder}")


def declared():
    """The functions of the public header."""
    with open("include/winnow/clean.h", encoding="utf-8") as f:
        header = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    return sorted(re.findall(r"\b(winnow_\w+)\(", header))


def readme_quotes_the_examples():
    with open("include/README.md", encoding="utf-8") as f:
        readme = f.read()
    for name in "example.c", "example.py":
        with open(os.path.join(CASES, name), encoding="utf-8") as f:
            check(f.read() in readme, f"include/README.md quotes another {name}")


def readme_lines_work(prefix, tmp):
    """The lines of include/README.md as they stand, with PREFIX put in."""
    with open("include/README.md", encoding="utf-8") as f:
        lines = [line.replace("PREFIX", prefix) for line in f.read().splitlines()
                 if line.startswith(("cc example.c $(", "./a.out ", "LIBWINNOW="))]
    check(len(lines) == 3, f"lines of include/README.md: {lines}")
    for name in "example.c", "example.py":
        shutil.copy(os.path.join(CASES, name), tmp)
    shutil.copy(PAGE, tmp + "/page.html")
    clear = {k: v for k, v in os.environ.items()
             if k not in ("LD_LIBRARY_PATH", "PKG_CONFIG_PATH", "LIBWINNOW")}
    for line in lines:
        p = subprocess.run(["sh", "-c", line], cwd=tmp, env=clear, check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        check(p.returncode == 0 and
              (line.startswith("cc ") or b"De molen" in p.stdout),
              f"{line}: {p.stdout.decode()[:500]}")


def bash_completes(prefix):
    """Commands, flags of a command, options behind --set and the words that these take."""
    script = find(prefix + "/share/bash-completion", "winnow")
    for typed, expected in (("winnow cl", "clean"), ("winnow help te", "tender tecl tenet"),
                            ("winnow clean x.html --miss", "--missing"),
                            ("winnow crawl --set clean.comm", "clean.comments="),
                            ("winnow crawl --set = clean.comm", "clean.comments="),
                            ("winnow crawl --set clean.comments =", "keep drop mark"),
                            ("winnow crawl --set fetch.http2 = of", "off"),
                            ("winnow clean page.ht", "")):
        words = typed.split(" ")
        code, out = run("bash", "-c", '. "$1" && shift && COMP_WORDS=("$@") && COMP_CWORD=$(($# - 1)) && '
                        '_winnow; echo "${COMPREPLY[*]}"', "bash", script, *words)
        check(code == 0 and out == expected + "\n", f"{typed}: {out!r}")


def main():
    readme_quotes_the_examples()
    with tempfile.TemporaryDirectory() as tmp:
        prefix, example = tmp + "/usr", tmp + "/example"
        for part in "library", "data", "program":
            code, out = run("cmake", "--install", BUILD, "--prefix", prefix,
                            "--component", part)
            check(code == 0, out)
        pc = find(prefix, "winnow.pc")
        library = find(prefix, "libwinnow.so.0")
        folder = os.path.dirname(library)

        code, out = run("nm", "-D", "--defined-only", library)
        names = [line.split()[2].split("@")[0] for line in out.splitlines()
                 if line.split()[1] != "A"]
        check(sorted(names) == declared(),
              f"exported: {names}, declared: {declared()}")

        code, flags = run("pkg-config", "--cflags", "--libs", "winnow",
                          PKG_CONFIG_PATH=os.path.dirname(pc))
        check(code == 0 and "-lwinnow" in flags and any(
            os.path.realpath(f[2:]) == os.path.realpath(prefix + "/include")
            for f in flags.split() if f.startswith("-I")), flags)
        code, out = run(CC, "-std=c11", "-Wall", "-Wextra", "-Werror",
                        CASES + "/example.c", "-o", example, *flags.split())
        check(code == 0, out)
        code, out = run(example, PAGE, LD_LIBRARY_PATH=folder)
        check(code == 0 and out.startswith("nl, badness ") and
              "\n0.00 + De molen aan de rand" in out, out)
        code, out = run(sys.executable, CASES + "/example.py", PAGE,
                        LD_LIBRARY_PATH=folder)
        check(code == 0 and out.startswith("De molen draait weer\n") and
              0 <= float(out.splitlines()[-1]) < 25, out)

        readme_lines_work(prefix, tmp)
        bash_completes(prefix)
        with open(find(prefix, "winnow.1"), encoding="utf-8") as f:
            manual = f.read()
        code, out = run(prefix + "/bin/winnow", "config", "list", "--json")
        check(code == 0 and len(json.loads(out)) > 50 and all(
            f".B {row['key']}\n" in manual for row in json.loads(out)),
              "every option is in the manual page")
        code, out = run(prefix + "/bin/winnow", "clean", PAGE)
        check(code == 0 and "De molen draait weer\n" in out, out)

        with open(find(prefix, "boilerplate.net"), "w", encoding="ascii") as f:
            f.write("not a network\n")
        code, out = run(prefix + "/bin/winnow", "clean", PAGE)
        check(code == 1 and f"{prefix}/share/winnow" in out, out)
        code, out = run(example, PAGE, LD_LIBRARY_PATH=folder)
        check(code == 1 and f"{prefix}/share/winnow/boilerplate.net" in out,
              "the prefix's data is used: " + out)
        good = os.path.join(tmp, "data")
        shutil.copytree(os.path.abspath("data"), good)
        code, out = run(example, PAGE, LD_LIBRARY_PATH=folder,
                        WINNOW_DATA_DIR=good)
        check(code == 0, "WINNOW_DATA_DIR wins: " + out)
    print("FAIL" if checks.failed else "ok  ", "the library is installed and used")
    return checks.failed != 0


sys.exit(main())
