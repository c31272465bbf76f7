"""behaviour.py -- what one row of the table of hostile behaviours is.

A behaviour is a host of its own, NAME.test; a crawl asks it for "/" (and what
follows from that).  `want` is how the crawl log ends for that URL: OUTCOME, or
OUTCOME verdict, several of them separated by " | ", "robots" before it when the
host's robots.txt is as far as it may come.  Every row has bounds:

  requests  how often pages of it may be asked for
  sent      bytes that the server can get rid of
  ms        how long one transfer may take
  rss_mib   peak memory of a crawl that meets nobody else

Groups are crawls with a job of their own: main; slow (short limits); tls (names
by the resolver, no certificate is vouched for); tls_any (certificates are not
looked at; also HTTP/2, streams.py); outside (no host may be private).
"""

import ctypes

BODY_MAX = 1 << 20
SENT_MAX = 8 << 20  # body_max, and what the kernels on both sides may hold
TEXT = "<p>" + "Dit is een gewone zin over het water en de dijk. " * 30 + "</p>"
HTML = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

TABLE = []  # in order of definition


def libcurl_8():
    """Is it this that the program will be run with?  Some is up to libcurl alone."""
    lib = ctypes.CDLL("libcurl.so.4")
    lib.curl_version.restype = ctypes.c_char_p
    return int(lib.curl_version().split(b"/")[1].split(b".")[0]) >= 8


LIBCURL_8 = libcurl_8()


class Behaviour:
    def __init__(self, theme, name, want, script, group="main", own_robots=False,
                 raw=None, seed=None, requests=2, sent=SENT_MAX, ms=60000, rss_mib=96,
                 dns=None, also=None):
        self.theme, self.name, self.want, self.script = theme, name, want, script
        self.group, self.own_robots, self.raw = group, own_robots, raw
        self.seed, self.requests, self.sent = seed, requests, sent
        self.ms, self.rss_mib, self.dns, self.also = ms, rss_mib, dns, also or {}
        self.host = name.replace("_", "-") + (".dns" if dns is not None else ".test")

    def wanted(self, kind, outcome, verdict):
        for want in self.want.split(" | "):
            words = want.split()
            if (words[0] == "robots") != (kind == "robots"):
                continue
            words = words[1:] if words[0] == "robots" else words
            if words[0] == outcome and (len(words) == 1 or words[1] == verdict):
                return True
        return False


def theme(name):
    """A function that adds rows of this theme to the table."""
    def add(row, want, script=None, **more):
        if isinstance(script, bytes):
            data = script
            script = lambda c, path: c.sendall(data)  # noqa: E731
        TABLE.append(Behaviour(name, row, want, script, **more))
    return add


def html(body, headers=()):
    """A complete answer with this body."""
    body = body.encode() if isinstance(body, str) else body
    return HTML + b"".join(h.encode("latin-1") + b"\r\n" for h in headers) + \
        b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body) + body


def status(line, headers=(), body="no"):
    return ("HTTP/1.1 %s\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (
        line, "".join(h + "\r\n" for h in headers), len(body), body)).encode("latin-1")


def for_ever(head, part, times=200000):
    """`head`, then `part` again and again until nobody takes it any more."""
    def script(c, path):
        c.sendall(head)
        for _ in range(times):
            c.sendall(part)
    return script


def in_turn(*answers):
    """The first request gets the first answer, ...; the last stays."""
    state = {"n": 0}

    def script(c, path):
        data = answers[min(state["n"], len(answers) - 1)]
        state["n"] += 1
        c.sendall(data)
    return script
