#!/usr/bin/env python3
"""How often the charset of undeclared text is recognised.

    python3 tests/real/charsets.py DIR [--sizes 200,1000] [--pages 50] [--before LIB]

DIR has <language>/test.txt and lingua_sentences.txt (a sentence a line).  Each
language's text is encoded in every single-byte charset in which pages of it were
written, if at most one character in a hundred is not in it (those are left out),
put into pages that declare nothing, and read by Winnow (through its library),
by ICU's ucsdet, chardet and charset-normalizer (from PyPI, in an environment of
their own).  A page is recognised when its text comes out as it went in (for
Winnow: as from the same page in declared UTF-8), whatever the charset is called;
ASCII pages are left out.  Prints the share by charset and
language.  None of the text was counted for clean/charset/letters_table.h.
"""
import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CHARSETS = {
    "iso8859-1": "ca da de es fi fr gl is it nl no pt sv",
    "cp1252": "de es fr it nl pt sv",
    "mac-roman": "de es fr it pt sv",
    "cp1250": "cs hr hu pl ro sk sl", "iso8859-2": "cs hr hu pl ro sk sl",
    "cp1257": "et lt lv", "iso8859-9": "tr", "cp1254": "tr",
    "cp1251": "be bg mk ru sr uk", "koi8-r": "ru", "koi8-u": "uk",
    "iso8859-5": "bg ru sr", "cp866": "ru",
    "cp1253": "el", "iso8859-7": "el", "cp1256": "ar fa", "cp1255": "he",
    "cp874": "th",
    "gb18030": "zh", "big5": "zh_tw", "shift_jis": "ja", "euc-jp": "ja",
    "euc-kr": "ko"}
PEERS = r'''
import json, sys
import chardet
from charset_normalizer import from_bytes
out = []
for line in sys.stdin:
    data = bytes.fromhex(line)
    best = from_bytes(data).best()
    out.append([chardet.detect(data)["encoding"], best and best.encoding])
json.dump(out, sys.stdout)
'''


def icu():
    """ICU's detector; None: there is no library."""
    for version in range(80, 59, -1):
        try:
            lib = ctypes.CDLL("libicui18n.so.%d" % version)
            break
        except OSError:
            continue
    else:
        return None
    call = lambda name: getattr(lib, "%s_%d" % (name, version))
    for name in "ucsdet_open", "ucsdet_detect":
        call(name).restype = ctypes.c_void_p
    call("ucsdet_getName").restype = ctypes.c_char_p
    code = ctypes.c_int(0)
    detector = ctypes.c_void_p(call("ucsdet_open")(ctypes.byref(code)))

    def detect(data):
        code.value = 0
        call("ucsdet_setText")(detector, data, len(data), ctypes.byref(code))
        match = ctypes.c_void_p(call("ucsdet_detect")(detector, ctypes.byref(code)))
        if not match or code.value > 0:
            return None
        return call("ucsdet_getName")(match, ctypes.byref(code)).decode()
    return detect


class Winnow:
    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        for name in "winnow_cleaner_close", "winnow_page_free":
            getattr(self.lib, name).argtypes = [ctypes.c_void_p]
        self.cleaner = ctypes.c_void_p()
        options = [b"clean.boilerplate_max=1", b"clean.chars_min=0"]
        array = (ctypes.c_char_p * 3)(*options, None)
        error = ctypes.create_string_buffer(512)
        if self.lib.winnow_cleaner_open(ctypes.byref(self.cleaner), array, error,
                                        512):
            sys.exit(error.value.decode())

    def recognises(self, text, data):
        return self.text(data) == \
            self.text(text.encode(), b"<meta charset=utf-8>")

    def text(self, data, declared=b""):
        page = ctypes.c_void_p()
        data = declared + b"<title>t</title><body><p>" + data + b"</p>"
        self.lib.winnow_clean(self.cleaner, data, ctypes.c_size_t(len(data)),
                              b"", None, None, ctypes.byref(page))
        record, size = ctypes.c_char_p(), ctypes.c_size_t()
        self.lib.winnow_page_record(page, b"jsonl", ctypes.byref(record),
                                    ctypes.byref(size))
        about = json.loads(record.value)
        self.lib.winnow_page_free(page)
        self.charset = about["charset"]
        return about["text"]


