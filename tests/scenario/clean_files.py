#!/usr/bin/env python3
"""clean_files.py -- the files of `winnow clean` are what whoever reads them
expects: XML that parsers take as it is, names without doubled endings, no parts
of an earlier run among new ones; linked archives are read; the exit code speaks
of faults, not of filters; a reader that leaves is no fault; help names every
field of a record.

usage: clean_files.py WINNOW
"""
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
PAGES = os.path.abspath("tests/cases/clean")
PAGE = PAGES + "/nl-article.html"


def clean(*args, code=0):
    p = subprocess.run([WINNOW, "clean", *args], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False)
    check(p.returncode == code, "%s: exit %d: %s" % (
        " ".join(args), p.returncode, p.stderr.decode()))
    return p


def archive(path, pages, compress=False, head=b""):
    """A WARC file with copies of a page under several URLs."""
    with open(PAGE, "rb") as f:
        body = f.read()
    block = (b"HTTP/1.1 200 OK\r\n%sContent-Type: text/html\r\nContent-Length: %d"
             b"\r\n\r\n" % (head, len(body))) + body
    with (gzip.open if compress else open)(path, "wb") as f:
        for i in range(pages):
            f.write(b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: "
                    b"http://a.example/%d\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
                    b"Content-Type: application/http; msgtype=response\r\n"
                    b"Content-Length: %d\r\n\r\n" % (i, len(block)))
            f.write(block + b"\r\n\r\n")


def documents(xml):
    root = ElementTree.fromstring(xml)
    return len(root.findall("doc")) if root.tag != "doc" else 1


def a_name_with_the_ending_of_a_format_is_a_file(tmp):
    one, two, folder = tmp + "/n1.warc", tmp + "/n2.warc", tmp + "/pages.jsonl"
    archive(one, 2)
    archive(two, 3)
    clean("-o", tmp + "/all.jsonl.gz", one, two)
    with gzip.open(tmp + "/all.jsonl.gz") as f:
        check(len(f.readlines()) == 5, "one file of two archives")
    clean("--format", "xml,text", "-o", tmp + "/both.xml", PAGES)
    check(os.path.isfile(tmp + "/both.xml") and os.path.isfile(tmp + "/both.txt"),
          "a file for each format")
    os.mkdir(folder)
    clean("-o", folder, one, two)
    check(tree(folder) == ["n1.warc.jsonl", "n2.warc.jsonl"], "a folder of that name: %s" % tree(folder))


def texts_are_not_cleaned_as_a_page(tmp):
    for form in "jsonl", "xml", "tei", "vertical":
        name = tmp + "/texts." + form
        clean("--format", form, "-o", name, "--join", PAGES)
        made = next(tmp + "/" + n for n in os.listdir(tmp) if n.startswith("texts." + form[:4]))
        p = clean("--format", "text", made, PAGE, code=3)
        check(made.encode() in p.stderr and b"not read" in p.stderr and len(p.stdout) > 500,
              "%s: %s" % (made, p.stderr.decode()))


def xml_files_are_well_formed(tmp):
    warc = tmp + "/a.warc"
    archive(warc, 3)
    clean("--format", "xml", "-o", tmp + "/one.xml", PAGE)
    clean("--format", "xml", "-o", tmp + "/three.xml", warc)
    clean("--format", "xml", "-o", tmp + "/three.xml.gz", warc)
    clean("--format", "xml", "--join", "-o", tmp + "/joined", warc, PAGE)
    clean("--format", "xml", "-o", tmp + "/mirror", PAGES)
    read = {n: open(tmp + "/" + n, "rb").read() for n in
            ("one.xml", "three.xml", "joined.xml", "mirror/nl-article.xml")}
    read["three.xml.gz"] = gzip.open(tmp + "/three.xml.gz").read()
    read["stdout"] = clean("--format", "xml", warc).stdout
    for name, xml in read.items():
        want = 4 if "joined" in name else 3 if name[0] in "ts" else 1
        try:
            check(documents(xml) == want, name + ": documents")
        except ElementTree.ParseError as e:
            check(False, "%s: %s" % (name, e))
    if shutil.which("xmllint"):
        p = subprocess.run(["xmllint", "--noout", tmp + "/three.xml"],
                           stderr=subprocess.PIPE, check=False)
        check(p.returncode == 0, p.stderr.decode())
    clean("-o", tmp + "/named.xml", PAGE)
    clean("-o", tmp + "/named.jsonl.gz", PAGE)
    clean("-o", tmp + "/named", PAGE)
    with open(tmp + "/named.xml", "rb") as f:
        check(f.read() == read["one.xml"], "-o named.xml is no XML")
    check(gzip.open(tmp + "/named.jsonl.gz").read()[:1] == b"{", "-o named.jsonl.gz")
    with open(tmp + "/named", "rb") as f:
        check(f.read() == clean(PAGE).stdout, "-o named is no text")
    bare = clean("--format", "xml", "--set", "output.xml_header=off", PAGE).stdout
    check(bare.startswith(b"<doc "), "bare records on demand")


