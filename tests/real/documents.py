#!/usr/bin/env python3
"""Documents of known texts, converted: what comes out of the words and paragraphs that went in.

  python3 tests/real/documents.py build/release/crawler/winnow TEXTS [--work DIR] [--only NAME]

TEXTS is the folder of the unpacked data sets (unpack_data.sh): articles of extraction/truth/wcxb and the Universal
Declaration of Human Rights in text/_udhr.  Each text becomes a document in every format:

  groff, reportlab   PDF: one and two columns; "planted" has running heads, page numbers, notes' size of head and foot, a
                     table of contents with leaders, and (groff) words hyphenated at line ends
  python-docx, odfpy DOCX, ODT, with running head and foot; DOCX with a table of contents
  ours               RTF, EPUB, TXT filled to 72 columns, DOC, PDF with ragged lines (tests/scenario/made_documents.py)

and is read by winnow convert, and by pdftotext (plain, -layout), pdfminer.six, pypdf and PyMuPDF as far as they are
installed (PyPI; groff, poppler-utils: Debian).  What is not there is said and left out.

Words are compared as a bag (P, R), and as pairs of neighbours ("order": share of the source's pairs), since a column
read across has the same words.  Paragraphs are those that come out exactly as they went in.  "clean" is the text that
`winnow clean` keeps of it.  CPU is that of all processes, without the start of an interpreter for the modules.
"""
import argparse
import collections
import glob
import html.parser
import importlib
import io
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scenario"))
import made_documents  # noqa: E402

UDHR = ("deu_1901", "nld", "fra", "ita", "swe", "fin")
HEAD, FOOT = "Transactions of the Society", "Printed in the spring"


def texts(folder):
    """(name, groff's hyphenation, paragraphs)"""
    out = []
    for path in sorted(glob.glob(os.path.join(folder, "extraction/truth/wcxb/*article*.txt"))):
        paragraphs = [" ".join(p.split()) for p in open(path, encoding="utf-8") if p.strip()]
        whole = " ".join(paragraphs)
        if 6000 < len(whole) < 20000 and len(paragraphs) > 12 and all(ord(c) < 256 or c in "‘’“”–—" for c in whole):
            out.append((os.path.basename(path)[:4], "en", paragraphs))
        if len(out) == 6:
            break
    for name in UDHR:
        path = os.path.join(folder, "text/_udhr", name + ".txt")
        if os.path.exists(path):
            p = [" ".join(p.replace("‐", "-").replace("‑", "-").split()) for p in open(path, encoding="utf-8") if p.strip()]
            p = [x for x in p if all(ord(c) < 256 or c in "‘’“”–—" for c in x)]
            out.append((name, {"deu_1901": "de", "swe": "sv", "fra": "fr", "ita": "it"}.get(name, "none"), p))
    # Twice the same line is what the chain takes out; numbers of articles are headings.
    return [(n, l, [p for i, p in enumerate(ps) if p not in ps[:i]]) for n, l, ps in out]


def headings(paragraphs):
    return [p for p in paragraphs if len(p) < 60 and not p.endswith((".", ",", ";", ":"))]


# ---- makers: (title, paragraphs, language) -> bytes, or None ----

def roff_text(s):
    s = s.replace("\\", "\\e")
    return "\\&" + s if s[:1] in (".", "'") else s


