#!/usr/bin/env python3
"""bad_input.py -- what a server, a page or an operator does wrong ends in one
named outcome, and the crawl goes on.

The outcomes of all that servers can do are in tests/hostile; here is what needs
more than one look at a log: what is asked for after an answer, and jobs of their
own (faults of the operator, limits, scope, signals).  The real program is run;
what counts is its exit status, its crawl log, its messages, and what the servers
saw.

usage: bad_input.py WINNOW
"""
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../hostile"))
from server import BadServer, reply  # noqa: E402

BODY_MAX = 1 << 20
TEXT = "<p>" + "Dit is een gewone zin over het water en de dijk. " * 30 + "</p>"
failures = []


def check(what, ok, detail=""):
    print("%s %s%s" % ("ok  " if ok else "FAIL", what, "" if ok else ": %s" % (detail,)))
    if not ok:
        failures.append(what)


# ---- scripts of the bad servers: f(connection, path) ----

def page(text):
    return lambda c, path: c.sendall(reply(text))


def raw(data):
    return lambda c, path: c.sendall(data)


def redirect(to, status="301 Moved"):
    return lambda c, path: c.sendall(
        reply("", status=status, headers=["Location: " + to])
        if path == "/" else reply(TEXT))


def stalled(c, path):
    c.wait()


