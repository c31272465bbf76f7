"""bodies.py -- behaviours of what is in a body: codings, charsets, markup."""
import gzip
import struct
import zlib

from behaviour import HTML, LIBCURL_8, TEXT, for_ever, html, status, theme

PAGE = TEXT.encode()
BIG = b"x" * 65536

# ---- codings ----
add = theme("coding")


def coded(coding, body):
    return HTML + b"Content-Encoding: %s\r\nContent-Length: %d\r\n\r\n%s" % (
        coding, len(body), body)


def endless(coding, body, part=BIG):
    return for_ever(HTML + b"Content-Encoding: " + coding + b"\r\n\r\n" + body, part)


def raw_deflate(data):
    c = zlib.compressobj(9, zlib.DEFLATED, -15)
    return c.compress(data) + c.flush()


def packed(layers):
    """A gzip stream of a name that never ends, packed in others: how it begins, and
    what goes on with it for ever."""
    first, part = b"\x1f\x8b\x08\x08\0\0\0\0\x02\x03", BIG * 16
    for _ in range(layers - 1):
        both = zlib.compressobj(9, zlib.DEFLATED, 31), zlib.compressobj(9, zlib.DEFLATED, -15)
        first, part = (c.compress(data) + c.flush(zlib.Z_FULL_FLUSH)
                       for c, data in zip(both, (first, part)))
        part *= (1 << 20) // len(part)
    return first, part


GZ = gzip.compress(PAGE)
BOMB = gzip.compress(b"\0" * (24 << 20))
nested = BOMB
for _ in range(4):
    nested = gzip.compress(nested)
add("gzip", "FETCHED", coded(b"gzip", GZ))
add("x_gzip", "FETCHED", coded(b"x-gzip", GZ))
add("deflate_zlib", "FETCHED", coded(b"deflate", zlib.compress(PAGE)))
add("deflate_raw", "FETCHED", coded(b"deflate", raw_deflate(PAGE)))
add("gzip_bomb", "FAILED bomb", coded(b"gzip", BOMB))
add("deflate_bomb", "FAILED bomb", coded(b"deflate", zlib.compress(b"\0" * (24 << 20), 9)))
add("gzip_bomb_in_five_layers", "RETRY bad_encoding",
    coded(b"gzip, gzip, gzip, gzip, gzip", nested))
add("gzip_of_a_long_page", "FETCHED",
    coded(b"gzip", gzip.compress(b"".join(b"<p>zin %d</p>" % i for i in range(200000)))))
add("gzip_name_for_ever", "FAILED too_many_bytes",
    endless(b"gzip", b"\x1f\x8b\x08\x08\0\0\0\0\x02\x03"))
add("gzip_comment_for_ever", "FAILED too_many_bytes",
    endless(b"gzip", b"\x1f\x8b\x08\x10\0\0\0\0\x02\x03"))
add("gzip_empty_blocks_for_ever", "FAILED too_many_bytes",
    endless(b"gzip", b"\x1f\x8b\x08\0\0\0\0\0\x02\x03", b"\0\0\0\xff\xff" * 10000))
for layers in 2, 3, 5:  # of which only the outer ones bring anything
    add("gzip_name_for_ever_in_%d_layers" % layers, "RETRY bad_encoding",
        endless(b", ".join([b"gzip"] * layers), *packed(layers)))
LAYERS = b"HTTP/1.1 103 Hints\r\nContent-Encoding: gzip\r\n\r\n", \
    b"Transfer-Encoding: gzip\r\n"
add("gzip_layers_of_an_interim_answer", "FAILED bomb", for_ever(
    LAYERS[0] * 2 + HTML + b"Content-Encoding: gzip\r\n\r\n" + packed(3)[0], packed(3)[1]))
add("gzip_layers_of_the_transfer", "RETRY bad_encoding", for_ever(
    HTML + LAYERS[1] * 2 + b"Content-Encoding: gzip\r\n\r\n" + packed(3)[0], packed(3)[1]))
add("gzip_layers_of_an_error_page", "FAILED http_404", for_ever(
    b"HTTP/1.1 404 No\r\nContent-Encoding: gzip, gzip, gzip\r\n\r\n" + packed(3)[0],
    packed(3)[1]))
add("gzip_layers_without_a_body", "REDIRECT redirect",
    status("302 F", ["Location: /b", "Content-Encoding: gzip, gzip, gzip"]))
add("gzip_of_the_transfer", "RETRY bad_encoding" if LIBCURL_8 else "FETCHED",
    HTML + b"Transfer-Encoding: gzip\r\n\r\n" + GZ)
add("gzip_extra_field", "FETCHED",
    coded(b"gzip", GZ[:3] + b"\x04" + GZ[4:10] + struct.pack("<H", 60000) +
          b"e" * 60000 + GZ[10:]))
