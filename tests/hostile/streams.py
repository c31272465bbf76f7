"""streams.py -- behaviours of servers that speak HTTP/2."""
import struct

from behaviour import LIBCURL_8, TEXT, theme
from frames import (BLOCK_END, DATA, END, GOAWAY, HEADERS, MORE, OK, PADDED, PING, PUSH, RESET,
                    SETTINGS, block, data, frame, head)

PAGE = TEXT.encode()
HALF = PAGE[:len(PAGE) // 2]
NO_ERROR, INTERNAL, REFUSED, HTTP_1 = 0, 2, 7, 13
add = theme("http2")


def stream(row, want, script, **more):
    """A script: bytes, or what makes them of the number of the stream, or a function
    (connection, number).  Tries are two, each of one request."""
    add(row, want, script, group="tls_any", dns="127.0.0.1", also={"tls": "h2"}, **more)


def sends(make, cut=False):
    def script(c, s):
        c.sendall(make(s))
        return not cut
    return script


def for_ever(first, part, times=200000):
    def script(c, s):
        c.sendall(first(s))
        for _ in range(times):
            c.sendall(part(s))
    return script


def first_then_page(make):
    """Only the first request is treated so."""
    asked = []

    def script(c, s):
        asked.append(s)
        c.sendall(make(s) if len(asked) == 1 else head(s) + data(s, PAGE))
    return script


def reset(s, code):
    return frame(RESET, s, struct.pack(">I", code))


def goaway(last, code=NO_ERROR):
    return frame(GOAWAY, 0, struct.pack(">II", last, code))


def nothing(s):
    return b""


stream("h2_page", "FETCHED", sends(lambda s: head(s) + data(s, PAGE)))
stream("h2_trailers", "FETCHED",
       sends(lambda s: head(s) + data(s, PAGE, 0) + head(s, [("x-sum", "1")], BLOCK_END | END)))
stream("h2_header_in_two_frames", "FETCHED",
       sends(lambda s: head(s, OK, 0) + frame(MORE, s, block([("x", "y")]), BLOCK_END) +
             data(s, PAGE)))
stream("h2_page_in_records_of_a_byte", "FETCHED", lambda c, s: (
    c.sendall(head(s)), [c.sendall(data(s, b"%c" % byte, 0)) for byte in PAGE * 3],
    c.sendall(data(s, b""))))
# libcurl 7.88 takes the end of a session for that of the page when it ends it itself.
stream("h2_frame_over_the_limit", "FETCHED | RETRY broken_connection | RETRY partial_body",
       sends(lambda s: head(s) + frame(DATA, s, PAGE * 20, END)))

# A page that ends without its end is none.
CUT = "RETRY partial_body | RETRY broken_connection"
stream("h2_cut_in_body", CUT, sends(lambda s: head(s) + data(s, HALF, 0), cut=True))
stream("h2_goaway_in_body", CUT,
       sends(lambda s: head(s) + data(s, HALF, 0) + goaway(s), cut=True))
stream("h2_goaway_after_body", "FETCHED",
       sends(lambda s: head(s) + data(s, HALF, 0) + goaway(s) + data(s, PAGE[len(HALF):])))
stream("h2_reset_in_body", "RETRY broken_connection",
       sends(lambda s: head(s) + data(s, HALF, 0) + reset(s, INTERNAL)))
stream("h2_reset_without_error_in_body",
       "FETCHED" if LIBCURL_8 else "RETRY empty_reply | RETRY broken_connection",
       sends(lambda s: head(s) + data(s, HALF, 0) + reset(s, NO_ERROR)))
stream("h2_length_too_short", "RETRY broken_connection",
       sends(lambda s: head(s, OK + (("content-length", "100"),)) + data(s, PAGE)))

# Who does not take a request is not asked again and again.
stream("h2_refuses_once", "FETCHED", first_then_page(lambda s: reset(s, REFUSED)), requests=4)
stream("h2_refuses_all", "RETRY broken_connection", sends(lambda s: reset(s, REFUSED)),
       requests=4)
stream("h2_refuses_in_body", "RETRY broken_connection",
       sends(lambda s: head(s) + data(s, HALF, 0) + reset(s, REFUSED)), requests=4)
stream("h2_goaway_unheard", "RETRY broken_connection", sends(lambda s: goaway(0), cut=True),
       requests=4 if LIBCURL_8 else 2)
stream("h2_misdirected", "FAILED http_421",
       sends(lambda s: head(s, [(":status", "421")], BLOCK_END | END)))

# Floods.
FLOOD = "RETRY broken_connection | FAILED too_many_bytes"
stream("h2_settings_for_ever", FLOOD,
       for_ever(nothing, lambda s: frame(SETTINGS) * 1000))
stream("h2_pings_for_ever", FLOOD,
       for_ever(nothing, lambda s: frame(PING, 0, b"8 bytes!") * 1000))
stream("h2_empty_data_for_ever", "FAILED too_many_bytes", for_ever(
    head, lambda s: frame(DATA, s) * 1000))
stream("h2_padding_for_ever", "FAILED too_many_bytes", for_ever(
    head, lambda s: frame(DATA, s, b"\xff" + b"\0" * 255, PADDED) * 200))
stream("h2_unknown_frames_for_ever", "FAILED too_many_bytes | RETRY no_first_byte", for_ever(
    nothing, lambda s: frame(77, s, b"x" * 16000)))
stream("h2_headers_for_ever", "RETRY broken_connection", for_ever(
    lambda s: head(s, OK, 0), lambda s: frame(MORE, s, block([("x", "y" * 1000)]))))
stream("h2_empty_headers_for_ever", "RETRY broken_connection", for_ever(
    lambda s: head(s, OK, 0), lambda s: frame(MORE, s) * 1000))
stream("h2_hints_for_ever", "RETRY broken_connection | FAILED header_too_large", for_ever(
    nothing, lambda s: head(s, [(":status", "103"), ("link", "</a.css>")])))
stream("h2_header_bomb", "RETRY broken_connection | FAILED header_too_large",
       sends(lambda s: frame(HEADERS, s, block(OK) + b"\x40" + block([("x", "y" * 4000)])[1:] +
                             b"\xbe" * 12000, BLOCK_END)))
stream("h2_push_unasked", "RETRY empty_reply | RETRY broken_connection",
       sends(lambda s: frame(PUSH, s, struct.pack(">I", 2) + block([(":path", "/x")]),
                             BLOCK_END) + head(s) + data(s, PAGE)))

# Headers.
for row, fields in {"no_status": OK[1:], "two_statuses": OK[:1] + OK,
                    "status_101": ((":status", "101"),), "capitals": OK + (("X-A", "a"),),
                    "line_feed": OK + (("x", "a\r\nContent-Type: image/png"),),
                    "nul": OK + (("x", "a\0b"),),
                    "connection": OK + (("connection", "close"),)}.items():
    stream("h2_header_" + row,
           "FAILED garbage" if LIBCURL_8 and row == "no_status" else "RETRY broken_connection",
           sends(lambda s, fields=fields: head(s, fields) + data(s, PAGE)))
