"""What the manuals point at is there: every test of the table of promises, every
section and file of their links, every file of the tree that they name in code marks.
Usage: promises.py SOURCE BUILD"""
import os
import re
import subprocess
import sys

PROMISES = "crawler/OPERATING.md"


def manuals(source):
    """Every Markdown file of the tree, but for what tests read."""
    for folder, inner, files in os.walk(source):
        inner[:] = [d for d in inner if d not in ("build", "tests", ".git")]
        for name in files:
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), source)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return f.read()


def sections(text):
    """The anchors of its headings, as GitHub and GitLab make them."""
    without_code = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-")
            for h in re.findall(r"^#+ (.*)$", without_code, re.M)}


def lost_links(text, source, manual):
    for to in re.findall(r"\]\(([^)\s]+)\)", text):
        name, _, anchor = to.partition("#")
        path = os.path.join(source, os.path.dirname(manual), name) if name \
            else os.path.join(source, manual)
        if "://" in to:
            continue
        if not os.path.exists(path) or (anchor and anchor not in sections(read(path))):
            yield to


def lost_files(text, source):
    for name in re.findall(r"`((?:tests|data|proto|python|clean|frontier|crawler|shingle|corpus|base)/"
                           r"[\w./-]+\.(?:py|sh|c|h|md|tsv|proto))\b", text):
        if "NAME" not in name and not os.path.exists(os.path.join(source, name)):
            yield name


def missing_tests(text, build):
    section = text.split("## What is promised\n")[1].split("\n## ")[0]
    named = set(re.findall(r"`((?:unit|scenario|fuzz|suite)_\w+)`", section))
    if len(named) < 20:
        yield "(the table of promises is not found)"
    shown = subprocess.run(["ctest", "--test-dir", build, "-N"],
                           stdout=subprocess.PIPE, check=True, text=True).stdout
    yield from sorted(named - set(re.findall(r"Test +#\d+: (\w+)", shown)))


def main():
    source, build = sys.argv[1:]
    faults = []
    for manual in sorted(manuals(source)):
        text = read(source, manual)
        faults += [f"{manual} links to nothing: {x}" for x in lost_links(text, source, manual)]
        faults += [f"{manual} names a file that is not there: {x}"
                   for x in lost_files(text, source)]
    faults += [f"{PROMISES} promises by a test that is not there: {x}"
               for x in missing_tests(read(source, PROMISES), build)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
