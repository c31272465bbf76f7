#!/usr/bin/env python3
"""clean_inputs.py -- what `winnow clean` is given: what cannot be read is told by its
path and makes the exit code 3; who waits for an input can be stopped at once, and what
is written stays whole; a saved page of parts (MHTML) is not taken for HTML, nor is
what is packed.

usage: clean_inputs.py WINNOW
"""
import bz2
import io
import json
import lzma
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
PAGE = os.path.abspath("tests/cases/clean/nl-article.html")
SOMEBODY = 64321
WAIT_S = 60  # only a fault takes that long


def become_somebody():
    os.setgroups([])
    os.setgid(SOMEBODY)
    os.setuid(SOMEBODY)


def winnow(*args, somebody=False):
    p = subprocess.run([WINNOW, *args], stdin=subprocess.DEVNULL, capture_output=True,
                       preexec_fn=become_somebody if somebody else None, check=False)
    return p.returncode, p.stderr.decode(), p.stdout


def page():
    with open(PAGE, "rb") as f:
        return f.read()


def put(path, data):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def somebody_may_run(folder):
    """Root may enter every folder: it has to be somebody else."""
    if os.getuid() != 0:
        return True
    try:
        return winnow("clean", folder + "/a.html", somebody=True)[0] == 0
    except PermissionError:
        return False


def folders_that_may_not_be_entered(tmp):
    put(tmp + "/closed/a.html", page())
    put(tmp + "/closed/in/b.html", page())
    if not somebody_may_run(tmp + "/closed"):
        print("skipped: somebody else than root has to be let in here")
        return
    os.chmod(tmp + "/closed/in", 0o744)
    for words in (["closed"], ["closed", "closed/a.html"]):
        code, said, text = winnow("clean", *[tmp + "/" + w for w in words],
                                  somebody=os.getuid() == 0)
        check(code == 3 and "closed/in/b.html: Permission denied" in said and text,
              "%s: exit %d: %s" % (words, code, said))
    put(tmp + "/closed/open/c.html", page())
    os.chmod(tmp + "/closed/in", 0o711)
    code, said, _ = winnow("clean", "--set", "input.path=%s/closed/*/*.html" % tmp,
                           somebody=os.getuid() == 0)
    check(code == 1 and "closed/in: Permission denied" in said, "a pattern: %d %s" % (code, said))
    os.chmod(tmp + "/closed/in", 0o755)


def paths_longer_than_any_path(tmp):
    """Each folder is made from within the one above it."""
    put(tmp + "/deep/a.html", page())
    here, name = os.open(tmp + "/deep", os.O_RDONLY), "d" * 200
    for _ in range(25):
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    with open(os.open("b.html", os.O_WRONLY | os.O_CREAT, dir_fd=here), "wb") as f:
        f.write(page())
    os.close(here)
    code, said, text = winnow("clean", tmp + "/deep")
    check(code == 3 and "deep/" + name in said and "File name too long" in said and text,
          "exit %d: %s" % (code, said))


def record(i):
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page()
    return (b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/%d\r\n"
            b"WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http; "
            b"msgtype=response\r\nContent-Length: %d\r\n\r\n" % (i, len(block))) + \
        block + b"\r\n\r\n"


