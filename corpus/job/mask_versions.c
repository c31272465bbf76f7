/* mask_versions.c -- see mask_versions.h. */
#include "mask_versions.h"

#include "mask_chars.h"

enum {
    ENDING_MAX = 4,  /* bytes: "Versi" and "onen" */
    NUMBERS_MAX = 16 /* of one list; bounds what is read again */
};

bool
mask_is_dotted(struct str s)
{
    size_t n = 0;

    while (n < s.n && ascii_digit(s.p[n]))
        n++;
    return n > 0 && n + 1 < s.n && s.p[n] == '.' && ascii_digit(s.p[n + 1]);
}

static struct str
without_end(struct str s, const char *bytes)
{
    while (s.n > 0 && strchr(bytes, s.p[s.n - 1]) != NULL)
        s.n--;
    return s;
}

static struct str
last_word(struct str s)
{
    size_t from = s.n, begin;

    while (from > 0 && mask_char_before(s, from, &begin) != MASK_SIGN)
        from = begin;
    return str_sub(s, from, s.n);
}

/* Whether a text ends with a word for a version, and what may stand between it
 * and the number. */
static bool
ends_with_version(struct str s)
{
    static const char *const begins[] = {
        "versi", "versj",   "vers\u00e3", "wersj",
        "build", "release", "firmware",   "\u0432\u0435\u0440\u0441"};

    s = last_word(without_end(s, " .:=-("));
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        size_t n = strlen(begins[i]);

        if (str_eq_nocase(str_sub(s, 0, n), str_c(begins[i])) &&
            s.n - n <= ENDING_MAX)
            return true;
    }
    return false;
}

/* A word that stands before the last part of a list. */
static bool
is_joint(struct str word)
{
    static const char *const joints[] = {
        "and", "or",  "to",    "und", "oder", "bis",   "en",
        "of",  "tot", "et",    "ou",  "y",    "o",     "e",
        "och", "og",  "eller", "lub", "do",   "\u0438"};

    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++)
        if (str_eq_nocase(word, str_c(joints[i])))
            return true;
    return false;
}

/* The text before ", ", " and ", ", or ", " - "; all of it: there is none. */
static struct str
before_joint(struct str s)
{
    struct str rest = without_end(s, " "), word = last_word(rest);

    if (is_joint(word))
        rest = without_end(str_sub(rest, 0, rest.n - word.n), " ");
    if (str_ends(rest, S("\u2013")))
        rest.n -= strlen("\u2013");
    else
        rest = without_end(rest, ",;/&-");
    if (rest.n == without_end(s, " ").n)
        return s;
    return without_end(rest, " ");
}

bool
mask_is_version(struct str s, size_t at)
{
    for (int i = 0; i < NUMBERS_MAX; i++) {
        struct str before = str_sub(s, 0, at);

        if (!mask_is_dotted(str_sub(s, at, s.n)))
            return false;
        if (ends_with_version(before))
            return true;
        before = before_joint(before);
        if (before.n == at)
            return false;
        at = without_end(before, "0123456789.").n;
    }
    return false;
}

bool
mask_is_file_ending(struct str s)
{
    static const char *const endings[] = {
        ".tar", ".tgz", ".tbz", ".txz", ".zip", ".gz",  ".xz",
        ".bz2", ".zst", ".7z",  ".rar", ".deb", ".rpm", ".apk",
        ".exe", ".msi", ".dmg", ".jar", ".whl", ".iso"};

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t n = strlen(endings[i]);

        if (str_eq_nocase(str_sub(s, 0, n), str_c(endings[i])) &&
            !mask_goes_on(s, n))
            return true;
    }
    return false;
}
