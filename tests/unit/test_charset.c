/* Aim: pages become valid UTF-8 in the encoding they are really in.  Method:
 * UTF-8 validation and repair against a naive decoder on seeded random bytes;
 * tables of declarations, bytes, and the decision; conversions of each kind. */
#include "base/buf.h"
#include "base/random.h"
#include "clean/chain/stage.h"
#include "clean/charset/charset.h"
#include "test.h"

#define FFFD "\xef\xbf\xbd"

/* --- The naive model: decode by the definition of RFC 3629 -------------- */

/* The code point of the n bytes at p when they are its shortest form, -1
 * otherwise. */
static long
naive_code_point(const unsigned char *p, size_t n)
{
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned long c;

    if (n == 1)
        return p[0] < 0x80 ? p[0] : -1;
    if ((unsigned)(p[0] >> (7 - n)) != (0xffu >> (7 - n)) - 1)
        return -1;
    c = p[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if (p[i] >> 6 != 2)
            return -1;
        c = c << 6 | (p[i] & 63u);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return -1;
    return (long)c;
}

static bool
naive_valid(struct str s)
{
    size_t i = 0, n;

    for (; i < s.n; i += n) {
        for (n = 1; n <= 4; n++)
            if (n <= s.n - i &&
                naive_code_point((const unsigned char *)s.p + i, n) >= 0)
                break;
        if (n == 5)
            return false;
    }
    return true;
}

/* Bytes that are near-valid UTF-8, where the mistakes are made. */
static void
random_text(struct buf *b, struct random *r)
{
    static const unsigned char edge[] = {
        0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf,
        0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
        0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff};
    size_t pieces = random_below(r, 80);

    buf_clear(b);
    for (size_t i = 0; i < pieces; i++) {
        switch (random_below(r, 8)) {
        case 0: buf_c(b, "plain ASCII text"); break;
        case 1: buf_utf8(b, (uint32_t)random_below(r, 0x110000)); break;
        case 2: buf_utf8(b, (uint32_t)random_below(r, 0x800)); break;
        case 3: buf_utf8(b, 0xd7f0 + (uint32_t)random_below(r, 0x820)); break;
        default: buf_char(b, 'a'); break;
        }
    }
    for (size_t k = random_below(r, 3); k > 0 && b->n > 0; k--)
        b->p[random_below(r, b->n)] = (char)edge[random_below(r, sizeof edge)];
}

static void
validation_agrees_with_the_naive_decoder(void)
{
    struct random r = random_seed(3629);
    struct buf b = {0};
    unsigned valid = 0, n = 60000;

    for (unsigned i = 0; i < n; i++) {
        struct str s;
        bool want;

        random_text(&b, &r);
        s = str_sub(buf_view(&b), random_below(&r, 4), b.n);
        want = naive_valid(s);
        valid += want;
        CHECK(utf8_valid(s) == want);
        CHECK((utf8_survey(s).bad == 0) == want);
    }
    CHECK(valid > n / 10 && valid < n - n / 10);
    CHECK(utf8_valid(str_n(NULL, 0)));
    buf_free(&b);
}

static void
every_pair_and_triple_of_edge_bytes_is_judged_right(void)
{
    char page[128];

    for (unsigned a = 0x7f; a < 256; a++)
        for (unsigned b = 0x7f; b < 256; b++)
            for (unsigned at = 62; at < 66; at++) {
                memset(page, 'x', sizeof page);
                page[at] = (char)a;
                page[at + 1] = (char)b;
                page[at + 2] = (char)0x80;
                CHECK(utf8_valid(str_n(page, sizeof page)) ==
                      naive_valid(str_n(page, sizeof page)));
                page[at + 3] = (char)0xbf;
                CHECK(utf8_valid(str_n(page, sizeof page)) ==
                      naive_valid(str_n(page, sizeof page)));
            }
}

static void
repair_keeps_what_is_valid_and_replaces_maximal_subparts(void)
{
    static const struct {
        struct str in, want;
    } rows[] = {
        {STR("plain"), STR("plain")},
        {STR("a\xffz"), STR("a" FFFD "z")},
        {STR("\xc3"), STR(FFFD)},
        {STR("\xe2\x82"), STR(FFFD)},
        {STR("\xe2\x82z"), STR(FFFD "z")},
        {STR("\xf0\x9f\x98z"), STR(FFFD "z")},
        {STR("\xc0\xaf"), STR(FFFD FFFD)},
        {STR("\xe0\x80\xaf"), STR(FFFD FFFD FFFD)},
        {STR("\xed\xa0\x80"), STR(FFFD FFFD FFFD)},
        {STR("\xf4\x90\x80\x80"), STR(FFFD FFFD FFFD FFFD)},
        {STR("\xf1\x80\x80\xe1\x80\xc2z"), STR(FFFD FFFD FFFD "z")},
        {STR("\xc3\xa9\x80\xc3\xa9"), STR("\xc3\xa9" FFFD "\xc3\xa9")},
    };
    struct random r = random_seed(1);
    struct arena *a = arena_new();
    struct buf b = {0};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK(str_eq(utf8_repair(a, rows[i].in), rows[i].want));
    for (int i = 0; i < 20000; i++) {
        struct str fixed;

        random_text(&b, &r);
        arena_reset(a);
        fixed = utf8_repair(a, buf_view(&b));
        CHECK(naive_valid(fixed));
        if (naive_valid(buf_view(&b)))
            CHECK(str_eq(fixed, buf_view(&b)));
        else
            CHECK(utf8_survey(fixed).multibyte ==
                  utf8_survey(buf_view(&b)).multibyte +
                      utf8_survey(buf_view(&b)).bad);
    }
    buf_free(&b);
    arena_free(a);
}

/* --- Declarations --------------------------------------------------------- */

static bool
is(const char *got, const char *want)
{
    return want == NULL ? got == NULL : got != NULL && strcmp(got, want) == 0;
}

static void
labels_are_looked_up_whatever_their_case(void)
{
    CHECK(is(charset_name(S("latin1")), "windows-1252"));
    CHECK(is(charset_name(S(" ISO-8859-1\n")), "windows-1252"));
    CHECK(is(charset_name(S("UTF8")), "UTF-8"));
    CHECK(is(charset_name(S("gb2312")), "GBK"));
    CHECK(is(charset_name(S("")), NULL));
    CHECK(is(charset_name(S("utf-8\0x")), NULL));
    CHECK(is(charset_name(S("no-such-encoding-with-a-very-long-name-indeed")),
             NULL));
}

/* clean.latin1 = iso-8859-1 (texrex's Iso88591IsWin1252=0). */
static void
latin1_is_what_its_labels_say_when_asked_for(void)
{
    static const struct {
        const char *type;
        struct str bytes;
        const char *by_browsers, *by_name;
    } rows[] = {
        {"text/html; charset=iso-8859-1", STR("\x80 \xe4"), "windows-1252",
         "ISO-8859-1"},
        {"text/html; charset=\"Latin1\"", STR("\x80 \xe4"), "windows-1252",
         "ISO-8859-1"},
        {"text/html", STR("<meta charset=ISO8859-1>\x80 \xe4"), "windows-1252",
         "ISO-8859-1"},
        {"text/html", STR("<?xml encoding='l1'?>\x80 \xe4"), "windows-1252",
         "ISO-8859-1"},
        {"text/html; charset=windows-1252", STR("\x80 \xe4"), "windows-1252",
         "windows-1252"},
        {"text/html; charset=us-ascii", STR("\x80 \xe4"), "windows-1252",
         "windows-1252"},
        /* what is UTF-8 is that in any case */
        {"text/html; charset=iso-8859-1", STR("\xc3\xa4"), "UTF-8", "UTF-8"},
    };
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int strict = 0; strict < 2; strict++) {
            struct charset_result got;
            struct str euro = strict ? S("\xc2\x80 ") : S("\xe2\x82\xac ");
            const char *want = strict ? rows[i].by_name : rows[i].by_browsers;

            arena_reset(a);
            CHECK(charset_decode(&got, a,
                                 strict ? CHARSET_LATIN1 : CHARSET_WHATWG,
                                 rows[i].bytes, str_c(rows[i].type)) == ST_OK);
            CHECK(is(got.name, want));
            if (strcmp(rows[i].by_browsers, rows[i].by_name) != 0)
                CHECK(memmem(got.utf8.p, got.utf8.n, euro.p, euro.n) != NULL);
            CHECK(str_ends(got.utf8, S("\xc3\xa4")));
        }
    arena_free(a);
}

