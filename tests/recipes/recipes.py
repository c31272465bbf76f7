#!/usr/bin/env python3
"""recipes.py -- "How to add" of crawler/DESIGN.md, followed for toys.

usage: recipes.py SOURCE BUILD [--figures]

Each recipe names its files; they are all that is touched in a copy of the tree:
a scorer, a stage, an option, a format, a job and a rejection reason, which are
built and run.  What a recipe names must be there, three files at the most (for a wire
message five).  --figures prints how many each has.
"""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "scenario"))
from made_web import make_pages  # noqa: E402

FILES_MAX = {"wire message": 5}
HERE = os.path.dirname(os.path.abspath(__file__))


def recipes_of(source):
    """{what: files}, with NAME in their names."""
    with open(os.path.join(source, "crawler/DESIGN.md"), encoding="utf-8") as f:
        text = f.read()
    section = re.search(r"^## How to add\n(.*?)(?=^## )", text, re.M | re.S)[1]
    out = {}
    for part in re.split(r"^### (?:An? )", section, flags=re.M)[1:]:
        what, rest = part.split("\n", 1)
        out[what] = re.findall(r"`([^`]+)`", re.search(r"Files: (.*?)\n\n", rest,
                                                      re.S)[1])
    return out


def insert(text, before, row):
    """A row before the line that begins so."""
    assert before in text, "nothing begins with " + before
    return text.replace(before, row + before, 1)


def add_source(text, name):
    """A file in a module's SOURCES, before the first that begins like it."""
    folder, file = os.path.split(name)
    stem = re.escape(os.path.join(folder, file.split("_")[0] + "_"))
    changed, n = re.subn(rf"(?<=\s)(?={stem}\w+\.c\b)", name + " ", text, count=1)
    if n == 0:
        stem = re.escape(os.path.join(folder, file.split("_")[0] + ".c"))
        changed, n = re.subn(rf"(?<=\s)(?={stem})", name + " ", text, count=1)
    if n == 0:  # no other is called like it
        stem = re.escape(folder + "/")
        changed, n = re.subn(rf"(?<=\s)(?={stem}\w+\.c\b)", name + " ", text, count=1)
    assert n == 1, "no place for " + name
    return changed


TOYS = {
    "scorer": {
        "base/options/scorer.tbl.h":
            lambda t: insert(t, "    SCORER(learned,", "    SCORER(toy, RANKS) \\\n")},
    "stage": {
        "base/options/stage.tbl.h":
            lambda t: insert(t, "    STAGE(tokens,", "    STAGE(toy, \"\") \\\n")},
    "format": {
        "base/options/format.tbl.h":
            lambda t: insert(t, "    FORMAT(index,",
                             "    FORMAT(toy, \"toy\") \\\n")},
    "job": {
        "corpus/job/jobs.tbl.h":
            lambda t: insert(t, "JOB(near_stars)", "JOB(toy)\n")},
    "option": {
        "base/options/opt.tbl.h":
            lambda t: insert(t, "OPT(clean, chars_min,",
                             "OPT(clean, toy, text, CORPUS, \"\", 0, 0, \"\", "
                             "\"A title.\")\n")},
    "rejection reason": {
        "base/verdict.tbl.h":
            lambda t: insert(t, "VERDICT(CHALLENGE,",
                             "VERDICT(TOY, 34, \"toy\", REJECTED, OTHER, GOES_ON,"
                             " \"its title is clean.toy\")\n")},
}


def follow(tree, what, files, written):
    """Change just the files of this recipe."""
    edits = dict(TOYS[what])
    for path in files:
        full = os.path.join(tree, path)
        name = os.path.basename(path)
        if "NAME" in path:
            full = full.replace("NAME", "toy")
            shutil.copy(os.path.join(HERE, name.replace("NAME", "toy")), full)
            written.add(full)
        elif full in written:
            continue  # that toy uses it
        elif name == "CMakeLists.txt":
            new = next(f for f in files if "NAME" in f).replace("NAME", "toy")
            change(full, lambda t: add_source(
                t, os.path.relpath(new, os.path.dirname(path))))
        else:
            change(full, edits.pop(path))
    assert not edits, "the recipe does not name %s" % list(edits)


def change(path, how):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(how(text))


def copy(source, tree):
    shutil.rmtree(tree, ignore_errors=True)
    for folder in ("base", "proto", "shingle", "clean", "corpus", "frontier",
                   "crawler",
                   "include", "data"):
        shutil.copytree(os.path.join(source, folder), os.path.join(tree, folder))
    for file in ("CMakeLists.txt", "README.md", "LICENSE"):
        shutil.copy(os.path.join(source, file), tree)