def lines_of(folder, language):
    folder = os.path.join(folder, {"no": "nb", "zh_tw": "zh_tw"}.get(
        language, language))
    lines = []
    for name in "test.txt", "lingua_sentences.txt":
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                lines += [line.strip() for line in f if line.strip()]
    if language == "tr":  # some of that was read as ISO-8859-1 once
        table = str.maketrans("ýþðÝÞÐ", "ışğİŞĞ")
        lines = [line.translate(table) for line in lines]
    return lines


def pages(lines, charset, size, most):
    """(text, bytes) of runs of lines of at least `size` characters."""
    found, now = [], ""
    fits = lost = 0
    for line in lines:
        data = line.encode(charset, "ignore").decode(charset)
        fits, lost = fits + len(line), lost + len(line) - len(data)
        now = (now + " " + data).strip()
        if len(now) >= size:
            data = now.encode(charset)
            if max(data) >= 0x80 and b"<" not in data and b"&" not in data:
                found.append((now, data))
            now = ""
    if not fits or lost > fits / 100:
        return []
    step = max(1, len(found) // most)
    return found[::step][:most]


def same(a, b):
    return "".join(a.split()) == "".join(b.split())


def decodes(charset, text, data):
    if not charset:
        return False
    charset = {"ISO-8859-8-I": "iso8859-8", "gb2312": "gb18030",
               "windows-949": "cp949"}.get(charset, charset)
    try:
        return same(data.decode(charset), text)
    except (LookupError, UnicodeDecodeError):
        return False


def peers(work, rows):
    python = os.path.join(work, "venv", "bin", "python3")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv",
                        os.path.join(work, "venv")], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "chardet",
                        "charset-normalizer"], check=True)
    out = subprocess.run([python, "-c", PEERS], text=True, check=True,
                         input="".join(d.hex() + "\n" for _, d in rows),
                         stdout=subprocess.PIPE).stdout
    return json.loads(out)


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("texts")
    p.add_argument("--sizes", default="200,1000")
    p.add_argument("--pages", type=int, default=50)
    p.add_argument("--before", help="an older libwinnow.so to compare with")
    p.add_argument("--work", help="keeps the environment of the peers here")
    p.add_argument("--no-peers", action="store_true")
    a = p.parse_args()
    work = a.work or tempfile.mkdtemp(prefix="winnow-charsets-")
    tools = {"winnow": Winnow(os.environ.get("LIBWINNOW", os.path.join(
        ROOT, "build/release/clean/libwinnow.so")))}
    if a.before:
        tools["before"] = Winnow(a.before)
    detect = icu()
    names = list(tools) + ["icu"] * (detect is not None) + \
        ["chardet", "normalizer"] * (not a.no_peers)
    for size in map(int, a.sizes.split(",")):
        sums, n = dict.fromkeys(names, 0), 0
        print("\n%d characters\n%-10s %-6s %6s %s" % (
            size, "charset", "lang", "pages", " ".join("%10s" % x for x in names)))
        for charset, languages in CHARSETS.items():
            for language in languages.split():
                rows = pages(lines_of(a.texts, language), charset, size, a.pages)
                if not rows:
                    continue
                hits = {x: sum(w.recognises(t, d) for t, d in rows)
                        for x, w in tools.items()}
                if detect:
                    hits["icu"] = sum(decodes(detect(d), t, d) for t, d in rows)
                if not a.no_peers:
                    found = peers(work, rows)
                    for k, x in enumerate(("chardet", "normalizer")):
                        hits[x] = sum(decodes(f[k], t, d)
                                      for f, (t, d) in zip(found, rows))
                print("%-10s %-6s %6d %s" % (
                    charset, language, len(rows), " ".join(
                        "%10.3f" % (hits[x] / len(rows)) for x in names)),
                    flush=True)
                n += 1
                for x in names:
                    sums[x] += hits[x] / len(rows)
        print("%-10s %-6s %6s %s" % ("mean", "", "", " ".join(
            "%10.3f" % (sums[x] / max(1, n)) for x in names)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