def tree(folder):
    """All files in it but the one that says what made them."""
    paths = sorted(os.path.relpath(os.path.join(at, name), folder)
                   for at, _, names in os.walk(folder) for name in names)
    return [path for path in paths if not path.endswith("provenance.json")]


def every_input_has_a_result_of_its_own(tmp):
    folders = [tmp + "/sites/" + name for name in ("a", "b", "c", "more/c")]
    for folder in folders:
        os.makedirs(folder + "/deep")
        shutil.copy(PAGE, folder + "/deep/index.html")
    clean("-o", tmp + "/of_one", folders[0])
    check(tree(tmp + "/of_one") == ["deep/index.txt"], tree(tmp + "/of_one"))
    clean("-o", tmp + "/of_many", *folders, PAGE)
    check(tree(tmp + "/of_many") == [
        "a/deep/index.txt", "b/deep/index.txt", "c/deep/index.html.txt",
        "c/deep/index.txt", "nl-article.txt"], tree(tmp + "/of_many"))
    clean("-o", tmp + "/files", *[f + "/deep/index.html" for f in folders])
    check(tree(tmp + "/files") == [
        "index.html.2.txt", "index.html.3.txt", "index.html.txt", "index.txt"],
          tree(tmp + "/files"))
    os.makedirs(tmp + "/alike")
    for name in ("b.htm", "b.html", "b.html.html", "b.xhtml"):
        shutil.copy(PAGE, tmp + "/alike/" + name)
    clean("-o", tmp + "/parted", tmp + "/alike")
    check(tree(tmp + "/parted") == ["b.html.2.txt", "b.html.txt", "b.txt", "b.xhtml.txt"],
          tree(tmp + "/parted"))


def nothing_stands_in_the_place_of_an_input(tmp):
    folder = tmp + "/own"
    os.makedirs(folder)
    shutil.copy(PAGE, folder + "/a.html")
    with open(folder + "/a.txt", "w", encoding="ascii") as f:
        f.write("notes")
    for args in (["-o", folder, folder], ["-o", folder + "/a.html", folder + "/a.html"],
                 ["--join", "-o", folder + "/a", folder],
                 ["--links", folder + "/a.txt", "-o", tmp + "/else", folder]):
        p = clean(*args, code=2)
        check(b"is one of the inputs" in p.stderr, p.stderr.decode())
        check(tree(folder) == ["a.html", "a.txt"], "%s: %s" % (args, tree(folder)))
    with open(folder + "/a.txt", encoding="ascii") as f:
        check(f.read() == "notes", "a.txt was written over")


def each_output_has_a_name_of_its_own(tmp):
    for args in (["--links", tmp + "/same", "--tokens", tmp + "/same", "-o", tmp + "/x.jsonl"],
                 ["--links", tmp + "/same.txt", "-o", tmp + "/same.txt"]):
        p = clean("--url", "http://a.example/", *args, PAGE, code=2)
        check(b"would both be written to" in p.stderr, p.stderr.decode())
    clean("--links", "/dev/null", "--tokens", "/dev/null", "-o", tmp + "/x.jsonl", PAGE)
    p = clean("--compress", "zstd", "-o", tmp + "/x.xml.gz", PAGE, code=2)
    check(b"--compress zstd" in p.stderr, p.stderr.decode())
    clean("--compress", "gzip", "-o", tmp + "/ended.txt", PAGE)
    with open(tmp + "/ended.txt.gz", "rb") as f:
        check(gzip.decompress(f.read()) == clean(PAGE).stdout, "--compress names its file")
    p = clean("--join", "-o", tmp + "/slash/", PAGE, code=2)
    check(b"is a folder" in p.stderr, p.stderr.decode())
    clean("--format", "xml,text", "-o", tmp + "/slash/", PAGE)
    check(tree(tmp + "/slash") == ["nl-article.txt", "nl-article.xml"], tree(tmp + "/slash"))
    p = clean("--url", "http://a.example/", PAGE, tmp + "/sites/a/deep/index.html", code=2)
    check(b"several files" in p.stderr, p.stderr.decode())


