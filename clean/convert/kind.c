/* kind.c -- see kind.h. */
#include "kind.h"

#include "clean/charset/sniff.h"

#define PDF_HEAD 1024 /* readers look for %PDF- that far */
#define ZIP_LOOK 65536

static const struct {
    struct str name, ending, types;
    const char *program, *package;
} kinds[CONVERT_KINDS_N] = {
    [CONVERT_NONE] = {.name = STR("html"),
                      .ending = STR(""),
                      .types = STR(""),
                      .program = "",
                      .package = ""},
#define CONVERT_KIND(id, nm, end, prog, pack, typ)                             \
    [CONVERT_##id] = {.name = STR(nm),                                         \
                      .ending = STR(end),                                      \
                      .types = STR(typ),                                       \
                      .program = prog,                                         \
                      .package = pack},
#include "kind.tbl.h"
#undef CONVERT_KIND
};

unsigned
convert_wanted(const struct opts *o)
{
    unsigned set = 0;

    for (size_t i = 0; i < o->convert_types.n; i++)
        for (unsigned k = 1; k < CONVERT_KINDS_N; k++)
            if (str_eq(o->convert_types.item[i], kinds[k].name))
                set |= 1u << k;
    return set;
}

const char *
convert_kind_name(enum convert_kind k)
{
    return kinds[k].name.p;
}

const char *
convert_kind_program(enum convert_kind k)
{
    return kinds[k].program;
}

const char *
convert_kind_package(enum convert_kind k)
{
    return kinds[k].package;
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

static enum convert_kind
kind_of_type(struct str content_type)
{
    struct str type = essence(content_type), rest, word;

    for (unsigned k = 1; k < CONVERT_KINDS_N; k++)
        for (rest = kinds[k].types; str_cut(&rest, ' ', &word);)
            if (str_eq_nocase(type, word))
                return (enum convert_kind)k;
    return CONVERT_NONE;
}

static bool
ends_nocase(struct str s, struct str end)
{
    return s.n > end.n && str_eq_nocase(str_sub(s, s.n - end.n, s.n), end);
}

static enum convert_kind
kind_of_ending(struct str path)
{
    path = str_sub(path, 0, str_find(path, '#', 0));
    path = str_sub(path, 0, str_find(path, '?', 0));
    for (unsigned k = 1; k < CONVERT_KINDS_N; k++)
        if (ends_nocase(path, kinds[k].ending))
            return (enum convert_kind)k;
    return CONVERT_NONE;
}

/* The file that says what it is comes first and uncompressed in ODT and EPUB;
 * of DOCX the names of its files tell, which also stand at its end. */
static enum convert_kind
kind_of_zip(struct str s)
{
    struct str head = str_sub(s, 0, ZIP_LOOK),
               tail = str_sub(s, s.n > ZIP_LOOK ? s.n - ZIP_LOOK : 0, s.n);

    if (str_has(str_sub(head, 0, 512), S("mimetypeapplication/epub+zip")))
        return CONVERT_EPUB;
    if (str_has(str_sub(head, 0, 512),
                S("mimetypeapplication/vnd.oasis.opendocument.text")))
        return CONVERT_ODT;
    if (str_has(head, S("word/document")) || str_has(tail, S("word/document")))
        return CONVERT_DOCX;
    if (str_has(head, S("META-INF/container.xml")) ||
        str_has(tail, S("META-INF/container.xml")))
        return CONVERT_EPUB;
    return CONVERT_NONE;
}

static enum convert_kind
kind_of_bytes(struct str s)
{
    if (str_starts(s, S("PK\x03\x04")))
        return kind_of_zip(s);
    if (str_starts(s, S("{\\rtf")))
        return CONVERT_RTF;
    if (str_starts(s, S("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")))
        return CONVERT_DOC;
    if (str_has(str_sub(s, 0, PDF_HEAD), S("%PDF-")))
        return CONVERT_PDF;
    return CONVERT_NONE;
}

/* A page may quote the signature of a PDF, and what is no OLE file of Word
 * (spreadsheets, installers) has to be called a document by somebody. */
static bool
is_believable(enum convert_kind k, struct str type, struct str path,
              struct str bytes)
{
    switch (k) {
    case CONVERT_PDF:
        return str_starts(bytes, S("%PDF-")) || !sniff_is_html(type, bytes);
    case CONVERT_DOC:
        return kind_of_type(type) == CONVERT_DOC ||
               kind_of_ending(path) == CONVERT_DOC ||
               str_has(bytes, S("W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0"));
    default: return true;
    }
}

static bool
is_text(struct str content_type, struct str path, struct str bytes)
{
    const char *looks = sniff_type(bytes);

    if (looks == NULL || strcmp(looks, "text/plain") != 0)
        return false;
    return kind_of_type(content_type) == CONVERT_TXT ||
           (essence(content_type).n == 0 &&
            kind_of_ending(path) == CONVERT_TXT);
}

enum convert_kind
convert_kind_of(unsigned wanted, struct str content_type, struct str path,
                struct str bytes)
{
    enum convert_kind k = CONVERT_NONE;

    if (wanted == 0 || bytes.n == 0)
        return CONVERT_NONE;
    k = kind_of_bytes(bytes);
    if (k == CONVERT_NONE && is_text(content_type, path, bytes))
        k = CONVERT_TXT;
    if ((wanted >> k & 1) == 0 || !is_believable(k, content_type, path, bytes))
        return CONVERT_NONE;
    return k;
}

enum convert_kind
convert_kind_left_out(unsigned wanted, struct str path, struct str bytes)
{
    unsigned telling = (1U << CONVERT_KINDS_N) - 2 - (1U << CONVERT_TXT);

    return convert_kind_of(telling & ~wanted, S(""), path, bytes);
}

/* Types that only say that it is some file. */
static bool
says_nothing(struct str content_type)
{
    static const struct str vague[] = {
        STR("application/octet-stream"), STR("binary/octet-stream"),
        STR("application/zip"),          STR("application/x-zip-compressed"),
        STR("application/download"),     STR("application/force-download"),
        STR("application/x-download"),   STR("application/x-octet-stream"),
        STR("application/vnd.ms-office")};
    struct str type = essence(content_type);

    for (size_t i = 0; i < sizeof vague / sizeof *vague; i++)
        if (str_eq_nocase(type, vague[i]))
            return true;
    return false;
}

bool
convert_may_be(unsigned wanted, struct str content_type, struct str url)
{
    enum convert_kind k = kind_of_type(content_type);

    if (k == CONVERT_NONE && says_nothing(content_type))
        k = kind_of_ending(url);
    return k != CONVERT_NONE && (wanted >> k & 1) != 0;
}
