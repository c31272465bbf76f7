"""made_documents.py -- documents of all kinds that Winnow converts, from a title
and paragraphs.  Standard library only: each is as small as its format allows.

make(kind, title, paragraphs) -> bytes.  A paragraph that begins with "# " is a
heading.
"""
import io
import struct
import textwrap
import zipfile
import zlib
from xml.sax.saxutils import escape


def is_heading(p):
    return p.startswith("# ")


def plain(p):
    return p[2:] if is_heading(p) else p


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, text in files:
            z.writestr(name, text, zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED)
    return out.getvalue()


def txt(title, paragraphs):
    lines = [textwrap.fill(plain(p), 72) for p in paragraphs]
    return ("\n\n".join(lines) + "\n").encode()


def docx(title, paragraphs):
    w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    body = "".join("<w:p>%s<w:r><w:t>%s</w:t></w:r></w:p>" % (
        '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' if is_heading(p) else "", escape(plain(p)))
        for p in paragraphs)
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    return zipped([
        ("[Content_Types].xml", "<Types/>"),
        ("_rels/.rels", '<Relationships><Relationship Id="r" Type="%s" Target="word/document.xml"/>'
                        "</Relationships>" % kind),
        ("docProps/core.xml", '<c xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>%s</dc:title>'
                              "</c>" % escape(title)),
        ("word/document.xml", "<w:document %s><w:body>%s</w:body></w:document>" % (w, body))])


def odt(title, paragraphs):
    names = 'xmlns:office="o" xmlns:text="t" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    body = "".join("<text:%s>%s</text:%s>" % (t, escape(plain(p)), t)
                   for p in paragraphs for t in ["h" if is_heading(p) else "p"])
    return zipped([
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", "<office:c %s><office:body>%s</office:body></office:c>" % (names, body)),
        ("meta.xml", "<office:m %s><dc:title>%s</dc:title></office:m>" % (names, escape(title)))])


def epub(title, paragraphs):
    body = "".join("<%s>%s</%s>" % (t, escape(plain(p)), t)
                   for p in paragraphs for t in ["h2" if is_heading(p) else "p"])
    return zipped([
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", '<container><rootfiles><rootfile full-path="OPS/book.opf"/>'
                                   "</rootfiles></container>"),
        ("OPS/book.opf", '<package xmlns:dc="d"><metadata><dc:title>%s</dc:title></metadata><manifest>'
                         '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
                         '<spine><itemref idref="a"/></spine></package>' % escape(title)),
        ("OPS/a.xhtml", "<html><head><title>x</title></head><body>%s</body></html>" % body)])


def rtf(title, paragraphs):
    def text(s):
        out = []
        for c in s:
            if c in "\\{}":
                out.append("\\" + c)
            elif ord(c) < 128:
                out.append(c)
            else:
                out.append("\\u%d?" % (ord(c) if ord(c) < 32768 else ord(c) - 65536))
        return "".join(out)
    body = "".join(("\\pard\\b %s\\b0\\par\n" if is_heading(p) else "\\pard %s\\par\n") % text(plain(p))
                   for p in paragraphs)
    return ("{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Times;}}{\\info{\\title %s}}\n"
            "{\\header\\pard A running head\\par}\n%s}" % (text(title), body)).encode()


def pdf_lines(paragraphs, width):
    """(gap above, text) of each line; a long word may be hyphenated by its writer, not here."""
    for p in paragraphs:
        for i, line in enumerate(textwrap.wrap(plain(p), width)):
            yield (22 if i == 0 else 12), line, is_heading(p)


def forms(first):
    """Drawings, from object `first` on, each of which is ten times the next: the first takes for ever and
    no memory."""
    last = first + 9
    for n in range(first, last + 1):
        draws = b"/D Do " * 10 if n < last else b"q Q"
        yield b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]%s/Length %d>>stream\n%s\nendstream" % (
            b"/Resources<</XObject<</D %d 0 R>>>>" % (n + 1) if n < last else b"", len(draws), draws)


