"""What README points at is there: every test of its table of promises, every
section and file of its links, every file of the tree that it names in code marks.
Usage: promises.py README BUILD"""
import os
import re
import subprocess
import sys


def sections(text):
    """The anchors of its headings, as GitHub and GitLab make them."""
    without_code = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-")
            for h in re.findall(r"^#+ (.*)$", without_code, re.M)}


def lost_links(text, folder):
    for to in re.findall(r"\]\(([^)\s]+)\)", text):
        name, _, anchor = to.partition("#")
        path = os.path.join(folder, name)
        if "://" in to:
            continue
        if name and not os.path.exists(path):
            yield to
        elif anchor:
            with open(path if name else os.path.join(folder, "README.md"), encoding="utf-8") as f:
                if anchor not in sections(f.read()):
                    yield to


def lost_files(text, folder):
    for name in re.findall(r"`((?:tests|data|proto|python|clean|frontier|crawler|shingle|corpus|base)/"
                           r"[\w./-]+\.(?:py|sh|c|h|md|tsv|proto))\b", text):
        if not os.path.exists(os.path.join(folder, name)):
            yield name


def missing_tests(text, build):
    section = text.split("### What is promised\n")[1].split("\n### ")[0]
    named = set(re.findall(r"`((?:unit|scenario|fuzz|suite)_\w+)`", section))
    if len(named) < 20:
        yield "(the table of promises is not found)"
    shown = subprocess.run(["ctest", "--test-dir", build, "-N"],
                           stdout=subprocess.PIPE, check=True, text=True).stdout
    yield from sorted(named - set(re.findall(r"Test +#\d+: (\w+)", shown)))


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        text = f.read()
    folder = os.path.dirname(os.path.abspath(sys.argv[1]))
    faults = [("README links to nothing: ", x) for x in lost_links(text, folder)]
    faults += [("README names a file that is not there: ", x) for x in lost_files(text, folder)]
    faults += [("README promises by a test that is not there: ", x)
               for x in missing_tests(text, sys.argv[2])]
    for said, what in faults:
        print(said + what)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