add("gzip_cut_short", "FETCHED",
    coded(b"gzip", GZ[:-20]))
add("gzip_wrong_checksum", "RETRY bad_encoding",
    coded(b"gzip", GZ[:-8] + b"\0\0\0\0" + GZ[-4:]))
add("gzip_and_noise_behind", "FETCHED", coded(b"gzip", GZ + BIG))
add("gzip_and_a_line_feed_behind", "FETCHED", coded(b"gzip", GZ + b"\n"))
add("gzip_of_two_members", "FETCHED", coded(b"gzip", GZ + GZ))
add("gzip_of_an_error_page_and_noise", "FAILED http_404",
    coded(b"gzip", GZ + BIG).replace(b"200 OK", b"404 No"))
add("gzip_said_and_plain", "RETRY bad_encoding", coded(b"gzip", b"not gzip, really!"))
add("gzip_said_and_empty", "FETCHED empty", coded(b"gzip", b""))
add("gzip_reserved_flags", "RETRY bad_encoding",
    coded(b"gzip", GZ[:3] + b"\xe0" + GZ[4:]))
add("deflate_said_and_plain", "RETRY bad_encoding", coded(b"deflate", PAGE))
add("deflate_bad_distance", "RETRY bad_encoding",
    coded(b"deflate", b"\x78\x9c\x63\x00\x42\x00\xff\xff\xff"))
add("brotli_unasked", "RETRY bad_encoding",
    coded(b"br", b"\x8b\x07\x80<p>water\x03" * 50))
add("zstd_unasked", "FAILED not_html",
    coded(b"zstd", b"\x28\xb5\x2f\xfd\0\x58" + bytes(range(256)) * 4))
add("coding_unknown", "FETCHED", coded(b"cow", PAGE))
add("coding_is_a_charset", "FETCHED", coded(b"UTF-8", PAGE))
add("coding_is_a_charset_and_gzip", "FETCHED", coded(b"gzip, UTF-8", GZ))
add("coding_identity", "FETCHED", coded(b"identity", PAGE))
add("coding_list_of_fifty", "RETRY bad_encoding", coded(b", ".join([b"gzip"] * 50), GZ))
add("coding_said_twice", "FETCHED",
    HTML + b"Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n\r\n" + GZ)
add("gzip_of_an_error_page_bomb", "FAILED http_404",
    b"HTTP/1.1 404 No\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(BOMB) +
    BOMB)

# ---- charsets and types that lie ----
add = theme("charset")


def typed(kind, body):
    return b"HTTP/1.1 200 OK\r\nContent-Type: " + kind + b"\r\nContent-Length: %d\r\n\r\n" \
        % len(body) + body


ACCENTS = TEXT.replace("dijk", "dijké€")
add("utf8_said_and_latin1", "FETCHED",
    typed(b"text/html; charset=utf-8", TEXT.replace("dijk", "dijk\xe9").encode("latin-1")))
add("latin1_said_and_utf8", "FETCHED",
    typed(b"text/html; charset=iso-8859-1", ACCENTS.encode()))
add("charset_unknown", "FETCHED", typed(b"text/html; charset=klingon", PAGE))
add("charset_in_quotes", "FETCHED", typed(b"text/html; charset='utf-8\"", PAGE))
add("charset_of_60_kb", "FETCHED",
    typed(b"text/html; charset=" + b"u" * 60000, PAGE))
add("utf16_without_a_word", "FETCHED",
    typed(b"text/html", b"\xff\xfe" + ("<html>" + TEXT).encode("utf-16-le")))
add("utf16_said_and_ascii", "FETCHED", typed(b"text/html; charset=utf-16", PAGE))
add("utf16_cut_in_a_pair", "FETCHED",
    typed(b"text/html", b"\xfe\xff" + ("<html>" + TEXT).encode("utf-16-be") + b"\xd8"))
add("utf7", "FETCHED", typed(b"text/html; charset=utf-7", b"+ADw-p+AD4-" + PAGE))
add("utf8_overlong", "FETCHED", html(b"<p>" + b"\xc0\xbc\xf8\x88\x80\x80\x80" * 500 + PAGE))
add("bom_against_header", "FETCHED",
    typed(b"text/html; charset=koi8-r", b"\xef\xbb\xbf" + ACCENTS.encode()))