static void
content_type_gives_its_first_charset(void)
{
    static const struct {
        const char *in, *want;
    } rows[] = {
        {"text/html; charset=utf-8", "UTF-8"},
        {"text/html;charset=\"Shift_JIS\"", "Shift_JIS"},
        {"text/html; x=\";charset=gbk\"; charset=big5", "Big5"},
        {"text/html; charset=x-nothing; charset=utf-8", NULL},
        {"text/html", NULL},
        {"", NULL},
        {"charset=utf-8", NULL},
        {"text/html; charset", NULL},
        {"text/html; charset=", NULL},
        {"text/html; charset=\"", NULL},
        {"text/html; charset=\"\\", NULL},
        {"text/; charset=utf-8", NULL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *got =
            charset_of_content_type(CHARSET_WHATWG, str_c(rows[i].in));

        if (!is(got, rows[i].want)) {
            test_failed++;
            fprintf(stderr, "%s: got %s\n", rows[i].in, got ? got : "none");
        }
    }
}

static void
prescan_finds_what_the_page_declares(void)
{
    static const struct {
        const char *in, *want;
    } rows[] = {
        {"<meta charset=utf-8>", "UTF-8"},
        {"<META CHARSET='ISO-8859-2' x>", "ISO-8859-2"},
        {"<meta http-equiv=content-type content='text/html; charset=koi8-r'>",
         "KOI8-R"},
        {"<meta content='text/html; charset=koi8-r'>", NULL},
        {"<!-- <meta charset=utf-8> --><meta charset=big5>", "Big5"},
        {"<!--><meta charset=big5>", "Big5"},
        {"<title><meta charset=gbk>", "GBK"},
        {"<a title='<meta charset=gbk>'><meta charset=big5>", "Big5"},
        {"<meta charset=utf-16>", "UTF-8"},
        {"<meta charset=x-user-defined>", "windows-1252"},
        {"<meta charset=nonsense><meta charset=utf-8>", "UTF-8"},
        {"<metacharset=utf-8>", NULL},
        {"<meta charset=utf-8", NULL},
        {"<?xml version='1.0' encoding='ISO-8859-2'?><html>", "ISO-8859-2"},
        {"<?xml version='1.0'?><html>", NULL},
        {"<?xml encoding", NULL},
        {"<", NULL},
        {"<!--", NULL},
        {"<meta charset=\"", NULL},
        {"", NULL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *got = charset_prescan(CHARSET_WHATWG, str_c(rows[i].in));

        if (!is(got, rows[i].want)) {
            test_failed++;
            fprintf(stderr, "%s: got %s\n", rows[i].in, got ? got : "none");
        }
    }
}

/* --- Decisions --------------------------------------------------------------
 */

struct decision {
    const char *type;
    struct str bytes;
    const char *name, *from;
    struct str utf8; /* a part of the result */
};

/* Words in ISO-8859-1 / windows-1252, UTF-8, windows-1251, windows-1257, and
 * GBK. */
#define WEST                                                                   \
    "Stra\xdf"                                                                 \
    "e f\xfcr M\xe4nner, \x84"                                                 \
    "sch\xf6n\x93 "
#define UTF                                                                    \
    "Stra\xc3\x9f"                                                             \
    "e f\xc3\xbcr M\xc3\xa4nner "

static void
decisions_follow_declarations_unless_bytes_disprove_them(void)
{
    static const struct decision rows[] = {
        {"text/html",
         STR("\xef\xbb\xbf"
             "a\xc3\xa9"),
         "UTF-8", "bom", STR("a\xc3\xa9")},
        {"text/html; charset=big5", STR("\xff\xfe<\0a\0\xe4\0"), "UTF-16LE",
         "bom", STR("<a\xc3\xa4")},
        {"text/html; charset=big5", STR("\xfe\xff\0<\xd8\x3d\xde\0"),
         "UTF-16BE", "bom", STR("<\xf0\x9f\x98\x80")},
        {"text/html", STR("\xff\xfe\0\0<\0\0\0\xe4\0\0\0\0\xf6\1\0"),
         "UTF-32LE", "bom", STR("<\xc3\xa4\xf0\x9f\x98\x80")},
        {"text/html", STR("\0\0\xfe\xff\0\0\0<\0\0\xd8\0\0\x11\0\0\0"),
         "UTF-32BE", "bom", STR("<" FFFD FFFD FFFD)},
        {"text/html; charset=latin1", STR(WEST), "windows-1252", "http",
         STR("f\xc3\xbcr M\xc3\xa4nner, \xe2\x80\x9e")},
        {"text/html; charset=latin1", STR(UTF), "UTF-8", "utf8",
         STR("f\xc3\xbcr")},
        {"text/html", STR("<meta charset=latin1>" UTF), "UTF-8", "utf8",
         STR("f\xc3\xbcr")},
        {"text/html; charset=utf-8", STR("<meta charset=latin1>" UTF), "UTF-8",
         "http", STR("f\xc3\xbcr")},
        {"text/html; charset=utf-8", STR("<meta charset=koi8-r>ascii"), "UTF-8",
         "http", STR("ascii")},
        {"text/html; charset=utf-8", STR(WEST WEST WEST), "windows-1252",
         "guess", STR("f\xc3\xbcr M\xc3\xa4nner")},
        {"text/html; charset=utf-8", STR(UTF UTF "\xe4"), "UTF-8", "http",
         STR("nner " FFFD)},
        {"text/html", STR(UTF), "UTF-8", "utf8", STR("f\xc3\xbcr")},
        {"text/html", STR("ascii"), "UTF-8", "utf8", STR("ascii")},
        {"", STR(""), "UTF-8", "utf8", STR("")},
        {"text/html; charset=utf-16", STR("<p>ascii"), "UTF-8", "utf8",
         STR("<p>ascii")},
        {"text/html", STR("<\0p\0>\0\xe4\0"), "UTF-16LE", "guess",
         STR("<p>\xc3\xa4")},
        {"text/html",
         STR("<html lang=lt>V\xe0\xe8"
             "e ir \xfe"
             "em\xeb"),
         "windows-1257", "guess",
         STR("V\xc4\x85\xc4\x8d"
             "e")},
        {"text/html", STR("<p>\x1b$B$3$s\x1b(B"), "ISO-2022-JP", "guess",
         STR("<p>\xe3\x81\x93\xe3\x82\x93")},
        {"text/html; charset=gb2312", STR("\xc4\xe3\xba\xc3"), "GBK", "http",
         STR("\xe4\xbd\xa0\xe5\xa5\xbd")},
        {"text/html; charset=x-user-defined", STR("\x80\xff"), "x-user-defined",
         "http", STR("\xef\x9e\x80\xef\x9f\xbf")},
    };
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct decision *d = &rows[i];
        struct charset_result got;

        arena_reset(a);
        CHECK(charset_decode(&got, a, CHARSET_WHATWG, d->bytes,
                             str_c(d->type)) == ST_OK);
        CHECK(utf8_valid(got.utf8));
        if (!is(got.name, d->name) || !is(got.from, d->from) ||
            (d->utf8.n > 0 &&
             memmem(got.utf8.p, got.utf8.n, d->utf8.p, d->utf8.n) == NULL)) {
            test_failed++;
            fprintf(stderr, "row %zu: got %s from %s: %.*s\n", i, got.name,
                    got.from, STRF(got.utf8));
        }
    }
    arena_free(a);
}

/* Some sentences, so that there is enough for the detector. */
static void
undeclared_legacy_text_is_guessed(void)
{
    static const struct {
        struct str bytes;
        const char *name;
    } rows[] = {
        {STR("\xcd\xe0 \xe4\xe2\xee\xf0\xe5 \xf2\xf0\xe0\xe2\xe0, \xed\xe0 "
             "\xf2\xf0\xe0\xe2\xe5 \xe4\xf0\xee\xe2\xe0, \xed\xe5 \xf0\xf3\xe1"
             "\xe8 \xe4\xf0\xee\xe2\xe0 \xed\xe0 \xf2\xf0\xe0\xe2\xe5 \xe4\xe2"
             "\xee\xf0\xe0."),
         "windows-1251"},
        {STR("\xc4\xe3\xba\xc3\xa3\xac\xca\xc0\xbd\xe7\xa1\xa3\xce\xd2\xc3\xc7"
             "\xca\xc7\xd6\xd0\xb9\xfa\xc8\xcb\xa3\xac\xce\xd2\xc3\xc7\xcf\xb2"
             "\xbb\xb6\xb3\xd4\xb7\xb9\xa1\xa3\xbd\xf1\xcc\xec\xcc\xec\xc6\xf8"
             "\xba\xdc\xba\xc3\xa1\xa3"),
         "gb18030"},
        {STR("\xd6\xf0renciler i\xe7in yap\xfdlan \xe7"
             "al\xfd\xfe"
             "malar "
             "b\xfcy\xfck ilgi g\xf6rd\xfc ve herkes sonu\xe7lar\xfd konu"
             "\xfetu."),
         "windows-1254"},
        {STR("\xb4\xd1 \xd4\xc1\xcb\xcf\xd6 \xc2\xa6\xcc\xd8\xdb\xc5 "
             "\xce\xa6\xd6 \xd7\xd3\xa6, \xc1\xcc\xc5 \xad\xc8 \xd7\xd6"
             "\xc5 \xce\xc5\xcd\xc1\xa4."),
         "KOI8-U"},
        {STR("Kol\xe0\xed\xe1 \xf0iandien \xe1"
             "vyko susitikimas su visais \xfemon\xebmis, kurie ra\xf0o "
             "apie \xf0i\xe0 \xf0"
             "al\xe1."),
         "windows-1257"},
        {STR("Kisha u nd\xebrtua pran\xeb lumit dhe \xebsht\xeb m\xeb e vjetra "
             "n\xeb qytet, por sot shum\xeb njer\xebz q\xeb vijn\xeb k\xebtu "
             "nuk e din\xeb se \xe7"
             "far\xeb \xebsht\xeb."),
         "windows-1252"}, /* Albanian */
        {STR("The \xd2mill\xd3 at the edge of the village wasn\xd5t built "
             "until the middle of the century, and it\xd5s \xd2still\xd3 "
             "there."),
         "macintosh"},
        {STR("The \x93mill\x94 at the edge of the village wasn\x92t built "
             "until the middle of the century, with a n\xef"
             "ve idea."),
         "windows-1252"},
    };
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct charset_result got;
        struct buf page = {0};

        buf_c(&page, "<html><head><script>var a = '<p>';</script><body><p>");
        for (int k = 0; k < 5; k++)
            buf_str(&page, rows[i].bytes);
        arena_reset(a);
        CHECK(charset_decode(&got, a, CHARSET_WHATWG, buf_view(&page),
                             S("text/html")) == ST_OK);
        if (!is(got.name, rows[i].name)) {
            test_failed++;
            fprintf(stderr, "got %s, want %s\n", got.name, rows[i].name);
        }
        CHECK(is(got.from, "guess"));
        CHECK(memmem(got.utf8.p, got.utf8.n, FFFD, 3) == NULL);
        buf_free(&page);
    }
    arena_free(a);
}

