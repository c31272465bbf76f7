#!/usr/bin/env python3
"""Make data/profiles/*.prof again out of freely licensed text.

    python3 data/profiles.py --text DIR --pages DIR [LANGUAGE ...]

--text   Universal Dependencies as plain text, DIR/<language>/train.txt with
         DIR/sources.json telling which lines have which licence
--pages  the extraction set (truth/daniel, truth/wcxb, manifest.tsv)

The rest comes from Debian packages that are downloaded: the Debian Handbook,
GNOME's help, LibreOffice's help, the stories of Battle for Wesnoth; and from git
repositories (repositories.py).  Parts of a treebank under a non-commercial
licence are left out.  Needs `apt-get download`, dpkg-deb and git.  SOURCES.md names sources and licences.
"""
import argparse
import collections
import gettext
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import repositories

HERE = os.path.dirname(os.path.abspath(__file__))
WINNOW = os.path.join(HERE, "..", "build", "release", "crawler", "winnow")
FREE = ("CC BY-SA", "CC BY 4.0", "LGPL-LR")
WORDS_ENOUGH = 60000  # of one source
WORDS_MIN = 7000  # of a profile

CAMPAIGNS = "httt l ei nr low trow sotbe thot dw did dm utbs tsg".split()
PACKAGES = ["debian-handbook", "gnome-user-docs", "libreoffice-help-et",
            "libreoffice-help-en-us"]
PACKAGES += ["wesnoth-1.16-" + c for c in CAMPAIGNS]

# language: (folder of --text, Handbook, GNOME, LibreOffice, Wesnoth)
LANGUAGES = {
    "af": ("af", "", "", "", "af"),
    "ar": ("", "ar-MA", "", "", ""),
    "bg": ("", "", "", "", "bg"),
    "ca": ("", "ca-ES", "ca", "", "ca"),
    "cs": ("cs", "cs-CZ", "cs", "", "cs"),
    "da": ("da", "", "da", "", "da"),
    "de": ("de", "de-DE", "de", "", "de"),
    "el": ("", "el-GR", "el", "", "el"),
    "en": ("en", "en-US", "C", "", "en_GB"),
    "es": ("es", "es-ES", "es", "", "es"),
    "et": ("", "", "", "et", "et"),
    "fa": ("", "fa-IR", "fa", "", ""),
    "fi": ("fi", "", "fi", "", "fi"),
    "fr": ("fr", "fr-FR", "fr", "", "fr"),
    "ga": ("ga", "", "", "", ""),
    "gl": ("", "", "gl", "", "gl"),
    "hr": ("hr", "", "hr", "", ""),
    "hu": ("", "", "hu", "", "hu"),
    "id": ("id", "id-ID", "id", "", "id"),
    "is": ("is", "", "", "", ""),
    "it": ("it", "it-IT", "it", "", "it"),
    "ja": ("ja", "ja-JP", "ja", "", ""),
    "lt": ("lt", "", "lt", "", "lt"),
    "lv": ("lv", "", "lv", "", ""),
    "nl": ("nl", "nl-NL", "nl", "", ""),
    "nn": ("nn", "", "", "", ""),
    "no": ("nb", "nb-NO", "", "", "nb_NO"),
    "pl": ("pl", "pl-PL", "pl", "", "pl"),
    "pt": ("pt", "pt-BR", "pt_BR", "", "pt"),
    "ro": ("ro", "ro-RO", "ro", "", ""),
    "ru": ("ru", "ru-RU", "ru", "", "ru"),
    "sk": ("sk", "", "", "", "sk"),
    "sl": ("sl", "", "sl", "", ""),
    "sr": ("", "", "sr", "", "sr"),
    "sr-latn": ("", "", "sr@latin", "", "sr@latin"),
    "sv": ("sv", "sv-SE", "sv", "", "sv"),
    "tr": ("", "tr-TR", "tr", "", "tr"),
    "uk": ("", "", "uk", "", "uk"),
    "vi": ("vi", "vi-VN", "vi", "", "vi"),
    "zh": ("zh", "zh-CN", "zh_CN", "", "zh_CN"),
}