def five_megabytes_of_rules(c, path):
    if path == "/robots.txt":
        body = b"User-agent: *\nDisallow: /early\n"
        body += b"# nothing here\n" * (5 * 1024 * 1024 // 15) + b"Disallow: /late\n"
        c.sendall(reply(body, kind="text/plain"))
    elif path == "/":
        c.sendall(reply(TEXT + "<a href=/early>a</a> <a href=/late>b</a>"))
    else:
        c.sendall(reply(TEXT))


def later(status, seconds):
    state = {"n": 0}

    def script(c, path):
        state["n"] += 1
        if state["n"] == 1:
            c.sendall(reply("later", status=status,
                            headers=["Retry-After: %d" % seconds]))
        else:
            c.sendall(reply(TEXT))
    return script


def odd_links(c, path):
    if path == "/":
        c.sendall(reply(TEXT.encode() + b'<a href="/nul\0byte">x</a>'
                        b'<a href="/bad\xff\xfeutf8">y</a>'
                        b'<a href="/line\nfeed\rand\ttab">z</a>'
                        b'<a href="http://[broken/">b</a>'
                        b'<a href="http://odd.test:99999/">p</a>'
                        b'<a href="javascript:alert(1)">j</a>'))
    else:
        c.sendall(reply(TEXT))


SCRIPTS = {
    "good.test": page(TEXT),
    "odd.test": odd_links,
    "rules.test": five_megabytes_of_rules,
    "r429.test": later("429 Too Many Requests", 2),
    "r503.test": lambda c, p: c.sendall(reply("down", status="503 Busy")),
    "noindex.test": page("<meta name=robots content='noindex,nofollow'>" + TEXT +
                         "<a href=/never>x</a>"),
    "robots503.test": lambda c, p: c.sendall(reply("down", status="503 Busy")),
}
OWN_ROBOTS = ["rules.test", "robots503.test"]

# host -> (kind, outcome, verdict) of the last line that the log has for it
EXPECTED = {
    "good.test": ("page", "FETCHED", None),
    "odd.test": ("page", "FETCHED", None),
    "r429.test": ("page", "FETCHED", None),
    "r503.test": ("page", "FAILED", "http_503"),
    "noindex.test": ("page", "FETCHED", "noindex"),
    "robots503.test": ("robots", "ROBOTS_DONE", "http_503"),
    "refused.test": ("robots", "ROBOTS_DONE", "connect"),
}


class Lab:
    def __init__(self, winnow):
        self.winnow, self.base = winnow, tempfile.mkdtemp(prefix="winnow-bad-")
        self.n = 0

    def folder(self):
        self.n += 1
        path = os.path.join(self.base, "%02d" % self.n)
        os.mkdir(path)
        return path

    def crawl(self, seeds, ini="", hosts=None, timeout=180, folder=None, sets=()):
        """Run one crawl; (exit status, log rows, stderr, folder)."""
        folder = folder or self.folder()
        with open(os.path.join(folder, "seeds"), "w") as f:
            f.write("".join(s + "\n" for s in seeds))
        if hosts is not None:
            with open(os.path.join(folder, "hosts"), "w") as f:
                f.writelines("%s 127.0.0.1:%d\n" % h for h in sorted(hosts.items()))
            ini += "\n[fetch]\nhosts_file = hosts\n"
        with open(os.path.join(folder, "job.ini"), "w") as f:
            f.write("[seeds]\nfile = seeds\n[limits]\nwait_seconds = 4\n"
                    "[politeness]\ndelay_ms = 0\nretries = 1\nretry_ms = 200\n"
                    "[dedup]\nnear = 0\n[output]\ndisk_free_mib = 0\n"
                    "[fetch]\ntimeout_ms = 120000\nconnect_timeout_ms = 30000\n"
                    "first_byte_ms = 60000\nlow_speed_seconds = 60\ndns_timeout_ms = 1000\n"
                    "body_max = %d\n" % BODY_MAX + ini)
        p = subprocess.run([self.winnow, "crawl", os.path.join(folder, "job.ini"),
                            "--dir", os.path.join(folder, "crawl")] +
                           ["--set=" + s for s in sets],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, timeout=timeout)
        return (p.returncode, self.log(folder),
                p.stdout.decode("utf-8", "replace"), folder)

    @staticmethod
    def log(folder):
        path = os.path.join(folder, "crawl/log/crawl.jsonl")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as f:
            return [json.loads(line) for line in f]


def fits(want, got):
    return want is None or got in (want if isinstance(want, tuple) else (want,))


def check_outcomes(log, expected):
    last = {row["host"]: row for row in log}
    for host, (kind, outcome, verdict) in sorted(expected.items()):
        row = last.get(host, {})
        check("%-16s %s %s" % (host, outcome, verdict or ""),
              row.get("kind") == kind and fits(outcome, row.get("outcome")) and
              fits(verdict, row.get("verdict")), row)
    return last


def what_follows_from_answers(lab):
    server = BadServer(SCRIPTS, OWN_ROBOTS)
    closed = socket.socket()
    closed.bind(("127.0.0.1", 0)) # bound and not listening: refuses
    hosts = {h: server.port for h in SCRIPTS}
    hosts["refused.test"] = closed.getsockname()[1]
    seeds = ["http://%s/" % h for h in EXPECTED] + ["http://rules.test/"]
    code, log, err, folder = lab.crawl(seeds, "parallel = 64\n", hosts)
    check("the crawl ends well", code == 0, err[-2000:])
    check_outcomes(log, EXPECTED)
    odd = server.paths("odd.test")
    check("odd links are sent as clean URLs",
          "/linefeedandtab" in odd and
          all(33 <= ord(ch) <= 126 for p in odd for ch in p) and len(odd) == 4, odd)
    rules = {r["url"]: r for r in log if r["host"] == "rules.test"}
    check("a rule in the first 500 KiB of robots.txt counts",
          rules["http://rules.test/early"]["outcome"] == "DISALLOWED", rules)
    check("a rule behind them does not",
          rules["http://rules.test/late"]["outcome"] == "FETCHED", rules)
    check("disallowed pages are not asked for",
          "/early" not in server.paths("rules.test"), server.paths("rules.test"))
    times = server.times("r429.test")
    check("Retry-After is honoured", len(times) == 2 and times[1] - times[0] >= 2, times)
    check("a 503 is tried again", len(server.paths("r503.test")) == 2,
          server.paths("r503.test"))
    check("nofollow pages give no links", server.paths("noindex.test") == ["/"],
          server.paths("noindex.test"))
    check("no page of a host with an unreachable robots.txt",
          server.paths("robots503.test") == [], server.paths("robots503.test"))
    for host, reason in ("robots503.test", "http_503"), ("refused.test", "connect"):
        check("the log says why the robots.txt of %s is unreachable" % host,
              "host=%s robots.txt unreachable reason=%s tries=1\n" % (host, reason) in err,
              err[:1500])
    said = re.search(r"crawl: fetched=(\d+) kept=(\d+) \S+ errors=(\d+)", err).groups()
    told = json.loads(subprocess.run(
        [lab.winnow, "report", os.path.join(folder, "crawl"), "--json"],
        stdout=subprocess.PIPE, check=True).stdout)
    check("the report counts as the crawl does, last tries included",
          said == tuple(str(told[k]) for k in ("fetched", "kept", "errors")), (said, told))
    check("the message says that URLs wait", "wait" in err and "goes on" in err, err[-500:])
    code, log2, err, _ = lab.crawl(seeds, "parallel = 64\n", hosts, folder=folder)
    seen = [r["url"] for r in log2[len(log):] if r["outcome"] == "FETCHED"]
    check("the same command fetches nothing twice", code == 0 and not seen, seen)
    for s in (server, closed):
        s.close()


def faults_of_pages_without_robots(lab):
    server = BadServer(SCRIPTS)
    closed = socket.socket()
    closed.bind(("127.0.0.1", 0))
    seeds = ["http://refused.test/", "https://127.0.0.1:%d/" % server.port]
    ini = "allow_private = 127.0.0.0/8\n[politeness]\nrobots = off\n[fetch]\n"
    tls = None
    cert = os.path.join(lab.folder(), "cert.pem")
    if shutil.which("openssl"):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes",
                        "-keyout", cert, "-out", cert + ".crt", "-days", "2", "-subj",
                        "/CN=localhost"], check=True, stderr=subprocess.DEVNULL)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert + ".crt", cert)
        tls = BadServer({"127.0.0.1": page(TEXT)}, tls=context)
        seeds.append("https://127.0.0.1:%d/" % tls.port)
    code, log, err, _ = lab.crawl(seeds, ini,
                                  {"refused.test": closed.getsockname()[1]})
    rows = {r["url"]: r for r in log}
    check("the crawl ends well", code == 0, err[-1000:])
    check("a refused page is tried again",
          sum(r["url"] == seeds[0] for r in log) == 2 and
          rows[seeds[0]]["verdict"] == "connect", rows.get(seeds[0]))
    check("plain HTTP where TLS is due", rows[seeds[1]]["verdict"] == "tls",
          rows.get(seeds[1]))
    if tls:
        check("a certificate nobody vouches for is looked at again",
              sum(r["url"] == seeds[2] for r in log) == 2 and
              rows[seeds[2]]["verdict"] == "tls_verify", rows.get(seeds[2]))
        check("nothing is sent to it", not tls.requests, tls.requests)
        tls.close()
    else:
        print("     no openssl: self-signed certificate not tried")
    server.close()
    closed.close()


