/* sniff.c -- whether bytes are an HTML page (sniff_is_html of
 * sniff.h), by WHATWG MIME Sniffing 7.1, 7.2, and 7.3.
 *
 * The declared type comes first; what else must hold is that the bytes do not
 * speak against it.  Declared HTML with the signature of another format, with
 * many bytes that no text has, or with a feed in it is refused; undeclared
 * bytes must begin like HTML.  Looks at SNIFF_SIZE bytes at most, and as many
 * behind leading white space. */
#include "sniff.h"

#define SNIFF_SIZE 1445u /* "resource header" of the standard */

/* Declared HTML may hold some stray control characters: one in so many. */
#define BINARY_SHARE 32u

/* Formats that servers send as text/html all the same. */
static const struct {
    struct str bytes;
    const char *type;
} signatures[] = {
    {STR("%PDF-"), "application/pdf"},
    {STR("%!PS-Adobe-"), "application/postscript"},
    {STR("GIF87a"), "image/gif"},
    {STR("GIF89a"), "image/gif"},
    {STR("\x89PNG\r\n\x1a"), "image/png"},
    {STR("\xff\xd8\xff"), "image/jpeg"},
    {STR("PK\x03\x04"), "application/zip"},
    {STR("PK\x05\x06"), "application/zip"},
    {STR("\x1f\x8b\x08"), "application/gzip"},
    {STR("Rar!\x1a\x07"), "application/x-rar-compressed"},
    {STR("7z\xbc\xaf\x27"), "application/x-7z-compressed"},
    {STR("\xfd"
         "7zXZ"),
     "application/x-xz"},
    {STR("\x28\xb5\x2f\xfd"), "application/zstd"},
    {STR("BZh91AY&SY"), "application/x-bzip2"},
    {STR("\x04\x22\x4d\x18"), "application/x-lz4"},
    {STR("OggS\0"), "application/ogg"},
    {STR("ID3"), "audio/mpeg"},
    {STR("\x1a\x45\xdf\xa3"), "video/webm"},
    {STR("MThd\0\0\0"), "audio/midi"},
    {STR("wOFF"), "font/woff"},
    {STR("wOF2"), "font/woff2"},
    {STR("OTTO"), "font/otf"},
    {STR("\0\x01\0\0"), "font/ttf"},
    {STR("\0\0\x01\0"), "image/x-icon"},
    {STR("\0\0\x02\0"), "image/x-icon"},
    {STR("\xd0\xcf\x11\xe0"), "application/x-ole-storage"},
    {STR("\x7f"
         "ELF"),
     "application/x-executable"},
    {STR("{\\rtf"), "application/rtf"},
    {STR("fLaC"), "audio/flac"},
    {STR("II*\0"), "image/tiff"},
    {STR("MM\0*"), "image/tiff"},
    {STR("FWS\x0a"), "application/x-shockwave-flash"},
    {STR("CWS\x0a"), "application/x-shockwave-flash"},
};

/* NULL: none. */
static const char *
signature(struct str s)
{
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (str_starts(s, signatures[i].bytes))
            return signatures[i].type;
    if (str_starts(s, S("RIFF")) && str_starts(str_sub(s, 8, s.n), S("WEBPVP")))
        return "image/webp";
    if (str_starts(s, S("RIFF")) && str_starts(str_sub(s, 8, s.n), S("WAVE")))
        return "audio/wave";
    if (str_starts(s, S("RIFF")) && str_starts(str_sub(s, 8, s.n), S("AVI ")))
        return "video/avi";
    if (str_starts(str_sub(s, 4, s.n), S("ftyp")))
        return "video/mp4";
    return NULL;
}

/* The "binary data bytes" of the standard. */
static size_t
binary_bytes(struct str s)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];

        n += c <= 0x08 || c == 0x0b || (c >= 0x0e && c <= 0x1a) ||
             (c >= 0x1c && c <= 0x1f);
    }
    return n;
}

/* UTF-16 and UTF-32 are full of NULs and text all the same. */
static bool
is_wide(struct str s)
{
    return str_starts(s, S("\xfe\xff")) || str_starts(s, S("\xff\xfe")) ||
           str_starts(s, S("\0\0\xfe\xff")) || str_starts(s, S("<\0")) ||
           str_starts(s, S("\0<"));
}

