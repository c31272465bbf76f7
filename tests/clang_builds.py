#!/usr/bin/env python3
"""clang_builds.py -- does every source compile with clang, without a warning?

usage: clang_builds.py COMPILE_COMMANDS

The tests are built with gcc; whoever builds with clang (fuzzers do) must not be
the first to see what it thinks.  Reads compile_commands.json, checks each
source once with the same options (-fsyntax-only: no code is made), a process
per CPU.  Exit: 0 all did, 1 some did not, 77 there is no clang (skipped).
"""
import json
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def check(job):
    directory, command = job
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def jobs(path, compiler):
    """One for each source: the options it was compiled with first."""
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)
    seen = set()
    for entry in entries:
        if entry["file"] in seen:
            continue
        seen.add(entry["file"])
        words = shlex.split(entry["command"])
        options = words[first_option(words):words.index("-o")]
        yield entry["directory"], [
            compiler, *options, "-fsyntax-only", entry["file"]]


def first_option(words):
    """Behind the compiler, which may follow a launcher such as ccache."""
    return next(i for i, word in enumerate(words) if word.startswith("-"))


def main():
    compiler = shutil.which("clang")
    if compiler is None:
        print("skipped: clang is not installed")
        return 77
    bad = []
    work = list(jobs(sys.argv[1], compiler))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (_, command), (good, said) in zip(work, pool.map(check, work)):
            if not good:
                bad.append(command[-1])
                print(said, end="")
    print(f"{compiler}: {len(work)} sources, {len(bad)} do not compile")
    for name in bad:
        print(" ", name)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