/* Bytes of another encoding among UTF-8, which alone would be U+FFFD. */
static void
bytes_among_utf8_are_read_as_what_the_page_declares(void)
{
#define MUCH "<p>\xc3\xa9\xc3\xa8\xc3\xa0\xc3\xa9\xc3\xa8\xc3\xa0</p>"
    static const struct {
        const char *type;
        struct str bytes, utf8;
    } rows[] = {
        /* a piece of its own, by default and as declared */
        {"text/html", STR(MUCH MUCH MUCH MUCH "<p>un caf\xe9 noir"),
         STR("un caf\xc3\xa9 noir")},
        {"text/html; charset=iso-8859-2",
         STR(MUCH MUCH MUCH MUCH "<p>bia\xb3y dom"), STR("bia\xc5\x82y dom")},
        /* beside UTF-8 in one piece */
        {"text/html; charset=utf-8",
         STR(MUCH MUCH "<p>\xe2\x80\x9cun caf\xe9 noir\xe2\x80\x9d"),
         STR("\xe2\x80\x9cun caf\xc3\xa9 noir\xe2\x80\x9d")},
        /* a character that was cut in two is no letter */
        {"text/html; charset=utf-8",
         STR(MUCH MUCH "<p>\xe2\x80\x9cun caf\xc3 noir\xe2\x80\x9d"),
         STR("un caf" FFFD " noir")},
        /* nor are bytes in a row */
        {"text/html; charset=utf-8",
         STR(MUCH MUCH "<p>\xe2\x80\x9cun caf\xe9\xe8 noir\xe2\x80\x9d"),
         STR("un caf" FFFD FFFD " noir")},
    };
#undef MUCH
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct charset_result got;

        arena_reset(a);
        CHECK(charset_decode(&got, a, CHARSET_WHATWG, rows[i].bytes,
                             str_c(rows[i].type)) == ST_OK);
        CHECK(is(got.name, "UTF-8"));
        if (memmem(got.utf8.p, got.utf8.n, rows[i].utf8.p, rows[i].utf8.n) ==
            NULL) {
            test_failed++;
            fprintf(stderr, "row %zu: %.*s\n", i, STRF(got.utf8));
        }
    }
    arena_free(a);
}