def any_bytes_make_good_text(tmp):
    name, page = b"Stra\xdfe.html", tmp + "/bytes/x.warc"
    os.makedirs(tmp + "/bytes")
    shutil.copy(PAGE, os.path.join(tmp.encode(), b"bytes", name))
    archive(page, 1, head=b"TDM-Policy: http://a.example/\xe4\"&\r\n")
    with open(page, "rb") as f:
        warc = f.read()
    with open(page, "wb") as f:
        f.write(warc.replace(b"a.example/0", b"a.ex/\xe4\"&<"))
    for form in ("xml", "tei", "vertical", "jsonl", "markdown", "wet"):
        text = clean("--format", form, tmp + "/bytes").stdout
        try:
            text.decode("utf-8")
        except UnicodeDecodeError as e:
            check(False, "%s: %s" % (form, e))
    xml = ElementTree.fromstring(clean(
        "--format", "xml", "--set", "output.xml_doc_attributes=url,rights_signals",
        tmp + "/bytes").stdout)
    signals = [d.get("rights_signals") for d in xml.findall("doc") if d.get("rights_signals")]
    check(sorted(signals) == ['header TDM-Policy: http://a.example/\xe4"&', "unknown"],
          signals)
    urls = sorted(d.get("url") for d in xml.findall("doc"))
    check(urls == ["Stra%DFe.html", 'http://a.ex/%E4"&<'], urls)


