/* Aim: labels, tables, Content-Type, and <meta> prescan are those of the
 * standards.  Method: the lists of the WHATWG Encoding Standard, the mimesniff
 * cases, and html5lib's encoding cases from the shared data. */
#include <json-c/json.h>

#include "base/file.h"
#include "clean/charset/charset.h"
#include "test.h"

#define SUITES "data/suites/"

static bool
read_shared(struct buf *out, const char *sub)
{
    const char *path = test_shared(sub);
    bool there = path != NULL && file_read(out, path, SIZE_MAX) == ST_OK;

    CHECK(there);
    return there;
}

static bool
is(const char *got, const char *want)
{
    return want == NULL ? got == NULL : got != NULL && strcmp(got, want) == 0;
}

static void
every_label_gives_its_name(void)
{
    const char *path = test_shared(SUITES "encoding/encodings.json");
    json_object *groups = json_object_from_file(path);
    unsigned n = 0;

    for (size_t g = 0; g < json_object_array_length(groups); g++) {
        json_object *list = json_object_object_get(
            json_object_array_get_idx(groups, g), "encodings");

        for (size_t e = 0; e < json_object_array_length(list); e++) {
            json_object *row = json_object_array_get_idx(list, e);
            json_object *labels = json_object_object_get(row, "labels");
            const char *name =
                json_object_get_string(json_object_object_get(row, "name"));

            for (size_t i = 0; i < json_object_array_length(labels); i++) {
                const char *label = json_object_get_string(
                    json_object_array_get_idx(labels, i));
                struct buf b = {0};

                n++;
                CHECK(is(charset_name(str_c(label)), name));
                buf_printf(&b, " \t%s\r\n", label);
                for (size_t k = 0; k < b.n; k++)
                    if (b.p[k] >= 'a' && b.p[k] <= 'z')
                        b.p[k] = (char)(b.p[k] - 32);
                CHECK(is(charset_name(buf_view(&b)), name));
                buf_free(&b);
            }
        }
    }
    printf("labels: %u\n", n);
    CHECK(n == 228);
    json_object_put(groups);
}

/* Decode one character's bytes; whether that gives exactly `code`. */
static bool
decodes_to(struct arena *a, const char *name, struct str bytes, uint32_t code)
{
    struct buf want = {0};
    struct str got;
    bool same;

    arena_reset(a);
    buf_utf8(&want, code);
    same = charset_convert(&got, a, bytes, name) == ST_OK &&
           str_eq(got, buf_view(&want));
    buf_free(&want);
    return same;
}

static void
single_byte_tables_are_exact(void)
{
    static const char *const names[] = {
        "IBM866",       "ISO-8859-2",   "ISO-8859-3",   "ISO-8859-4",
        "ISO-8859-5",   "ISO-8859-6",   "ISO-8859-7",   "ISO-8859-8",
        "ISO-8859-8-I", "ISO-8859-10",  "ISO-8859-13",  "ISO-8859-14",
        "ISO-8859-15",  "ISO-8859-16",  "KOI8-R",       "KOI8-U",
        "macintosh",    "windows-874",  "windows-1250", "windows-1251",
        "windows-1252", "windows-1253", "windows-1254", "windows-1255",
        "windows-1256", "windows-1257", "windows-1258", "x-mac-cyrillic"};
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t codes[256];
        struct buf text = {0};
        struct str rest, line;
        char sub[128];

        snprintf(sub, sizeof sub, SUITES "encoding/index-%s.txt", names[i]);
        for (char *p = sub; *p != '\0'; p++)
            *p = ascii_lower(*p);
        if (strcmp(names[i], "ISO-8859-8-I") == 0)
            snprintf(sub, sizeof sub, SUITES "encoding/index-iso-8859-8.txt");
        for (unsigned b = 0; b < 256; b++)
            codes[b] = b < 0x80 ? b : 0xfffd;
        if (!read_shared(&text, sub))
            continue;
        for (rest = buf_view(&text); str_cut(&rest, '\n', &line);) {
            char z[64];
            unsigned pointer, code;

            snprintf(z, sizeof z, "%.*s", STRF(str_sub(line, 0, 60)));
            if (sscanf(z, " %u 0x%x", &pointer, &code) == 2)
                codes[pointer + 0x80] = code;
        }
        for (unsigned b = 0; b < 256; b++) {
            char byte = (char)b;

            if (!decodes_to(a, names[i], str_n(&byte, 1), codes[b])) {
                test_failed++;
                fprintf(stderr, "%s: 0x%02x\n", names[i], b);
            }
        }
        buf_free(&text);
    }
    arena_free(a);
}

