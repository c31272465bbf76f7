#!/usr/bin/env python3
"""lab_agrees.py -- does `winnow lab` say what live crawls will keep?

For each web, language and scorer: live crawls of ../shared/data's web and web2 on
loopback, from all seeds, delay 0, few transfers at once, without sitemaps (the
lab knows none); and the lab over the same folder.  Compared are the curves of documents kept against pages fetched, at
ten budgets up to --share of the pages, as means over --chance seeds of chance on
both sides: a single end point says less, since a host with many documents may
come just before it or just after.  Apart: mean absolute difference of the two
curves, as a share of the mean of the live one.

usage: lab_agrees.py [--winnow build/release/crawler/winnow] [--webs web,web2]
                     [--languages de,nl,fr] [--scorers bfs,paper,learned]
                     [--share 0.25] [--chance 2] [--parallel 4] [--port N]
                     [--records DIR] [--tsv FILE]
--records: where recorded webs (WEB.LANGUAGE.web) are looked for and left.
Exit: 0 when no curves are more than 10 % apart, 1 otherwise, 77 when the data is
not there.
"""
import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import open_web  # noqa: E402

MOST = 0.10
BUDGETS = 10


def record(a, name, web, language):
    os.makedirs(a.records, exist_ok=True)
    path = os.path.join(a.records, "%s.%s.web" % (name, language))
    if not os.path.exists(path):
        subprocess.run([a.winnow, "lab", "--web", os.path.join(web, "sites"),
                        "--language", language, "--record", path], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    return path


def lab_curves(a, path, seeds, budgets):
    """{scorer: mean documents at each budget}"""
    out = os.path.join(a.keep, "lab")
    subprocess.run([a.winnow, "lab", "--web", path, "--seeds", seeds,
                    "--inside-only", "--scorers", a.scorers, "--chance",
                    str(a.chance), "--pages", str(budgets[-1]), "-o", out],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    points = {}
    with open(os.path.join(out, "curve.tsv"), encoding="utf-8") as f:
        for row in csv.DictReader(f, delimiter="\t"):
            points.setdefault(row["scorer"], [(0.0, 0.0)]).append(
                (float(row["fetched"]), float(row["kept"])))
    return {s: [between(p, b) for b in budgets] for s, p in points.items()}


def between(points, x):
    """The value of a line through the points."""
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0) if x1 > x0 else y1
    return points[-1][1]


def live_curve(crawl_dir, budgets):
    """Documents at each budget, from the crawl log."""
    last = {}
    with open(os.path.join(crawl_dir, "log", "crawl.jsonl"), encoding="utf-8") as f:
        for number, line in enumerate(f):
            e = json.loads(line)
            if (e["kind"] == "page" and e["outcome"] in ("FETCHED", "FAILED")
                    and not e.get("not_contacted")):
                last[e["url"]] = (number, e["verdict"] == "kept")
    kept = [k for _, k in sorted(last.values())]
    return [sum(kept[:b]) for b in budgets]


def compare(a, name, web, language, log):
    with open(os.path.join(web, "manifest.tsv"), encoding="utf-8") as f:
        rows = [line.split("\t") for line in f]
    pages = int(sum(int(r[5]) for r in rows[1:] if r[1].startswith("open")) * a.share)
    budgets = [pages * (i + 1) // BUDGETS for i in range(BUDGETS)]
    seeds = os.path.join(a.keep, "all-seeds.txt")
    with open(seeds, "w", encoding="utf-8") as f:
        for part in ("seeds.txt", "seeds_leaf.txt"):
            f.write(open(os.path.join(web, part), encoding="utf-8").read())
    lab = lab_curves(a, record(a, name, web, language), seeds, budgets)
    worst = 0
    for scorer in a.scorers.split(","):
        live = [0.0] * BUDGETS
        for chance in range(1, a.chance + 1):
            open_web.crawl(a, web, log, language, scorer, pages, 0, a.parallel,
                           ["frontier.random_seed=%d" % chance], quiet=True)
            one = live_curve(os.path.join(a.keep, "%s-%s-0" % (language, scorer),
                                          "crawl"), budgets)
            live = [x + y / a.chance for x, y in zip(live, one)]
        gap = sum(abs(x - y) for x, y in zip(lab[scorer], live))
        apart = gap / max(1.0, sum(live))
        worst = max(worst, apart)
        print("%s %s %-8s kept at %d pages: live %6.1f, lab %6.1f; curves %4.1f %% apart"
              % (name, language, scorer, pages, live[-1], lab[scorer][-1],
                 100 * apart), flush=True)
        a.rows.append([name, language, scorer, pages, "%.1f" % live[-1],
                       "%.1f" % lab[scorer][-1], "%.4f" % apart])
    return worst


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--winnow", default=os.path.join(open_web.ROOT,
                                                    "build/release/crawler/winnow"))
    p.add_argument("--webs", default="web,web2")
    p.add_argument("--languages", default="de,nl,fr")
    p.add_argument("--scorers", default="bfs,paper,learned")
    p.add_argument("--share", type=float, default=0.25)
    p.add_argument("--chance", type=int, default=2)
    p.add_argument("--parallel", type=int, default=4)
    p.add_argument("--port", type=int, default=8819)
    p.add_argument("--records")
    p.add_argument("--tsv", help="write the figures here as well")
    a = p.parse_args()
    a.seeds, a.rows, worst = "all", [], 0
    a.winnow = os.path.abspath(a.winnow)
    os.environ["WINNOW_SITEMAPS_USE"] = "off"
    top = tempfile.mkdtemp(prefix="winnow-lab-agrees-")
    a.records = os.path.abspath(a.records or top)
    for name in a.webs.split(","):
        web = open_web.unpack(name)
        a.keep = os.path.join(top, name)
        os.makedirs(a.keep)
        log = open_web.serve(a, web, "start")
        try:
            for language in a.languages.split(","):
                worst = max(worst, compare(a, name, web, language, log))
        finally:
            open_web.serve(a, web, "stop")
    shutil.rmtree(top, ignore_errors=True)
    if a.tsv:
        with open(a.tsv, "w", encoding="utf-8") as f:
            f.write("web\tlanguage\tscorer\tpages\tlive_kept\tlab_kept\tapart\n")
            f.writelines("\t".join(map(str, r)) + "\n" for r in a.rows)
    print("at most %.1f %% apart" % (100 * worst))
    sys.exit(0 if worst <= MOST else 1)


if __name__ == "__main__":
    main()
