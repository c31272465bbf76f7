#!/usr/bin/env python3
"""Title, author and date of labelled pages: Winnow, Trafilatura and htmldate.

    tests/real/metadata.py [--train] [--no-json-ld] [--work DIR] [--peers DIR]
                           [--errors FILE]

Labels: ../shared/data/extraction/metadata.tsv; pages: that set unpacked.  A
title or author is right when its letters and digits are those of the label in
any case, a date when it is the same day; `invented` is the share of pages
labelled without one that get one.  Winnow's models are trained for this on
other pages: by five folds of registered domains, with the whole set left out
(`sets out`: for WCXB they have learned from fundus alone, of whose pages none
is without a date), and with those of WCXB's ids 0 to 3999, 4000 to 4999 or
5000 on left out (`batch out`), always at the threshold of the folds.  The block
that dates and authors are searched round is the one that the shipped model of
titles chooses.  Intervals: 95 %, bootstrap over domains.  The peers run over
the same bytes in a virtual environment made here.

--peers compares what other extractors said, too: DIR/TOOL/SET/ID.json, as
tests/bench/peers/peers.py --labelled --work leaves it in WORK/texts (they saw no
URL).
--no-json-ld hides JSON-LD from all: what fundus's labels flatter.
--errors says why dates are not right (metadata_errors.py), each case in FILE.
--train writes clean/metadata/model_table.h from all labelled pages.
Exit 77: the data is not there.
"""
import argparse
import csv
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
PACKAGES = ["trafilatura", "htmldate", "lxml_html_clean", "scikit-learn",
            "lightgbm", "numpy"]
FIELDS = ("title", "author", "date")
SCRIPT = re.compile(rb"(?is)<script[^>]*ld\+json[^>]*>.*?</script>")


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--pages", default=os.environ.get(
        "WINNOW_EXTRACTION",
        os.path.expanduser("~/.cache/winnow-data/extraction")))
    parser.add_argument("--labels", default=os.path.join(
        os.environ.get("WINNOW_SHARED", os.path.join(ROOT, "..", "shared")),
        "data", "extraction", "metadata.tsv"))
    parser.add_argument("--build", default=os.path.join(ROOT, "build/release"))
    parser.add_argument("--work", help="keeps the environment here")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--no-json-ld", action="store_true")
    parser.add_argument("--peers", help="what other tools said")
    parser.add_argument("--errors", help="why dates are wrong, a line each")
    args = parser.parse_args()
    if args.peers and args.no_json_ld:
        parser.error("--peers: those tools have seen the JSON-LD")
    return args


def environment(work):
    """Run this script again with the Python of a virtual environment."""
    folder = os.path.join(work, "venv")
    python = os.path.join(folder, "bin", "python3")
    if not os.path.exists(os.path.join(folder, "complete")):
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q"] + PACKAGES,
                       check=True)
        open(os.path.join(folder, "complete"), "w").close()
    if os.path.realpath(sys.prefix) != os.path.realpath(folder):
        os.execv(python, [python] + sys.argv + ["--work", work])


def table(path):
    with open(path, encoding="utf-8", newline="\n") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_labels(args):
    manifest = {(r["set"], r["id"]): r
                for r in table(os.path.join(args.pages, "manifest.tsv"))}
    labels = table(args.labels)
    for r in labels:
        page = manifest.get((r["set"], r["id"]), {})
        r["url"], r["domain"] = page.get("url", ""), page.get("domain", r["id"])
        r["path"] = os.path.join(args.pages, "pages", r["set"],
                                 r["id"] + ".html")
        r["fold"] = int(hashlib.sha256(r["domain"].encode()).hexdigest(), 16) % 5
    return [r for r in labels if os.path.exists(r["path"])]


def candidates(args, labels, json_ld, work):
    from metadata_model import Candidates
    out = os.path.join(work, "candidates")
    lines = "".join("%s\t%s\n" % (r["path"], r["url"]) for r in labels)
    with open(out, "wb") as f:
        subprocess.run([os.path.join(args.build, "tests", "metadata_features")]
                       + ([] if json_ld else ["no-json-ld"]),
                       input=lines.encode(), stdout=f, check=True)
    return Candidates(out)


def left_out(field, learned, seen, labels, key):
    """What models find in the pages of each value of `key` that have learned
    from all others."""
    import metadata_model as m
    found = {}
    for k in sorted({key(r) for r in labels}):
        models = m.learn_all(field, learned, labels, [
            i for i, r in enumerate(labels) if key(r) != k])
        found.update(m.best(field, models, seen, [
            i for i, r in enumerate(labels) if key(r) == k]))
    return found


def batch(r):
    """WCXB's ids grew as it was collected."""
    return r["set"], max(r["id"][0], "3") if r["set"] == "wcxb" else ""


