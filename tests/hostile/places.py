"""places.py -- behaviours that lead somewhere: redirects, robots.txt, sitemaps,
names, addresses that nobody outside may make us ask (SSRF), and those that take
their time.  "%PORT%" in a redirect is the canary's: a server on loopback that
nobody may ever reach."""
import gzip
import time

import keys
from behaviour import HTML, TEXT, for_ever, html, status, theme
from server import dns_reply

BIG = b"x" * 65536

# ---- redirects ----
add = theme("redirect")


def to(location, code="302 Found"):
    """The first page leads there; any other is a page."""
    def script(c, path):
        c.sendall(status(code, ["Location: " + location]) if path == "/" else html(TEXT))
    return script


def hops(c, path):
    n = int(path[1:] or 0)
    c.sendall(status("302 Found", ["Location: /%d" % (n + 1)]))


def ping_pong(c, path):
    c.sendall(status("302 Found", ["Location: " + ("/b" if path == "/" else "/")]))


add("redirects_for_ever", "REDIRECT redirect", hops, requests=6)
add("redirect_to_itself", "FAILED redirect_to_itself", to("/"))
add("redirect_to_fragment_of_itself", "FAILED redirect_to_itself", to("#top"))
add("redirect_ping_pong", "REDIRECT redirect", ping_pong, requests=6)
add("redirect_empty", "FAILED redirect_to_itself", to(""))
for scheme in ("file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1:%PORT%/_x",
               "dict://127.0.0.1:%PORT%/x", "javascript:alert(1)", "data:text/html,x",
               "mailto:a@b.test", "ws://127.0.0.1:%PORT%/"):
    add("redirect_to_" + scheme.split(":")[0], "FAILED redirect_invalid", to(scheme))
add("redirect_too_long", "FAILED redirect_too_long", to("/" + "u" * 5000))
add("redirect_of_90_kb", "FAILED redirect_too_long", to("/" + "u" * 90000))
add("redirect_with_blanks", "REDIRECT redirect", to("/a b c"))
add("redirect_in_latin1", "REDIRECT redirect", to("/\xe9\xff"))
add("redirect_without_location", "FAILED http_302", status("302 Found"))
add("redirect_300", "FAILED http_300", to("/b", "300 Choices"))
add("redirect_305_use_proxy", "FAILED http_305", to("http://127.0.0.1:%PORT%/", "305 Proxy"))
add("redirect_with_two_locations", "REDIRECT redirect", to("/b\r\nLocation: http://10.0.0.1/"))
add("redirect_to_broken_host", "FAILED redirect_invalid", to("http://[broken/"))
add("redirect_to_port_99999", "FAILED redirect_invalid", to("http://a.test:99999/"))
for port in 0, 25, 6667:
    add("redirect_to_port_%d" % port, "REDIRECT redirect",
        to("http://redirect-to-port-%d.test:%d/" % (port, port)), requests=1)
add("redirect_to_port_8080", "REDIRECT redirect", to("http://redirect-to-port-8080.test:8080/"))
add("redirect_with_password", "REDIRECT redirect", to("http://u:p@redirect-with-password.test/b"))
add("redirect_308_scheme_relative", "REDIRECT redirect",
    to("//redirect-308-scheme-relative.test/b", "308 Perm"))

# ---- robots.txt ----
add = theme("robots")


def rules(data, page=None):
    def script(c, path):
        if path == "/robots.txt":
            data(c, path) if callable(data) else c.sendall(data)
        else:
            c.sendall(page or html(TEXT))
    return script


def text(body):
    body = body.encode() if isinstance(body, str) else body
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n" \
        % len(body) + body


def robots(name, want, data, page=None, **more):
    add(name, want, rules(data, page), own_robots=True, **more)


