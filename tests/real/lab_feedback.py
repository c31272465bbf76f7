#!/usr/bin/env python3
"""lab_feedback.py -- what do verdicts of duplicates do for a crawl?

usage: lab_feedback.py WINNOW RECORD... [--chance 2]

For each web that `winnow lab --web ... --record RECORD` has written: scorer learned with
frontier.learn_duplicates on and off, everything else alike; the share of what can be kept
that is kept when 10, 20, 25 and 50 percent of the pages are fetched, as means over
--chance seeds, and what the verdicts are worth in documents at the end."""
import argparse
import json
import os
import subprocess


def coverage(winnow, record, learn, chance):
    out = subprocess.run([winnow, "lab", "--web", record, "--scorers", "learned", "--json",
                          "--chance", str(chance), "--log", "error",
                          "--set", "frontier.learn_duplicates=" + learn],
                         stdout=subprocess.PIPE, check=True)
    return json.loads(out.stdout)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("winnow")
    a.add_argument("record", nargs="+")
    a.add_argument("--chance", type=int, default=2)
    args = a.parse_args()
    print("%-30s %-4s %6s %6s %6s %6s %9s" % ("web", "on?", "10", "20", "25", "50", "kept"))
    for record in args.record:
        for learn in "on", "off":
            learned = coverage(args.winnow, record, learn, args.chance)["scorers"]["learned"]
            print("%-30s %-4s %s %9.1f" % (
                os.path.basename(record), learn,
                " ".join("%6.4f" % learned["coverage"][k] for k in ("10", "20", "25", "50")),
                learned["kept"]), flush=True)


if __name__ == "__main__":
    main()