def a_hundred_thousand_links(lab):
    links = "".join("<a href=/l/%d>%d</a>\n" % (i, i) for i in range(100000))
    server = BadServer({"links.test": lambda c, p: c.sendall(
        reply(TEXT + (links if p == "/" else "")))})
    code, log, err, folder = lab.crawl(
        ["http://links.test/"], "parallel = 4\n[limits]\npages = 8\n",
        {"links.test": server.port}, sets=["fetch.body_max=8MiB"])
    rows = {r["url"]: r for r in log}
    check("100,000 links on a page are counted",
          rows.get("http://links.test/", {}).get("links") == 100000,
          rows.get("http://links.test/"))
    check("limits.pages is exact", code == 0 and len(server.paths("links.test")) == 8,
          server.paths("links.test"))
    before = len(log)
    code, log, err, _ = lab.crawl(
        ["http://links.test/"], "parallel = 4\n[limits]\npages = 8\n",
        {"links.test": server.port}, folder=folder)
    check("a spent budget stays spent", code == 0 and len(log) == before, log[before:])
    server.close()


def scope_holds_over_redirects(lab):
    server = BadServer({"in.test": redirect("http://out.example/"),
                        "out.example": page(TEXT),
                        "deep.test": lambda c, p: c.sendall(
                            reply(TEXT + "<a href=%s1>x</a>" % p))})
    code, log, err, _ = lab.crawl(
        ["http://in.test/", "http://deep.test/"],
        "[scope]\ntld = test\n[limits]\ndepth = 3\n",
        {h: server.port for h in server.scripts})
    check("a redirect out of scope is refused", code == 0 and
          log and not server.paths("out.example") and
          [r["verdict"] for r in log if r["host"] == "in.test"][-1] ==
          "redirect_out_of_scope", log)
    check("the depth limit holds", server.paths("deep.test") ==
          ["/", "/1", "/11", "/111"], server.paths("deep.test"))
    server.close()