/* Pointer to bytes, as the standard's decoders of these encodings read them. */
static size_t
pointer_bytes(char out[2], const char *name, unsigned p)
{
    unsigned lead, trail;

    if (strcmp(name, "Big5") == 0) {
        lead = p / 157 + 0x81;
        trail = p % 157 + (p % 157 < 0x3f ? 0x40 : 0x62);
    } else if (strcmp(name, "Shift_JIS") == 0) {
        lead = p / 188 + (p / 188 < 0x1f ? 0x81 : 0xc1);
        trail = p % 188 + (p % 188 < 0x3f ? 0x40 : 0x41);
        if (lead > 0xfc)
            return 0;
    } else if (strcmp(name, "EUC-JP") == 0) {
        if (p >= 94 * 94)
            return 0;
        lead = p / 94 + 0xa1;
        trail = p % 94 + 0xa1;
    } else if (strcmp(name, "EUC-KR") == 0) {
        lead = p / 190 + 0x81;
        trail = p % 190 + 0x41;
    } else { /* gb18030 */
        lead = p / 190 + 0x81;
        trail = p % 190 + (p % 190 < 0x3f ? 0x40 : 0x41);
    }
    out[0] = (char)lead;
    out[1] = (char)trail;
    return 2;
}

/* ICU's converters are not the standard's; the floor says how far apart they
 * are today (per 10,000 pointers). */
static void
multi_byte_converters_agree_almost_everywhere(void)
{
    static const struct {
        const char *name, *index;
        unsigned floor;
    } rows[] = {{"gb18030", "gb18030", 9990},    {"GBK", "gb18030", 9990},
                {"Big5", "big5", 9910},          {"EUC-KR", "euc-kr", 10000},
                {"Shift_JIS", "jis0208", 10000}, {"EUC-JP", "jis0208", 9500}};
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned n = 0, same = 0, pointer, code;
        struct buf text = {0};
        struct str rest, line;
        char sub[128], z[64], bytes[2];

        snprintf(sub, sizeof sub, SUITES "encoding/index-%s.txt",
                 rows[i].index);
        if (!read_shared(&text, sub))
            continue;
        for (rest = buf_view(&text); str_cut(&rest, '\n', &line);) {
            size_t used;

            snprintf(z, sizeof z, "%.*s", STRF(str_sub(line, 0, 60)));
            if (sscanf(z, " %u 0x%x", &pointer, &code) != 2 ||
                (used = pointer_bytes(bytes, rows[i].name, pointer)) == 0)
                continue;
            n++;
            same += decodes_to(a, rows[i].name, str_n(bytes, used), code);
        }
        printf("%s: %u of %u as in the standard\n", rows[i].name, same, n);
        CHECK(n > 5000);
        CHECK((uint64_t)same * 10000 >= (uint64_t)n * rows[i].floor);
        buf_free(&text);
    }
    arena_free(a);
}

