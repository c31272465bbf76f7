"""One extractor over many pages; run by peers.py in its virtual environment.

    extract.py TOOL PAGES NAMES OUT LIBWINNOW

Reads all pages, extracts the text of each as the tool's own documentation
does, and then writes OUT/SET/ID.txt.  Prints the seconds of CPU time that
extracting took, the version, and how many pages raised an exception."""
import ctypes
import importlib.metadata
import os
import re
import sys
import time


def winnow(library):
    """The whole chain; every kept block, whether the page is kept or not."""
    lib = ctypes.CDLL(library)
    for name in "winnow_cleaner_close", "winnow_page_free":
        getattr(lib, name).argtypes = [ctypes.c_void_p]
    lib.winnow_page_text.restype = ctypes.c_char_p
    lib.winnow_page_text.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    cleaner, error = ctypes.c_void_p(), ctypes.create_string_buffer(512)
    none = (ctypes.c_char_p * 1)(None)
    if lib.winnow_cleaner_open(ctypes.byref(cleaner), none, error, 512):
        sys.exit(error.value.decode())

    def run(data):
        page = ctypes.c_void_p()
        lib.winnow_clean(cleaner, data, ctypes.c_size_t(len(data)),
                         b"http://a.example/", None, None, ctypes.byref(page))
        text = lib.winnow_page_text(page, None).decode()
        lib.winnow_page_free(page)
        return text
    return run, ""


def trafilatura(_):
    import trafilatura as t
    return lambda data: t.extract(data) or "", "trafilatura"


def justext(_):
    """With the stop words of all languages: nobody tells it the page's."""
    import justext as j
    words = frozenset().union(*map(j.get_stoplist, j.get_stoplists()))

    def run(data):
        return "\n".join(p.text for p in j.justext(data, words)
                         if not p.is_boilerplate)
    return run, "justext"


def resiliparse(_):
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def run(data):
        return extract_plain_text(bytes_to_str(data, detect_encoding(data)),
                                  main_content=True)
    return run, "resiliparse"


def readability(_):
    from lxml.html import fromstring
    from readability import Document

    def run(data):
        from readability.encoding import get_encoding
        text = data.decode(get_encoding(data) or "utf-8", "replace")
        summary = Document(text).summary(html_partial=True)
        summary = re.sub(r"(?i)<(/?(p|div|li|h\d|tr|br|td|blockquote|pre))\b",
                         r"\n<\1", summary)
        return fromstring(summary or "<p></p>").text_content()
    return run, "readability-lxml"


def main():
    tool, pages, names, out, library = sys.argv[1:]
    run, package = globals()[tool](library)
    with open(names, encoding="utf-8") as f:
        names = f.read().split("\n")
    bodies, texts, failed = [], [], 0
    for name in names:
        with open(os.path.join(pages, name + ".html"), "rb") as f:
            bodies.append(f.read())
    run(bodies[0])  # models and tables are loaded
    started = time.process_time()
    for body in bodies:
        try:
            texts.append(run(body))
        except Exception:  # what a tool cannot read counts as no text
            texts.append("")
            failed += 1
    seconds = time.process_time() - started
    for name, text in zip(names, texts):
        path = os.path.join(out, name + ".txt")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", errors="replace") as f:
            f.write(text)
    version = importlib.metadata.version(package) if package else "–"
    print("%.3f %s %d" % (seconds, version, failed))


if __name__ == "__main__":
    main()
