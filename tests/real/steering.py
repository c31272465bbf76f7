#!/usr/bin/env python3
"""steering.py -- how near each scorer comes to what can be had, on both webs.

Crawls the open webs of ../shared/data (web, web2; unpacked into
~/.cache/winnow-data or --data) in the laboratory: every language that gives at
least --least documents, from entry pages and from leaf pages (`all`: from both at
once), delay 0; once from all of these seeds and --chances more times from a share of
them (--draw) that is drawn at random: where nothing waits, a crawl has no other chance
in it.  A share is a scorer's coverage over the ceiling: the best that the ceiling or
any of the scorers reached there by then.

Prints, for each scorer, mean and worst share over all cells at 10, 25 and 50 % of
the reachable pages, a line a cell, and whether the preset keeps what README
promises of it.  What was run is kept in --results and not run again; a scorer of
another build has another label there, so that builds can be compared.

usage: steering.py [--winnow build/release/crawler/winnow] [--scorers paper,learned]
                   [--languages de,nl] [--webs web,web2] [--kinds entry,leaf,all]
                   [--chances 1,2,3,4] [--draw 0.7] [--set SECTION.KEY=VALUE]
                   [--records DIR] [--results FILE] [--markdown]
Exit: 0 when every promise is kept, 1 otherwise, 77 when the data is not there.
"""
import argparse
import collections
import hashlib
import json
import os
import random
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUDGETS = ("10", "20", "25", "50")
SEEDS = {"entry": ["seeds.txt"], "leaf": ["seeds_leaf.txt"],
         "all": ["seeds.txt", "seeds_leaf.txt"]}
PARTS = ("paper", "host", "badness")  # what the preset must not fall behind
PRESET = "learned"
DRAW = 0.7


def record(a, web, language):
    """The web, cleaned for a language: made once."""
    path = os.path.join(a.records, f"{web}.{language}.web")
    if not os.path.exists(path):
        subprocess.run([a.winnow, "lab", "--web", os.path.join(a.data, web, "sites"),
                        "--language", language, "--record", path + ".part"],
                       check=True, stderr=subprocess.DEVNULL)
        os.rename(path + ".part", path)
    return path


def seeds(a, web, kind, chance):
    """All of a web's seeds, or a share of them drawn at random: not those of chance 1."""
    share = 1 if chance == "1" else a.draw
    paths = [os.path.join(a.data, web, name) for name in SEEDS[kind]]
    if share >= 1 and len(paths) == 1:
        return paths[0]
    lines = []
    for path in paths:
        with open(path, encoding="utf-8") as f:
            lines += [x for x in f if x.strip() and not x.startswith("#")]
    draw = random.Random(f"{chance} {len(lines)}")
    drawn = os.path.join(a.records, f"{web}.{kind}.{share}.{chance}.txt")
    with open(drawn, "w", encoding="utf-8") as f:
        f.writelines(x for x in lines if draw.random() < share)
    return drawn


def run(a, flags):
    command = [a.winnow, "lab", "--json", "--set",
               "clean.threads=1"] + flags
    for s in a.set:
        command += ["--set", s]
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       check=False)
    if p.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{p.stderr.decode()}")
    return json.loads(p.stdout)


def label(a, scorer, chance):
    """What a result is kept under: not only the preset draw has results."""
    draw = "" if chance == "1" or a.draw == DRAW else f"/{a.draw:g}"
    return scorer + draw if scorer in a.reference else f"{scorer}{draw}@{a.build}"


def load(path):
    known = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            for line in f:
                r = json.loads(line)
                known[tuple(r["key"])] = r
    return known


def cells(a):
    for web in a.webs.split(","):
        for language in a.languages.split(","):
            for kind in a.kinds.split(","):
                for chance in a.chances.split(","):
                    yield web, language, kind, chance


def measure(a, known):
    """What is not known yet is run and written down."""
    scorers = a.scorers.split(",")
    poor = {k[:3] for k, r in known.items()
            if k[3] == "1" and r["total"] < a.least}
    for cell in cells(a):
        web, language, kind, chance = cell
        missing = [s for s in scorers if cell + (label(a, s, chance),) not in known]
        if not missing or cell[:3] in poor:
            continue
        flags = ["--web", record(a, web, language), "--language", language,
                 "--seeds", seeds(a, web, kind, chance),
                 "--scorers", ",".join(missing), "--seed", chance]
        if a.lessons:
            flags += ["--lessons", os.path.join(a.lessons, ".".join(cell) + ".txt")]
        r = run(a, flags)
        if chance == "1" and r["kept_total"] < a.least:
            poor.add(cell[:3])
        with open(a.results, "a", encoding="utf-8") as f:
            for s in missing:
                row = {"key": list(cell) + [label(a, s, chance)], "pages": r["pages"],
                       "total": r["kept_total"],
                       "coverage": r["scorers"][s]["coverage"]}
                known[cell + (label(a, s, chance),)] = row
                f.write(json.dumps(row) + "\n")


def number(x):
    return 0.0 if x is None else float(x)


def shares(a, known):
    """scorer -> budget -> cell -> share of the ceiling."""
    out = collections.defaultdict(lambda: collections.defaultdict(dict))
    scorers = a.scorers.split(",")
    for cell in cells(a):
        rows = {s: known.get(cell + (label(a, s, cell[3]),)) for s in scorers}
        if any(r is None or r["total"] < a.least for r in rows.values()):
            continue
        for b in BUDGETS:
            got = {s: number(r["coverage"][b]) for s, r in rows.items()}
            ceiling = max(max(got.values()), 1e-9)
            for s in scorers:
                out[s][b][cell] = got[s] / ceiling
    return out