static void
content_type_charsets_are_found(void)
{
    const char *path =
        test_shared(SUITES "mimesniff/content_type_charset.json");
    json_object *rows = json_object_from_file(path);
    size_t n = json_object_array_length(rows);

    for (size_t i = 0; i < n; i++) {
        json_object *row = json_object_array_get_idx(rows, i);
        const char *in =
            json_object_get_string(json_object_array_get_idx(row, 0));
        const char *want =
            json_object_get_string(json_object_array_get_idx(row, 1));
        const char *got = charset_of_content_type(CHARSET_WHATWG, str_c(in));

        if (!is(got, want)) {
            test_failed++;
            fprintf(stderr, "%s: got %s, want %s\n", in, got ? got : "none",
                    want ? want : "none");
        }
    }
    printf("content types: %zu\n", n);
    json_object_put(rows);
}

/* "#data" NL bytes NL "#encoding" NL label, again and again. */
static unsigned
prescan_file(const char *sub)
{
    static const struct str data = STR("#data\n"),
                            encoding = STR("\n#encoding\n");
    struct buf text = {0};
    unsigned n = 0;
    struct str s;

    if (!read_shared(&text, sub))
        return 0;
    s = buf_view(&text);
    for (size_t at = 0; at < s.n;) {
        size_t from, to, end;
        const char *got, *want;

        if (!str_starts(str_sub(s, at, s.n), data)) {
            at = str_find(s, '\n', at) + 1;
            continue;
        }
        from = to = at + data.n;
        while (to < s.n && !str_starts(str_sub(s, to, s.n), encoding))
            to++;
        end = str_find(s, '\n', to + encoding.n);
        want = charset_name(str_sub(s, to + encoding.n, end));
        got = str_starts(str_sub(s, from, to), S("\xef\xbb\xbf"))
                  ? "UTF-8" /* a BOM: charset_decode never gets to <meta> */
                  : charset_prescan(CHARSET_WHATWG, str_sub(s, from, to));
        n++;
        CHECK(want != NULL);
        if (!is(got ? got : "windows-1252", want)) {
            test_failed++;
            fprintf(stderr, "%s at %zu: got %s, want %s\n%.*s\n", sub, at,
                    got ? got : "none", want,
                    STRF(str_sub(s, from, to < from + 300 ? to : from + 300)));
        }
        at = end;
    }
    buf_free(&text);
    return n;
}

static void
html5lib_encoding_cases_pass(void)
{
    unsigned n = prescan_file(SUITES "html5lib/encoding/tests1.dat") +
                 prescan_file(SUITES "html5lib/encoding/tests2.dat") +
                 prescan_file(SUITES "html5lib/encoding/test-yahoo-jp.dat");

    printf("html5lib encoding: %u\n", n);
    CHECK(n == 82);
}

static void
undeclared_big5_is_guessed(void)
{
    struct charset_result r;
    struct buf text = {0};
    struct arena *a = arena_new();

    if (read_shared(&text, SUITES "html5lib/encoding/chardet/test_big5.txt")) {
        CHECK(charset_decode(&r, a, CHARSET_WHATWG, buf_view(&text),
                             S("text/html")) == ST_OK);
        CHECK(is(r.name, "Big5") && is(r.from, "guess"));
    }
    buf_free(&text);
    arena_free(a);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        SUITE_TEST(every_label_gives_its_name,
                   SUITES "encoding/encodings.json"),
        SUITE_TEST(single_byte_tables_are_exact,
                   SUITES "encoding/index-ibm866.txt"),
        SUITE_TEST(multi_byte_converters_agree_almost_everywhere,
                   SUITES "encoding/index-big5.txt"),
        SUITE_TEST(content_type_charsets_are_found,
                   SUITES "mimesniff/content_type_charset.json"),
        SUITE_TEST(html5lib_encoding_cases_pass,
                   SUITES "html5lib/encoding/tests1.dat"),
        SUITE_TEST(undeclared_big5_is_guessed,
                   SUITES "html5lib/encoding/chardet/test_big5.txt"),
        {0},
    };

    return test_main(table, argc, argv);
}