def run(*command, cwd=None, env=None):
    p = subprocess.run(command, cwd=cwd, env=env, text=True, check=False,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if p.returncode != 0:
        print(p.stdout[-6000:])
        raise SystemExit("%s: exit status %d" % (" ".join(command), p.returncode))
    return p.stdout


def build(tree):
    """The slowest part: without optimizing, and with ccache where it is."""
    out = os.path.join(tree, "b")
    launcher = shutil.which("ccache")
    more = ["-DCMAKE_C_COMPILER_LAUNCHER=" + launcher] if launcher else []
    run("cmake", "-G", "Ninja", "-S", tree, "-B", out, "-DBUILD_TESTING=OFF",
        "-DCMAKE_BUILD_TYPE=None", "-DHARDEN=OFF", "-DWERROR=ON", *more)
    run("cmake", "--build", out, "--target", "winnow")
    return os.path.join(out, "crawler", "winnow")


def page(title):
    return ("<!doctype html><title>%s</title><article>" % title + "".join(
        "<p>Het water van de rivier stroomt langs het dorp en de molen, en in de "
        "zomer is het er stil.</p>" for _ in range(9)) + "</article>")


def check_stage(winnow, folder):
    """Stage, option, reason and format in one call each way."""
    paths = []
    for title in ("one page", "another page"):
        paths.append(os.path.join(folder, title.split()[0] + ".html"))
        with open(paths[-1], "w", encoding="utf-8") as f:
            f.write(page(title))
    lax = ["--set=clean.badness_max=1000", "--set=clean.chars_min=10"]
    toy = ["--set=clean.toy=ANOTHER PAGE"]
    out = run(winnow, "clean", "--format", "jsonl", *lax, *toy, *paths)
    titles = [json.loads(line)["title"] for line in out.splitlines()
              if line.startswith("{")]
    assert titles == ["ONE PAGE"] and "1 kept, 1 toy" in out, out
    out = run(winnow, "clean", "--format", "toy", *lax, *toy, *paths).splitlines()
    assert "ONE PAGE" in out and "ANOTHER PAGE" not in out, out
    chain = "clean.chain=charset strip metadata boilerplate normalise tokens"
    off = run(winnow, "clean", "--format", "toy", "--set=" + chain,
              *lax, *paths).splitlines()
    assert "one page" in off and "another page" in off, off


def check_job(winnow):
    out = run("sh", "-c", "printf 'a\\nb\\n' | '%s' job toy map" % winnow)
    assert "a\ttoy\nb\ttoy\n" in out and "lines,2" in out, out


def check_scorer(winnow, folder):
    for host, pages in make_pages(2, 20, 1).items():
        for path, body in pages.items():
            name = os.path.join(folder, "sites", host, path.lstrip("/"))
            os.makedirs(os.path.dirname(name), exist_ok=True)
            with open(name, "wb") as f:
                f.write(body)
    with open(os.path.join(folder, "seeds"), "w", encoding="utf-8") as f:
        f.write("http://h00.scenario.test/0.html\n")
    out = run(winnow, "lab", "--web", "sites", "--language", "nl", "--seeds",
              "seeds", "--json", "--scorers", "toy,bfs", "-o", "out",
              "--set=clean.badness_max=1000", "--set=clean.chars_min=10",
              cwd=folder)
    found = json.loads(out[out.index("{"):out.rindex("}") + 1])["scorers"]
    assert found["toy"]["fetched"] > 10 and found["bfs"]["fetched"] > 10, found
    assert "toy" in run(winnow, "config", "dump", "--set=frontier.scorer=toy")


def main():
    source, where = (os.path.abspath(p) for p in sys.argv[1:3])
    recipes = recipes_of(source)
    if "--figures" in sys.argv:
        for what, files in recipes.items():
            print("files of a new %s %d" % (what, len(files)))
        return
    for what, files in recipes.items():
        assert len(files) <= FILES_MAX.get(what, 3), (what, files)
        for path in files:
            assert "NAME" in path or os.path.exists(os.path.join(source, path)), path
    assert set(recipes) == set(TOYS) | {"wire message"}, list(recipes)
    tree = os.path.join(where, "source")
    copy(source, tree)
    written = set()
    for what in TOYS:
        follow(tree, what, recipes[what], written)
    winnow = build(tree)
    scratch = os.path.join(where, "scratch")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    check_stage(winnow, scratch)
    check_scorer(winnow, scratch)
    check_job(winnow)
    print("recipes: " + ", ".join(recipes))


if __name__ == "__main__":
    main()
