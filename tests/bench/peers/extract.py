"""One extractor over many pages; run by peers.py in its virtual environment.

    extract.py TOOL PAGES NAMES OUT

Reads all pages, extracts the text of each as the tool's own documentation
does, and then writes OUT/SET/ID.txt, and .json if it was asked for title, author
and date with it.  Prints the seconds of CPU time that
extracting took, the version, and how many pages raised an exception."""
import importlib.metadata
import json
import os
import re
import sys
import time


def winnow():
    """The whole chain; every kept block, whether the page is kept or not."""
    import winnow as w
    cleaner = w.Cleaner()
    return lambda data: cleaner.extract(data, "http://a.example/").text, "winnow"


def winnow_whole():
    """The same, with all that is known of the page as objects of Python."""
    import winnow as w
    cleaner = w.Cleaner()

    def run(data):
        page = cleaner.extract(data, "http://a.example/")
        whole = page.blocks, page.links, page.checks, page.metadata
        return page.text if whole else ""
    return run, "winnow"


def trafilatura():
    import trafilatura as t
    return lambda data: t.extract(data) or "", "trafilatura"


def justext():
    """With the stop words of all languages: nobody tells it the page's."""
    import justext as j
    words = frozenset().union(*map(j.get_stoplist, j.get_stoplists()))

    def run(data):
        return "\n".join(p.text for p in j.justext(data, words)
                         if not p.is_boilerplate)
    return run, "justext"


def resiliparse():
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def run(data):
        return extract_plain_text(bytes_to_str(data, detect_encoding(data)),
                                  main_content=True)
    return run, "resiliparse"


def readability():
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


def newspaper():
    """The language as the page declares it."""
    import newspaper as n

    def run(data):
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding
        article = n.Article("http://a.example/", fetch_images=False)
        article.download(input_html=bytes_to_str(data, detect_encoding(data)))
        article.parse()
        date = article.publish_date
        return article.text, {"title": article.title,
                              "author": ", ".join(article.authors),
                              "date": str(date)[:10] if date else ""}
    return run, "newspaper4k"


def main():
    tool, pages, names, out = sys.argv[1:]
    run, package = globals()[tool]()
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
        if isinstance(text, tuple):
            text, said = text
            with open(path[:-3] + "json", "w", encoding="utf-8") as f:
                json.dump(said, f)
        with open(path, "w", encoding="utf-8", errors="replace") as f:
            f.write(text)
    print("%.3f %s %d" % (seconds, importlib.metadata.version(package), failed))


if __name__ == "__main__":
    main()