static struct str
skip_space(struct str s)
{
    while (s.n > 0 && ascii_space(s.p[0]))
        s = str_sub(s, 1, s.n);
    return s;
}

/* 7.1: the patterns that a tag-terminating byte follows, and "<!--". */
static bool
begins_like_html(struct str s)
{
    static const struct str patterns[] = {STR("<!doctype html"),
                                          STR("<html"),
                                          STR("<head"),
                                          STR("<script"),
                                          STR("<iframe"),
                                          STR("<h1"),
                                          STR("<div"),
                                          STR("<font"),
                                          STR("<table"),
                                          STR("<a"),
                                          STR("<style"),
                                          STR("<title"),
                                          STR("<b"),
                                          STR("<body"),
                                          STR("<br"),
                                          STR("<p"),
                                          STR("<meta"),
                                          STR("<link")};

    s = skip_space(s);
    if (str_starts(s, S("<!--")))
        return true;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        size_t n = patterns[i].n;

        if (s.n > n && str_starts_nocase(s, patterns[i]) &&
            (ascii_space(s.p[n]) || s.p[n] == '>'))
            return true;
    }
    return false;
}

/* Behind the comment that begins there. */
static size_t
comment_end(struct str s, size_t from)
{
    size_t at = from + 4;

    while (at < s.n && !str_starts(str_sub(s, at, s.n), S("-->")))
        at = str_find(s, '-', at + 1);
    return at + 3;
}

/* Behind a doctype, whose internal subset has declarations of its own. */
static size_t
doctype_end(struct str s)
{
    bool subset = false;

    for (size_t at = 2; at < s.n; at++) {
        char c = s.p[at];

        if (subset && (c == '"' || c == '\''))
            at = str_find(s, c, at + 1);
        else if (subset && str_starts(str_sub(s, at, s.n), S("<!--")))
            at = comment_end(s, at) - 1;
        else if (c == '[' || c == ']')
            subset = c == '[';
        else if (c == '>' && !subset)
            return at + 1;
    }
    return s.n;
}

/* The first start tag behind comments, declarations, and instructions. */
static struct str
first_tag(struct str s)
{
    for (;;) {
        size_t end;

        s = skip_space(s);
        if (str_starts(s, S("<!--")))
            end = comment_end(s, 0);
        else if (str_starts(s, S("<!DOCTYPE")))
            end = doctype_end(s);
        else if (str_starts(s, S("<!")) || str_starts(s, S("<?")))
            end = str_find(s, '>', 0) + 1;
        else
            return s;
        s = str_sub(s, end, s.n);
    }
}

/* 7.3, without looking for the namespaces of RDF. */
static bool
is_feed(struct str s)
{
    s = first_tag(s);
    return str_starts(s, S("<rss")) || str_starts(s, S("<feed")) ||
           str_starts(s, S("<rdf:RDF"));
}

#define MIME_HEAD 16384u

/* A line of a header.  False: it is none, nor does it go on with one. */
static bool
header_line(struct str line, struct str *name, struct str *value)
{
    size_t colon = str_find(line, ':', 0);

    if (line.p[0] == ' ' || line.p[0] == '\t') {
        *value = str_trim(line);
        return name->n > 0;
    }
    *name = str_sub(line, 0, colon);
    *value = str_trim(str_sub(line, colon + 1, line.n));
    for (size_t i = 0; i < name->n; i++)
        if (name->p[i] <= ' ' || name->p[i] > '~')
            return false;
    return colon > 0 && colon < line.n;
}

bool
sniff_is_mime(struct str bytes)
{
    struct str rest = str_sub(bytes, 0, MIME_HEAD), line, name = S(""), value;
    bool version = false, coded = false;

    while (str_cut(&rest, '\n', &line)) {
        if (str_ends(line, S("\r")))
            line.n--;
        if (line.n == 0 || !header_line(line, &name, &value))
            return line.n == 0 && version && coded;
        if (str_eq_nocase(name, S("mime-version")))
            version = true;
        else if (str_eq_nocase(name, S("content-type")))
            coded |= str_starts_nocase(value, S("multipart/"));
        else if (str_eq_nocase(name, S("content-transfer-encoding")))
            coded |= str_eq_nocase(value, S("quoted-printable")) ||
                     str_eq_nocase(value, S("base64"));
    }
    return false;
}

