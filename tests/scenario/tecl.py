#!/usr/bin/env python3
"""`winnow tecl` on every format, beside texrex's own where it is installed.

usage: tecl.py WINNOW

A corpus is made of the pages of tests/cases in XML, vertical text, JSON lines and
WET.  What is left after tecl are the documents that were asked for, byte by byte;
files are read plain, gzip and zstd, split, compressed; a file that is cut loses the
document that it is cut in and nothing else.  WINNOW_TEXREX_BIN: a folder with
texrex's tecl, which makes the same of our XML.
"""
import glob
import gzip
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

WINNOW = os.path.abspath(sys.argv[1])
PAGES = os.path.abspath("tests/cases/clean")
FORMATS = {"xml": "xml", "tei": "tei", "vertical": "vert", "cwb": "vrt", "jsonl": "jsonl", "wet": "wet",
           "shingles": "shingles"}
failed = 0


def check(ok, what):
    global failed
    if not ok:
        failed += 1
        print("FAILED:", what, file=sys.stderr)


def tecl(folder, *args, code=0, limit_bytes=None):
    def bound():
        if limit_bytes is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))
    p = subprocess.run([WINNOW, "tecl", *args], cwd=folder, capture_output=True, text=True,
                       timeout=60, preexec_fn=bound)
    check(p.returncode == code, "tecl %s: exit %d\n%s" % (" ".join(args), p.returncode, p.stderr))
    return p.stderr


def outputs(folder, prefix):
    """What was written, in order: [bytes]; files are taken away."""
    made = []
    for path in sorted(glob.glob("%s/%s_*" % (folder, prefix))):
        if path.endswith(".registry"):
            os.remove(path)
            continue
        check(re.search(r"_\d{10}_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\.[a-z]+(\.gz)?$", path), path)
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
            made.append(f.read())
        os.remove(path)
    return made


def documents(form, data):
    """[(id, bytes)] of a file, by other means than tecl's."""
    if form in ("xml", "vertical", "cwb"):
        found = re.findall(rb"^<doc [^\n]*\n.*?^</doc>\n", data, re.M | re.S)
        return [(re.search(rb' id="([^"]*)"', d).group(1).decode(), d) for d in found]
    if form == "tei":
        found = re.findall(rb"^<TEI [^\n]*\n.*?^</TEI>\n", data, re.M | re.S)
        return [(re.search(rb'<idno type="id">([^<]*)<', d).group(1).decode(), d) for d in found]
    if form == "jsonl":
        return [(json.loads(l)["id"], l + b"\n") for l in data.split(b"\n") if l]
    if form == "shingles":
        return [(l.split(b"\t")[0].decode(), l) for l in data.splitlines(keepends=True)]
    found, at = [], 0
    while at < len(data):
        head = data.index(b"\r\n\r\n", at) + 4
        n = int(re.search(rb"Content-Length: (\d+)", data[at:head]).group(1))
        record = data[at:head + n + 4]
        at += len(record)
        refers = re.search(rb"WARC-Refers-To: <urn:uuid:([^>]*)>", record)
        if refers:
            found.append((refers.group(1).decode(), record))
    return found


def corpus(folder):
    subprocess.run([WINNOW, "clean", "--all", "--join", "--format", ",".join(FORMATS), "-o",
                    folder + "/c", PAGES], check=True, stderr=subprocess.DEVNULL)
    read = {}
    for form, ending in FORMATS.items():
        with open("%s/c.%s" % (folder, ending), "rb") as f:
            read[form] = f.read()
    return read