add("pdf_said_to_be_html", "FAILED not_html", html(b"%PDF-1.7\n" + bytes(range(256)) * 8))
add("zip_said_to_be_html", "FAILED not_html", html(b"PK\x03\x04" + bytes(range(256)) * 8))
add("noise_said_to_be_html", "FAILED not_html", html(bytes(range(256)) * 64))
add("nothing_but_nul", "FAILED not_html", html(b"\0" * 100000))
add("plain_text", "FAILED not_html", status("200 OK", ["Content-Type: text/plain"], "text"))
add("html_said_to_be_json", "FAILED not_html", typed(b"application/json", PAGE))

# ---- markup ----
add = theme("markup")


def page(name, text, want="FETCHED", **more):
    add(name, want, html(text), **more)


LONG = "http://base.test/" + "b" * 1900 + "/"
page("base_and_ten_thousand_links", "<base href='%s'>" % LONG + TEXT +
     "".join("<a href=%d>x</a>" % i for i in range(10000)), rss_mib=256)
page("base_of_one_megabyte", "<base href='http://b.test/%s'>" % ("b" * 900000) + TEXT +
     "<a href=x>x</a>" * 5000, want="FETCHED | FAILED")
page("base_to_another_host", "<base href='http://10.0.0.1/'>" + TEXT + "<a href=x>x</a>")
page("base_javascript", "<base href='javascript:alert(1)//'>" + TEXT + "<a href=x>x</a>")
page("twenty_thousand_links", TEXT + "".join("<a href=http://l.invalid/%d>" % i
                                              for i in range(20000)), requests=2)
page("a_link_of_one_megabyte", TEXT + "<a href='/%s'>x</a>" % ("u" * 900000))
page("deep_elements", "<div>" * 100000 + TEXT + "</div>" * 100000)
page("deep_tables", "<table><tr><td>" * 40000 + TEXT)
page("deep_lists", "<ul><li>" * 60000 + TEXT)
page("many_formatting_elements", "<b><i><u>" * 60000 + "<p>" * 60000 + TEXT)
page("many_attributes", "<p " + " ".join("a%d=%d" % (i, i) for i in range(80000)) + ">" + TEXT)
page("one_attribute_for_ever", TEXT + "<p title='" + "t" * 900000)
page("a_tag_for_ever", TEXT + "<" + "p" * 900000)
page("a_comment_for_ever", TEXT + "<!--" + "-" * 900000)
page("a_script_for_ever", TEXT + "<script>" + "var a;" * 150000)
page("a_title_of_one_megabyte", "<title>" + "titel " * 150000 + "</title>" + TEXT)
page("a_word_of_65599_letters", TEXT + "<p>" + "a" * 65599)
page("a_word_of_one_megabyte", TEXT + "<p>" + "a" * 900000)
page("a_hundred_thousand_paragraphs", "<p>a" * 200000)
page("entities", TEXT + "&amp;" * 180000)
page("entities_without_end", TEXT + "&" * 500000 + "&#" + "9" * 300000)
page("entity_numbers", TEXT + "".join("&#%d;" % i for i in range(0, 1200000, 13)))
page("cdata_and_foreign", TEXT + "<svg><![CDATA[" + "x]]" * 100000)
page("less_than_signs", TEXT + "<" * 900000)
page("quotes", TEXT + "<a href=\"" * 90000)
page("select_and_options", TEXT + "<select>" + "<option>o" * 90000)
page("frames_in_frames", "<frameset>" * 50000 + TEXT)
page("noscript_and_template", "<template><noscript>" * 40000 + TEXT)
page("meta_refresh_to_itself", "<meta http-equiv=refresh content='0;url=/'>" + TEXT)
page("meta_refresh_to_private", "<meta http-equiv=refresh content='0;url=http://10.0.0.1/'>"
     + TEXT)
page("noindex", "<meta name=robots content='noindex,nofollow'>" + TEXT +
     "<a href=/never>x</a>", want="FETCHED noindex", requests=1)
page("canonical_elsewhere", "<link rel=canonical href=http://10.0.0.1/>" + TEXT)
page("data_urls", TEXT + "<a href='data:text/html,%s'>x</a>" % ("d" * 500000))
page("zero_width_and_controls", "<p>" + "​‮" * 100000 + TEXT)
page("combining_marks", "<p>a" + "́" * 300000 + TEXT)
page("one_line_of_text", "<p>" + "woord " * 150000)
add("odd_links", "FETCHED", lambda c, p: c.sendall(html(
    TEXT.encode() + b'<a href="/nul\0byte">x</a><a href="/bad\xff\xfeutf8">y</a>'
    b'<a href="/line\nfeed\rand\ttab">z</a><a href="http://[broken/">b</a>'
    b'<a href="http://odd.test:99999/">p</a><a href="javascript:alert(1)">j</a>'
    b'<a href="http://user:word@odd-links.test/u">u</a>' if p == "/" else TEXT)),
    requests=10)
add("empty_page", "FETCHED empty", html(""))