# What other kinds of text have of the sample's word order and common words
# (winnow profile --elsewhere), where less was measured than is usual: the sample
# is one book alone, or Han in two orthographies.
ELSEWHERE = {"ar": 0.42, "fa": 0.51, "vi": 0.765, "zh": 0.72}

# Languages so near that their common words do not tell them apart.
SIBLINGS = {"bs": ("hr", "sr-latn"), "hr": ("bs", "sr-latn"),
            "sr-latn": ("bs", "hr"), "id": ("ms",), "ms": ("id",)}

OTHER_SCRIPTS = "ar bg el fa ja ko ru sr uk zh".split()
# Sources of running text; the others are manuals and stories.
RUNNING = ("treebank", "daniel", "ntrex", "voice")
# What the samples are about.
SKIP = ("debian gnu linux gnome ubuntu libreoffice wesnoth dpkg apt "
        "konrad delfador kalenz li'sar asheviere haldric kapou'e").split()


def words(text):
    """Roughly what Winnow counts: runs of letters, every Han or Kana."""
    return len(re.findall(
        r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+",
        text))


def download(folder):
    """Unpack the packages into folder/root unless they are there."""
    root = os.path.join(folder, "root")
    if os.path.exists(os.path.join(root, ".complete")):
        return root
    os.makedirs(root, exist_ok=True)
    for package in PACKAGES:
        subprocess.run(["apt-get", "download", "-q", package], cwd=folder,
                       check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".deb"):
            subprocess.run(["dpkg-deb", "-x", name, root], cwd=folder,
                           check=True)
    open(os.path.join(root, ".complete"), "w").close()
    return root


def flat(text):
    return re.sub(r"\s+", " ", html.unescape(text)).strip()


def html_paragraphs(folder):
    found = []
    for base, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(".html"):
                with open(os.path.join(base, name), encoding="utf-8",
                          errors="replace") as f:
                    page = f.read()
                page = page[max(0, page.find("DisplayArea")):]
                found += [flat(re.sub(r"<[^>]*>", "", p)) for p in
                          re.findall(r"(?s)<(?:p|div)[ >][^<>]*>?((?:(?!<(?:p|"
                                     r"div|pre)[ >]).)*?)</(?:p|div)>", page)]
    return found


def mallard_paragraphs(folder):
    found = []
    for base, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(".page"):
                tree = ET.parse(os.path.join(base, name))
                found += [flat("".join(p.itertext())) for p in tree.iter()
                          if str(p.tag).endswith("}p")]
    return found


def messages(folder, campaigns=tuple(CAMPAIGNS)):
    found = []
    for c in campaigns:
        path = os.path.join(folder, "LC_MESSAGES", "wesnoth-%s.mo" % c)
        if not os.path.exists(path):
            continue
        with open(path, "rb") as f:
            catalogue = gettext.GNUTranslations(f)._catalog
        for key, text in sorted(catalogue.items(), key=str):
            if key and text != key and isinstance(text, str):
                found += [flat(line) for line in text.split("\n")]
    return found


ENGLISH = set("the of and to is that for you it are be this with or if can "
              "your from by which not an have will when use".split())


def english(text):
    """Does it look like a paragraph that was left in English?"""
    found = re.findall(r"[^\W\d_]+", text.lower())
    return sum(w in ENGLISH for w in found) * 5 > len(found)


def sentences(paragraphs, untranslated=(), latin=True):
    """Those of several words, each once, not left in English."""
    seen, kept, n = set(untranslated), [], 0
    for p in paragraphs:
        if p in seen or words(p) < 5 or p.startswith(("This page ", "Title ")):
            continue
        if not latin and len(re.findall("[A-Za-z]", p)) * 4 > len(p):
            continue
        if untranslated and english(p):
            continue
        seen.add(p)
        kept.append(p)
        n += words(p)
    return kept


def thin(paragraphs, words_max):
    """An even sample of paragraphs, in their order."""
    n = sum(map(words, paragraphs))
    if n <= words_max:
        return paragraphs
    share, kept, due = words_max / n, [], 0.0
    for p in paragraphs:
        due += share
        if due >= 1:
            kept.append(p)
            due -= 1
    return kept


