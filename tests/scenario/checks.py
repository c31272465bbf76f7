"""checks.py -- what a scenario checks: faults are said and counted."""
import sys

failed = 0


def check(good, what):
    global failed
    if not good:
        failed += 1
        print("FAIL", what, file=sys.stderr)