def winnow(args, labels, work):
    """{row: {field: {index: value}}}: by folds; with the page's set or batch
    left out; dates by folds as clean.dates = likely and any have them."""
    import metadata_model as m
    full = candidates(args, labels, True, work)
    bare = candidates(args, labels, False, work)
    seen = bare if args.no_json_ld else full
    learned = [(full, 1.), (bare, .5)]
    least, rows = {}, {row: {} for row in (
        "winnow", "(likely)", "(any)", "(sets out)", "(batch out)")}

    def keep(row, field, found, at):
        rows[row][field] = {i: v for i, (v, p) in found.items() if p >= at}

    for field in FIELDS:
        found = left_out(field, learned, seen, labels, lambda r: r["fold"])
        at = least[field] = m.threshold(field, found, labels)
        keep("winnow", field, found, at)
        keep("(sets out)", field, left_out(field, learned, seen, labels,
                                           lambda r: r["set"]), at)
        if field == "date":
            keep("(batch out)", field,
                 left_out(field, learned, seen, labels, batch), at)
            likely = m.threshold(field, found, labels, m.LIKELY)
            keep("(likely)", field, found, likely)
            keep("(any)", field, found, 0)
            if args.errors:
                write_errors(args, labels, seen, found, at)
    if args.train:
        models = {field: m.learn_all(field, learned, labels,
                                     range(len(labels))) for field in FIELDS}
        m.write_table(os.path.join(ROOT, "clean/metadata/model_table.h"),
                      models, least, likely, len(full.names))
    return rows


def write_errors(args, labels, seen, found, least):
    from metadata_errors import errors
    with open(args.errors, "w", encoding="utf-8") as f:
        errors(labels, seen, {i: v for i, (v, p) in found.items()},
               {i: v for i, (v, p) in found.items() if p >= least}, f)


def page_bytes(r, json_ld):
    with open(r["path"], "rb") as f:
        data = f.read()
    return data if json_ld else SCRIPT.sub(b"", data)


def peers(args, labels):
    import htmldate
    import trafilatura
    t, h = {f: {} for f in FIELDS}, {}
    for i, r in enumerate(labels):
        data = page_bytes(r, not args.no_json_ld)
        try:
            found = trafilatura.extract_metadata(data, default_url=r["url"])
            for field in FIELDS:
                value = getattr(found, field, None)
                if value:
                    t[field][i] = value
        except Exception:  # what a tool cannot read counts as nothing found
            pass
        try:
            h[i] = htmldate.find_date(data, url=r["url"],
                                      original_date=True) or ""
        except Exception:
            pass
    return t, {"date": {i: v for i, v in h.items() if v}}


def said_by_others(folder, labels):
    """{tool: {field: {index of label: value}}} of files SET/ID.json."""
    found = {}
    for tool in sorted(os.listdir(folder)) if folder else []:
        values = {field: {} for field in FIELDS}
        for i, r in enumerate(labels):
            path = os.path.join(folder, tool, r["set"], r["id"] + ".json")
            if os.path.exists(path):
                with open(path, encoding="utf-8") as f:
                    said = json.load(f)
                for field in FIELDS:
                    if said.get(field):
                        values[field][i] = said[field]
        if any(values.values()):
            found[tool] = values
    return found


def interval(marks, domains):
    """95 % of the mean, domains drawn with replacement."""
    by = {}
    for mark, domain in zip(marks, domains):
        by.setdefault(domain, []).append(mark)
    groups, draw, means = list(by.values()), random.Random(1), []
    for _ in range(300):
        drawn = [draw.choice(groups) for _ in groups]
        flat = [x for g in drawn for x in g]
        means.append(sum(flat) / len(flat))
    means.sort()
    return means[7], means[292]


def print_row(name, field, values, labels, of_set):
    from metadata_model import same
    some = [i for i, r in enumerate(labels) if r["set"] == of_set and r[field]]
    none = [i for i, r in enumerate(labels)
            if r["set"] == of_set and not r[field]]
    marks = [i in values and same(field, values[i], labels[i][field])
             for i in some]
    low, high = interval(marks, [labels[i]["domain"] for i in some])
    text = "%-8s %-7s %-12s %4d  .%03d (.%03d to .%03d)" % (
        of_set, field, name, len(some), round(1000 * sum(marks) / len(marks)),
        round(1000 * low), min(999, round(1000 * high)))
    if len(none) > 20:
        text += "  invented %4.1f %% of %d" % (
            100 * sum(i in values for i in none) / len(none), len(none))
    print(text, flush=True)


def main():
    args = parse()
    if not os.path.exists(args.labels) or not os.path.exists(
            os.path.join(args.pages, "manifest.tsv")):
        print("no labelled pages")
        return 77
    work = args.work or tempfile.mkdtemp(prefix="winnow-metadata-")
    os.makedirs(work, exist_ok=True)
    environment(work)
    sys.path.insert(0, HERE)
    labels = read_labels(args)
    found = winnow(args, labels, work)
    found["trafilatura"], found["htmldate"] = peers(args, labels)
    found.update(said_by_others(args.peers, labels))
    for of_set in sorted({r["set"] for r in labels}):
        for field in FIELDS:
            for name, values in found.items():
                if field in values:
                    print_row(name, field, values[field], labels, of_set)
    return 0


if __name__ == "__main__":
    sys.exit(main())
