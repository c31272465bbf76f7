#!/usr/bin/env python3
"""Job files of texrex run as they are: `winnow clean -j job.ini`.

usage: texrex_job.py WINNOW

Jobs as the manual describes them (a crawl's ARC file in; XML, links, shingles
and tokens out; a training job; several languages) over an archive made here.
What is written is read by texrex's formats; every key without a meaning is
named once, with its line; a key that is unknown stops the job.
"""
import gzip
import os
import re
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
PAGES = os.path.abspath("tests/cases/clean")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

CRAWL = """[TTrApplication]
JobName="demo"
Comment="a job of the manual"
Silent=0
InQSize=1000
OutQSize=1000
WorkerManagement=1
ManagementInterval=60
PreferedInQueueQuartile=2
StatsInterval=60

[TTrArcReaderPool]
ExternalGzipPath="/usr/bin/gzip"
FileName="in/*.arc.gz"
MinDocSize=0
MaxDocSize=512
ReaderNumber=1
DocumentBufferSize=10
RetryWait=5
CrawlHeaderExtract="Last-Modified|X-Made-By"

[TTrWorkerPool]
UseDuplicateDetector=1
UseSimpleFilter=1
UseUtf8validator=1
UseDeboilerplater=1
UseTextAssessment=1
UseShingler=1
UseNormalizer=1
UseDivDeduplicator=1
UseMetaExtractor=1
UseGeolocator=0
WorkerNumber=2
MaxWorkerNumber=4
MinWorkerNumber=1
BufferSize=10
PopSleep=5
PushSleep=5
PushLimit=999999
BloomErrorRate=0.000001

[TTrWriterPool]
WriterNumber=1
PopSleep=5
BufferSize=10
StrictXml=1
XmlHeader=1
Prefix="out/corpus"
WriteText=1
WriteDocMeta="title|keywords|arcfile|arcoffset|arclength|tarcfile|tarcheaderoffset|tarcheaderlength|tarcbodyoffset|tarcbodylength"
WriteDocAttr="host|last-modified|x-made-by|author|date|hots"
WriteDivMeta=""
WriteBpc=1
WriteBpv=1
WriteBdc=0
WriteBdv=1
WriteDups=1
DupBlank="dupblank"
WriteShingles=1
WriteLinks=1
WriteTokens=1
WriteMaxTokens=20
WriteTarc=1
SplitSizeXml=0
SplitSizeTarc=1
GzipXml=1
GzipShingles=1
GzipLinks=0
GzipTokens=1
GzipTarc=1

[TTrDuplicateDetector]
FingerprintSize=4096

[TTrHtmlStripper]
DebugParse=0
ExtractAnchors=1
KeepSameHostLinks=1
KeepSameVirtualHostLinks=1
KeepExternalLinks=1
MinimalLinkLength=16
MaximalLinkLength=1024

[TTrCharsetConverter]
Iso88591IsWin1252=1

[TTrSimpleDocumentFilter]
DivThreshold=2
SizeThreshold=200

[TTrSecondPass]
CleanseTags=1
CleanseEmail=1
CleanseUri=1
CleanseHashtag=1
EmailReplacer="emailblank"
UriReplacer="uriblank"
HashtagReplacer="hashtagblank"

[TTrDeboilerplater]
TrainingMode=0
FannFile="boilerplate.net"
CustomRegex="^Lees meer"
Threshold=0.5
MinDivsAboveThreshold=1
MinDivProportionAboveThreshold=0.0
MinCharsAboveThreshold=200
MinCharProportionAboveThreshold=0.0

[TTrUnicodeLetterRangeTokenizer]
MaxBoilerplate=0.5
MinLength=10

[TTrTextAssessment]
ProfileFile="nl.prof"
Threshold=35

[TTrShingler]
NGramSize=5
HashesNumber=100

[TTrNormalizer]
ReplacementFile="data/utf8.norm"

[TTrDivDeduplicator]
CharacterThreshold=3

[TTrMetaExtractor]
ExtractKeywords=1
ExtractTitle=1
ExtractAuthor=1
"""