def stopped(first, words, begin=b""):
    """SIGTERM once there is what stands before the input that does not come (if anything):
    what was written.  `begin` is all that standard input gets, and `first` documents of it."""
    with subprocess.Popen([WINNOW, "clean", "--format", "jsonl", "--set", "clean.threads=2",
                           *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as p:
        p.stdin.write(begin)
        p.stdin.flush()
        text = b""
        while text.count(b"\n") < first and select.select([p.stdout], [], [], WAIT_S)[0]:
            text += os.read(p.stdout.fileno(), 1 << 16)
        time.sleep(.3)  # most likely it waits by then
        p.send_signal(signal.SIGTERM)
        try:
            p.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            check(False, "%s: it goes on" % words)
            p.kill()
        text, said = text + p.stdout.read(), p.stderr.read().decode()
    check(p.returncode == 130 and "error" not in said and "unreadable" not in said and
          "damaged" not in said, "%s: exit %s: %s" % (words, p.returncode, said))
    check(all(line.endswith(b"}\n") for line in text.splitlines(True)) and
          text.count(b"\n") == first, "%s: %s" % (words, text))


def a_stop_ends_all_waiting(tmp):
    put(tmp + "/a.html", page())
    os.mkfifo(tmp + "/fifo")
    stopped(1, [tmp + "/a.html", tmp + "/fifo"])  # nobody opens it
    end = os.open(tmp + "/fifo", os.O_RDWR)
    stopped(1, [tmp + "/a.html", tmp + "/fifo"])  # nobody writes to it
    os.write(end, b"<p>Een halve bladz")
    stopped(0, [tmp + "/fifo"])
    os.close(end)
    stopped(0, ["-"])
    stopped(0, ["-"], page()[:500])
    stopped(0, ["-"], page() * 20)  # more than shows what it is
    stopped(0, ["-"], record(1)[:300])
    whole = b"".join(map(record, range(20)))
    stopped(20, ["-"], whole + b"W")
    stopped(20, ["-"], whole + record(20)[:-500])


def pipes_that_come_are_read(tmp):
    want = winnow("clean", "--url", "http://a.example/", PAGE)[2]
    os.mkfifo(tmp + "/pipe")
    for command in ("cat %s >%s/pipe & exec %s clean --url http://a.example/ %s/pipe" % (
            PAGE, tmp, WINNOW, tmp), "(sleep .3; head -c 9000 %s; sleep .3; tail -c +9001 %s) | "
            "%s clean --url http://a.example/ -" % (PAGE, PAGE, WINNOW),
            "%s clean --url http://a.example/ <(cat %s)" % (WINNOW, PAGE)):
        p = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, check=False)
        check(p.returncode == 0 and p.stdout == want != b"", command)


def pages_in_mime_parts(tmp):
    """Named or in a folder, by clean and by try: no text in quoted-printable."""
    mhtml = tmp + "/mime/page.mhtml"
    put(mhtml, b"From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;"
        b'\r\n\ttype="text/html";\r\n\tboundary="x"\r\n\r\n--x\r\nContent-Type: text/html\r\n'
        b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" +
        page().replace(b"=", b"=3D") + b"\r\n--x--\r\n")
    for path, exit_code, why in ((mhtml, 3, "page.mhtml is a page in MIME parts"),
                                 (tmp + "/mime", 0, "1 not_html")):
        code, said, text = winnow("clean", path)
        check(code == exit_code and why in said and text == b"",
              "%s: %d %s%s" % (path, code, said, text))
    code, said, text = winnow("try", mhtml)
    check(code != 0 and "page.mhtml: a page in MIME parts" in said and text == b"",
          "try: %d %s" % (code, said))
    check(winnow("clean", "--all", mhtml)[2] != b"", "--all is for what nobody else takes")


XHTML = (b"<?xml version='1.0' encoding='utf-8'?>\n<!DOCTYPE html><html lang='nl' "
         b"xmlns='http://www.w3.org/1999/xhtml'><head><title/><script src='x'/></head><body>%s"
         b"</body></html>")


def what_is_packed_is_no_text(tmp):
    """By any name, and on standard input."""
    wacz = io.BytesIO()
    with zipfile.ZipFile(wacz, "w") as z:
        z.writestr("archive/a.warc", record(1))
    for kind, data in (("zip", wacz.getvalue()), ("x-xz", lzma.compress(record(1))),
                       ("x-bzip2", bz2.compress(record(1))),
                       ("x-lz4", b"\x04\x22\x4d\x18\x64\x40\xa7" + record(1))):
        put(tmp + "/packed", data)
        for words in ([tmp + "/packed"], ["-"]):
            p = subprocess.run([WINNOW, "clean", *words], input=data, capture_output=True)
            check(p.returncode == 3 and p.stdout == b"" and b"is application/%s, no HTML, and not "
                  b"read: unpack it first" % kind.encode() in p.stderr, "%s: %s" % (words, p))


def of_type(content_type, body):
    """What is kept of a page of an archive."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n%s" % (content_type, body)
    put("page.warc", b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n"
        b"WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
        b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (len(block), block))
    code, said, text = winnow("clean", "page.warc")
    check(code == 0, "%s: %d %s" % (content_type, code, said))
    return text


def xhtml_is_read_as_xml(tmp):
    os.chdir(tmp)
    text = (b"Dit is een gewone zin over het water en de dijk, en over wat daar groeit. " * 40)
    xhtml = XHTML % (b"<p>%s</p><iframe src='x'/>\n<p>%s</p>" % (text, text.upper()))
    for content_type in b"application/xhtml+xml", b"application/xml", b"text/xml; charset=utf-8":
        check(b"water" in of_type(content_type, xhtml), "%s: nothing is kept" % content_type)
    check(of_type(b"text/html", xhtml) == b"", "text/html: the script takes all, as in browsers")
    rss = b"<?xml version='1.0'?><rss version='2.0'><p>" + text + b"</p></rss>"
    check(of_type(b"application/xml", rss) == b"", "a feed is no page")
    put("x/page.xml", xhtml)
    put("x/page.html", xhtml)
    put("x/feed.xml", rss)
    code, said, kept = winnow("clean", "x")
    check(code == 0 and "2 kept, 1 not_html" in said and kept.count(b"WATER") > 2,
          "files: %d %s" % (code, said))
    os.chdir("/")


def scope_chooses_among_pages(tmp):
    """[scope] says which pages of an archive are cleaned, and of files with --url."""
    hosts = ["www.a.nl", "b.nl", "c.be"]
    put(tmp + "/s/all.warc", b"".join(
        b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://%s/%d\r\n"
        b"WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http\r\n"
        b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (host.encode(), i, len(block), block)
        for i, host in enumerate(hosts)
        for block in [b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page()]))
    put(tmp + "/s/a.html", page())
    put(tmp + "/s/opted-out", b"# who asked us\nb.nl\na.nl\n")

    def kept(*words):
        code, said, text = winnow("clean", "-f", "jsonl", "--set", "log.progress=on", *words)
        return code, said, [json.loads(line)["url"].split("/")[2] for line in text.splitlines()]

    archive = tmp + "/s/all.warc"
    check(kept(archive)[2] == hosts, "all")
    code, said, left = kept(archive, "--set", "scope.tld=nl")
    check(left == hosts[:2] and code == 0 and ", 1 out_of_scope" in said, (left, said))
    check(kept(archive, "--set", "scope.visit=/[12]$")[2] == hosts[1:], "visit")
    code, said, left = kept(archive, "--set", "scope.save=/2$")
    check(left == hosts[2:] and "2 not_saved" in said, (left, said))
    out = "scope.exclude_file=%s/s/opted-out" % tmp
    check(kept(archive, "--set", out)[2] == ["c.be"], "opted out")
    code, said, text = winnow("clean", "--all", "-f", "jsonl", "--set", out, archive)
    check([json.loads(line)["reject"] for line in text.splitlines()] ==
          ["out_of_scope", "out_of_scope", ""], "--all: %s" % said)
    check(winnow("clean", tmp + "/s/a.html", "--set", "scope.tld=be")[2], "no URL is known")
    check(not winnow("clean", tmp + "/s/a.html", "--set", "scope.tld=be", "--url",
                     "http://a.nl/")[2], "--url")
    code, said, _ = winnow("clean", archive, "--set", "scope.exclude_file=/nowhere")
    check(code == 2 and "/nowhere" in said, "no list: %d %s" % (code, said))
    folder = ["clean", "--missing", "-f", "jsonl", "-o", tmp + "/s/out/", archive]
    check(winnow(*folder, "--set", "scope.tld=nl")[0] == 0, "into a folder")
    code, said, _ = winnow(*folder)
    check(code == 2 and "scope.tld" in said, "--missing, another scope: %d %s" % (code, said))


def several_append_to_one_file(tmp):
    """`... | xargs -P4 winnow clean -f jsonl >all.jsonl`: lines stay whole."""
    text = b"".join(b"<p>The %d. of the long paragraphs of this page, which fill a buffer. " % i
                    for i in range(200))
    put(tmp + "/long.warc", b"".join(
        b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.nl/%d\r\n"
        b"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (
            i, len(answer), answer) for i, answer in enumerate(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>%d</title>%s" % (i, text)
                for i in range(100))))
    with open(tmp + "/all.jsonl", "wb") as out:
        for p in [subprocess.Popen([WINNOW, "clean", "--all", "-f", "jsonl", tmp + "/long.warc"],
                                   stdout=out, stderr=subprocess.DEVNULL) for _ in range(4)]:
            check(p.wait() == 0, "one of four")
    with open(tmp + "/all.jsonl", "rb") as f:
        lines = f.read().splitlines()
    check(len(lines) == 400 and all(len(json.loads(line)["text"]) > 10000 for line in lines),
          "%d lines of 400" % len(lines))


def main():
    with tempfile.TemporaryDirectory(prefix="winnow-inputs-") as tmp:
        os.chmod(tmp, 0o755)
        return checks.run([folders_that_may_not_be_entered, paths_longer_than_any_path,
                           a_stop_ends_all_waiting, pipes_that_come_are_read,
                           pages_in_mime_parts, what_is_packed_is_no_text,
                           xhtml_is_read_as_xml, scope_chooses_among_pages,
                           several_append_to_one_file], tmp)


sys.exit(main())