static struct str
essence(struct str content_type)
{
    size_t i = 0;

    while (i < content_type.n && content_type.p[i] != ';' &&
           content_type.p[i] != ',')
        i++;
    return str_trim(str_sub(content_type, 0, i));
}

static bool
is_declared_xhtml(struct str content_type)
{
    return str_eq_nocase(essence(content_type), S("application/xhtml+xml"));
}

enum sniff_declared
sniff_declared(struct str content_type)
{
    struct str type = essence(content_type);

    if (str_eq_nocase(type, S("text/html")) || is_declared_xhtml(type))
        return SNIFF_HTML;
    if (str_eq_nocase(type, S("application/xml")) ||
        str_eq_nocase(type, S("text/xml")))
        return SNIFF_XML;
    if (memchr(type.n ? type.p : "", '/', type.n) == NULL ||
        str_eq_nocase(type, S("unknown/unknown")) ||
        str_eq_nocase(type, S("application/unknown")) || str_eq(type, S("*/*")))
        return SNIFF_UNKNOWN;
    return SNIFF_OTHER;
}

#define XHTML "http://www.w3.org/1999/xhtml"

/* Does a tag say xmlns:PREFIX="...xhtml"? */
static bool
names_space(struct str tag, struct str prefix)
{
    static const char *const quotes[] = {"\"" XHTML "\"", "'" XHTML "'"};

    for (size_t at = 0; (at = str_find(tag, ':', at)) < tag.n; at++) {
        struct str value = str_sub(tag, at + 1 + prefix.n, tag.n);

        if (!str_ends(str_sub(tag, 0, at), S("xmlns")) ||
            !str_starts(str_sub(tag, at + 1, tag.n), prefix) ||
            !str_starts(value, S("=")))
            continue;
        value = str_sub(value, 1, value.n);
        if (str_starts(value, str_c(quotes[0])) ||
            str_starts(value, str_c(quotes[1])))
            return true;
    }
    return false;
}

/* "h:" of <h:html xmlns:h="...xhtml">, else "". */
static struct str
prefix_of(struct str tag)
{
    struct str name = str_sub(tag, 1, tag.n), prefix;
    size_t n = 0;

    while (n < name.n &&
           (ascii_alpha(name.p[n]) || ascii_digit(name.p[n]) ||
            name.p[n] == '-' || name.p[n] == '_' || name.p[n] == '.'))
        n++;
    prefix = str_sub(name, 0, n);
    name = str_sub(name, n, name.n);
    if (n == 0 || !str_starts(name, S(":html")) || name.n < 6 ||
        !ascii_space(name.p[5]) || !names_space(tag, prefix))
        return S("");
    return str_n(prefix.p, n + 1);
}

/* An <html> in the namespace of XHTML. */
static bool
begins_xhtml(struct str text)
{
    struct str tag = first_tag(text);

    tag = str_sub(tag, 0, str_find(tag, '>', 0));
    if (prefix_of(tag).n > 0)
        return true;
    return str_starts(tag, S("<html")) && tag.n > 5 && ascii_space(tag.p[5]) &&
           str_has(tag, S(XHTML));
}

/* ... or with its doctype, in which XML has the namespace, too. */
static bool
is_xhtml(struct str text)
{
    struct str tag = first_tag(text), before = text;

    before.n -= tag.n;
    return begins_xhtml(text) || (str_starts(tag, S("<html")) &&
                                  str_has(before, S("<!DOCTYPE html")) &&
                                  str_has(before, S("//DTD XHTML")));
}

/* Templates leave kilobytes of white space before the first tag. */
static struct str
text_start(struct str bytes)
{
    if (str_starts(bytes, S("\xef\xbb\xbf")))
        bytes = str_sub(bytes, 3, bytes.n);
    return str_sub(skip_space(bytes), 0, SNIFF_SIZE);
}

/* The start of the text; of UTF-16 and UTF-32 its ASCII characters, in `to`. */
static struct str
narrow_start(struct str bytes, char to[SNIFF_SIZE])
{
    size_t n = 0;

    if (!is_wide(bytes))
        return text_start(bytes);
    for (size_t i = 0; i < bytes.n && n < SNIFF_SIZE; i++)
        if ((bytes.p[i] & 0x80) == 0 && bytes.p[i] != 0)
            to[n++] = bytes.p[i];
    return skip_space(str_n(to, n));
}