PAGE = """<!doctype html><html lang=nl><head><title>De molen {n}</title>
<meta name=author content="J. de Boer"></head><body><div>
<h1>De molen {n}</h1><p>De molen aan de rand van het dorp is gebouwd in het
begin van de achttiende eeuw en werd tot kort na de oorlog gebruikt om graan
te malen voor de boeren in de omgeving, zoals in stuk {n} van deze reeks te
lezen is. Schrijf aan molen{n}@a.example of kijk op www.a.example/molen voor
de tijden &#8212; en volg #molen.</p>
<p>Een groep bewoners heeft daarna geld verzameld om de molen op te knappen.
Het heeft lang geduurd voor de vergunning er was, maar nu draait hij weer op
zaterdag en kunnen bezoekers zien hoe het meel wordt gemaakt.
<a href="http://b.example/verder?a=1&amp;b=2">Verder</a></p>
<p>Een groep bewoners heeft daarna geld verzameld om de molen op te knappen.
Het heeft lang geduurd voor de vergunning er was, maar nu draait hij weer op
zaterdag en kunnen bezoekers zien hoe het meel wordt gemaakt.
<a href="http://b.example/verder?a=1&amp;b=2">Verder</a></p>
<p>Lees meer over de molen en over het dorp waar hij al zo lang staat te
draaien in de wind.</p></div></body></html>
"""


def run(folder, *args, code=0):
    p = subprocess.run([WINNOW, *args], cwd=folder, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False)
    err = p.stderr.decode()
    check(p.returncode == code, f"{args}: exit {p.returncode}: {err}")
    return p.stdout.decode(), err


