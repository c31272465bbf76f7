"""wire.py -- behaviours of connections, status lines, headers and lengths."""
import time

from behaviour import HTML, LIBCURL_8, TEXT, for_ever, html, in_turn, status, theme

BIG = b"x" * 65536
PAGE = TEXT.encode()

# ---- connection ----
add = theme("connection")


def after_request(f):
    """Raw: read the request, then f(connection)."""
    def serve(c):
        c.c.recv(65536)
        f(c)
    return serve


def resets_in(data):
    def script(c, path):
        c.sendall(data)
        time.sleep(.05)
        c.reset()
    return script


add("refuses_connections", "robots ROBOTS_DONE connect", raw="refuse")
add("closes_at_once", "robots ROBOTS_DONE broken_connection | robots ROBOTS_DONE "
    "empty_reply", raw=lambda c: None)
add("resets_at_once", "robots ROBOTS_DONE broken_connection | robots ROBOTS_DONE "
    "empty_reply | robots ROBOTS_DONE connect", raw=lambda c: c.reset())
add("resets_after_request", "robots ROBOTS_DONE broken_connection",
    raw=after_request(lambda c: c.reset()))
add("says_nothing_and_closes", "RETRY empty_reply", b"")
add("resets_in_headers", "RETRY broken_connection", resets_in(HTML))
add("resets_in_body", "RETRY broken_connection | RETRY partial_body",
    resets_in(HTML + b"Content-Length: 5000\r\n\r\n<p>tot hier"))
add("closes_in_status_line", "RETRY empty_reply", b"HTTP/1.1 20")
add("closes_in_headers", "RETRY broken_connection", HTML + b"no colon")
add("ssh_banner", "robots ROBOTS_DONE garbage",
    raw=lambda c: (c.sendall(b"SSH-2.0-OpenSSH_9.2\r\n"), c.wait()))
add("smtp_banner", "robots ROBOTS_DONE garbage",
    raw=lambda c: (c.sendall(b"220 mail.test ESMTP\r\n"), c.wait()))
add("answers_before_asked", "FAILED http_404",
    raw=lambda c: (c.sendall(status("404 No") + html(TEXT)), c.wait()))
add("tls_alert_on_plain_port", "robots ROBOTS_DONE garbage",
    raw=after_request(lambda c: c.sendall(b"\x15\x03\x01\x00\x02\x02\x28")))
add("all_bytes_there_are", "FAILED garbage", bytes(range(256)) * 20)
add("gigabytes_of_noise", "FAILED garbage",
    for_ever(b"\x00\xff", BIG))
add("two_answers_at_once", "FETCHED", html(TEXT) + html("other"))
add("garbage_behind_the_page", "FETCHED",
    lambda c, p: (c.sendall(HTML + b"Content-Length: %d\r\n\r\n" % len(PAGE) + PAGE +
                            bytes(range(256)) * 100)))
add("page_then_noise_for_ever", "FETCHED",
    for_ever(HTML + b"Content-Length: %d\r\n\r\n" % len(PAGE) + PAGE, BIG))

# ---- status ----
add = theme("status")
for code in (400, 401, 403, 404, 405, 406, 410, 418, 451):
    add("status_%d" % code, "FAILED http_%d" % code, status("%d No" % code))
for code in (500, 502, 503, 504, 520, 999):
    add("status_%d" % code, "RETRY http_%d" % code, status("%d Down" % code))
add("status_408_then_page", "FETCHED", in_turn(status("408 Timeout"), html(TEXT)))
add("status_429_then_page", "FETCHED",
    in_turn(status("429 Slow", ["Retry-After: 1"]), html(TEXT)))
add("retry_after_a_million_years", "RETRY http_429",
    status("429 Slow", ["Retry-After: 31536000000000"]), requests=1)
add("retry_after_negative", "RETRY http_503", status("503 Busy", ["Retry-After: -5"]))
add("status_203_of_a_proxy", "FETCHED", html(TEXT).replace(b"200 OK", b"203 Changed"))
add("status_203_of_robots_txt", "DISALLOWED",
    (b"HTTP/1.1 203 Changed\r\nContent-Type: text/plain\r\n\r\n"
     b"User-agent: *\nDisallow: /\n"), own_robots=True)
add("status_204_no_content", "FAILED http_204", b"HTTP/1.1 204 Nothing\r\n\r\n")
add("status_204_with_body", "FAILED http_204", b"HTTP/1.1 204 N\r\n\r\n" + PAGE)
add("status_205", "FAILED http_205", status("205 Reset"))
add("status_206_unasked", "FAILED http_206",
    status("206 Part", ["Content-Range: bytes 0-1/9"]))
add("status_304_unasked", "FAILED http_304", b"HTTP/1.1 304 Same\r\n\r\n")
add("status_without_reason", "FETCHED",
    b"HTTP/1.1 200\r\nContent-Type: text/html\r\n\r\n" + PAGE)