def damage_and_leavings_are_told(tmp):
    with open(PAGE, "rb") as f:
        packed = gzip.compress(f.read())
    with open(tmp + "/cut.html.gz", "wb") as f:
        f.write(packed[:len(packed) // 2])
    p = clean("--all", tmp + "/cut.html.gz", code=3)
    check(b"1 damaged" in p.stderr and b"cut.html.gz" in p.stderr, p.stderr.decode())
    check(len(p.stdout) > 100, "what stands before the damage is read")
    os.symlink(tmp + "/sites/a", tmp + "/link")
    clean("-o", tmp + "/linked", tmp + "/link")
    check(tree(tmp + "/linked") == ["deep/index.txt"], tree(tmp + "/linked"))
    p = clean("--language", "de", "-o", tmp + "/linked", tmp + "/link")
    check(b"1 results of an earlier run are left" in p.stderr, p.stderr.decode())
    clean("--join", "-o", tmp + "/once", PAGE)
    clean("--join", "--language", "de", "-o", tmp + "/once", PAGE)
    check(os.path.getsize(tmp + "/once.txt") == 0, "what an earlier run kept is still there")


def the_exit_code_speaks_of_faults(tmp):
    short = tmp + "/short.html"
    with open(short, "w", encoding="ascii") as f:
        f.write("<p>kort")
    clean("-o", tmp + "/codes", short, PAGE)
    clean("-o", tmp + "/codes", PAGES)
    clean("--strict", "-o", tmp + "/codes", short, PAGE, code=3)
    clean("--strict", "--all", "-o", tmp + "/codes", PAGE)
    clean("-o", tmp + "/codes", tmp + "/nowhere.html", PAGE, code=3)
    broken = tmp + "/broken.warc"
    archive(broken, 2)
    with open(broken, "r+b") as f:
        f.truncate(os.path.getsize(broken) - 700)
    clean("-o", tmp + "/broken.txt", broken, code=3)


def parts_of_an_earlier_run_are_not_mixed_in(tmp):
    warc, out = tmp + "/many.warc", tmp + "/split/x"
    archive(warc, 1500)
    args = ["--format", "text", "--split-mib", "1", "-o", out]
    clean(*args, warc)
    before = sorted(os.listdir(tmp + "/split"))
    check(len(before) > 1, "several parts: %s" % before)
    p = clean(*args, "--compress", "gzip", PAGE, code=2)
    check(b"earlier run" in p.stderr and b"x-0000" in p.stderr, p.stderr)
    check(sorted(os.listdir(tmp + "/split")) == before, "nothing was touched")
    clean("--format", "text", "--split-mib", "1", "-o", out + "y", PAGE)
    clean("--format", "jsonl", "--split-mib", "1", "-o", out, PAGE)
    for name in before:
        os.unlink(tmp + "/split/" + name)
    clean(*args, PAGE)


def names_do_not_double_their_ending(tmp):
    out = tmp + "/names/"
    clean("--format", "jsonl", "--join", "-o", out + "a.jsonl", PAGE)
    clean("--format", "wet", "--join", "-o", out + "b.wet.gz", PAGE)
    clean("--format", "xml,jsonl", "-o", out + "c.xml", PAGE)
    clean("--format", "text", "--split-mib", "1", "-o", out + "d.txt.zst", PAGE)
    clean("--format", "text", "--join", "-o", out + "e.gz", PAGE)
    check(tree(out) == ["a.jsonl", "b.wet.gz", "c.jsonl", "c.xml", "d-00001.txt.zst", "e.gz.txt"],
          "names: %s" % tree(out))
    with gzip.open(out + "b.wet.gz") as f:
        check(f.read(5) == b"WARC/", "b.wet.gz is compressed")


def links_to_files_are_read(tmp):
    folder = tmp + "/links"
    os.makedirs(folder + "/in/loop")
    archive(tmp + "/far.warc.gz", 2, True)
    os.symlink(tmp + "/far.warc.gz", folder + "/in/near.warc.gz")
    os.symlink(folder + "/in", folder + "/in/loop/again")
    p = clean("--format", "jsonl", "--join", "-o", folder + "/out", folder + "/in")
    with open(folder + "/out.jsonl", encoding="utf-8") as f:
        check(len(f.readlines()) == 2, "the pages of a linked archive")
    check(b"not followed" in p.stderr, "a link to a folder is named")
    os.symlink(tmp + "/nowhere", folder + "/in/dangling.warc.gz")
    p = clean("--format", "jsonl", "--join", "-o", folder + "/out", folder + "/in",
              code=3)
    check(b"dangling" in p.stderr, "a link to nothing is named")


def a_reader_that_leaves_is_no_fault(tmp):
    warc = tmp + "/many.warc"
    for target in "", "-o /dev/fd/9 9>&1 >&2", "-o %s/pipe" % tmp:
        if "pipe" in target:
            os.mkfifo(tmp + "/pipe")
        command = "%s clean --format jsonl %s %s" % (WINNOW, warc, target)
        if "pipe" in target:
            command = "head -c 10 %s/pipe >/dev/null & %s" % (tmp, command)
        else:
            command += " | head -c 10 >/dev/null"
        p = subprocess.run(["bash", "-c", command], stderr=subprocess.PIPE,
                           check=False, timeout=120)
        check(p.stderr == b"", "%s: %s" % (command, p.stderr.decode()))


def what_cannot_be_written_ends_it(tmp):
    """No hours of cleaning for a file that will not be."""
    archive(tmp + "/many.warc", 3000)
    for args in (["-f", "jsonl"], ["-f", "xml,links", "--join", "-o", tmp + "/lost"]):
        p = subprocess.run(["sh", "-c", "ulimit -f 20; exec \"$@\" >/dev/full", "sh", WINNOW, "clean",
                            *args, tmp + "/many.warc"], stderr=subprocess.PIPE, check=False)
        kept = int(re.search(rb"(\d+) kept", p.stderr).group(1))
        check(p.returncode == 1 and b"stopped there" in p.stderr and kept < 2000,
              "%s: %d %s" % (args, p.returncode, p.stderr.decode()))
        check(len(p.stderr) < 1000, p.stderr.decode())


def no_room_for_a_result_ends_it(tmp):
    """Nor for results of their own; there are whole ones only, and --missing makes the rest."""
    os.mkdir(tmp + "/roomy")
    for i in range(40):
        with open("%s/roomy/%02d.html" % (tmp, i), "w") as f:
            f.write("<title>T</title><p>%s" % ("some words of it " * (5 if i < 2 else 4000)))
    archive(tmp + "/room.warc", 3000)
    for source, out, whole in ("roomy", "narrow", 40), ("room.warc", "narrower", 1):
        args = [WINNOW, "clean", "--all", "-f", "jsonl,xml", "--set", "clean.threads=2", "-o",
                "%s/%s/" % (tmp, out), tmp + "/" + source]
        p = subprocess.run(["sh", "-c", "ulimit -f 20; exec \"$@\"", "sh", *args],
                           stderr=subprocess.PIPE, check=False)
        said = p.stderr.decode()
        made = tree("%s/%s" % (tmp, out))
        check(p.returncode == 1 and "stopped there" in said and
              0 < said.count("(ulimit -f): raise it") < 9, "%s: %d %s" % (source, p.returncode, said))
        check(all(re.search(r"\.(jsonl|xml)$", n) for n in made) and len(made) < 20,
              "whole results: %s" % made)
        subprocess.run([*args, "--missing"], stderr=subprocess.PIPE, check=True)
        made = tree("%s/%s" % (tmp, out))
        check(len(made) == 2 * whole, "with --missing: %s" % made)


def provenance(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def results_say_what_made_them(tmp):
    """In a folder, beside joined files; one result of one page has none."""
    folder, args = tmp + "/made", ["-f", "text", "-l", "nl", "-o", tmp + "/made/"]
    clean(*args, PAGES)
    first = provenance(folder + "/provenance.json")
    check(first["language"] == ["nl"] and first["changes"] == [] and first["version"] and
          first["options"]["clean.badness_max"] == "12", first)
    with open("data/boilerplate.net", "rb") as f:
        check(first["models"]["boilerplate.net"] == "sha256:" + hashlib.sha256(f.read()).hexdigest(),
              first["models"])
    clean(*args, "--set", "clean.badness_max=9", PAGE)
    second = provenance(folder + "/provenance.json")
    check(second["started"] == first["started"] and second["options"]["clean.badness_max"] == "9" and
          [c["what"] for c in second["changes"]] == ["clean.badness_max: 12 -> 9"], second)
    clean("-f", "jsonl", "--join", "-o", tmp + "/joined", PAGES)
    check(provenance(tmp + "/joined.provenance.json")["language"] == [], "of joined files")
    clean("-o", tmp + "/alone.jsonl", PAGE)
    check(not [n for n in os.listdir(tmp) if n.startswith("alone.") and n != "alone.jsonl"], os.listdir(tmp))
    p = subprocess.run([WINNOW, "clean", "-f", "text", PAGES, PAGE], cwd=tmp + "/made", check=True,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(provenance(folder + "/provenance.json") == second and not os.path.exists("/provenance.json"),
          "none of what goes to standard output")
    for out in "foreign/", "foreign":
        at = tmp + ("/foreign/provenance.json" if out[-1] == "/" else "/foreign.provenance.json")
        os.makedirs(os.path.dirname(at), exist_ok=True)
        with open(at, "w", encoding="utf-8") as f:
            f.write('{"version": "1", "options": {}}\n')
        p = clean("-f", "text", *(["--join"] if out[-1] != "/" else []), "-o", tmp + "/" + out, PAGES, code=2)
        check(b"provenance.json is not of winnow clean" in p.stderr, p.stderr)
        with open(at, encoding="utf-8") as f:
            check(f.read().startswith('{"version": "1"'), "somebody else's file stays")
    check(tree(tmp + "/foreign") == [], tree(tmp + "/foreign"))


def the_rest_is_made_with_the_same(tmp):
    """--missing: by the same options and models, or --change; and what is older than its input."""
    os.mkdir(tmp + "/rest")
    for name in "a", "b":
        shutil.copy(PAGE, "%s/rest/%s.html" % (tmp, name))
    out = tmp + "/rest.out"
    args = ["--missing", "-f", "text", "-l", "nl", "-o", out + "/"]
    clean(*args, tmp + "/rest")
    os.remove(out + "/a.txt")
    p = clean(*args, "--set", "clean.badness_max=9", tmp + "/rest", code=2)
    check(b"clean.badness_max: 12 -> 9" in p.stderr and b"--change" in p.stderr, p.stderr)
    check(tree(out) == ["b.txt"], tree(out))
    clean(*args, tmp + "/rest")
    check(tree(out) == ["a.txt", "b.txt"], tree(out))
    os.remove(out + "/a.txt")
    clean(*args, "--change", "--set", "clean.badness_max=9", tmp + "/rest")
    check(tree(out) == ["a.txt", "b.txt"] and len(provenance(out + "/provenance.json")["changes"]) == 1, out)
    net = tmp + "/other.net"
    shutil.copy("data/boilerplate.net", net)
    with open(net, "a", encoding="utf-8") as f:
        f.write("\n")
    p = clean(*args, "--set", "clean.network=" + net, "--set", "clean.badness_max=9", tmp + "/rest", code=2)
    check(b"model other.net: (empty) -> sha256:" in p.stderr, p.stderr)
    for name in "a", "b":
        with open("%s/%s.txt" % (out, name), "w", encoding="utf-8") as f:
            f.write("of a run before\n")
    later = os.stat(out + "/b.txt").st_mtime + 5
    os.utime(tmp + "/rest/b.html", (later, later))
    clean(*args, "--set", "clean.badness_max=9", tmp + "/rest")
    kept = [open("%s/%s.txt" % (out, name), encoding="utf-8").read() for name in ("a", "b")]
    check(kept[0] == "of a run before\n" and kept[1] != kept[0], kept)


def what_is_no_longer_used_counts(tmp):
    """A model that is left out is another making; an option that was not there yet had its preset."""
    out, table = tmp + "/left", tmp + "/table.tsv"
    with open(table, "w", encoding="utf-8") as f:
        f.write("a\tb\n")
    args = ["--missing", "-f", "text", "-l", "nl", "-o", out + "/"]
    clean(*args, "--set", "clean.replacements=" + table, PAGES)
    p = clean(*args, PAGES, code=2)
    check(b"model table.tsv: sha256:" in p.stderr, p.stderr)
    earlier = provenance(out + "/provenance.json")
    del earlier["options"]["clean.noindex"], earlier["models"]["table.tsv"]
    with open(out + "/provenance.json", "w", encoding="utf-8") as f:
        json.dump(earlier, f)
    p = clean(*args, "--set", "clean.noindex=off", PAGES, code=2)
    check(b"clean.noindex: on -> off" in p.stderr, p.stderr)
    clean(*args, PAGES)
    check(provenance(out + "/provenance.json")["changes"] == [], "nothing has changed")
    os.remove(out + "/provenance.json")
    p = clean(*args, PAGES)
    check(b"what made the files that stand beside it already is not known" in p.stderr, p.stderr)
    check([c["what"] for c in provenance(out + "/provenance.json")["changes"]] ==
          ["files that stood here before: not known -> as above"], "of a version that wrote none")
    p = clean("--change", "-f", "text", "-o", out + "/", PAGES, code=2)
    check(b"--change goes with --missing" in p.stderr, p.stderr)


def no_document_makes_a_compressed_file_of_none(tmp):
    archive(tmp + "/none.warc", 2)
    for ending, start in ((".gz", b"\x1f\x8b"), (".zst", b"\x28\xb5\x2f\xfd")):
        out = tmp + "/none.jsonl" + ending
        clean("--language", "nl", "--set", "clean.chars_min=100000", "-o", out, tmp + "/none.warc")
        with open(out, "rb") as f:
            data = f.read()
        check(data.startswith(start), "%s: %r" % (out, data))
    p = subprocess.run(["gzip", "-dc", tmp + "/none.jsonl.gz"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       check=False)
    check(p.returncode == 0 and p.stdout == p.stderr == b"", p)


def help_names_every_field(tmp):
    record = json.loads(clean("--format", "jsonl", PAGE).stdout)
    text = clean("--help").stdout.decode().split("\njsonl ")[1].split("\nvertical")[0]
    missing = set(record) - set(re.findall(r"\w+", text))
    check(len(record) > 40 and not missing, "no word of %s" % sorted(missing))


def main():
    with tempfile.TemporaryDirectory() as tmp:
        return checks.run([xml_files_are_well_formed,
                           a_name_with_the_ending_of_a_format_is_a_file,
                           texts_are_not_cleaned_as_a_page,
                           every_input_has_a_result_of_its_own,
                           nothing_stands_in_the_place_of_an_input,
                           each_output_has_a_name_of_its_own, any_bytes_make_good_text,
                           damage_and_leavings_are_told, the_exit_code_speaks_of_faults,
                           parts_of_an_earlier_run_are_not_mixed_in,
                           names_do_not_double_their_ending, links_to_files_are_read,
                           a_reader_that_leaves_is_no_fault, what_cannot_be_written_ends_it,
                           no_room_for_a_result_ends_it,
                           no_document_makes_a_compressed_file_of_none,
                           results_say_what_made_them, the_rest_is_made_with_the_same,
                           what_is_no_longer_used_counts, help_names_every_field], tmp)


sys.exit(main())