static void
conversions_give_valid_text_or_refuse(void)
{
    static const struct {
        const char *name;
        struct str bytes, want;
    } rows[] = {
        {"windows-1252", STR("\x80 \x81 \xe4"),
         STR("\xe2\x82\xac \xc2\x81 "
             "\xc3\xa4")},
        {"windows-874", STR("\xdb\xa1"), STR(FFFD "\xe0\xb8\x81")},
        {"Shift_JIS", STR("\x82\xa0\xb1\\"), STR("\xe3\x81\x82\xef\xbd\xb1\\")},
        {"EUC-JP", STR("\xa4\xa2\xff"), STR("\xe3\x81\x82" FFFD)},
        {"EUC-KR", STR("\xb0\xa1"), STR("\xea\xb0\x80")},
        {"Big5", STR("\xa4\xa4"), STR("\xe4\xb8\xad")},
        {"gb18030", STR("\x81\x30\x89\x38"), STR("\xc3\x9f")},
        {"GBK", STR("<\x81<"), STR("<" FFFD "<")},
        {"UTF-16LE",
         STR("a\0\0\xd8"
             "b\0c"),
         STR("a" FFFD "b" FFFD)},
        {"UTF-16BE", STR("\xdc\0\xd8\0\xdc\0"), STR(FFFD "\xf0\x90\x80\x80")},
        {"UTF-8", STR("\xe4"), STR(FFFD)},
    };
    struct arena *a = arena_new();
    struct str got;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK(charset_convert(&got, a, rows[i].bytes, rows[i].name) == ST_OK);
        if (!str_eq(got, rows[i].want)) {
            test_failed++;
            fprintf(stderr, "%s: got %.*s\n", rows[i].name, STRF(got));
        }
    }
    CHECK(charset_convert(&got, a, S("x"), "replacement") == ST_INVALID);
    CHECK(charset_convert(&got, a, S("x"), "no such") == ST_INVALID);
    arena_free(a);
}