bool
sniff_is_html(struct str content_type, struct str bytes)
{
    enum sniff_declared declared = sniff_declared(content_type);
    struct str start = str_sub(bytes, 0, SNIFF_SIZE), text;
    char narrow[SNIFF_SIZE];
    size_t binary;

    if (declared == SNIFF_OTHER || signature(start) != NULL)
        return false;
    binary = is_wide(start) ? 0 : binary_bytes(start);
    text = narrow_start(bytes, narrow);
    if (is_feed(text) || sniff_is_mime(bytes))
        return false;
    if (declared == SNIFF_XML && !is_xhtml(text))
        return false;
    if (declared != SNIFF_UNKNOWN)
        return binary * BINARY_SHARE <= start.n;
    if (is_wide(start) && start.n > 2)
        return true;
    return binary == 0 && binary_bytes(text) == 0 &&
           (begins_like_html(text) ||
            (str_starts(text, S("<?xml")) &&
             (begins_xhtml(text) ||
              str_starts_nocase(first_tag(text), S("<html")))));
}

struct str
sniff_xhtml_prefix(struct str page)
{
    struct str tag = first_tag(text_start(page));

    return prefix_of(str_sub(tag, 0, str_find(tag, '>', 0)));
}

bool
sniff_is_xml(struct str content_type, struct str page)
{
    struct str text = text_start(page);

    switch (sniff_declared(content_type)) {
    case SNIFF_HTML: return is_declared_xhtml(content_type);
    case SNIFF_XML: return true;
    default: return str_starts(text, S("<?xml")) && begins_xhtml(text);
    }
}

static bool
is_tag(struct str tag, struct str name)
{
    return tag.n > name.n + 1 && tag.p[0] == '<' &&
           str_eq(str_sub(tag, 1, name.n + 1), name) &&
           (ascii_space(tag.p[name.n + 1]) || tag.p[name.n + 1] == '>');
}

/* The facts: "---", lines of "name: value", "---".  Templates of pages have
 * such lines, too, and then a tag. */
static bool
is_markdown(struct str text)
{
    struct str line;
    size_t facts = 0;

    if (!str_cut(&text, '\n', &line) || !str_eq(str_trim(line), S("---")))
        return false;
    for (; str_cut(&text, '\n', &line); facts++) {
        size_t n = 0;

        if (str_eq(str_trim(line), S("---")))
            return facts > 0 && !str_starts(skip_space(text), S("<"));
        while (n < line.n && (ascii_alpha(line.p[n]) || line.p[n] == '_'))
            n++;
        if (n == 0 || n == line.n || line.p[n] != ':')
            break;
    }
    return text.n == 0 && facts > 0; /* they go on behind what is looked at */
}

const char *
sniff_corpus(struct str bytes)
{
    struct str text = text_start(bytes), tag = first_tag(text);

    if (str_starts(text, S("{")) &&
        str_starts(skip_space(str_sub(text, 1, text.n)), S("\"")))
        return "JSON lines";
    if (is_tag(tag, S("TEI")) || is_tag(tag, S("teiCorpus")))
        return "TEI";
    if (is_markdown(text))
        return "Markdown";
    return is_tag(tag, S("doc")) || is_tag(tag, S("xml")) ? "XML of a corpus"
                                                          : NULL;
}

const char *
sniff_binary(struct str bytes)
{
    struct str start = str_sub(bytes, 0, SNIFF_SIZE);

    return binary_bytes(start) > 0 ? signature(start) : NULL;
}

const char *
sniff_type(struct str bytes)
{
    struct str s = str_sub(bytes, 0, SNIFF_SIZE);
    const char *type = signature(s);

    if (s.n == 0 || type != NULL)
        return type;
    if (!is_wide(s) && binary_bytes(s) > 0)
        return "application/octet-stream";
    if (str_starts(s, S("\xef\xbb\xbf")))
        s = str_sub(s, 3, s.n);
    if (is_feed(s))
        return "application/xml";
    if (begins_like_html(s) || begins_like_html(first_tag(s)))
        return "text/html";
    return str_starts(skip_space(s), S("<?xml")) ? "application/xml"
                                                 : "text/plain";
}
