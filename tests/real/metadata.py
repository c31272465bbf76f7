#!/usr/bin/env python3
"""Title, author and date of labelled pages: Winnow, Trafilatura and htmldate.

    tests/real/metadata.py [--draws N] [--train] [--no-json-ld] [--work DIR]
                           [--peers DIR] [--errors FILE]

Labels: ../shared/data/extraction/metadata.tsv; pages: that set unpacked.  A
title or author is right when its letters and digits are those of the label in
any case, a date when it is the same day; `invented` is the share of pages
labelled without one that get one.  Winnow's models are trained for this on
other pages: by five folds of registered domains, with the whole set left out
(`sets out`: for WCXB they have learned from fundus alone, of whose pages none
is without a date), and with those of WCXB's ids 0 to 3999, 4000 to 4999 or
5000 on left out (`batch out`), at the threshold of the folds; that of a fold's
dates is of the other folds.  The block
that dates and authors are searched round is the one that the shipped model of
titles chooses.  The peers run over the same bytes in a virtual environment
made here.

--draws N does that N times, each with other folds and another seed of the
trees; a figure is the mean, with the lowest and the highest of the draws and,
of pages that have a label, the 95 % interval of the mean (bootstrap over
domains).

--peers compares what other extractors said, too: DIR/TOOL/SET/ID.json, as
tests/bench/peers/peers.py --labelled --work leaves it in WORK/texts (they saw no
URL).
--no-json-ld hides JSON-LD from all: what fundus's labels flatter.
--errors says why dates are not right (metadata_errors.py), each case in FILE.
--train writes clean/metadata/model_table.h from all labelled pages.  Both are
of the first draw.
Exit 77: the data is not there.
"""
import argparse
import collections
import csv
import hashlib
import html
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
TITLE = re.compile(rb"(?is)(<title[^>]*>)(.*?)(</title)")
BETWEEN = re.compile(" [-|:\u2013\u2014\u00b7\u2022\u00bb] ")


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
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--no-json-ld", action="store_true")
    parser.add_argument("--peers", help="what other tools said")
    parser.add_argument("--errors", help="why dates are wrong, a line each")
    args = parser.parse_args()
    if args.draws < 1:
        parser.error("--draws: at least one")
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


def site_first(r):
    """The page with "Site | Title" in <title> where it has "Title | Site"; None:
    it has not."""
    from metadata_model import plain
    data = page_bytes(r, True)
    found = TITLE.search(data)
    try:
        title = " ".join(html.unescape(found.group(2).decode()).split())
    except (AttributeError, UnicodeDecodeError):
        return None
    for mark in BETWEEN.finditer(title):
        front, back = title[:mark.start()], title[mark.end():]
        if plain(back) and not BETWEEN.search(back) and \
                plain(front) == plain(r["title"]):
            turned = html.escape(back + mark.group() + front, quote=False)
            return (data[:found.start(2)] + turned.encode() +
                    data[found.end(2):])
    return None


def sites_first(args, labels, work):
    """Candidates of titles of pages that are turned like that."""
    folder = os.path.join(work, "turned")
    os.makedirs(folder, exist_ok=True)
    turned, at = [], []
    for i, r in enumerate(labels):
        data = site_first(r) if r["title"] else None
        if data is not None:
            path = os.path.join(folder, "%d.html" % i)
            with open(path, "wb") as f:
                f.write(data)
            turned.append({"path": path, "url": r["url"]})
            at.append(i)
    found = candidates(args, turned, True, work)
    found.rows = collections.defaultdict(list, {
        (at[i], field): rows for (i, field), rows in found.rows.items()
        if field == "title"})
    return found


def left_out(field, learned, seen, labels, key, draw):
    """What models find in the pages of each value of `key` that have learned
    from all others."""
    import metadata_model as m
    found = {}
    for k in sorted({key(r) for r in labels}):
        models = m.learn_all(field, learned, labels, [
            i for i, r in enumerate(labels) if key(r) != k], seed_of(draw))
        found.update(m.best(field, models, seen, [
            i for i, r in enumerate(labels) if key(r) == k]))
    return found


def seed_of(draw):
    return 1 + draw


def fold(r, draw):
    """One of five; a domain is in one."""
    name = "%d %s" % (draw, r["domain"]) if draw else r["domain"]
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 5


def batch(r):
    """WCXB's ids grew as it was collected."""
    return r["set"], max(r["id"][0], "3") if r["set"] == "wcxb" else ""


def believed(found, at):
    return {i: v for i, (v, p) in found.items() if p >= at}


def believed_by_folds(found, labels, draw, invented_max):
    """Dates; how sure is sure enough is asked of the other folds, so that no
    page has a say in what is believed of it."""
    import metadata_model as m
    values = {}
    for k in range(5):
        others = [i for i, r in enumerate(labels) if fold(r, draw) != k]
        at = m.threshold("date", found, labels, others, invented_max)
        values.update(believed({i: f for i, f in found.items()
                                if fold(labels[i], draw) == k}, at))
    return values


