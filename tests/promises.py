"""Every test that README's table of promises names is there.
Usage: promises.py README BUILD"""
import re
import subprocess
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        section = f.read().split("### What is promised\n")[1].split("\n### ")[0]
    named = set(re.findall(r"`((?:unit|scenario|fuzz|suite)_\w+)`", section))
    shown = subprocess.run(["ctest", "--test-dir", sys.argv[2], "-N"],
                           stdout=subprocess.PIPE, check=True, text=True).stdout
    missing = sorted(named - set(re.findall(r"Test +#\d+: (\w+)", shown)))
    for name in missing:
        print("README promises by a test that is not there: " + name)
    return 1 if missing or len(named) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