extern const struct stage stage_charset;

/* The crawler has parsed the URL of its visit: the chain does not again. */
static void
a_url_that_is_parsed_is_taken_as_it_is(void)
{
    struct arena *a = arena_new();
    struct document d = {
        .arena = a,
        .bytes = S("x"),
        .url_text = S("http://text.test/"),
        .url = {.href = S("http://parsed.test/"), .host = S("parsed.test")}};

    CHECK(stage_charset.run(NULL, &d) == ST_OK);
    CHECK(str_eq(d.url.host, S("parsed.test")));
    d.url = (struct url){0};
    CHECK(stage_charset.run(NULL, &d) == ST_OK);
    CHECK(str_eq(d.url.host, S("text.test")));
    arena_free(a);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_url_that_is_parsed_is_taken_as_it_is),
        TEST(validation_agrees_with_the_naive_decoder),
        TEST(every_pair_and_triple_of_edge_bytes_is_judged_right),
        TEST(repair_keeps_what_is_valid_and_replaces_maximal_subparts),
        TEST(labels_are_looked_up_whatever_their_case),
        TEST(latin1_is_what_its_labels_say_when_asked_for),
        TEST(content_type_gives_its_first_charset),
        TEST(prescan_finds_what_the_page_declares),
        TEST(decisions_follow_declarations_unless_bytes_disprove_them),
        TEST(undeclared_legacy_text_is_guessed),
        TEST(bytes_among_utf8_are_read_as_what_the_page_declares),
        TEST(conversions_give_valid_text_or_refuse),
        {0},
    };

    return test_main(table, argc, argv);
}