def limits_end_a_crawl_well(lab):
    chain = {"chain.test": lambda c, p: c.sendall(
        reply(TEXT + "<a href=%s1>x</a>" % p))}
    server = BadServer(chain)
    hosts = {"chain.test": server.port}
    began = time.time()
    code, log, err, _ = lab.crawl(["http://chain.test/"], "", hosts,
                                  sets=["limits.seconds=4", "politeness.delay_ms=300"])
    took = time.time() - began
    check("limits.seconds ends it with 0", code == 0 and 3.5 < took < 30 and len(log) > 3,
          (code, took, len(log)))
    check("and it says so", re.search(r"done: limits\.seconds=4 is reached, pages=\d+; about 1 "
                                      r"URLs wait; the same command goes on", err), err[-500:])
    begun = len(server.paths("chain.test"))
    code, log, err, _ = lab.crawl(["http://chain.test/"], "", hosts,
                                  sets=["limits.bytes=%d" % (5 * len(TEXT)),
                                        "limits.seconds=60"])
    n = len(server.paths("chain.test")) - begun
    check("limits.bytes ends it with 0", code == 0 and 4 <= n <= 6, (code, n))
    check("and it says so, though seconds are limited", "done: limits.bytes=" in err and
          "with a higher limit goes on" in err, err[-500:])
    code, log, err, _ = lab.crawl(["http://chain.test/"], "", hosts,
                                  sets=["limits.pages=3", "limits.seconds=60"])
    check("limits.pages, too", code == 0 and "done: limits.pages=3 is reached, pages=3;" in err,
          err[-500:])
    code, log, err, folder = lab.crawl(
        ["http://chain.test/"], "[scope]\nsave = 11$\n", hosts,
        sets=["limits.depth=2", "clean.badness_max=1000", "output.keep_rejected=on"])
    verdicts = {r["url"]: r["verdict"] for r in log if r["kind"] == "page"}
    check("pages outside of scope.save only give links",
          code == 0 and verdicts.get("http://chain.test/") == "not_saved" and
          verdicts.get("http://chain.test/11", "not_saved") != "not_saved", verdicts)
    check("rejected documents are written when asked for",
          os.listdir(os.path.join(folder, "crawl/rejected")), folder)
    server.close()


def an_absent_frontier_is_waited_for(lab):
    folder = lab.folder()
    with open(os.path.join(folder, "job.ini"), "w") as f:
        f.write("[seeds]\nurl = http://127.0.0.1:9/\n"
                "[frontier]\nurl = ipc://%s/nobody.ipc\n" % folder)
    p = start(lab, folder)
    time.sleep(1)
    check("the crawl waits", p.poll() is None, p.returncode)
    p.send_signal(signal.SIGINT)
    began = time.time()
    p.communicate(timeout=60)
    check("SIGINT ends the wait with 130", p.returncode == 130 and
          time.time() - began < 30, (p.returncode, time.time() - began))


