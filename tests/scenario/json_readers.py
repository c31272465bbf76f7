#!/usr/bin/env python3
"""json_readers.py -- JSON lines of real pages, in shards and with every set of
field names, load in Hugging Face datasets and in pyarrow, both from PyPI.

usage: json_readers.py WINNOW FOLDER-FOR-CONSUMERS

The shards are as different as runs are: pages with and without dates, authors
and descriptions, of archives and files, rejected and kept ones.  Exit 77: no
pages or no packages.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import consumers  # noqa: E402

DATA = os.environ.get("WINNOW_DATA",
                      os.path.expanduser("~/.cache/winnow-data"))
ARCHIVES = os.path.join(DATA, "texrex-golden", "small.warc")
SAMPLES = os.path.join(DATA, "warc", "commoncrawl+whirlwind-python")
PAGES = os.path.abspath("tests/cases")
# name, more arguments, input
SHARDS = (("1", [], ARCHIVES),
          ("2", ["--all"], PAGES + "/clean"),
          ("3", [], PAGES + "/clean/nl-article.html"),
          ("4", ["--all"], SAMPLES),
          ("5", ["--all"], ARCHIVES),
          ("6", ["--all"], PAGES + "/formats/page.html"))
FIRST = b"<p>A page that says nothing of itself."


def main(winnow, folder):
    if not os.path.exists(ARCHIVES) or not os.path.exists(SAMPLES):
        consumers.skip("no real pages: ../shared/data is not unpacked")
    python = consumers.python(folder, "json", ["datasets", "pyarrow"])
    failed = False
    with tempfile.TemporaryDirectory() as tmp:
        for preset, flags in (("winnow", []), ("fineweb", []), ("dolma", []), ("oscar", []),
                              ("winnow", ["--set", "output.metadata_sources=chosen"]),
                              ("winnow", ["--set", "output.metadata_sources=all"])):
            out = os.path.join(tmp, "".join([preset, *flags]))
            flags = ["--format", "jsonl", "--fields", preset, *flags]
            for name, more, path in SHARDS:
                subprocess.run([winnow, "clean", *flags, "--language", "de,en,fr,nl", "--join",
                                "-o", os.path.join(out, name), *more, path],
                               stderr=subprocess.DEVNULL, check=False)
            with open(os.path.join(out, "7.jsonl"), "wb") as shard, open(
                    PAGES + "/clean/nl-article.html", "rb") as page:
                subprocess.run([winnow, "clean", *flags, "-"], stdin=page, stdout=shard,
                               stderr=subprocess.DEVNULL, check=False)
            with open(os.path.join(out, "0.jsonl"), "wb") as shard:
                subprocess.run([winnow, "clean", "--all", *flags, "-"], input=FIRST,
                               stdout=shard, stderr=subprocess.DEVNULL, check=False)
            p = subprocess.run([python, os.path.join(os.path.dirname(
                os.path.abspath(__file__)), "json_load.py"), preset, out,
                os.path.join(tmp, "cache", os.path.basename(out))], check=False, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            failed |= p.returncode != 0
            print(("FAIL " if p.returncode else "ok   ") +
                  (p.stdout if p.returncode else p.stdout.splitlines()[-1]))
    return 1 if failed else 0


sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2]))
