"""made_web.py -- a made-up web on loopback for the scenario tests.

Pages are running text from a seeded generator, linked inside and across hosts;
every request is recorded (web_server.py).  Standard library only.
"""
import random
import time

from web_server import Server

# Frequent Dutch words, then content words: enough for a text to look Dutch.
FREQUENT = ("de het een van en in is dat op te met voor zijn niet aan er om ook "
            "als bij naar dan maar uit door over").split()
CONTENT = ("water huis straat molen boek dorp fiets brug kanaal markt school "
           "wind regen zomer winter schip haven kaas bloem tuin trein station "
           "kerk plein museum kunst verhaal schrijver dijk polder rivier").split()


def sentence(rng):
    words = []
    for _ in range(rng.randint(9, 16)):
        words.append(rng.choice(FREQUENT if rng.random() < .5 else CONTENT))
    return " ".join(words).capitalize() + "."


def paragraph(rng):
    return " ".join(sentence(rng) for _ in range(rng.randint(4, 7)))


def make_pages(hosts_n, pages_n, seed, copies=0.0):
    """{host: {path: html bytes}}; a share `copies` of the pages repeats the
    text of another page (exact duplicates for the dedup service).  Links stand
    in a <nav>, which is no part of the text."""
    rng = random.Random(seed)
    hosts = ["h%02d.scenario.test" % i for i in range(hosts_n)]
    texts = []
    web = {h: {} for h in hosts}
    for h in hosts:
        for i in range(pages_n):
            if texts and rng.random() < copies:
                text = rng.choice(texts)
            else:
                text = "".join("<p>%s</p>\n" % paragraph(rng) for _ in range(4))
                texts.append(text)
            links = ['<a href="/%d.html">pagina %d</a>' % (j, j)
                     for j in (2 * i + 1, 2 * i + 2) if j < pages_n]
            j = rng.randrange(pages_n)
            links.append('<a href="http://%s/%d.html">pagina %d</a>' % (
                rng.choice(hosts), j, j))
            web[h]["/%d.html" % i] = (
                "<!doctype html><html lang=nl><head><meta charset=utf-8>"
                "<title>%s %d</title></head><body><nav><ul>%s</ul></nav><article>"
                "%s</article></body></html>" % (
                    h, i, "".join("<li>%s</li>" % a for a in links), text)).encode()
    return web


class Site(Server):
    """Serves make_pages() by Host header, after `latency` seconds each."""

    def __init__(self, web, latency=0.01):
        self.web, self.latency = web, latency
        super().__init__(self.answer)

    def answer(self, host, path, _headers):
        time.sleep(self.latency)
        if path == "/robots.txt":
            return (200, {"Content-Type": "text/plain"},
                    b"User-agent: *\nDisallow: /private/\n"
                    b"Content-Signal: search=yes, ai-input=no\n")
        body = self.web.get(host, {}).get(path)
        return (404 if body is None else 200, {"Content-Type": "text/html"},
                body or b"<html><body>not here</body></html>")

    def write_hosts(self, path):
        with open(path, "w") as f:
            for host in sorted(self.web):
                f.write("%s 127.0.0.1:%d\n" % (host, self.port))