def the_operator_errs(lab):
    folder = None

    def refused(what, words, *args, **more):
        nonlocal folder
        code, log, err, folder = lab.crawl(*args, **more)
        check(what, code == 2 and all(w in err for w in words), (code, err[-500:]))

    refused("no seeds", ["no seeds"], [])
    slip = os.path.join(folder, "be-n")
    p = subprocess.run([lab.winnow, "crawl", "--dir", slip], stderr=subprocess.PIPE,
                       text=True, check=False)
    check("a slip in the name of the folder is told by that name",
          p.returncode == 2 and "no crawl in %s to go on with" % slip in p.stderr and
          not os.path.exists(slip), (p.returncode, p.stderr))
    for word, hint in ((folder, "is a folder: --dir " + folder),
                       ("https://a.example/", "--seed adds a URL"), ("more.ini", "unexpected word")):
        p = subprocess.run([lab.winnow, "crawl", word] if hint != "unexpected word" else
                           [lab.winnow, "crawl", os.path.join(folder, "job.ini"), word],
                           stderr=subprocess.PIPE, text=True, check=False)
        check("a word that is no job: " + hint, p.returncode == 2 and hint in p.stderr,
              (p.returncode, p.stderr))
    refused("only bad seeds, each with its line", ["seeds:1", "seeds:2", "none of"],
            ["not a url", "ftp://x.test/"])
    refused("seeds out of scope", ["not in scope"], ["http://a.be/"],
            "[scope]\ntld = nl\n")
    refused("no contact URL for the open web", ["contact", "user_agent"],
            ["http://example.org/"])
    refused("a hosts_file beyond loopback", ["hosts:1", "loopback"],
            ["http://a.test/"], "hosts_file = ../evil/hosts\n"
            if write(lab, "evil/hosts", "a.test 10.0.0.1:80\n") else "")
    for ca, why in ("../evil/hosts", "no certificates"), ("nowhere.pem", "No such file"):
        refused("authorities that are none", ["fetch.tls_ca", why], ["http://a.test/"],
                "tls_ca = %s\n" % ca, {"a.test": 9})
    refused("a seed file that is not there", ["nowhere"], ["http://a.test/"],
            "[seeds]\nurl = http://127.0.0.1/\n[fetch]\nhosts_file = nowhere\n")
    for service in "frontier", "dedup":
        refused("plain tcp to a %s beyond this machine" % service,
                ["services.unprotected_tcp"], ["http://a.test/"],
                "[%s]\nurl = tcp://192.0.2.1:9460\n" % service, {"a.test": 9})
        p = subprocess.run([lab.winnow, service, os.path.join(folder, "job.ini"),
                            "--dir", os.path.join(folder, "served"), "--set",
                            service + ".url=tcp://0.0.0.0:9460"],
                           capture_output=True, text=True, timeout=60)
        check("a %s for everybody" % service, p.returncode == 2 and
              "services.unprotected_tcp" in p.stderr, (p.returncode, p.stderr[-500:]))
    code, log, err, folder = lab.crawl(["http://a.test/", "bad one"], "",
                                       {"a.test": 9})
    check("a bad seed among good ones is skipped", code == 0 and "seeds:2" in err, err)
    os.makedirs(os.path.join(lab.base, "foreign/crawl/frontier"))
    write(lab, "foreign/crawl/frontier/data.mdb", "this is no LMDB file" * 1000)
    code, log, err, _ = lab.crawl(["http://a.test/"], "", {"a.test": 9},
                                  folder=os.path.join(lab.base, "foreign"))
    check("a foreign frontier folder is refused and named",
          code in (1, 2) and "frontier" in err, (code, err[-500:]))


