/* date_names.c -- names of months and words round dates, as a hash table.
 *
 * The names are ICU's (CLDR): of each language full and short, as they stand in
 * a date and alone.  Where a name is two months' ("listopad": October in
 * Croatian, November in Polish), the earlier language of the list has it. */
#include "date_text.h"

#include <pthread.h>
#include <unicode/ures.h>
#include <unicode/ustring.h>

#include "base/hash.h"
#include "base/hashmap.h"
#include "clean/blocks/char_class.h"

#define SLOTS 8192u
#define NAME_BYTES 64

struct named {
    uint64_t key; /* 0: free */
    uint8_t month, context;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct named slots[SLOTS];
static struct hashmap table;

static bool
is_used(const void *slot)
{
    return ((const struct named *)slot)->key != 0;
}

static bool
is_named(const void *none, const void *slot, const void *key)
{
    (void)none;
    return ((const struct named *)slot)->key == *(const uint64_t *)key;
}

static const struct hashmap_kind named_kind = {
    .size = sizeof(struct named), .used = is_used, .equal = is_named};

static struct named *
slot_of(struct str word)
{
    uint64_t key = hash64(word) | 1;

    return hashmap_find(&table, &named_kind, NULL, key, &key);
}

static void
add_month(struct str name, int month)
{
    struct named *n;

    while (name.n > 0 && name.p[name.n - 1] == '.')
        name.n--;
    for (size_t i = 0; i < name.n; i++) {
        if (ascii_digit(name.p[i])) /* "tháng 3" */
            return;
        if (name.p[i] == ' ') { /* "de gener" */
            name = str_sub(name, i + 1, name.n);
            i = 0;
        }
    }
    if (name.n < 2)
        return;
    n = slot_of(name);
    if (n->key == 0)
        *n = (struct named){.key = hash64(name) | 1, .month = (uint8_t)month};
}

static void
add_names(UResourceBundle *names)
{
    for (int32_t m = 0; m < 12; m++) {
        UErrorCode e = U_ZERO_ERROR;
        int32_t wide_n = 0, n = 0;
        const UChar *wide = ures_getStringByIndex(names, m, &wide_n, &e);
        UChar lower[NAME_BYTES];
        char utf8[4 * NAME_BYTES];

        n = u_strToLower(lower, NAME_BYTES, wide, wide_n, "", &e);
        if (U_FAILURE(e) || n > NAME_BYTES)
            continue;
        u_strToUTF8(utf8, sizeof utf8, &n, lower, n, &e);
        if (!U_FAILURE(e))
            add_month(str_n(utf8, (size_t)n), m + 1);
    }
}

static void
add_language(const char *language, const char *form, const char *width)
{
    const char *const path[] = {"calendar", "gregorian", "monthNames", form,
                                width};
    UErrorCode e = U_ZERO_ERROR;
    UResourceBundle *at = ures_open(NULL, language, &e);

    for (size_t i = 0; i < sizeof path / sizeof *path && !U_FAILURE(e); i++)
        at = ures_getByKey(at, path[i], at, &e);
    if (!U_FAILURE(e))
        add_names(at);
    ures_close(at);
}

static void
add_words(const char *list, unsigned context)
{
    struct str rest = str_c(list), word;

    while (str_word(&rest, &word)) {
        struct named *n = slot_of(word);

        n->key = hash64(word) | 1;
        n->context |= (uint8_t)context;
    }
}

static void
build(void)
{
    static const char *const languages[] = {
        "en", "de", "nl", "fr", "es", "it", "sv", "pt", "pl", "da", "nb",
        "fi", "cs", "hu", "ro", "ru", "uk", "tr", "el", "id", "ca", "hr",
        "sk", "sl", "et", "lt", "lv", "bg", "is", "eu", "gl", "sr", "sr_Latn",
        "bs", "mk", "be", "sq", "af", "cy", "ar", "fa", "ka"};
    static const char *const forms[] = {"format", "stand-alone"};
    static const char *const widths[] = {"wide", "abbreviated"};

    char_class_init();
    hashmap_use(&table, &named_kind, slots, SLOTS);
    for (size_t w = 0; w < 2; w++)
        for (size_t l = 0; l < sizeof languages / sizeof *languages; l++)
            for (size_t f = 0; f < 2; f++)
                add_language(languages[l], forms[f], widths[w]);
    add_month(str_c("sept"), 9);
    add_month(str_c("mrz"), 3);
    add_month(str_c("maerz"), 3);
    add_month(str_c("set"), 9);
#define DATE_WORDS(id, words) add_words(words, DATE_##id);
#include "date_words.tbl.h"
#undef DATE_WORDS
}

void
date_names_init(void)
{
    pthread_once(&once, build);
}

int
date_month_named(struct str word)
{
    return slot_of(word)->month;
}

unsigned
date_word_context(struct str word)
{
    return slot_of(word)->context;
}