def dates(args, labels, learned, seen, draw, found, rows):
    """Of `found` by folds; returns the least confidence of a date and of a
    likely one, of all pages."""
    import metadata_model as m
    pages = range(len(labels))
    at = m.threshold("date", found, labels, pages)
    for row, share in (("winnow", None), ("(likely)", m.LIKELY)):
        rows[row]["date"] = believed_by_folds(found, labels, draw, share)
    rows["(any)"]["date"] = believed(found, 0)
    rows["(batch out)"]["date"] = believed(
        left_out("date", learned, seen, labels, batch, draw), at)
    if args.errors and draw == 0:
        write_errors(args, labels, seen, found, rows["winnow"]["date"])
    return at, m.threshold("date", found, labels, pages, m.LIKELY)


def one_draw(args, labels, learned, seen, draw):
    """{row: {field: {index: value}}}: by folds; with the page's set or batch
    left out; dates by folds as clean.dates = likely and any have them.  And the
    least confidence of each field, and of a date that is likely."""
    import metadata_model as m
    least, rows = {}, {row: {} for row in (
        "winnow", "(likely)", "(any)", "(sets out)", "(batch out)")}
    for field in FIELDS:
        found = left_out(field, learned, seen, labels,
                         lambda r: fold(r, draw), draw)
        if field == "date":
            least["date"], least["likely"] = dates(
                args, labels, learned, seen, draw, found, rows)
        else:
            least[field] = m.threshold(field, found, labels,
                                       range(len(labels)))
            rows["winnow"][field] = believed(found, least[field])
        rows["(sets out)"][field] = believed(
            left_out(field, learned, seen, labels, lambda r: r["set"], draw),
            least[field])
    return rows, least


def winnow(args, labels, work):
    """Of each draw what one_draw() finds."""
    import metadata_model as m
    full = candidates(args, labels, True, work)
    bare = candidates(args, labels, False, work)
    learned = [(full, 1.), (bare, .5), (sites_first(args, labels, work), .1)]
    draws = []
    for draw in range(args.draws):
        rows, least = one_draw(args, labels, learned,
                               bare if args.no_json_ld else full, draw)
        draws.append(rows)
        if args.train and draw == 0:
            models = {field: m.learn_all(field, learned, labels,
                                         range(len(labels)), seed_of(draw))
                      for field in FIELDS}
            m.write_table(os.path.join(ROOT, "clean/metadata/model_table.h"),
                          models, least, len(full.names))
    return draws


def write_errors(args, labels, seen, found, values):
    from metadata_errors import errors
    with open(args.errors, "w", encoding="utf-8") as f:
        errors(labels, seen, {i: v for i, (v, p) in found.items()},
               values, f)


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


def thousandths(share):
    return ".%03d" % min(999, round(1000 * share))


def spread(figures, form):
    """The mean, and between which figures of the draws it is."""
    text = form(sum(figures) / len(figures))
    if len(figures) > 1:
        text += " [%s to %s]" % (form(min(figures)), form(max(figures)))
    return text


def print_row(name, field, draws, labels, of_set):
    """draws: {index: value} of each."""
    from metadata_model import same
    some = [i for i, r in enumerate(labels) if r["set"] == of_set and r[field]]
    none = [i for i, r in enumerate(labels)
            if r["set"] == of_set and not r[field]]
    marks = [[i in values and same(field, values[i], labels[i][field])
              for i in some] for values in draws]
    text = "%-8s %-7s %-12s %4d  " % (of_set, field, name, len(some)) + spread(
        [sum(right) / len(some) for right in marks], thousandths)
    text += " (%s to %s)" % tuple(map(thousandths, interval(
        [sum(m) / len(m) for m in zip(*marks)],
        [labels[i]["domain"] for i in some])))
    if len(none) > 20:
        text += "  invented %s %% of %d" % (spread(
            [100 * sum(i in values for i in none) / len(none)
             for values in draws], lambda share: "%.1f" % share), len(none))
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
    draws = winnow(args, labels, work)
    found = {row: [rows[row] for rows in draws] for row in draws[0]}
    trafilatura, htmldate = peers(args, labels)
    found["trafilatura"], found["htmldate"] = [trafilatura], [htmldate]
    for tool, values in said_by_others(args.peers, labels).items():
        found[tool] = [values]
    for of_set in sorted({r["set"] for r in labels}):
        for field in FIELDS:
            for name, of_draws in found.items():
                if field in of_draws[0]:
                    print_row(name, field, [rows[field] for rows in of_draws],
                              labels, of_set)
    return 0


if __name__ == "__main__":
    sys.exit(main())