def mean(values):
    values = list(values)
    return sum(values) / max(len(values), 1)


def by_group(found):
    """cell without chance -> mean, least, most."""
    groups = collections.defaultdict(list)
    for cell, x in found.items():
        groups[cell[:3]].append(x)
    return {g: (mean(x), min(x), max(x)) for g, x in groups.items()}


def print_overall(a, share):
    print("| share of the ceiling | " +
          " | ".join(f"{b} %: mean | worst" for b in BUDGETS) + " |")
    print("|---" * (1 + 2 * len(BUDGETS)) + "|")
    for s in a.scorers.split(","):
        print(f"| `{s}` | " + " | ".join(
            f"{mean(share[s][b].values()):.3f} | {min(share[s][b].values()):.3f}"
            for b in BUDGETS) + " |")
    print()


def print_cells(a, share, budgets):
    scorers = [s for s in a.scorers.split(",") if s not in a.hide]
    print("| web, language, seeds | " +
          " | ".join(f"`{s}` {b}" for s in scorers for b in budgets) + " |")
    print("|---" * (1 + len(scorers) * len(budgets)) + "|")
    groups = {(s, b): by_group(share[s][b]) for s in scorers for b in budgets}
    for g in sorted(groups[(scorers[0], budgets[0])]):
        row = []
        for s in scorers:
            for b in budgets:
                m, low, high = groups[(s, b)][g]
                row.append(f"{m:.2f}" + (f" [{low:.2f}, {high:.2f}]"
                                         if high - low >= 0.01 else ""))
        print(f"| {' '.join(g)} | " + " | ".join(row) + " |")
    print()


def check(a, share):
    """The promises: a line each, True when it is kept."""
    scorers = a.scorers.split(",")
    if PRESET not in scorers:
        return True
    mine = share[PRESET]
    parts = [s for s in PARTS if s in scorers]
    lines = []

    def promise(text, value, kept):
        lines.append((kept, f"{'kept  ' if kept else 'BROKEN'} {text}: {value}"))

    for b, least in (("25", .95), ("50", .98)):
        m = mean(mine[b].values())
        promise(f"mean share at {b} % >= {least}", f"{m:.3f}", m >= least)
    for b, least in (("25", .85), ("50", .93)):
        worst = min(mine[b].items(), key=lambda i: i[1])
        below = sum(x < least for x in mine[b].values())
        promise(f"no share at {b} % below {least}",
                f"{worst[1]:.3f} ({' '.join(worst[0])}), {below} below",
                worst[1] >= least)
    for b in BUDGETS:
        behind = {c: max(share[s][b][c] for s in parts) - x
                  for c, x in mine[b].items()} if parts else {}
        if behind:
            worst = max(behind.items(), key=lambda i: i[1])
            promise(f"at {b} % behind the best part by .02 at most",
                    f"{worst[1]:.3f} ({' '.join(worst[0])}), "
                    f"{sum(x > .02 for x in behind.values())} of {len(behind)} more",
                    worst[1] <= .02)
    for s in parts:
        ahead = mean(mine["10"].values()) - mean(share[s]["10"].values())
        promise(f"at 10 % ahead of {s} in the mean", f"{ahead:+.3f}", ahead > 0)
    for _, text in lines:
        print(text)
    return all(kept for kept, _ in lines)


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--winnow",
                   default=os.path.join(ROOT, "build/release/crawler/winnow"))
    p.add_argument("--data", default=os.path.expanduser("~/.cache/winnow-data"))
    p.add_argument("--records",
                   default=os.path.expanduser("~/.cache/winnow-data/records"))
    p.add_argument("--results")
    p.add_argument("--webs", default="web,web2")
    p.add_argument("--languages", default="de,nl,fr,es,it,pt,sv,pl")
    p.add_argument("--kinds", default="entry,leaf")
    p.add_argument("--chances", default="1,2,3,4")
    p.add_argument("--draw", type=float, default=DRAW,
                   help="share of the seeds of chances 2, 3, ...")
    p.add_argument("--scorers",
                   default="bfs,badness,paper,host,learned,foresight")
    p.add_argument("--reference", default="", help="scorers that no build changes")
    p.add_argument("--hide", default="", help="no column in the table of cells")
    p.add_argument("--least", type=int, default=100)
    p.add_argument("--lessons", help="folder for what learned learns (fit_prior.py)")
    p.add_argument("--set", action="append", default=[])
    p.add_argument("--markdown", action="store_true", help="all budgets of each cell")
    return p.parse_args()


def main():
    a = arguments()
    if not os.path.isdir(os.path.join(a.data, a.webs.split(",")[0], "sites")):
        print(f"no web in {a.data}", file=sys.stderr)
        return 77
    os.makedirs(a.records, exist_ok=True)
    a.results = a.results or os.path.join(a.records, "steering.jsonl")
    a.reference, a.hide = a.reference.split(","), a.hide.split(",")
    with open(a.winnow, "rb") as f:
        digest = hashlib.sha256(f.read() + " ".join(a.set).encode())
    a.build = digest.hexdigest()[:12]
    known = load(a.results)
    measure(a, known)
    share = shares(a, known)
    print_overall(a, share)
    print_cells(a, share, BUDGETS if a.markdown else ("25", "50"))
    return 0 if check(a, share) else 1


if __name__ == "__main__":
    sys.exit(main())
