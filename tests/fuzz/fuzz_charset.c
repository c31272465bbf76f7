/* Any bytes under any declaration give valid UTF-8 of bounded size, or
 * ST_INVALID.  Input: a Content-Type, a line feed, the page. */
#include <stdlib.h>

#include "clean/charset/charset.h"
#include "clean/charset/sniff.h"
#include "clean/cleaner/cleaner.h"
#include "fuzz.h"

static void
convert(struct arena *a, struct str page, const char *name)
{
    struct str utf8;

    if (charset_convert(&utf8, a, page, name) != ST_OK)
        return;
    MUST(utf8_valid(utf8));
    MUST(utf8.n <= 3 * page.n + 16);
}

/* No label means it: only a byte order mark does. */
static bool
is_utf_32(struct str name)
{
    return str_eq(name, S("UTF-32LE")) || str_eq(name, S("UTF-32BE"));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const names[] = {
        "UTF-8",     "windows-1252", "ISO-8859-1",    "windows-1255",
        "UTF-16LE",  "UTF-16BE",     "GBK",           "gb18030",
        "Big5",      "ISO-2022-JP",  "EUC-JP",        "EUC-KR",
        "Shift_JIS", "replacement",  "x-user-defined"};
    struct str s = str_n((const char *)data, n);
    size_t line = str_find(s, '\n', 0);
    struct str type = str_sub(s, 0, line), page = str_sub(s, line + 1, n);
    struct arena *a = arena_new();
    struct charset_result r;
    char *copy = malloc(page.n ? page.n : 1);

    if (page.n > 0)
        memcpy(copy, page.p, page.n);
    page.p = copy;
    (void)sniff_is_html(type, page);
    (void)sniff_is_xml(type, page);
    (void)sniff_is_mime(page);
    if (charset_decode(&r, a, CHARSET_WHATWG, page, type) == ST_OK) {
        MUST(r.name != NULL && (charset_name(str_c(r.name)) != NULL ||
                                is_utf_32(str_c(r.name))));
        MUST(r.from != NULL);
        MUST(utf8_valid(r.utf8));
    }
    if (charset_decode(&r, a, CHARSET_LATIN1, page, type) == ST_OK)
        MUST(utf8_valid(r.utf8));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        convert(a, page, names[i]);
    MUST(utf8_valid(utf8_repair(a, page)));
    MUST(utf8_valid(page) == (utf8_survey(page).bad == 0));
    free(copy);
    arena_free(a);
    return 0;
}