def groff(columns, planted):
    def make(title, paragraphs, language):
        if shutil.which("groff") is None:
            return None
        head = headings(paragraphs)
        lines = [".nr PO 1i", ".nr LL 6.2i", ".nr HM 1i", ".nr FM 1i", ".nr HY %d" % (6 if planted else 0)]
        lines += [".ds LH %s" % HEAD, ".ds CH", ".ds RH %s" % title[:40], ".ds LF %s" % FOOT, ".ds CF Page \\\\n%",
                  ".ds RF"] if planted else [".ds LH", ".ds CH", ".ds RH", ".ds LF", ".ds CF"]
        if planted:
            lines += [".LP", ".ps 14", "Contents", ".ps", ".br", ".ta 6i"]
            for i, h in enumerate(head[:12]):
                lines += [".br", "%s\x01%d" % (roff_text(h), i + 1)]
            lines += [".bp"]
        if columns == 2:
            lines += [".2C"]
        for p in paragraphs:
            lines += [".SH" if p in head else (".PP" if planted else ".LP"), roff_text(p)]
        lines += [".1C"] if columns == 2 else []
        macros = {"de": ["-mde"], "fr": ["-mfr"], "sv": ["-msv"]}.get(language, [])
        run = subprocess.run(["groff", "-Kutf8", "-ms"] + macros + ["-Tpdf"], input="\n".join(lines).encode() + b"\n",
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return run.stdout if run.stdout[:4] == b"%PDF" else None
    return make


def reportlab(columns, planted):
    def make(title, paragraphs, language):
        try:
            from reportlab.lib.pagesizes import A4
            from reportlab.lib.styles import ParagraphStyle
            from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph
        except ImportError:
            return None
        from xml.sax.saxutils import escape
        out = io.BytesIO()
        doc = BaseDocTemplate(out, pagesize=A4, title=title, author="A. Writer")
        width = (A4[0] - 144 - 24 * (columns - 1)) / columns
        frames = [Frame(72 + i * (width + 24), 72, width, A4[1] - 144, 0, 0, 0, 0) for i in range(columns)]

        def decorate(canvas, d):
            if not planted:
                return
            canvas.setFont("Times-Italic", 9)
            canvas.drawString(72, A4[1] - 40, HEAD if d.page % 2 else title[:40])
            canvas.drawCentredString(A4[0] / 2, 36, "- %d -" % d.page)
        doc.addPageTemplates([PageTemplate(frames=frames, onPage=decorate)])
        body = ParagraphStyle("b", fontName="Times-Roman", fontSize=10, leading=12, spaceAfter=6,
                              alignment=4 if planted else 0)
        top = ParagraphStyle("h", fontName="Times-Bold", fontSize=13, leading=16, spaceBefore=8, spaceAfter=4)
        heads = headings(paragraphs)
        story = [Paragraph(escape(h) + " " + ". " * 20 + str(i), body) for i, h in enumerate(heads[:10])] if planted else []
        story += [Paragraph(escape(p), top if p in heads else body) for p in paragraphs]
        doc.build(story)
        return out.getvalue()
    return make


def docx(title, paragraphs, language):
    try:
        import docx as d
    except ImportError:
        return None
    doc, heads, out = d.Document(), headings(paragraphs), io.BytesIO()
    doc.core_properties.title = title
    doc.sections[0].header.paragraphs[0].text = HEAD
    doc.sections[0].footer.paragraphs[0].text = FOOT
    toc = doc.styles.add_style("toc 1", 1)
    for i, h in enumerate(heads[:10]):
        doc.add_paragraph("%s\t%d" % (h, i), style=toc)
    for p in paragraphs:
        if p in heads:
            doc.add_heading(p, 1)
        else:
            doc.add_paragraph(p)
    doc.save(out)
    return out.getvalue()


def odt(title, paragraphs, language):
    try:
        from odf import dc, style, text
        from odf.opendocument import OpenDocumentText
    except ImportError:
        return None
    doc, heads, out = OpenDocumentText(), headings(paragraphs), io.BytesIO()
    doc.meta.addElement(dc.Title(text=title))
    layout = style.PageLayout(name="l")
    doc.automaticstyles.addElement(layout)
    master = style.MasterPage(name="Standard", pagelayoutname=layout)
    header = style.Header()
    header.addElement(text.P(text=HEAD))
    master.addElement(header)
    doc.masterstyles.addElement(master)
    for p in paragraphs:
        doc.text.addElement(text.H(outlinelevel=1, text=p) if p in heads else text.P(text=p))
    doc.write(out)
    return out.getvalue()


def ours(kind):
    def make(title, paragraphs, language):
        heads = headings(paragraphs)
        return made_documents.make(kind, title, ["# " + p if p in heads else p for p in paragraphs])
    return make


MAKERS = [("pdf", "groff, 1 column", groff(1, False)), ("pdf", "groff, 2 columns", groff(2, False)),
          ("pdf", "groff, 1 column, planted", groff(1, True)), ("pdf", "groff, 2 columns, planted", groff(2, True)),
          ("pdf", "reportlab, 1 column", reportlab(1, False)), ("pdf", "reportlab, 2 columns", reportlab(2, False)),
          ("pdf", "reportlab, 1 column, planted", reportlab(1, True)),
          ("pdf", "reportlab, 2 columns, planted", reportlab(2, True)),
          ("docx", "python-docx, planted", docx), ("odt", "odfpy, planted", odt), ("rtf", "by hand, planted", ours("rtf")),
          ("epub", "by hand", ours("epub")), ("txt", "filled lines", ours("txt")), ("doc", "by hand, Word 97", ours("doc"))]


# ---- readers: path -> (paragraphs, CPU seconds), or None ----

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.out, self.skip = [""], 0

    def handle_starttag(self, tag, attrs):
        self.skip += tag in ("title", "head")
        if tag == "br":
            self.out[-1] += " "
        elif tag in ("p", "h1", "h2", "h3", "h4", "li", "td"):
            self.out.append("")

    def handle_endtag(self, tag):
        self.skip -= tag in ("title", "head")
        if tag in ("p", "h1", "h2", "h3", "h4", "li", "td"):
            self.out.append("")

    def handle_data(self, data):
        if not self.skip:
            self.out[-1] += data


def command(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return run, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def winnow_convert(winnow):
    def read(path):
        run, _ = command([winnow, "convert", "--set", "convert.sandbox=seccomp", path])
        page = Page()
        page.feed(run.stdout.decode("utf-8", "replace"))
        cpu = re.search(rb"cpu_ms=([0-9.]+)", run.stderr)
        if run.returncode != 0:
            print("  %s: %s" % (path, run.stderr.decode()[-200:].strip()))
        return page.out, float(cpu.group(1)) / 1000 if cpu else 0
    return read


def winnow_clean(winnow):
    def read(path):
        run, _ = command([winnow, "clean", "--all", "--format", "jsonl", "--set",
                          "convert.types=pdf doc docx odt rtf epub txt", path])
        text = "".join(json.loads(l)["text"] for l in run.stdout.decode().splitlines())
        return text.split("\n"), 0
    return read


def blank_lines(text):
    return re.split(r"\n\s*\n|\f", text)


def pdftotext(*more):
    def read(path):
        if shutil.which("pdftotext") is None:
            return None
        run, cpu = command(["pdftotext"] + list(more) + [path, "-"])
        return blank_lines(run.stdout.decode("utf-8", "replace")), cpu
    return read


def module(name, get):
    def read(path):
        try:
            m = importlib.import_module(name)
        except ImportError:
            return None
        start = time.process_time()
        text = get(m, path)
        return blank_lines(text), time.process_time() - start
    return read


def readers(winnow):
    return [("winnow convert", winnow_convert(winnow), True), ("winnow clean", winnow_clean(winnow), True),
            ("pdftotext", pdftotext(), False), ("pdftotext -layout", pdftotext("-layout"), False),
            ("pdfminer.six", module("pdfminer.high_level", lambda m, p: m.extract_text(p)), False),
            ("pypdf", module("pypdf", lambda m, p: "\n".join(x.extract_text() for x in m.PdfReader(p).pages)), False),
            ("PyMuPDF", module("pymupdf", lambda m, p: "\n\n".join(x.get_text() for x in m.open(p))), False)]


# ---- figures ----

def words(text):
    return re.findall(r"\w+(?:[-'’]\w+)*", text)


class Score:
    def __init__(self):
        self.same = self.got = self.wanted = self.pairs = self.pairs_wanted = 0
        self.p_same = self.p_got = self.p_wanted = 0
        self.cpu, self.n = 0.0, 0

    def add(self, source, out, cpu):
        a, b = words(" ".join(source)), words(" ".join(out))
        ca, cb = collections.Counter(a), collections.Counter(b)
        pa, pb = collections.Counter(zip(a, a[1:])), collections.Counter(zip(b, b[1:]))
        qa = collections.Counter(" ".join(words(p)) for p in source)
        qb = collections.Counter(" ".join(words(p)) for p in out if words(p))
        self.same += (ca & cb).total()
        self.got += len(b)
        self.wanted += len(a)
        self.pairs += (pa & pb).total()
        self.pairs_wanted += pa.total()
        self.p_same += (qa & qb).total()
        self.p_got += qb.total()
        self.p_wanted += qa.total()
        self.cpu += cpu
        self.n += 1

    def row(self):
        def share(a, b):
            return "%5.1f" % (100 * a / b) if b else "    -"
        return "%s %s %s   %s %s   %s" % (
            share(self.same, self.got), share(self.same, self.wanted), share(self.pairs, self.pairs_wanted),
            share(self.p_same, self.p_got), share(self.p_same, self.p_wanted),
            "%7.1f" % (1000 * self.cpu / self.n) if self.cpu else "      -")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("winnow")
    a.add_argument("texts")
    a.add_argument("--work", default="/tmp/winnow-documents")
    a.add_argument("--only", default="")
    a = a.parse_args()
    os.makedirs(a.work, exist_ok=True)
    sources = texts(a.texts)
    print("%d texts, %d words" % (len(sources), sum(len(words(" ".join(p))) for _, _, p in sources)))
    print("%-30s %-18s %5s %5s %5s   %5s %5s   %7s" % ("document", "read by", "P", "R", "order", "par.P", "par.R", "CPU ms"))
    absent = set()
    for kind, name, make in MAKERS:
        if a.only not in kind + " " + name:
            continue
        scores = collections.OrderedDict()
        for text, language, paragraphs in sources:
            document = make("A study of " + text, paragraphs, language)
            if document is None:
                absent.add(name.split(",")[0])
                continue
            path = os.path.join(a.work, "%s-%s.%s" % (re.sub(r"\W+", "_", name), text, kind))
            with open(path, "wb") as f:
                f.write(document)
            for reader, read, always in readers(a.winnow):
                if kind != "pdf" and not always:
                    continue
                out = read(path)
                if out is None:
                    absent.add(reader)
                    continue
                scores.setdefault(reader, Score()).add(paragraphs, *out)
        for reader, score in scores.items():
            print("%-30s %-18s %s" % (kind + ": " + name, reader, score.row()), flush=True)
    if absent:
        print("not there, left out: " + ", ".join(sorted(absent)))


if __name__ == "__main__":
    main()