def treebank(folder, language):
    """The lines of train.txt whose licence allows it; lv has only test.txt."""
    with open(os.path.join(folder, "sources.json")) as f:
        source = next(s for s in json.load(f) if s["lang"] == language)
    if language == "lv":
        with open(os.path.join(folder, "lv", "test.txt")) as f:
            lines = f.read().splitlines()
        return lines[:len(lines) // 2]  # the rest is for tests
    with open(os.path.join(folder, language, "train.txt")) as f:
        lines = f.read().splitlines()
    parts = source["train_parts"]
    if sum(p["sentences"] for p in parts) != len(lines):
        sys.exit("%s: lines do not match sources.json" % language)
    kept, at = [], 0
    for p in parts:
        free = p["license"].startswith(FREE) and "NC" not in p["license"]
        kept += lines[at:at + p["sentences"]] if free else []
        at += p["sentences"]
    return kept


def web_pages(folder, collection, language, n):
    """Main texts of `n` pages of a set."""
    kept = []
    with open(os.path.join(folder, "manifest.tsv"), encoding="utf-8") as f:
        head = f.readline().rstrip("\n").split("\t")
        for line in f:
            row = dict(zip(head, line.rstrip("\n").split("\t")))
            path = os.path.join(folder, "truth", row["set"], row["id"] + ".txt")
            if (row["set"] == collection and row["lang_estimated"] == language
                    and os.path.exists(path) and len(kept) < n):
                with open(path, encoding="utf-8") as page:
                    kept.append([flat(x) for x in page])
    return [p for page in kept for p in page if p]


def gather(language, args, root):
    """The texts of a language: (name of the source, paragraphs)."""
    if language in repositories.LANGUAGES:
        return list(repositories.texts(os.path.join(args.cache, "git"),
                                       language))
    bank, handbook, gnome, office, wesnoth = LANGUAGES[language]
    books = os.path.join(root, "usr/share/doc/debian-handbook/html")
    helps = os.path.join(root, "usr/share/help")
    offices = os.path.join(root, "usr/share/libreoffice/help")
    stories = os.path.join(root, "usr/share/games/wesnoth/1.16/locale")
    texts = []
    if bank:
        texts.append(("treebanks", treebank(args.text, bank)))
    if language == "en":
        texts.append(("wcxb", web_pages(args.pages, "wcxb", "en", 300)))
    if language in ("el", "pl", "ru", "zh"):
        texts.append(("daniel", web_pages(args.pages, "daniel", language, 300)))
    texts = [(name, thin(t, WORDS_ENOUGH)) for name, t in texts]
    plain = sum(words(p) for _, t in texts for p in t)
    most = max(WORDS_ENOUGH // 4, plain // 3) if plain else WORDS_ENOUGH
    latin = language not in OTHER_SCRIPTS
    extra = []
    if handbook:
        extra.append(("handbook", sentences(
            html_paragraphs(os.path.join(books, handbook)),
            html_paragraphs(os.path.join(books, "en-US"))
            if language != "en" else (), latin)))
    if gnome:
        extra.append(("gnome", sentences(
            mallard_paragraphs(os.path.join(helps, gnome)),
            mallard_paragraphs(os.path.join(helps, "C"))
            if language != "en" else (), latin)))
    if office:
        extra.append(("libreoffice", sentences(
            html_paragraphs(os.path.join(offices, office)),
            html_paragraphs(os.path.join(offices, "en-US")))))
    if wesnoth:
        extra.append(("wesnoth",
                      sentences(messages(os.path.join(stories, wesnoth)), (),
                                latin)))
    texts += [(name, thin(t, most)) for name, t in extra]
    return [(name, thin(t, WORDS_ENOUGH)) for name, t in texts if t]


def topical(paths, folder):
    """Words that manuals and stories use far more often than films do, by the
    frequency list of the language; none without a list for its script."""
    path = os.path.join(folder, "freqwords_opensubtitles2018_20k.txt")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        films = {p[0].upper(): int(p[1]) for p in map(str.split, f)}
    here = collections.Counter()
    for p in paths:
        with open(p, encoding="utf-8") as f:
            here.update(re.findall(r"[^\W\d_]+", f.read().upper()))
    n, films_n = sum(here.values()), sum(films.values())
    common = here.most_common(200)
    if sum(films.get(w, 0) for w, _ in common) * 5 < films_n:
        return []
    return [w.lower() for w, k in common
            if k / n > 2.5 * (films.get(w, 0) + 1) / films_n]


def counts(folder, language, out):
    """The frequency list of a language as `winnow profile` reads it; that of
    Serbian is of Latin letters."""
    path = os.path.join(folder, language.replace("-latn", ""),
                        "freqwords_opensubtitles2018_20k.txt")
    out = os.path.join(out, language + ".tsv")
    with open(path, encoding="utf-8") as f, open(out, "w",
                                                 encoding="utf-8") as to:
        for word, count in (line.split() for line in f):
            to.write("%s\t%s\n" % (count, word))
    return out


def hold_out(paragraphs, language, args):
    """All but the last fifth, which goes to a file for tests; all of them if
    there are to be none."""
    if not args.hold_out:
        return paragraphs
    folder = os.path.join(args.hold_out, language)
    os.makedirs(folder, exist_ok=True)
    n = len(paragraphs) * 4 // 5
    with open(os.path.join(folder, "test.txt"), "a", encoding="utf-8") as f:
        f.write("\n".join(paragraphs[n:]) + "\n")
    return paragraphs[:n]


def make(language, args, root):
    with tempfile.TemporaryDirectory() as folder:
        paths, told, n, enough = [], [], 0, False
        for name, paragraphs in gather(language, args, root):
            paragraphs = hold_out(paragraphs, language, args)
            paths.append(os.path.join(folder, name + ".txt"))
            with open(paths[-1], "w", encoding="utf-8") as f:
                f.write("\n".join(paragraphs) + "\n")
            here = sum(map(words, paragraphs))
            n += here
            enough |= here >= 12000 and name.startswith(RUNNING)
            told.append("%s %d" % (name, here))
        print("%-8s %6d words: %s" % (language, n, ", ".join(told)), flush=True)
        skip = list(SKIP)
        if language == "zh":
            skip += "我 们 件".split()
        if not told[0].startswith(RUNNING):
            skip += topical(paths, os.path.join(args.text, language))
        if n < WORDS_MIN:
            print("         too little")
            return
        flags = []
        if language in SIBLINGS:
            flags = ["--counts", counts(args.text, language, folder)]
        for sibling in SIBLINGS.get(language, ()):
            flags += ["--confusable", "%s=%s" % (
                sibling, counts(args.text, sibling, folder))]
        elsewhere = {**ELSEWHERE, **repositories.ELSEWHERE}.get(
            language, 0.9 if enough else 0.6)
        subprocess.run([args.winnow, "profile", "--language", language,
                        "--skip", " ".join(skip),
                        "--sd-min", "0.15" if enough else "0.3",
                        "--elsewhere", str(elsewhere), *flags, "-o",
                        os.path.join(args.out, language + ".prof")] + paths,
                       check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--text", required=True)
    parser.add_argument("--pages", required=True)
    parser.add_argument("--cache", default="build/profile-sources",
                        help="where packages are unpacked")
    parser.add_argument("--winnow", default=WINNOW)
    parser.add_argument("--out", default=os.path.join(HERE, "profiles"))
    parser.add_argument("--hold-out", metavar="FOLDER",
                        help="make profiles of four fifths of each source; the "
                        "rest goes to FOLDER/<language>/test.txt")
    parser.add_argument("languages", nargs="*")
    args = parser.parse_args()
    os.makedirs(args.cache, exist_ok=True)
    root = download(os.path.abspath(args.cache))
    for language in args.languages or sorted({**LANGUAGES,
                                              **repositories.LANGUAGES}):
        make(language, args, root)


if __name__ == "__main__":
    main()