def pdf(title, paragraphs, head="A running head", slow=False):
    """slow: a reader comes to no end of its first page."""
    pages, y, page = [], 0, []
    for gap, line, heading in pdf_lines(paragraphs, 84):
        if y < 80 + gap:
            page = []
            pages.append(page)
            y = 740
        else:
            y -= gap
        page.append((y, 14 if heading else 10, line))
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", None,
               b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
               b"<</Title(" + title.encode("latin-1", "replace") + b")>>"]
    kids, drawing = [], b""
    if slow:
        drawing = b"/XObject<</D %d 0 R>>" % (len(objects) + 1)
        objects += forms(len(objects) + 1)
    for n, lines in enumerate(pages):
        said = [(770, 8, head)] + lines + [(30, 8, "Page %d of %d" % (n + 1, len(pages)))]
        s = b"BT " + b"".join(
            b"/F %d Tf 1 0 0 1 72 %d Tm (%s) Tj " % (
                size, y, t.encode("cp1252", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(")
                .replace(b")", b"\\)")) for y, size, t in said)
        if n == 0 and slow:
            s += b"ET /D Do BT "
        s = zlib.compress(s + b"ET")
        kids.append(len(objects) + 1)
        objects.append(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<<%s/Font<</F 3 0 R>>>>"
                       b"/Contents %d 0 R>>" % (drawing, len(objects) + 2))
        objects.append(b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(s), s))
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(b"%d 0 R" % k for k in kids))
    out, places = b"%PDF-1.4\n", []
    for n, o in enumerate(objects):
        places.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (n + 1, o)
    at = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % p for p in places)
    return out + b"trailer<</Size %d/Root 1 0 R/Info 4 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, at)


def ole(streams):
    """A compound file of streams, each of 4096 bytes or more (so none is in the small ones' stream)."""
    sector, fat, data, entries = 512, [], b"", []

    def chain(n):
        first = len(fat)
        fat.extend(range(first + 1, first + n))
        fat.append(0xFFFFFFFE)
        return first

    for name, content in streams:
        content = content.ljust(max(4096, -(-len(content) // sector) * sector), b"\0")
        entries.append((name, 2, chain(len(content) // sector), len(content)))
        data += content
    entries.insert(0, ("Root Entry", 5, 0xFFFFFFFE, 0))
    folder = b""
    for i, (name, kind, first, size) in enumerate(entries):
        u = (name + "\0").encode("utf-16-le")
        child = 1 if i == 0 else 0xFFFFFFFF
        right = i + 1 if 0 < i < len(entries) - 1 else 0xFFFFFFFF
        folder += u.ljust(64, b"\0") + struct.pack("<HBBIII", len(u), kind, 1, 0xFFFFFFFF, right, child)
        folder += b"\0" * 36 + struct.pack("<III", first, size, 0)
    folder += b"\0" * (-len(folder) % sector)
    at = chain(len(folder) // sector)
    data += folder
    n = 1
    while (len(fat) + n) * 4 > n * sector:
        n += 1
    start = len(fat)
    fat.extend([0xFFFFFFFD] * n)
    table = struct.pack("<%dI" % len(fat), *fat)
    table += b"\xff" * (n * sector - len(table))
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16 + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6)
    head += b"\0" * 10 + struct.pack("<IIIIIIII", n, at, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    return head + struct.pack("<109I", *(list(range(start, start + n)) + [0xFFFFFFFF] * (109 - n))) + data + table


def doc(title, paragraphs):
    """Word 97: one piece of UTF-16, paragraphs ended by CR."""
    text = "".join(plain(p) + "\r" for p in paragraphs)
    body = text.encode("utf-16-le")
    start = 2048
    pieces = struct.pack("<II", 0, len(text)) + struct.pack("<HIH", 0, start, 0)
    clx = b"\x02" + struct.pack("<I", len(pieces)) + pieces
    styles = struct.pack("<HHHHHHHHHH", 18, 0, 10, 1, 0x5B, 15, 0, 0, 0, 0).ljust(64, b"\0")
    fib = bytearray(start)
    struct.pack_into("<HHH", fib, 0, 0xA5EC, 0x00C1, 0x2059)
    struct.pack_into("<H", fib, 6, 0x409)
    struct.pack_into("<H", fib, 0x0A, 0x1200)  # the table is 1Table, characters are of 16 bits
    struct.pack_into("<H", fib, 0x0C, 0xBF)
    struct.pack_into("<II", fib, 0x18, start, start + len(body))
    struct.pack_into("<H", fib, 0x20, 14)
    struct.pack_into("<H", fib, 0x3E, 22)
    struct.pack_into("<I", fib, 0x40, start + len(body))
    struct.pack_into("<I", fib, 0x4C, len(text))
    struct.pack_into("<H", fib, 0x98, 93)
    struct.pack_into("<II", fib, 0xA2, 0, 20)  # antiword reads beyond its memory where there are no styles
    struct.pack_into("<II", fib, 0x1A2, len(styles), len(clx))
    return ole([("WordDocument", bytes(fib) + body), ("1Table", styles + clx)])


KINDS = {"txt": (txt, "text/plain; charset=utf-8"), "pdf": (pdf, "application/pdf"),
         "docx": (docx, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
         "odt": (odt, "application/vnd.oasis.opendocument.text"), "rtf": (rtf, "application/rtf"),
         "epub": (epub, "application/epub+zip"), "doc": (doc, "application/msword")}


def make(kind, title, paragraphs):
    return KINDS[kind][0](title, paragraphs)