add("status_without_blank", "FETCHED",
    b"HTTP/1.1 200OK\r\nContent-Type: text/html\r\n\r\n" + PAGE)
add("status_two_digits", "FAILED garbage", b"HTTP/1.1 20\r\n\r\n" + PAGE)
add("status_negative", "FAILED garbage", b"HTTP/1.1 -200 OK\r\n\r\n" + PAGE)
add("status_099", "FAILED garbage",
    b"HTTP/1.1 099 Low\r\n\r\n" + PAGE)
add("icy_answer", "FAILED garbage", b"ICY 200 OK\r\n\r\n" + PAGE)
add("http_0_9_body", "FAILED garbage", PAGE)
add("http_1_0", "FETCHED", b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE)
add("http_2_status_line", "FAILED garbage" if LIBCURL_8 else "FETCHED",
    b"HTTP/2 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE)
add("http_7_status_line", "FAILED garbage", b"HTTP/7.1 200 OK\r\n\r\n" + PAGE)
add("hints_then_page", "FETCHED", b"HTTP/1.1 103 Hints\r\nLink: </a.css>\r\n\r\n" + html(TEXT))
add("interim_flood_then_page", "FAILED header_too_large",
    b"HTTP/1.1 100 Continue\r\n\r\n" * 20000 + html(TEXT))
add("interim_for_ever", "FAILED header_too_large",
    for_ever(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000))
add("switching_protocols", "RETRY empty_reply",
    b"HTTP/1.1 101 Switch\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
add("endless_reason", "FAILED header_too_large", for_ever(b"HTTP/1.1 200 ", BIG))

# ---- headers ----
add = theme("headers")
add("many_headers", "FAILED header_too_large",
    HTML + b"".join(b"X-%d: %s\r\n" % (i, b"h" * 100) for i in range(3000)) + b"\r\n" + PAGE)
add("one_header_for_ever", "FAILED header_too_large", for_ever(HTML + b"X: ", BIG))
add("header_name_for_ever", "FAILED header_too_large", for_ever(HTML, BIG))
add("headers_for_ever", "FAILED header_too_large",
    for_ever(HTML, b"X-Again: and again\r\n" * 1000))
add("header_without_colon", "FAILED garbage", HTML + b"no colon here\r\n\r\n" + PAGE)
add("header_with_nul", "FAILED garbage", HTML + b"X: a\0b\r\n\r\n" + PAGE)
add("bare_line_feeds", "FETCHED", html(TEXT).replace(b"\r\n", b"\n"))
add("folded_header", "FETCHED",
    b"HTTP/1.1 200 OK\r\nContent-Type:\r\n text/html;\r\n\tcharset=utf-8\r\n\r\n" + PAGE)
add("folded_location", "REDIRECT redirect",
    lambda c, p: c.sendall(b"HTTP/1.1 302 F\r\nLocation:\r\n /b\r\n\r\n" if p == "/"
                           else html(TEXT)))
add("folded_x_robots", "FETCHED noindex", html(TEXT, ["X-Robots-Tag: noarchive,\r\n\tnoindex"]))
add("first_header_folded", "FETCHED" if LIBCURL_8 else "FAILED garbage",
    HTML.replace(b"Content-Type", b" folded: behind nothing\r\nContent-Type") + b"\r\n" + PAGE)
add("no_headers_at_all", "FETCHED", b"HTTP/1.1 200 OK\r\n\r\n<html>" + PAGE)
add("thousand_cookies", "FETCHED", html(TEXT, ["Set-Cookie: c%d=%s" % (i, "v" * 50)
                                               for i in range(1000)]))
add("cookie_for_another_host", "FETCHED",
    html(TEXT, ["Set-Cookie: session=1; Domain=.com; Path=/"]))
add("alt_svc_elsewhere", "FETCHED", html(TEXT, ['Alt-Svc: h2="10.0.0.1:443"; ma=99999']))
add("refresh_elsewhere", "FETCHED", html(TEXT, ["Refresh: 0;url=http://10.0.0.1/"]))
add("hsts", "FETCHED", html(TEXT, ["Strict-Transport-Security: max-age=99999999"]))
add("x_robots_noindex", "FETCHED noindex", html(TEXT, ["X-Robots-Tag: noindex"]))
add("x_robots_of_another_then_ours", "FETCHED noindex",
    html(TEXT, ["X-Robots-Tag: otherbot: nofollow", "X-Robots-Tag: noindex"]))
add("etag_of_60_kb", "FETCHED", html(TEXT, ['ETag: "%s"' % ("e" * 60000)]))
add("two_content_types", "FAILED not_html",
    HTML + b"Content-Type: image/png\r\n\r\n" + PAGE)
add("content_type_list", "FETCHED",
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html, text/html; charset=utf-8\r\n\r\n" + PAGE)
add("content_type_of_60_kb", "FETCHED",
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html; " + b"c" * 60000 + b"\r\n\r\n" + PAGE)
add("content_type_image", "FAILED not_html", status("200 OK", ["Content-Type: image/png"]))
add("content_type_nonsense", "FETCHED",
    b"HTTP/1.1 200 OK\r\nContent-Type: \xff\xfe;;;\r\n\r\n<html>" + PAGE)
add("keep_alive_then_closes", "FETCHED",
    html(TEXT).replace(b"Connection: close", b"Connection: keep-alive"))

# ---- lengths ----
add = theme("length")


def length(value):
    return HTML + b"Content-Length: " + value + b"\r\n\r\n"


add("body_shorter_than_said", "RETRY partial_body", length(b"5000") + b"<p>tot hier")
add("body_longer_than_said", "FETCHED", length(b"%d" % (len(PAGE) // 2)) + PAGE)
add("lengths_that_differ", "RETRY partial_body",
    length(b"10\r\nContent-Length: 2000") + PAGE)
add("lengths_that_agree", "FETCHED",
    length(b"%d\r\nContent-Length: %d" % (len(PAGE), len(PAGE))) + PAGE)
add("length_list", "FETCHED short", length(b"5, 5") + PAGE)
add("length_negative", "FAILED garbage", length(b"-5") + PAGE)
add("length_over_64_bits", "FETCHED",
    length(b"99999999999999999999999") + PAGE)
add("length_hex", "FETCHED empty", length(b"0x10") + PAGE)
add("length_of_ten_gigabytes", "FETCHED",
    for_ever(length(b"10737418240") + PAGE, b"<p>water " * 7000))
add("length_zero", "FETCHED empty", length(b"0"))
add("body_for_ever", "FETCHED", for_ever(HTML + b"\r\n" + PAGE, b"<p>water " * 7000))
add("error_page_for_ever", "FAILED http_404",
    for_ever(b"HTTP/1.1 404 No\r\n\r\n", BIG))
add("redirect_body_for_ever", "REDIRECT redirect",
    lambda c, p: for_ever(b"HTTP/1.1 302 F\r\nLocation: /b\r\n\r\n", BIG)(c, p)
    if p == "/" else c.sendall(html(TEXT)))

# ---- chunks ----
add = theme("chunks")
CHUNKED = HTML + b"Transfer-Encoding: chunked\r\n\r\n"


def chunk(data, extension=b""):
    return b"%x%s\r\n%s\r\n" % (len(data), extension, data)


WHOLE = chunk(PAGE) + b"0\r\n\r\n"
add("chunks_for_ever", "FETCHED", for_ever(CHUNKED, chunk(b"<p>water" * 1024)))
add("chunks_of_one_byte", "FETCHED",
    CHUNKED + b"".join(chunk(PAGE[i:i + 1]) for i in range(len(PAGE))) + b"0\r\n\r\n")
add("chunk_with_extension", "FETCHED",
    CHUNKED + chunk(PAGE, b";name=\"value\"") + b"0\r\n\r\n")
add("chunk_extension_for_ever", "FAILED too_many_bytes", for_ever(CHUNKED + b"5;x=", BIG))
add("chunk_extensions_for_ever", "FAILED too_many_bytes",
    for_ever(CHUNKED, chunk(b"a", b";" + b"x" * 16000)))
add("chunk_size_overflows", "RETRY broken_connection",
    CHUNKED + b"fffffffffffffffff\r\n" + PAGE)
add("chunk_size_negative", "RETRY broken_connection", CHUNKED + b"-5\r\n" + PAGE)
add("chunk_size_nonsense", "RETRY broken_connection", CHUNKED + b"xyz\r\n" + PAGE)
add("chunk_size_zeros_for_ever", "RETRY broken_connection", for_ever(CHUNKED, b"0" * 65536))
add("last_chunk_missing", "RETRY partial_body", CHUNKED + chunk(PAGE))
add("chunk_cut_short", "RETRY partial_body", CHUNKED + b"9999\r\n" + PAGE)
add("chunk_end_missing", "RETRY broken_connection", CHUNKED + b"5\r\nhallo5\r\nhallo")
add("trailers", "FETCHED", CHUNKED + chunk(PAGE) + b"0\r\nX-Sum: 1\r\n\r\n")
add("trailers_for_ever", "FAILED header_too_large",
    for_ever(CHUNKED + chunk(PAGE) + b"0\r\n", b"X-Again: and again\r\n" * 1000))
add("chunks_and_length", "FETCHED",
    HTML + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + WHOLE)
add("chunked_twice", "FETCHED", HTML + b"Transfer-Encoding: chunked, chunked\r\n\r\n" + WHOLE)
add("transfer_identity", "FETCHED", HTML + b"Transfer-Encoding: identity\r\n\r\n" + PAGE)
add("transfer_unknown", "RETRY bad_encoding" if LIBCURL_8 else "FETCHED",
    HTML + b"Transfer-Encoding: cow\r\n\r\n" + PAGE)
add("chunked_in_http_1_0", "FETCHED",
    CHUNKED.replace(b"HTTP/1.1", b"HTTP/1.0") + WHOLE)