def write(lab, name, text):
    path = os.path.join(lab.base, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    return True


def start(lab, folder, **more):
    return subprocess.Popen([lab.winnow, "crawl", os.path.join(folder, "job.ini"),
                             "--dir", os.path.join(folder, "crawl")],
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, **more)


def a_reader_that_leaves(lab):
    folder = lab.folder()
    for i in range(3000):
        write(lab, "%s/%d.html" % (folder, i), TEXT)
    p = subprocess.Popen([lab.winnow, "clean", "--all", folder],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    p.stdout.readline()
    p.stdout.close()
    err = p.communicate(timeout=60)[1].decode()
    check("who prints ends without a word when its reader has left",
          p.returncode == -signal.SIGPIPE and err == "", (p.returncode, err[-500:]))


def locked_and_interrupted(lab):
    server = BadServer({"stalled.test": stalled, "good.test": page(TEXT)})
    folder = lab.folder()
    with open(os.path.join(folder, "hosts"), "w") as f:
        f.write("stalled.test 127.0.0.1:%d\n" % server.port)
    with open(os.path.join(folder, "job.ini"), "w") as f:
        f.write("[seeds]\nurl = http://stalled.test/\n[fetch]\nhosts_file = hosts\n"
                "timeout_ms = 60000\nfirst_byte_ms = 60000\n"
                "[politeness]\ndelay_ms = 0\n")
    before = len(server.paths("stalled.test"))
    p = start(lab, folder)
    while len(server.paths("stalled.test")) == before and p.poll() is None:
        time.sleep(.05)
    q = start(lab, folder, env=dict(os.environ, WINNOW_LIMITS_PAGES="7"))
    err = q.communicate(timeout=60)[1].decode()
    check("a second crawl in the same folder is refused, and says nothing else",
          q.returncode == 2 and "in use" in err and err.count("\n") == 1, (q.returncode, err))
    began = time.time()
    p.send_signal(signal.SIGINT) # the transfer under way would take 60 s more
    p.communicate(timeout=60)
    check("SIGINT ends with 130, soon", p.returncode == 130 and time.time() - began < 30,
          (p.returncode, time.time() - began))
    check("what was in flight is not reported as an outcome",
          all(r["kind"] == "robots" for r in lab.log(folder)), lab.log(folder))
    p = start(lab, folder)
    while len(server.paths("stalled.test")) == before + 1 and p.poll() is None:
        time.sleep(.05)
    check("after it the same command asks for it again",
          len(server.paths("stalled.test")) == before + 2)
    p.send_signal(signal.SIGHUP)
    err = p.communicate(timeout=60)[1].decode()
    check("SIGHUP ends it with the same grace",
          p.returncode == 130 and "finishing what is in flight" in err,
          (p.returncode, err))
    p = start(lab, folder, preexec_fn=lambda: signal.signal(signal.SIGHUP,
                                                            signal.SIG_IGN))
    while len(server.paths("stalled.test")) == before + 2 and p.poll() is None:
        time.sleep(.05)
    p.send_signal(signal.SIGHUP)
    time.sleep(.5)
    check("under nohup it goes on", p.poll() is None, p.returncode)
    p.send_signal(signal.SIGTERM)
    time.sleep(.3)
    p.send_signal(signal.SIGTERM)
    err = p.communicate(timeout=60)[1].decode()
    check("a second signal ends it at once",
          p.returncode == 130 and "ending at once" in err, (p.returncode, err))
    server.close()


def main():
    lab = Lab(os.path.abspath(sys.argv[1]))
    try:
        for part in (what_follows_from_answers, faults_of_pages_without_robots,
                     a_hundred_thousand_links, scope_holds_over_redirects,
                     limits_end_a_crawl_well, an_absent_frontier_is_waited_for,
                     the_operator_errs, a_reader_that_leaves,
                     locked_and_interrupted):
            print("-- " + part.__name__.replace("_", " "))
            part(lab)
    finally:
        if failures and os.environ.get("WINNOW_KEEP"):
            print("kept: " + lab.base)
        else:
            shutil.rmtree(lab.base, ignore_errors=True)
    print("%d failures" % len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
