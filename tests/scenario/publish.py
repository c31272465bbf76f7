#!/usr/bin/env python3
"""publish.py -- a crawl's documents, fingerprints and verdicts for subscribers.

Follows: a subscriber gets every message, each record as it stands in the file
that is named, at the place that is told; one that reads nothing, and a stopped
publisher, hold up neither the crawl nor the others.
Goes on: after 200 connections of noise and one hang-up that silences nng, and
after the process that publishes has been killed.
Reads again: a publisher is killed and started; what was missed meanwhile is
printed by number, and nothing is missing then.
Any language: tests/scenario/subscribe.py does the same with pynng, in a virtual
environment that is made here; skipped (and said) when pynng cannot be had.

usage: publish.py WINNOW
"""
import glob
import gzip
import hashlib
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from crawl_run import Reader, wait_for_end  # noqa: E402
from made_web import Site, make_pages  # noqa: E402
from wire import free_port, read_exactly  # noqa: E402

PAGES = 60
SUB = b"\0SP\0\0\x21\0\0"


def split(message):
    """(topic, number, file, at, size, id), record"""
    head, _, record = message.partition(b"\n")
    topic, number, file, at, size, document = head.decode().split(" ")
    return (topic, int(number), file, int(at), int(size), document), record


class Subscriber(threading.Thread):
    """One that knows of nng only what the bytes are: greets, then reads."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.messages = []
        self.s = socket.create_connection(("127.0.0.1", port), 30)
        self.s.sendall(SUB)
        if read_exactly(self.s, 8) != b"\0SP\0\0\x20\0\0":
            raise RuntimeError("not greeted by a publisher")
        self.s.settimeout(None)
        self.start()

    def run(self):
        try:
            while True:
                n = int.from_bytes(read_exactly(self.s, 8), "big")
                self.messages.append(split(read_exactly(self.s, n)))
        except OSError:
            pass

    def numbers(self, topic):
        return [head[1] for head, _ in list(self.messages) if head[0] == topic]

    def has(self, n, seconds):
        """Has it seen the verdict of document n?"""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if n in self.numbers("verdict"):
                return True
            time.sleep(.05)
        return False


class World:
    def __init__(self, winnow, base):
        self.winnow, self.base, self.port = winnow, base, free_port()
        self.dir = os.path.join(base, "crawl")
        self.site = Site(make_pages(2, PAGES // 2, 9, copies=.2))
        self.site.write_hosts(os.path.join(base, "hosts"))
        self.job = os.path.join(base, "job.ini")
        with open(self.job, "w") as f:
            f.write("[seeds]\nurl = %s\n[limits]\nwait_seconds = 1\n"
                    "[politeness]\ndelay_ms = 10\n[clean]\nbadness_max = 1000\n"
                    "chars_min = 10\n[fetch]\nhosts_file = hosts\nparallel = 4\n"
                    "[dedup]\nnear = 0\npub = tcp://127.0.0.1:%d\n"
                    "[output]\nformat = jsonl xml shingles\ndisk_free_mib = 0\n" % (
                        " ".join("http://%s/0.html" % h for h in self.site.web),
                        self.port))
        self.running, self.more = [], 100

    def start(self, what, *more):
        p = subprocess.Popen(
            [self.winnow, what, self.job, "--dir", self.dir, *more],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        self.running.append(p)
        return p, Reader(p.stderr)

    def publish(self, fault):
        p, err = self.start("publish")
        if not err.said(["ready"], 60):
            fault.append("the publisher does not start: %s" % err.lines)
        return p

    def again(self, *flags):
        """What `winnow publish --from` prints, as messages."""
        out = subprocess.run([self.winnow, "publish", self.dir, *flags],
                             capture_output=True, timeout=60, check=True).stdout
        messages = []
        while out:
            head, _, rest = out.partition(b"\n")
            size = int(head.split(b" ")[4])
            messages.append(split(head + b"\n" + rest[:size]))
            out = rest[size:]
        return messages

    def crawl_more(self, fault):
        """Ten pages that were not there before; the number of the last."""
        urls = []
        for i in range(5):
            self.more += 1
            for host in sorted(self.site.web):
                page = self.site.web[host]["/%d.html" % (self.more % 9)]
                self.site.web[host]["/%d.html" % self.more] = page.replace(
                    b"<article>", b"<article><p>%s %d</p>" % (
                        b"en dat is een ander boek van de schrijver " * 3, self.more))
                urls.append("http://%s/%d.html" % (host, self.more))
        crawl, _ = self.start("crawl", "--set", "seeds.url=" + " ".join(urls))
        wait_for_end(crawl, 60, fault, "a crawl does not end")
        return self.again("--from", "1")[-1][0][1]

    def text(self, file):
        """Of a part: its gzip members, and the tail while there is one."""
        path, text = os.path.join(self.dir, file), b""
        if os.path.exists(path + ".gz"):
            with gzip.open(path + ".gz", "rb") as f:
                text = f.read()
        for tail in glob.glob(path + ".tail-*"):
            with open(tail, "rb") as f:
                text += f.read()
        return text

    def stop(self):
        for p in self.running:
            if p.poll() is None:
                p.kill()
                p.wait()
        self.site.close()


def check_messages(w, messages, fault):
    """Numbers without a gap, records as the files have them."""
    verdicts = [h[1] for h, _ in messages if h[0] == "verdict"]
    if verdicts != list(range(1, len(verdicts) + 1)) or len(verdicts) < PAGES // 2:
        fault.append("verdicts %s" % verdicts)
    texts = {}
    for (topic, number, file, at, size, document), record in messages:
        text = texts.setdefault(file, None) or w.text(file)
        texts[file] = text
        if len(record) != size or text[at:at + size] != record:
            fault.append("%s %d: not what stands in %s at %d" % (
                topic, number, file, at))
            break
    lines = [json.loads(r) for h, r in messages if h[0] == "verdict"]
    kept = [line["id"] for line in lines if line["verdict"] == "kept"]
    for topic in ("kept/jsonl", "kept/xml", "kept/shingles"):
        if [h[5] for h, _ in messages if h[0] == topic] != kept:
            fault.append("%s: other documents than the verdicts say" % topic)
    corpus = sorted(glob.glob(os.path.join(w.dir, "corpus", "*.jsonl.gz")))
    whole = b"".join(w.text(os.path.relpath(p, w.dir)[:-3]) for p in corpus)
    if b"".join(r for h, r in messages if h[0] == "kept/jsonl") != whole:
        fault.append("kept/jsonl is not the corpus")
    if not any(line["verdict"] == "exact_duplicate" and line["of"] in kept
               for line in lines):
        fault.append("no duplicate among the verdicts")


def example(w, fault):
    """subscribe.py in an environment of its own; None: pynng is not to be had."""
    folder = os.path.join(w.base, "venv")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder],
                       check=True, timeout=120, **quiet)
        subprocess.run([sys.executable, "-m", "pip", "--python",
                        os.path.join(folder, "bin", "python"), "install",
                        "pynng"], check=True, timeout=120, **quiet)
    except (OSError, subprocess.SubprocessError):
        print("skipped: pynng cannot be installed, so no example of another "
              "language ran; the other checks did")
        return None
    p = subprocess.Popen([os.path.join(folder, "bin", "python"),
                          os.path.join(HERE, "subscribe.py"),
                          "tcp://127.0.0.1:%d" % w.port, "verdict", "kept/xml "],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    w.running.append(p)
    return Reader(p.stdout)


def check_example(read, sub, last, fault):
    if not read.said(['"verdict"', '"number": %d,' % last], 30):
        fault.append("pynng has not seen document %d: %s" % (last, read.lines[-3:]))
        return
    got = [json.loads(line) for line in list(read.lines)]
    want = [(h[0], h[1], hashlib.md5(r).hexdigest()) for h, r in sub.messages
            if h[0] in ("verdict", "kept/xml") and h[1] >= got[0]["number"]]
    have = [(m["topic"], m["number"], m["md5"]) for m in got]
    if have[:len(want)] != want[:len(have)] or len(have) < 20:
        fault.append("pynng has read something else: %s ... %s" % (have[:2], want[:2]))


def main(winnow, base):
    fault = []
    w = World(winnow, base)
    try:
        publisher = w.publish(fault) # before there is anything
        first, mute = Subscriber(w.port), socket.create_connection(("127.0.0.1", w.port))
        mute.sendall(SUB) # and never reads
        read = example(w, fault)
        time.sleep(1) # it connects
        crawl, _ = w.start("crawl")
        if not first.has(PAGES // 4, 60):
            fault.append("a subscriber has not seen a quarter of the crawl")
        os.kill(publisher.pid, signal.SIGSTOP) # nobody waits for it
        wait_for_end(crawl, 60, fault, "the crawl waits for its publisher")
        os.kill(publisher.pid, signal.SIGCONT)
        last = w.again("--from", "1")[-1][0][1]
        if not first.has(last, 30):
            fault.append("a publisher that was stopped does not catch up")
        if read is not None:
            check_example(read, first, last, fault)
        time.sleep(.5) # the records of the last one
        check_messages(w, list(first.messages), fault)
        if w.again("--from", "1") != first.messages:
            fault.append("--from prints something else than was published")
        part = w.again("--from", "7", "--to", "9", "--topic", "kept/xml")
        if part != [m for m in first.messages
                    if m[0][0] == "kept/xml" and 7 <= m[0][1] <= 9]:
            fault.append("--from, --to and --topic: %s" % part)
        end = silenced(w, publisher, last, fault)
        publisher.kill()
        publisher.wait()
        missed(w, end, fault)
    finally:
        w.stop()
    print("%d documents, %d messages" % (last, len(first.messages)))
    for line in fault:
        print("FAULT", line)
    return 1 if fault else 0


NOISE = [b"GET / HTTP/1.0\r\n\r\n", b"wnw2\1\1\1\1\0\0\0", b"\0SP\0\0\x30\0\0", b"",
         SUB + b"\0\0\0\0\0\0\0\4spam", SUB + b"\xff" * 8]


def child_of(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
        return int((f.read().split() or [0])[0])


def replaced(w, publisher, child, seconds):
    """Another process publishes: its pid; 0: none does in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(.1)
        if child_of(publisher.pid) in (0, child):
            continue
        try:
            socket.create_connection(("127.0.0.1", w.port), 1).close()
            return child_of(publisher.pid)
        except OSError:
            pass
    return 0