def arc(pages):
    """An ARC file of one gzip member a record."""
    out = b""
    head = b"1 0 example\nURL IP-address Archive-date Content-type " \
        b"Archive-length\n"
    records = [(b"filedesc://x.arc 0.0.0.0 20240101000000 text/plain", head)]
    for url, html in pages:
        http = (b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
                b"Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\n"
                b"X-Made-By: caf\xe9\r\n\r\n")
        records.append((url.encode() + b" 192.0.2.1 20240102030405 text/html",
                        http + html.encode()))
    for line, body in records:
        out += gzip.compress(line + b" %d\n" % len(body) + body + b"\n")
    return out


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def read(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rb") as f:
        return f.read().decode()


def remarks_are_complete(err):
    keys = [l.split("=")[0] for l in CRAWL.split("\n")]
    named = re.findall(r"job.ini:(\d+): TTr\w+\.(\w+) has no meaning", err)
    check(len(named) == len(set(named)), "a key is named twice")
    for line, key in named:
        check(keys[int(line) - 1] == key, f"line {line} is not {key}")
    for key in ("InQSize", "PopSleep", "WriterNumber"):
        check(any(k == key for _, k in named), f"{key} is not named")
    for key in ("FileName", "Threshold", "WriteLinks", "Prefix", "JobName",
                "StrictXml", "HashesNumber", "ExternalGzipPath"):
        check(not any(k == key for _, k in named), f"{key} is named")


def the_xml(path):
    text = read(path)
    root = ElementTree.fromstring(text)
    docs = root.findall("doc")
    check(root.tag == "xml" and len(docs) == 3, f"{len(docs)} documents")
    for doc in docs:
        check(doc.get("host") == "www.a.example", "host")
        check(doc.get("last-modified") == "Mon, 01 Jan 2024 00:00:00 GMT",
              "a header as attribute")
        check(doc.get("x-made-by") == "caf\xe9", "a header of the operator's")
        check(doc.get("author") == "J. de Boer", "author")
        check(doc.get("date") == "20240102030405", "date of the ARC record")
        check(doc.get("hots") == "unknown", "a name nobody knows")
        check("bdc" not in doc.attrib and "bdv" in doc.attrib, "WriteBdc=0")
        metas = {m.get("name"): m.get("content") for m in doc.findall("meta")}
        check(metas["title"].startswith("De molen"), "title")
        check("keywords" not in metas and "arcoffset" in metas, "metas")
        divs = doc.findall("div")
        words = "".join(d.text for d in divs)
        for word in ("emailblank", "uriblank", "hashtagblank"):
            check(word in words, f"no {word}")
        check("@" not in words and "#" not in words, "something stays")
        check(" - en volg" in words, "utf8.norm")
        dups = doc.findall("dup")
        check(len(dups) == 1 and dups[0].text.strip() == "dupblank", "dup")
        check(any(d.text.strip().startswith("Lees meer") and
                  float(d.get("bpv")) == 1 for d in divs), "CustomRegex")


def the_side_files(folder):
    ids = re.findall(r' id="([^"]+)"', read(folder + "/out/corpus.xml.gz"))
    links = read(folder + "/out/corpus.links").splitlines()
    check(links and all(len(l.split("\t")) == 4 for l in links), "four columns")
    check("http://b.example/verder?a=1&b=2" in links[0], "a link with &")
    shingles = read(folder + "/out/corpus.tender.gz").splitlines()
    check(all(re.match(r"\d{20} \S{36} \d{10}$", l) for l in shingles) and
          {l[21:57] for l in shingles} == set(ids), "lines of tender")
    check(len(shingles) == 100 * len(ids), "HashesNumber")
    tokens = read(folder + "/out/corpus.tokens.gz").splitlines()
    heads = [l for l in tokens if l.startswith("# ")]
    check([h[2:38] for h in heads] == ids, "documents of the tokens")
    check(len(tokens) - len(heads) == 20 * len(heads), "WriteMaxTokens")


def tarc(data):
    """The records of a TARC file as the manual has them: ARC's records without
    a file header, the HTML in one line.  (header, html) of each."""
    for record in data.split(b"TARC/1.0\n\n")[1:]:
        header, empty, html, rest = record.split(b"\n", 3)
        check(empty == b"" and rest == b"\n\n", "empty lines of a record")
        yield header, html


def the_tarc(folder, xml, pages):
    """Each document's HTML is where its <meta>s say."""
    with gzip.open(folder + "/out/corpus-00001.tarc.gz") as f:
        data = f.read()
    records = list(tarc(data))
    docs = ElementTree.fromstring(read(xml)).findall("doc")
    check(len(records) == len(docs), "a record for each document")
    for doc, (header, html) in zip(docs, records):
        m = {m.get("name"): m.get("content") for m in doc.findall("meta")}
        check(m["tarcfile"] == "corpus-00001.tarc.gz", "tarcfile")
        at, n = int(m["tarcheaderoffset"]), int(m["tarcheaderlength"])
        check(data[at:at + n] == header + b"\n", "place of the header")
        at, n = int(m["tarcbodyoffset"]), int(m["tarcbodylength"])
        check(data[at:at + n] == html + b"\n\n\n", "place of the HTML")
        url, ip, date, mime, size, rest = header.decode("latin-1").split(" ", 5)
        page = pages[doc.get("url")]
        check(url == doc.get("url") and ip == "192.0.2.1" and
              date == "20240102030405" and mime == "text/html" and
              int(size) == len(page.encode()), header)
        check("Last-Modified: Mon, 01 Jan 2024" in rest, "the server's header")
        check(html.decode() == page.replace("\n", " "), "the HTML in one line")


def the_log(folder):
    """JobName names it, Comment begins it; texrex's columns."""
    lines = read(folder + "/demo.log").splitlines()
    check(lines[0] == "# a job of the manual", "Comment")
    names, values = lines[1].split("\t"), lines[-1].split("\t")
    row = dict(zip(names, values))
    check(len(names) == len(values) and row["DocsReadNo"] == "6" and
          row["DocsWrittenNo"] == "3" and row["InputFilesDone"] == "1" and
          "exact_duplicate=1" in row["Rejected"], row)


def silence_is_silence(folder):
    job = CRAWL.replace("Silent=0", "Silent=1").replace("out/", "quiet/")
    write(folder + "/quiet.ini", job)
    out, err = run(folder, "clean", "-j", "quiet.ini")
    check(out == "" and "kept" not in err and
          all(l.startswith("quiet.ini:") for l in err.splitlines()), err)


def readers_are_what_the_job_says(folder):
    """ReaderClass: the other format is refused; ExternalGzipPath unpacks."""
    job = CRAWL.replace("[TTrArcReaderPool]", '[TTrReaderPool]\n'
                        'ReaderClass="TTrWarcReader"').replace("out/", "class/")
    write(folder + "/class.ini", job)
    _, err = run(folder, "clean", "-j", "class.ini", code=3)
    check("crawl.arc.gz is ARC, and input.format = warc: not read" in err, err)
    write(folder + "/unpack.sh", "#!/bin/sh\necho \"$@\" > called\n"
          "exec gzip \"$@\"\n")
    os.chmod(folder + "/unpack.sh", 0o755)
    job = CRAWL.replace("/usr/bin/gzip", "unpack.sh").replace("out/", "ext/")
    write(folder + "/ext.ini", job)
    run(folder, "clean", "-j", "ext.ini")
    check(read(folder + "/called").startswith("-c -d " + folder), "gzip -c -d")
    same = re.sub(r'<meta name="arc\w+" [^\n]*\n', "",
                  read(folder + "/out/corpus.xml.gz"))
    check(re.sub(r'<meta name="arc\w+" [^\n]*\n', "",
                 read(folder + "/ext/corpus.xml.gz")) == same, "another corpus")
    write(folder + "/unpack.sh", "#!/bin/sh\ngzip \"$@\" | head -c 2000\nexit 7\n")
    os.remove(folder + "/ext/corpus-00001.tarc.gz")
    _, err = run(folder, "clean", "-j", "ext.ini", code=3)
    check("input.gzip: it ended with exit code 7" in err, err)


def a_crawls_archive_becomes_a_corpus(folder):
    pages = [(f"http://www.a.example/{n}", PAGE.format(n=n)) for n in range(3)]
    pages.append(("http://www.a.example/copy", PAGE.format(n=1)))
    pages.append(("http://www.a.example/short", "<p>kort"))
    pages.append(("http://www.a.example/large", "<p>" + "x " * 300000))
    write(folder + "/in/crawl.arc.gz", arc(pages))
    write(folder + "/data/utf8.norm", "# dashes\n\u2014\t-\n")
    write(folder + "/job.ini", CRAWL)
    _, err = run(folder, "clean", "-j", "job.ini")
    check("3 kept" in err and "1 exact_duplicate" in err and "1 size" in err
          and "1 short" in err, err.splitlines()[-1])
    remarks_are_complete(err)
    the_xml(folder + "/out/corpus.xml.gz")
    the_side_files(folder)
    the_tarc(folder, folder + "/out/corpus.xml.gz", dict(pages))
    the_log(folder)


def its_dump_is_the_same_job(folder):
    dump, _ = run(folder, "config", "dump", "job.ini")
    dump = re.sub(r"(?m)^split_mib = .*", "", dump)  # the preset, spelt out
    first = read(folder + "/out/corpus.xml.gz")
    write(folder + "/dump.ini", dump)
    os.remove(folder + "/out/corpus.xml.gz")
    os.remove(folder + "/out/corpus-00001.tarc.gz")
    _, err = run(folder, "clean", "dump.ini", "--log", "warn")
    check("has no meaning" not in err, "remarks on a job of ours")
    check(os.path.exists(folder + "/out/corpus.xml.gz"), err)
    check(read(folder + "/out/corpus.xml.gz") == first, "another corpus")


def a_word_that_is_unknown_stops_it(folder):
    write(folder + "/wrong.ini",
          CRAWL.replace("WriteLinks", "WritesLinks"))
    _, err = run(folder, "clean", "-j", "wrong.ini", code=2)
    check(re.search(r"wrong.ini:\d+: fatal: TTrWriterPool.WritesLinks: no such "
                    r"option, did you mean WriteLinks\?", err), err)


def texrexs_own_jobs_run(folder):
    """As they stand: the demo job of its repository, and the manual's."""
    shared = os.environ.get("WINNOW_SHARED", os.path.join(ROOT, "..", "shared"))
    jobs = os.path.join(shared, "data", "suites", "texrex-jobs")
    pages = os.path.expanduser(os.environ.get(
        "WINNOW_TEXREX", "~/.cache/winnow-data/texrex-golden")) + "/small.warc"
    if not os.path.exists(jobs) or not os.path.exists(pages):
        print("skipped: texrex's own jobs or pages are not there")
        return
    os.makedirs(folder + "/own/arc")
    os.environ["TEXREXDATA"] = jobs
    for job, archive, out in (
            ("texrex.ini", "CC-MAIN-20150728002301-00020-ip-10-236-191-2.ec2."
             "internal.warc.gz", "debugcorpus-00001.xml.gz"),
            ("manual.ini", "a.warc", "corpus-00001.xml")):
        os.symlink(pages, folder + "/own/arc/" + archive)
        with open(os.path.join(jobs, job), encoding="utf-8") as f:
            write(folder + "/own/" + job, f.read())
        _, err = run(folder + "/own", "clean", "-j", job)
        check("fatal" not in err and "GeoBlocks" not in err, err[-600:])
        xml = read(folder + "/own/" + out)
        check(xml.count("<doc ") > 20, job + ": documents")
        check(' last-modified="' in xml, job + ": attributes")
        check("tarheaderclength" not in xml, "what is not known is no <meta>")
        # Menus come twice: texrex has 2015 of these on the same pages.
        check(xml.count("<dup ") > 500, job + ": repeated boilerplate")
    del os.environ["TEXREXDATA"]


def the_last_keys_do_something(folder):
    """Iso88591IsWin1252, UseUtf8validator, WriteDivMeta, DebugParse."""
    latin = PAGE.format(n=7).replace("graan", "\x93graan\x94") \
        .encode("latin-1").replace(b"&#8212;", b"-")
    broken = PAGE.format(n=8).replace("molen", "m\xf3len").encode().replace(b"Een groep", b"E\xe9\xe8en groep", 1)
    records = b""
    for n, page, charset in (7, latin, "iso-8859-1"), (8, broken, "utf-8"):
        body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=" + \
            charset.encode() + b"\r\n\r\n" + page
        records += gzip.compress(
            b"http://www.a.example/%d 192.0.2.1 20240102030405 text/html %d\n" %
            (n, len(body)) + body + b"\n")
    write(folder + "/in2/crawl.arc.gz", records)
    xml = {}
    for on in 0, 1:
        job = CRAWL.replace("in/*", "in2/*").replace("GzipXml=1", "GzipXml=0") \
            .replace("Iso88591IsWin1252=1", "Iso88591IsWin1252=%d" % on) \
            .replace("UseUtf8validator=1", "UseUtf8validator=%d" % on) \
            .replace("DebugParse=0", "DebugParse=%d" % on) \
            .replace('WriteDivMeta=""', 'WriteDivMeta="container|x"' if on
                     else 'WriteDivMeta=""') \
            .replace("out/corpus", "last%d/corpus" % on)
        write(folder + "/last.ini", job)
        _, err = run(folder, "clean", "-j", "last.ini")
        xml[on] = {d.get("url")[-1]: d for d in ElementTree.fromstring(
            read(folder + "/last%d/corpus.xml" % on)).findall("doc")}
        check(("\n@0 page http://www.a.example/7 " in "\n" + err) == bool(on) and
              bool(re.search(r"(?m)^@\d+ <h1>$", err)) == bool(on) and
              bool(re.search(r"(?m)^@\d+ </h1>$", err)) == bool(on) and
              bool(re.search(r"(?m)^block \d+ @\d+ in p: De molen aan", err)) ==
              bool(on), "DebugParse=%d: %s" % (on, err[:400]))
    text = {on: {n: "".join(d.itertext()) for n, d in xml[on].items()}
            for on in xml}
    check(set(xml[0]) == set(xml[1]) == {"7", "8"}, str(text)[:400])
    check(xml[1]["7"].get("sourcecharset") == "windows-1252" and
          "\u201cgraan\u201d" in text[1]["7"], "Iso88591IsWin1252=1")
    check(xml[0]["7"].get("sourcecharset") == "ISO-8859-1" and
          "\u201c" not in text[0]["7"] and " graan " in text[0]["7"],
          "Iso88591IsWin1252=0")
    damaged = [[d for d in x["8"].findall("div") if "\ufffd" in d.text and
                float(d.get("bpv")) < 1] for x in (xml[0], xml[1])]
    check(len(damaged[0]) == 1 and not damaged[1],
          "UseUtf8validator: %s" % [len(d) for d in damaged])
    metas = [m for d in xml[1]["7"].findall("div") for m in d.findall("meta")]
    check({m.get("name") for m in metas} == {"container"} and
          any(m.get("content") == "p" for m in metas), "WriteDivMeta")
    check(not xml[0]["7"].findall("div/meta"), "no WriteDivMeta")


def training_writes_features(folder):
    job = CRAWL.replace("TrainingMode=0", "TrainingMode=1") \
        .replace("WriteText=1", "WriteText=1\nWriteDivMetrics=1") \
        .replace("out/corpus", "out/training").replace("GzipXml=1", "GzipXml=0")
    write(folder + "/training.ini", job)
    run(folder, "clean", "-j", "training.ini")
    root = ElementTree.fromstring(read(folder + "/out/training.xml"))
    divs = root.findall("doc/div")
    check(divs and all(float(d.get("bpv")) == -1 for d in divs), "scores")
    check(all(len(d.find("metrics").get("value").split()) == 37 for d in divs),
          "texrex's metrics")


def languages_compete(folder):
    prof = "DE|-1.2|0.3|5\nHET|-1.6|0.3|5\nEEN|-1.6|0.3|5\n"
    write(folder + "/data/nl.prof", prof)
    write(folder + "/data/xx.prof", prof.replace("DE|", "XYZ|"))
    job = CRAWL.replace("UseTextAssessment=1", "UseTextAssessmentMulti=1") \
        .replace("out/corpus", "out/multi").replace("GzipXml=1", "GzipXml=0") \
        .replace('WriteDocAttr="', 'WriteDocAttr="language|')
    job += """
[TTrTextAssessmentMulti]
Profiles="First|Second"
MetaThreshold=35
BreakThreshold=1
[First]
ProfileFile=xx.prof
LanguageCode=XX
[Second]
ProfileFile=nl.prof
LanguageCode=NL
"""
    write(folder + "/multi.ini", job)
    os.environ["TEXREXDATA"] = folder + "/data"
    run(folder, "clean", "-j", "multi.ini")
    root = ElementTree.fromstring(read(folder + "/out/multi.xml"))
    check([d.get("language") for d in root.findall("doc")] == ["NL"] * 3,
          "language")


def the_job_of_the_manual_runs(folder):
    with open("clean/README.md", encoding="utf-8") as f:
        job = re.search(r"```ini\n(# corpus.ini\n.*?)```", f.read(), re.S)
    write(folder + "/corpus.ini", job.group(1))
    write(folder + "/crawl/a.warc.gz", arc(
        [(f"http://www.a.example/{n}", PAGE.format(n=n)) for n in range(2)]))
    run(folder, "clean", "-j", "corpus.ini")
    for ending in "xml", "links", "tokens":
        check(read(f"{folder}/corpus/nl.{ending}.gz") != "", ending)
    check("@" not in read(folder + "/corpus/nl.xml.gz"), "cleanse")


def main():
    with tempfile.TemporaryDirectory() as folder:
        return checks.run([a_crawls_archive_becomes_a_corpus, its_dump_is_the_same_job,
                           silence_is_silence, readers_are_what_the_job_says,
                           a_word_that_is_unknown_stops_it, texrexs_own_jobs_run,
                           the_last_keys_do_something, training_writes_features,
                           languages_compete, the_job_of_the_manual_runs], folder)


sys.exit(main())
