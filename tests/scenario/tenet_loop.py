#!/usr/bin/env python3
"""The loop of texrex's manual closes: metrics, labels, tenet, a job.

usage: tenet_loop.py WINNOW

Pages are made up of menus and sentences.  `winnow clean` writes the features of
their blocks, this script labels them, `winnow tenet` trains a network on some
pages, and a job with that network as clean.network tells text from boilerplate
on others.  Once with Winnow's features, once with texrex's, once with a cascade;
and once by the lines of clean/README.md as they stand.
"""
import os
import random
import re
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

WINNOW = os.path.abspath(sys.argv[1])
WORDS = ("haus garten weg stein licht wasser berg wald vogel markt schiff "
         "winter sommer abend morgen leute kinder arbeit musik sprache").split()


def sentence(rnd):
    words = [rnd.choice(WORDS) for _ in range(rnd.randint(12, 30))]
    return (words[0].capitalize() + " " + " ".join(words[1:]) + ". ")


def page(rnd):
    out = ["<!DOCTYPE html><html><head><title>Seite</title></head><body>"]
    for _ in range(rnd.randint(2, 4)):
        out.append("<div class=box><ul>")
        for _ in range(rnd.randint(3, 8)):
            out.append(f"<li><a href='/{rnd.random()}'>{rnd.choice(WORDS)}"
                       f" {rnd.randint(1, 99)}</a></li>\n")
        out.append("</ul></div>\n<div class=box>")
        for _ in range(rnd.randint(1, 5)):
            out.append("<p>" + "".join(
                sentence(rnd) for _ in range(rnd.randint(2, 6))) + "</p>\n")
        out.append("</div>\n")
    return "".join(out) + "</body></html>"


def clean(folder, out, *options):
    r = subprocess.run(
        [WINNOW, "clean", "--all", "--join", "--format", "metrics,xml",
         "-o", out, "--set", "clean.badness_max=1000",
         *[x for o in options for x in ("--set", o)], folder],
        capture_output=True, text=True)
    assert r.returncode == 0, r.stderr


def texts(out):
    """The texts of all blocks of all documents, in order, and their values."""
    with open(out + ".xml", encoding="utf-8") as f:
        root = ElementTree.fromstring(f.read())
    return [("".join(div.itertext()).strip(), float(div.get("bpv")))
            for doc in root.iter("doc") for div in doc.findall("div")]


def samples(out):
    rows = []
    with open(out + ".metrics", encoding="ascii") as f:
        for line in f:
            if not line.startswith("#"):
                rows.append(line.split("\t")[3].split())
    return rows


def is_text(block):
    return block.endswith(".")


def loop(tmp, features, *flags):
    set_features = f"clean.features={features}"
    out = os.path.join(tmp, "labels")
    clean(os.path.join(tmp, "learn"), out, "clean.network=none", set_features)
    rows, blocks = samples(out), texts(out)
    assert len(rows) == len(blocks) > 500, (len(rows), len(blocks))
    width = len(rows[0])
    assert width == (37 if features == "texrex" else 397), width
    with open(os.path.join(tmp, "blocks.dat"), "w", encoding="ascii") as f:
        f.write(f"{len(rows)} {width} 1\n")
        for row, (text, _) in zip(rows, blocks):
            f.write(" ".join(row) + f"\n{int(not is_text(text))}\n")
    net = os.path.join(tmp, "own.net")
    subprocess.run([WINNOW, "tenet", "-e", "-i", os.path.join(tmp, "blocks.dat"),
                    "-o", net, "-1", "6", "-m", "60", "-r", "0", *flags],
                   check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(tmp, "job.ini"), "w", encoding="ascii") as f:
        f.write(f"[clean]\nnetwork = {net}\nfeatures = {features}\n"
                f"badness_max = 1000\n"
                f"[input]\npath = {tmp}/judge\n"
                f"[output]\nformat = xml\nprefix = {tmp}/judged\n")
    r = subprocess.run(
        [WINNOW, "clean", "--all", "-j", os.path.join(tmp, "job.ini")],
        capture_output=True, text=True)
    assert r.returncode in (0,), r.stderr
    judged = texts(os.path.join(tmp, "judged"))
    right = sum((value <= 0.5) == is_text(text) for text, value in judged)
    print(f"{features} {' '.join(flags)}: {right} of {len(judged)} blocks")
    assert len(judged) > 200 and right >= 0.97 * len(judged)


def readme_lines_work(tmp):
    """Its labels are those of the blocks in own.xml, which is made by the first line."""
    with open("clean/README.md", encoding="utf-8") as f:
        [block] = [b for b in re.findall(r"```sh\n(.*?)```", f.read(), re.S)
                   if "winnow tenet" in b]
    first, rest = block.split("\n", 1)
    folder = os.path.join(tmp, "readme")
    os.mkdir(folder)
    os.rename(os.path.join(tmp, "learn"), os.path.join(folder, "pages"))
    for name in os.listdir(os.path.join(folder, "pages")):  # a block that the page has twice
        with open(os.path.join(folder, "pages", name), "r+", encoding="utf-8") as f:
            html = re.sub(r"(<p>.*?</p>)", r"\1\1", f.read(), count=1)
            f.seek(0)
            f.write(html)
    os.rename(os.path.join(tmp, "judge", "0.html"), os.path.join(folder, "page.html"))
    env = dict(os.environ, PATH=os.path.dirname(WINNOW) + ":" + os.environ["PATH"],
               WINNOW_CLEAN_BADNESS_MAX="1000")
    run = ["bash", "-euo", "pipefail", "-c"]
    subprocess.run([*run, first], cwd=folder, env=env, check=True, capture_output=True)
    with open(os.path.join(folder, "labels"), "w", encoding="ascii") as f:
        f.writelines(f"{int(not is_text(text))}\n"
                     for text, _ in texts(os.path.join(folder, "own")))
    r = subprocess.run([*run, rest], cwd=folder, env=env, capture_output=True, text=True)
    assert r.returncode == 0, r.stderr
    judged = texts(os.path.join(folder, "judged"))
    right = sum((value <= 0.5) == is_text(text) for text, value in judged)
    print(f"clean/README.md: {right} of {len(judged)} blocks")
    assert len(judged) > 5 and right >= 0.9 * len(judged), judged


def wrong_features_are_an_error(tmp):
    r = subprocess.run(
        [WINNOW, "clean", "--set", f"clean.network={tmp}/own.net",
         "--set", "clean.features=winnow", os.path.join(tmp, "judge")],
        capture_output=True, text=True)
    assert r.returncode != 0 and "has 37 inputs" in r.stderr, r.stderr
    assert "clean.features" in r.stderr, r.stderr


def main():
    rnd = random.Random(7)
    with tempfile.TemporaryDirectory() as tmp:
        for folder, n in (("learn", 60), ("judge", 25)):
            os.mkdir(os.path.join(tmp, folder))
            for i in range(n):
                with open(os.path.join(tmp, folder, f"{i}.html"), "w",
                          encoding="utf-8") as f:
                    f.write(page(rnd))
        loop(tmp, "winnow")
        loop(tmp, "texrex", "--cascade", "2")
        loop(tmp, "texrex")
        wrong_features_are_an_error(tmp)
        readme_lines_work(tmp)
    print("ok")


main()