ALLOW = "User-agent: *\nAllow: /\n"
robots("robots_503", "robots ROBOTS_DONE http_503", status("503 Busy"), requests=0)
robots("robots_429", "robots ROBOTS_DONE http_429", status("429 Slow"), requests=0)
robots("robots_403", "FETCHED", status("403 No"))
robots("robots_redirects_to_itself", "FETCHED", status("302 F", ["Location: /robots.txt"]))
robots("robots_redirects_to_private", "robots REDIRECT redirect",
       status("302 F", ["Location: http://127.0.0.1:%PORT%/robots.txt"]), requests=0)
robots("robots_forbids_all", "DISALLOWED disallowed", text("User-agent: *\nDisallow: /\n"),
       requests=0)
robots("robots_for_ever", "FETCHED",
       for_ever(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", b"# nothing\n" * 6000))
robots("robots_of_five_megabytes", "FETCHED",
       text(ALLOW + "# nothing here\n" * 350000 + "Disallow: /\n"))
robots("robots_one_line_for_ever", "FETCHED",
       for_ever(b"HTTP/1.1 200 OK\r\n\r\nDisallow: ", BIG))
robots("robots_chunk_extension_for_ever", "robots ROBOTS_DONE too_many_bytes",
       for_ever(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;", BIG), requests=0)
robots("robots_gzip_bomb", "robots ROBOTS_DONE bomb",
       b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" +
       gzip.compress(b"#" * (24 << 20)))
robots("robots_binary", "FETCHED", text(bytes(range(256)) * 100))
robots("robots_is_html", "FETCHED", html(TEXT))
robots("robots_many_stars", "FETCHED",
       text("User-agent: *\n" + ("Disallow: /" + "*a" * 200 + "$\n") * 1000))
robots("robots_many_agents", "FETCHED",
       text("".join("User-agent: bot%d\nDisallow: /\n" % i for i in range(12000))))
robots("robots_delay_of_a_million_years", "FETCHED", text(ALLOW + "Crawl-delay: 3e13\n"))
robots("robots_delay_negative", "FETCHED", text(ALLOW + "Crawl-delay: -5\n"))
robots("robots_names_10_000_sitemaps", "FETCHED",
       text(ALLOW + "".join("Sitemap: http://s%d.invalid/s.xml\n" % i for i in range(10000))))
robots("robots_utf16", "FETCHED", text(("﻿" + ALLOW).encode("utf-16-le")))

# ---- sitemaps ----
add = theme("sitemap")
XML = b'<?xml version="1.0"?>\n'


def sitemap(name, body, head=b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n",
            want="FETCHED", **more):
    def script(c, path):
        if path == "/robots.txt":
            c.sendall(text(ALLOW + "Sitemap: http://%s.test/s.xml\n" % name.replace("_", "-")))
        elif path == "/":
            c.sendall(html(TEXT))
        else:
            body(c, path) if callable(body) else c.sendall(head + body)
    more.setdefault("requests", 3)
    add(name, want, script, own_robots=True, **more)


sitemap("sitemap_billion_laughs", XML + b'<!DOCTYPE u [<!ENTITY a "' + b"ha" * 50 + b'">' +
        b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10)
                 for i in range(9)) + b"]><urlset><url><loc>&j;</loc></url></urlset>")
sitemap("sitemap_outside_entity", XML + b'<!DOCTYPE u [<!ENTITY x SYSTEM "http://127.0.0.1:'
        b'%PORT%/x">]><urlset><url><loc>&x;</loc></url></urlset>')
sitemap("sitemap_gzip_bomb", gzip.compress(b"<urlset>" + b" " * (48 << 20)),
        head=b"HTTP/1.1 200 OK\r\nContent-Type: application/gzip\r\n\r\n", sent=16 << 20)
sitemap("sitemap_for_ever", for_ever(b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n" +
                                     XML + b"<urlset>", b"<url></url>" * 6000, 2000))
sitemap("sitemap_of_itself", XML + b"<sitemapindex><sitemap><loc>http://sitemap-of-itself."
        b"test/s.xml</loc></sitemap></sitemapindex>", requests=5)
sitemap("sitemap_of_private", XML + b"<urlset><url><loc>http://127.0.0.1:%PORT%/x</loc></url>"
        b"</urlset>")
sitemap("sitemap_deep", XML + b"<a>" * 300000)
sitemap("sitemap_broken", XML + b"<urlset><url><loc>http://sitemap-broken.test/x</loc")
sitemap("sitemap_of_noise", bytes(range(256)) * 1000)

# ---- names ----
add = theme("names")


def name(row, want, dns, **more):
    add(row, want, html(TEXT), dns=dns, **more)


def always(addresses, **how):
    return lambda number, question, kind: dns_reply(number, question, kind, addresses, **how)


def rebinding():
    """Public first, then private; the time to live is nought."""
    state = {"n": 0}

    def answer(number, question, kind):
        state["n"] += kind == 1
        return dns_reply(number, question, kind,
                         ["93.184.216.34" if state["n"] < 2 else "127.0.0.1"], ttl=0)
    return answer


def cname_loop(number, question, kind):
    name = question[:-4]
    return number + b"\x81\x80\0\1\0\1\0\0\0\0" + question + b"\xc0\x0c\0\5\0\1\0\0\0\4" + \
        len(name).to_bytes(2, "big") + name


name("name_unknown", "RETRY no_such_host", "")
name("name_server_mute", "robots ROBOTS_DONE dns", lambda n, q, k: None)
name("name_servfail", "robots ROBOTS_DONE dns", always([], code=2))
name("name_refused", "robots ROBOTS_DONE dns", always([], code=5))
name("name_without_address", "RETRY no_such_host", always([]))
name("name_answer_cut", "robots ROBOTS_DONE dns", lambda n, q, k: n + b"\x81\x80\0\1")
name("name_answer_noise", "robots ROBOTS_DONE dns", lambda n, q, k: n + b"\xff" * 60)
name("name_answer_for_another", "robots ROBOTS_DONE dns",
     lambda n, q, k: dns_reply(bytes(2), q, k, ["127.0.0.1"]))
name("name_alias_of_itself", "RETRY no_such_host", cname_loop)
name("name_pointer_loop", "robots ROBOTS_DONE dns",
     lambda n, q, k: n + b"\x81\x80\0\1\0\1\0\0\0\0" + q + b"\xc0" +
     bytes([12 + len(q)]) + b"\0\1\0\1\0\0\0\4\0\4\x7f\0\0\1")
name("name_with_60_private_addresses", "OUT_OF_SCOPE private_address",
     always(["10.0.0.%d" % i for i in range(1, 61)]))
name("name_public_without_contact", "OUT_OF_SCOPE no_contact", "93.184.216.34")
name("name_rebinding", "OUT_OF_SCOPE no_contact", rebinding())
for row, address in (("loopback", "127.0.0.1"), ("loopback_high", "127.255.1.2"),
                     ("private_10", "10.1.2.3"), ("private_172", "172.20.1.1"),
                     ("private_192", "192.168.3.4"), ("link_local", "169.254.1.1"),
                     ("metadata", "169.254.169.254"), ("carrier", "100.64.0.1"),
                     ("nought", "0.0.0.0"), ("multicast", "224.0.0.1"),
                     ("reserved", "240.0.0.1"), ("broadcast", "255.255.255.255"),
                     ("benchmark", "198.18.0.1"), ("loopback_6", "::1"),
                     ("mapped_6", "::ffff:127.0.0.1"), ("nat64", "64:ff9b::7f00:1"),
                     ("unique_6", "fd00::1"), ("link_local_6", "fe80::1"),
                     ("six_to_four", "2002:7f00:1::1"), ("multicast_6", "ff02::1")):
    name("name_is_" + row, "OUT_OF_SCOPE private_address", always([address]))

# ---- addresses: redirects to loopback and private ones in all their spellings ----
add = theme("ssrf")
FORMS = {
    "loopback": "127.0.0.1", "two_parts": "127.1", "three_parts": "127.0.1",
    "decimal": "2130706433", "hex": "0x7f000001", "hex_two_parts": "0x7f.1",
    "octal": "017700000001", "octal_part": "0177.0.0.1", "hex_parts": "0x7F.0x0.0x0.0x1",
    "leading_zeros": "127.000.000.001", "dot_behind": "127.0.0.1.",
    "loopback_high": "127.127.127.127", "nought": "0", "noughts": "0.0.0.0",
    "v6_loopback": "[::1]", "v6_loopback_long": "[0:0:0:0:0:0:0:1]", "v6_nought": "[::]",
    "v6_mapped": "[::ffff:127.0.0.1]", "v6_mapped_hex": "[::ffff:7f00:1]",
    "v6_compatible": "[::127.0.0.1]", "v6_nat64": "[64:ff9b::7f00:1]",
    "v6_6to4": "[2002:7f00:1::]", "v6_link_local": "[fe80::1]", "v6_unique": "[fd00::1]",
    "metadata": "169.254.169.254", "private_10": "10.0.0.1", "private_192": "192.168.0.1",
    "private_172": "172.16.0.1", "carrier": "100.64.0.1", "localhost": "localhost",
    "localhost_dot": "localhost.", "below_localhost": "a.localhost",
    "localhost_capitals": "LOCALHOST", "percent": "%31%32%37.0.0.1",
    "full_width": "１２７.0.0.1", "circled": "①②⑦.0.0.1", "ideographic_dots": "127。0。0。1",
    "user": "user@127.0.0.1", "user_like_a_host": "good.test@127.0.0.1",
    "nul": "127.0.0.1%00.test", "user_like_an_address": "1.1.1.1@127.0.0.1"}
for row, form in FORMS.items():
    location = "http://%s:%%PORT%%/" % form
    add("ssrf_" + row, "FAILED redirect_invalid" if row == "nul" else "REDIRECT redirect",
        to(location.encode().decode("latin-1")), requests=1)

# ---- those that take their time ----
add = theme("slow")


def dripping(head, part, every, body=b""):
    def script(c, path):
        c.sendall(head)
        for i in range(2000):
            c.sendall(part)
            time.sleep(every)
        c.sendall(body)
    return script


def slow(row, want, script, **more):
    more.setdefault("ms", 25000)
    more.setdefault("sent", 1 << 16)
    add(row, want, script, group="slow", **more)


slow("stalls", "RETRY no_first_byte", lambda c, p: c.wait())
slow("stalls_in_status_line", "RETRY no_first_byte",
     lambda c, p: (c.sendall(b"HTTP/1.1 20"), c.wait()))
slow("stalls_in_headers", "RETRY too_slow", lambda c, p: (c.sendall(HTML + b"X: "), c.wait()))
slow("stalls_in_body", "RETRY too_slow",
     lambda c, p: (c.sendall(HTML + b"Content-Length: 5000\r\n\r\n<p>tot hier"), c.wait()))
slow("drips_a_status_line", "RETRY no_first_byte", dripping(b"HTTP/1.1 200 ", b"O", .2))
slow("drips_headers", "RETRY too_slow", dripping(HTML, b"X: y\r\n", .2))
slow("drips_a_body", "RETRY too_slow", dripping(HTML + b"\r\n", b"a", .2))
slow("drips_chunks", "RETRY too_slow",
     dripping(HTML + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n", .2))
slow("drips_a_chunk_extension", "RETRY too_slow",
     dripping(HTML + b"Transfer-Encoding: chunked\r\n\r\n1;", b"a", .2))
slow("drips_100_bytes_a_second", "RETRY too_slow", dripping(HTML + b"\r\n", b"a" * 20, .2))
slow("drips_interim_answers", "RETRY too_slow | RETRY timeout",
     dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n", .2))
slow("drips_gzip", "RETRY too_slow",
     dripping(HTML + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x08\0\0\0\0\2\3", b"a", .2))
slow("accepts_nothing", "RETRY no_first_byte", raw=lambda c: time.sleep(40), script=None)

# ---- TLS; names by the resolver ----
add = theme("tls")


def raw_tls(row, want, serve, group="tls_any", **more):
    add(row, want, None, raw=serve, group=group, dns="127.0.0.1", ms=25000, **more)


def hello_then(data, close=False):
    def serve(c):
        c.c.recv(65536)
        c.sendall(data)
        if not close:
            c.wait()
    return serve


add("tls_records_of_a_byte", "FETCHED",
    lambda c, p: [c.sendall(b"%c" % byte) for byte in html(TEXT * 3)], group="tls_any",
    dns="127.0.0.1", also={"tls": "plain"})
add("tls_self_signed", "RETRY tls_verify", html(TEXT), group="tls", dns="127.0.0.1",
    also={"tls": "plain"}, requests=0)
add("tls_good_enough", "FETCHED", html(TEXT), group="tls_any", dns="127.0.0.1",
    also={"tls": "plain"})
add("tls_gzip_bomb", "FAILED bomb", HTML + b"Content-Encoding: gzip\r\n\r\n" +
    gzip.compress(b"\0" * (24 << 20)), group="tls_any", dns="127.0.0.1",
    also={"tls": "plain"})
add("tls_chunk_extension_for_ever", "FAILED too_many_bytes",
    for_ever(HTML + b"Transfer-Encoding: chunked\r\n\r\n5;", BIG), group="tls_any",
    dns="127.0.0.1", also={"tls": "plain"})
add("tls_closes_without_notice", "FETCHED | RETRY broken_connection | RETRY partial_body",
    lambda c, p: (c.sendall(HTML + b"\r\n" + TEXT.encode()), c.reset()), group="tls_any",
    dns="127.0.0.1", also={"tls": "plain"})
add("tls_closes_at_the_end", "FETCHED", HTML + b"\r\n" + TEXT.encode(), group="tls_any",
    dns="127.0.0.1", also={"tls": "plain"})
add("tls_of_1999", "RETRY tls", html(TEXT), group="tls_any", dns="127.0.0.1",
    also={"tls": "old"}, requests=0)
add("tls_group_that_takes_long", "RETRY tls", html(TEXT), group="tls_any", dns="127.0.0.1",
    also={"tls": "long"}, requests=0)
add("tls_tickets_for_ever", "FAILED too_many_bytes | RETRY tls", html(TEXT), group="tls_any",
    dns="127.0.0.1", also={"tls": "tickets"})
if keys.library():
    raw_tls("tls_new_keys_for_ever", "FAILED too_many_bytes", keys.for_ever, sent=1 << 20)
raw_tls("tls_plain_http_behind_it", "RETRY tls", hello_then(status("400 Bad"), True))
raw_tls("tls_noise_for_ever", "RETRY tls | FAILED too_many_bytes",
        lambda c: (c.c.recv(65536), for_ever(b"", BIG)(c, "")))
raw_tls("tls_alert", "RETRY tls", hello_then(b"\x15\x03\x03\x00\x02\x02\x28", True))
raw_tls("tls_closes_at_hello", "RETRY tls | RETRY broken_connection", lambda c: c.c.recv(65536))
raw_tls("tls_says_nothing", "RETRY connect_timeout", hello_then(b""))
raw_tls("tls_huge_record", "RETRY tls", hello_then(b"\x16\x03\x03\xff\xff" + BIG, True))
raw_tls("tls_empty_records_for_ever", "RETRY tls | RETRY connect_timeout | FAILED "
        "too_many_bytes",
        lambda c: (c.c.recv(65536), for_ever(b"", b"\x16\x03\x03\x00\x00" * 10000)(c, "")))
raw_tls("tls_long_handshake_for_ever", "RETRY tls | RETRY connect_timeout | FAILED "
        "too_many_bytes",
        lambda c: (c.c.recv(65536), for_ever(b"\x16\x03\x03\x40\x00\x0b\xff\xff\xff",
                                             b"x" * 16379 + b"\x16\x03\x03\x40\x00")(c, "")))