def hang_up_while_greeted(w, child):
    """With a reset behind an end of file, so that writing fails with EPIPE."""
    os.kill(child, signal.SIGSTOP)
    time.sleep(.2)
    s = socket.create_connection(("127.0.0.1", w.port), 30)
    s.shutdown(socket.SHUT_WR)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    s.close()
    os.kill(child, signal.SIGCONT)


def silenced(w, publisher, last, fault):
    for i in range(200):
        try:
            with socket.create_connection(("127.0.0.1", w.port), 30) as s:
                s.send(NOISE[i % len(NOISE)])
        except ConnectionRefusedError:
            time.sleep(.1)  # another one takes its place just now
    child = replaced(w, publisher, 0, 15) # the noise may have done it, too
    if not child:
        fault.append("nobody publishes after noise")
        return last
    hang_up_while_greeted(w, child)
    fresh = replaced(w, publisher, child, 15) # not with an nng without the fault
    print("silenced and replaced" if fresh else "not silenced")
    os.kill(fresh or child, signal.SIGKILL)
    if not replaced(w, publisher, fresh or child, 15):
        fault.append("nobody publishes after a kill")
        return last
    sub = Subscriber(w.port)
    time.sleep(1)
    end = w.crawl_more(fault)
    if end <= last or not sub.has(end, 30):
        fault.append("documents %d to %d are not published after a kill" % (last, end))
    elif sub.messages[0][0][1] != last + 1:
        fault.append("after a kill it goes on with %d, not %d" % (
            sub.messages[0][0][1], last + 1))
    return end


def missed(w, last, fault):
    """More is crawled without a publisher, then with one: what the subscriber
    has, and what is printed of what it has not, is all."""
    between = w.crawl_more(fault)
    w.publish(fault)
    sub = Subscriber(w.port)
    time.sleep(1)
    end = w.crawl_more(fault)
    if not (last < between < end) or not sub.has(end, 30):
        fault.append("documents %d, %d, %d: the last ones are not seen" % (
            last, between, end))
        return
    time.sleep(.5)
    if sub.messages[0][0][1] != between + 1:
        fault.append("the new publisher begins with document %d, not %d" % (
            sub.messages[0][0][1], between + 1))
    again = w.again("--from", str(last + 1), "--to", str(between))
    everything = w.again("--from", "1")
    if everything[-len(again) - len(sub.messages):] != again + sub.messages:
        fault.append("what was missed and what was seen is not everything")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    scratch = tempfile.mkdtemp(prefix="winnow-publish-")
    try:
        sys.exit(main(os.path.abspath(sys.argv[1]), scratch))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