def every_format(folder, read):
    for form, ending in FORMATS.items():
        docs = documents(form, read[form])
        ids = sorted({i for i, _ in docs})
        check(len(docs) > 8, "%d documents in %s" % (len(docs), form))
        black = ids[::3]
        with open(folder + "/black", "w") as f:
            f.write("\n".join(black + ["!" + black[0], "unknown"]) + "\n")
        for flags, wanted in ([], lambda i: i not in black[1:]), \
                             (["-w"], lambda i: i in black[1:]), \
                             (["-g"], lambda i: i not in black[1:]):
            tecl(folder, "-i", "c." + ending, "-b", "black", "-o", "o", *flags)
            [made] = outputs(folder, "o")
            check([d for _, d in documents(form, made)] == [d for i, d in docs if wanted(i)],
                  "%s %s" % (form, flags))
            if form == "xml":
                check(made.startswith(b"<?xml") and made.endswith(b"</doc>\n</xml>\n"),
                      "the root element")
            if form == "tei":
                check(made.startswith(read[form][:read[form].index(b"<TEI ")]) and
                      made.endswith(b"</TEI>\n</teiCorpus>\n"), "root and header of TEI")
                check(len(xml.etree.ElementTree.fromstring(made)) == 1 + len(documents(form, made)),
                      "TEI is well-formed")
            if form == "wet":
                check(made.startswith(b"WARC/1.1\r\nWARC-Type: warcinfo"), "the warcinfo record")
        # Twice the same file, compressed otherwise: -u keeps the first ones; -s splits.
        subprocess.run(["zstd", "-q", "-f", "c." + ending, "-o", "d.%s.zst" % ending], cwd=folder,
                       check=True)
        with gzip.open("%s/e.%s.gz" % (folder, ending), "wb") as f:
            f.write(read[form])
        tecl(folder, "-i", "{c.%s,d.%s.zst,e.%s.gz}" % (ending, ending, ending), "-u", "-o", "o",
             "-s", "3")
        parts = outputs(folder, "o")
        once = {}
        for i, d in docs:
            once.setdefault(i, d)
        left = [documents(form, p) for p in parts]
        check([d for p in left for d in p] == list(once.items()), "%s: -u" % form)
        check(all(len(p) == 3 for p in left[:-1]) and len(left) == -(-len(once) // 3),
              "%s: -s 3" % form)
        if form == "xml":
            check(all(p.startswith(b"<?xml") and p.endswith(b"</xml>\n") for p in parts),
                  "each part has a root element")
        if form == "tei":
            check(all(p.count(b"<teiCorpus ") == p.count(b"</teiCorpus>\n") == 1 and
                      len(xml.etree.ElementTree.fromstring(p)) > 1 for p in parts),
                  "each part is TEI")


def registries(folder, read):
    """What stands beside vertical text comes along: edited or not, with the new place."""
    with open(folder + "/black", "w") as f:
        f.write(documents("vertical", read["vertical"])[0][0] + "\n")
    for form, edited in ("vertical", "ATTRIBUTE tag"), ("cwb", "ATTRIBUTE tag"):
        ending = FORMATS[form]
        inside = os.path.join(folder, "in 'it'")
        for name, flags in (("c", ["-o", inside + "/c"]), ("c", ["-o", inside + "/c", "--compress", "gzip"]),
                            ("c-00001", ["-o", inside + "/c", "--split-mib", "1"]), ("corpus", [])):
            shutil.rmtree(inside, ignore_errors=True)
            os.mkdir(inside)
            subprocess.run([WINNOW, "clean", "--all", "--format", form,
                            *(["--join", *flags] if flags else ["-o", inside + "/"]), PAGES],
                           check=True, stderr=subprocess.DEVNULL)
            [registry] = glob.glob(glob.escape(inside) + "/*.registry")
            with open(registry, "a") as f:
                f.write(edited + "\n")
            with open(registry) as f:
                old = f.read()
            files = sorted(set(glob.glob(glob.escape(inside) + "/*")) - {registry} -
                           set(glob.glob(glob.escape(inside) + "/*provenance.json")))
            for more in [], ["-g"], ["-s", "3"]:
                tecl(folder, *(w for p in files for w in ("-i", p)), "-b", "black", "-o", "o x", *more)
                [made] = glob.glob(folder + "/o x_*.registry")
                check(re.search(r"x_[\d_-]+\.%s\.registry$" % ending, made), made)
                with open(made) as f:
                    text = f.read()
                os.remove(made)
                check(inside not in text.replace("\\", "") and edited in text and
                      len(text.splitlines()) == len(old.splitlines()), "%s: %s" % (name, text))
                here = os.path.realpath(folder)
                check(made[:-len("registry")].replace(folder, here) + "indexed" in text, text)
                if form == "vertical":
                    source = re.search('^VERTICAL "(.*)"$', text, re.M).group(1)
                else:
                    source = re.search("^## (.*)cwb-encode .*?( -f '(.*?)')? -xsB .*-S doc:0[+]", text, re.M)
                    source = source.group(3) or "| " + source.group(1).rstrip(" |")
                printed = subprocess.run(source[2:] if source.startswith("| ") else ["cat", source],
                                         shell=source.startswith("| "), check=True, stdout=subprocess.PIPE)
                check(printed.stdout == b"".join(outputs(folder, "o x")), "%s prints the text" % source)
    shutil.rmtree(inside)


def names_of_others(folder, read):
    """Ids of the field names of others: a list names the same documents."""
    docs = documents("jsonl", read["jsonl"])
    black = sorted({i for i, _ in docs})[::3]
    with open(folder + "/black", "w") as f:
        f.write("\n".join(black) + "\n")
    for fields in "fineweb", "dolma", "oscar":
        subprocess.run([WINNOW, "clean", "--all", "--join", "--format", "jsonl", "--fields", fields,
                        "-o", folder + "/" + fields, PAGES], check=True, stderr=subprocess.DEVNULL)
        with open("%s/%s.jsonl" % (folder, fields), "rb") as f:
            lines = f.readlines()
        tecl(folder, "-i", fields + ".jsonl", "-b", "black", "-o", "o")
        [made] = outputs(folder, "o")
        check(made == b"".join(l for l, (i, _) in zip(lines, docs) if i not in black), fields)


def one_root(folder, read):
    """Whatever inputs come first, an XML file has one declaration and one root."""
    head = '<?xml version="1.0"?>\n<xml>\n'
    for name, text in (
            ("A.xml", head + '<doc id="A">\n</doc>\n</xml>\n'),
            ("B.xml", head + '<doc id="B">\n</doc>\n</xml>\n'),
            ("bom.xml", "\ufeff" + head + '<doc id="C">\n</doc>\n</xml>\n'),
            ("cut.xml", head.splitlines()[0]), ("empty.xml", ""),
            ("two.xml", 2 * (head + '<doc id="A">\n</doc>\n</xml>\n')),
            ("C.jsonl", '{"id":"C"}\n'), ("A.jsonl", '{"id":"A"}\n'), ("black", "A\n")):
        with open(folder + "/" + name, "w") as f:
            f.write(text)
    for first, files in (("A.xml", 1), ("C.jsonl", 2), ("A.jsonl", 1), ("cut.xml", 1),
                         ("empty.xml", 1), ("two.xml", 1), ("bom.xml", 1)):
        os.rename(folder + "/" + first, folder + "/0" + first)
        tecl(folder, "-i", "0" + first, "-i", "B.xml", "-b", "black", "-o", "o")
        os.rename(folder + "/0" + first, folder + "/" + first)
        made = outputs(folder, "o")
        check(len(made) == files, "%s: %d files" % (first, len(made)))
        try:
            ids = [d.get("id") for d in xml.etree.ElementTree.fromstring(made[-1])]
        except xml.etree.ElementTree.ParseError as e:
            ids = str(e)
        check(ids == (["C", "B"] if first == "bom.xml" else ["B"]), "%s: %s" % (first, ids))


def ids_however_written(folder, read):
    """Numbers of JSON, any white space before id=, both quotes; not a value like it."""
    with open(folder + "/black", "w") as f:
        f.write("7\n-1.50\n")
    huge = '{"id":123456789012345678901234567890}'
    tag = '<doc%s>\n</doc>\n'
    for name, docs, once, listed in (
            ("n.jsonl", ['{"id":7}\n', '{"id":"7"}\n', '{"id":8}\n', '{"id": 7 }\n',
                         '{"id":-1.50}\n', huge + '\n', huge.replace("0}", "1}") + '\n'],
             [0, 2, 4, 5, 6], [2, 5, 6]),
            ("n.vert", [tag % t for t in ('\tid="7"', ' a="1"  id="7"', " id='7'", ' id="8"',
                                          ' xid="7"', ' t="an id=" id="9"', " t='id=\"7\"'",
                                          ' t="say "so" now" id="7"')],
             [0, 3, 4, 5, 6], [3, 4, 5, 6])):
        with open(folder + "/" + name, "w") as f:
            f.write("".join(docs))
        for flags, kept in (["-u"], once), (["-b", "black"], listed):
            tecl(folder, "-i", name, "-o", "o", *flags)
            made = b"".join(outputs(folder, "o")).decode()
            check(made == "".join(docs[n] for n in kept), "%s %s: %s" % (name, flags, made))


def marked_files(folder, read):
    """A byte order mark hides no document: the first one is found, kept or left out."""
    with open(folder + "/black", "w") as f:
        f.write("A\n")
    for name, a, b in (("m.jsonl", '{"id":"A"}\r\n', '{"id":"B"}\n'),
                       ("m.vert", '<doc id="A">\na\n</doc>\n', '<doc id="B">\nb\n</doc>\n')):
        for text, kept in ((a + b, b), (b + a, b)):
            with open(folder + "/" + name, "w", encoding="utf-8-sig", newline="") as f:
                f.write(text)
            tecl(folder, "-i", name, "-b", "black", "-o", "o")
            made = b"".join(outputs(folder, "o")).decode()
            check(made == kept, "%s: %r" % (name, made))


def lists_that_are_none(folder, read):
    """A mark before the first id is no part of it; ids of no document are said, the
    first by its place; a line that no id can be ends the run."""
    ids = [i for i, _ in documents("jsonl", read["jsonl"])]
    for text, said in (("\ufeff%s\r\n" % ids[0], ""), (ids[0] + "\ngarbage\nx\n", 'line=2 id="garbage": 2 of 3 '),
                       ("%s\n!x\n\n" % ids[0], "")):
        with open(folder + "/black", "w", newline="") as f:
            f.write(text)
        err = tecl(folder, "-i", "c.jsonl", "-b", "black", "-o", "o")
        check(said in err and ("warn" in err) == (said != ""), "%r: %s" % (text, err))
        [made] = outputs(folder, "o")
        check([i for i, _ in documents("jsonl", made)] == [i for i in ids if i != ids[0]], repr(text))
    with open(folder + "/black", "w") as f:
        f.write("# no list\n<doc>\n")
    err = tecl(folder, "-i", "c.jsonl", "-b", "black", "-o", "o", code=2)
    check("file=black line=1" in err and not outputs(folder, "o"), err)


def cut_input(folder, read):
    with open(folder + "/black", "w") as f:
        f.write("none\n")
    for form, ending in FORMATS.items():
        docs = documents(form, read[form])
        data = read[form][:len(read[form]) * 2 // 3]
        whole = [d for _, d in docs if read[form].index(d) + len(d) <= len(data)]
        for name, body in ("cut", data), ("cut.gz", gzip.compress(read[form])[:2000]):
            with open("%s/%s" % (folder, name), "wb") as f:
                f.write(body)
            err = tecl(folder, "-i", name, "-b", "black", "-o", "o", code=3)
            check(name in err and "fault=" in err, "%s %s: %s" % (form, name, err))
            made = [d for _, d in documents(form, b"".join(outputs(folder, "o")))] or []
            if name == "cut":
                check(made == whole, "%s cut: %d of %d" % (form, len(made), len(whole)))
            check(made == [d for _, d in docs][:len(made)], "%s %s: none is cut" % (form, name))
    with open(folder + "/cut", "wb") as f:  # in the line that tells the form
        f.write(documents("shingles", read["shingles"])[0][1][:200])
    err = tecl(folder, "-i", "cut", "-b", "black", "-o", "o", code=3)
    check("fault=" in err and not b"".join(outputs(folder, "o")), "one line, cut: %s" % err)


def lines_that_are_no_objects(folder, read):
    """One of them does not cost the documents behind it."""
    with open(folder + "/black", "w") as f:
        f.write("B\n")
    good = '{"id":"A"}\n', '{"id":"C"}\n', '{"id":"D"}\n'
    for bad in '{"id":"X"\n', '{"id":"X"}{"id":"Y"}\n', "x\n" * 20, "{" * 200 + "\n":
        with open(folder + "/bad.jsonl", "w") as f:
            f.write(good[0] + bad + '{"id":"B"}\n' + good[1] + "\n" + bad + good[2])
        err = tecl(folder, "-i", "bad.jsonl", "-b", "black", "-o", "o", code=3)
        made = b"".join(outputs(folder, "o")).decode()
        check(made.replace("\n\n", "\n") == "".join(good), "%r: %r" % (bad, made))
        check("record=2" in err and 2 <= err.count("fault=") <= 5, err)


def names_like_patterns(folder, read):
    """A file of that very name is meant, else what matches it."""
    with open(folder + "/black", "w") as f:
        f.write("none\n")
    for name in "a[1]", "a1":
        with open(folder + "/" + name + ".jsonl", "w") as f:
            f.write('{"id":"%s"}\n' % name)
    for pattern, want in ("a[1].jsonl", "a[1]"), ("a?.jsonl", "a1"):
        tecl(folder, "-i", pattern, "-b", "black", "-o", "named")
        made = b"".join(outputs(folder, "named")).decode()
        check(made == '{"id":"%s"}\n' % want, "%s: %s" % (pattern, made))


def bad_calls(folder, read):
    for wrong in ["-u", "-w", "-b", "black"], ["-b", "black", "-s", "x"], [], ["-b", "none*"]:
        tecl(folder, "-i", "c.xml", "-o", "o", *wrong, code=2)
    with open(folder + "/page", "w") as f:
        f.write("no corpus\n")
    err = tecl(folder, "-i", "page", "-b", "black", "-o", "o", code=3)
    check("neither XML" in err, err)
    for name, text, why in (
            ("page.tei", "<teiCorpus>\n<text>\n<title>a</title>\n</text>\n</teiCorpus>\n", "no <doc>"),
            ("page.html", "<!doctype html>\n<p>\nText\n", "no <doc>"),
            ("page.warc", "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 1\r\n\r\nx\r\n\r\n",
             "no WET")):
        with open(folder + "/" + name, "w", newline="") as f:
            f.write(text)
        err = tecl(folder, "-i", name, "-b", "black", "-o", "o_of", code=3)
        check(why in err and name in err, err)
        check(not glob.glob(folder + "/o_of*"), "%s, which is no corpus, is written as one" % name)
    with open(folder + "/none.xml", "w") as f:
        f.write('<?xml version="1.0" encoding="UTF-8"?>\n<xml>\n</xml>\n')
    tecl(folder, "-i", "none.xml", "-b", "black", "-o", "o_of")
    for made in glob.glob(folder + "/o_of*"):
        os.remove(made)
    err = tecl(folder, "-i", "c.jsonl", "-b", "black", "-o", "o", code=1,
               limit_bytes=len(read["jsonl"]) // 2)
    check("(ulimit -f): raise it" in err, "a full disk: " + err)
    check(not glob.glob(folder + "/o_*"), "a file that is not whole takes no room")


def killed(folder):
    """What a kill leaves has no name that a pattern for the corpus finds."""
    os.mkfifo(folder + "/slow.jsonl")
    p = subprocess.Popen([WINNOW, "tecl", "-i", "slow.jsonl", "-b", "black", "-o", "killed"],
                         cwd=folder, stderr=subprocess.DEVNULL)
    with open(folder + "/slow.jsonl", "w") as f:
        f.write('{"id":"a"}\n' * 200000)  # more than a pipe holds: it is being read
        f.flush()
        p.kill()
        p.wait()
    left = os.listdir(folder)
    check([n for n in left if n.startswith("killed_")] and
          not [n for n in left if re.match(r"killed_.*\.jsonl$", n)], "a kill leaves %s" % left)


def two_at_once(folder, read):
    """Runs with one prefix in one second: each has names of its own."""
    with open(folder + "/black", "w") as f:
        f.write("none\n")
    runs = [subprocess.Popen([WINNOW, "tecl", "-i", "c.jsonl", "-b", "black", "-o", "two"],
                             cwd=folder, stderr=subprocess.DEVNULL) for _ in range(3)]
    check([p.wait(timeout=60) for p in runs] == [0, 0, 0], "three at once")
    check(outputs(folder, "two") == [read["jsonl"]] * 3, "each has its output")


def replaced_by_the_service(folder, read, crawl="crawl"):
    """What DIR/replaced names is left out of DIR/corpus, with or without a list."""
    os.makedirs(folder + "/%s/corpus" % crawl)
    os.makedirs(folder + "/%s/replaced" % crawl)
    docs = documents("jsonl", read["jsonl"])
    with open("%s/%s/corpus/part-000001.jsonl" % (folder, crawl), "wb") as f:
        f.write(read["jsonl"])
    with gzip.open("%s/%s/replaced/part-000001.ids.gz" % (folder, crawl), "wt") as f:
        f.write("%s %s 0.913\n" % (docs[1][0], docs[2][0]))
    with open("%s/%s/replaced/part-000002.tail-000001.ids" % (folder, crawl), "w") as f:
        f.write("%s %s 0.811\n" % (docs[4][0], docs[2][0]))
    with open(folder + "/none", "w"):
        pass
    for flags, gone in (["-u"], {1, 4}), (["-b", "none"], {1, 4}):
        tecl(folder, "-i", glob.escape(crawl) + "/corpus/part-*.jsonl", "-o", "o", *flags)
        [made] = outputs(folder, "o")
        wanted = [d for n, (_, d) in enumerate(docs) if n not in gone]
        check([d for _, d in documents("jsonl", made)] == wanted, "replaced, %s" % flags)
    # Clusters of tender are a list, too: the first id of a line goes.
    with open(folder + "/clusters", "w") as f:
        f.write("%s %s 0.9\n" % (docs[0][0], docs[1][0]))
    tecl(folder, "-i", "c.jsonl", "-o", "o", "-b", "clusters")
    [made] = outputs(folder, "o")
    check([d for _, d in documents("jsonl", made)] == [d for _, d in docs[1:]], "clusters")


def names_of_flags(folder, read):
    """Every flag by its long name does what its letter does; so does a link named tecl."""
    with open(folder + "/black", "w") as f:
        f.write("".join(i + "\n" for i, _ in documents("xml", read["xml"])[::2]))
    os.symlink(WINNOW, folder + "/tecl")
    for short, long in (["-g", "-s", "2"], ["--gzip", "--split", "2"]), (["-w"], ["--white"]), \
            (["-u"], ["--uniqids"]):
        black = [] if short == ["-u"] else ["-b", "black"]
        tecl(folder, "-i", "c.xml", "-o", "o", *black, *short)
        expected = outputs(folder, "o")
        check(len(expected) == (1 if "-g" not in short else len(expected)) and expected != [], str(short))
        tecl(folder, "--input", "c.xml", "--output", "o", *(["--black", "black"] if black else []), *long)
        check(outputs(folder, "o") == expected, "long names %s" % long)
        subprocess.run([folder + "/tecl", "-i", "c.xml", "-o", "o", *black, *short], cwd=folder, check=True,
                       stderr=subprocess.DEVNULL)
        check(outputs(folder, "o") == expected, "a link named tecl, %s" % short)
    p = subprocess.run([WINNOW, "tecl", "-h"], capture_output=True, text=True)
    check(p.returncode == 0 and "--uniqids" in p.stdout, "-h")


def beside_texrex(folder, read):
    programs = os.environ.get("WINNOW_TEXREX_BIN")
    if not programs:
        print("skipped: texrex's tecl (WINNOW_TEXREX_BIN)")
        return
    docs = documents("xml", read["xml"])
    with open(folder + "/black", "w") as f:
        f.write("".join(i + "\n" for i, _ in docs[::2]))
    for flags in [], ["-w"], ["-u"]:
        subprocess.run([programs + "/tecl", "-i", "c.xml", "-b", "black", "-o", "theirs", *flags],
                       cwd=folder, check=True, stdout=subprocess.DEVNULL)
        [path] = glob.glob(folder + "/theirs_*")
        with open(path, "rb") as f:
            theirs = f.read()
        os.remove(path)
        tecl(folder, "-i", "c.xml", "-b", "black", "-o", "ours", *flags)
        check(outputs(folder, "ours") == [theirs], "texrex's tecl %s" % flags)


def main():
    with tempfile.TemporaryDirectory(prefix="winnow-tecl-") as folder:
        read = corpus(folder)
        if shutil.which("zstd") is None:
            sys.exit("zstd is missing")
        every_format(folder, read)
        registries(folder, read)
        names_of_others(folder, read)
        one_root(folder, read)
        marked_files(folder, read)
        ids_however_written(folder, read)
        lists_that_are_none(folder, read)
        cut_input(folder, read)
        lines_that_are_no_objects(folder, read)
        names_like_patterns(folder, read)
        bad_calls(folder, read)
        two_at_once(folder, read)
        killed(folder)
        replaced_by_the_service(folder, read)
        replaced_by_the_service(folder, read, "crawl[x]*")
        names_of_flags(folder, read)
        beside_texrex(folder, read)
    sys.exit(failed != 0)


main()
