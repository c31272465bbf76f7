/* charset_label.c -- names and labels of encodings (Encoding Standard 4.2), and
 * the charset of a Content-Type (MIME Sniffing 4.4). */
#include <stdlib.h>

#include "charset_impl.h"

#define LABEL_MAX 32 /* longer than every label */

struct charset_label {
    char label[LABEL_MAX];
    uint8_t name; /* index into charset_names */
};

struct charset_single {
    const char *name;
    uint16_t code_points[128];
};

#include "charset_table.h"

#define N(array) (sizeof(array) / sizeof *(array))

static int
label_cmp(const void *key, const void *row)
{
    return strcmp(key, ((const struct charset_label *)row)->label);
}

const char *
charset_name(struct str label)
{
    const struct charset_label *found;
    char key[LABEL_MAX];

    label = str_trim(label);
    if (label.n == 0 || label.n >= sizeof key)
        return NULL;
    for (size_t i = 0; i < label.n; i++)
        key[i] = ascii_lower(label.p[i]);
    key[label.n] = '\0';
    if (strlen(key) != label.n)
        return NULL;
    found = bsearch(key, charset_labels, N(charset_labels),
                    sizeof *charset_labels, label_cmp);
    return found ? charset_names[found->name] : NULL;
}

/* Labels that the standard gives to windows-1252 and the IANA to
 * ISO-8859-1. */
static bool
is_latin1(struct str label)
{
    static const char *const labels[] = {
        "cp819",      "csisolatin1", "ibm819",         "iso-8859-1",
        "iso-ir-100", "iso8859-1",   "iso88591",       "iso_8859-1",
        "l1",         "latin1",      "iso_8859-1:1987"};

    label = str_trim(label);
    for (size_t i = 0; i < N(labels); i++)
        if (str_eq_nocase(label, str_c(labels[i])))
            return true;
    return false;
}

const char *
charset_name_by(enum charset_labels labels, struct str label)
{
    return labels == CHARSET_LATIN1 && is_latin1(label) ? "ISO-8859-1"
                                                        : charset_name(label);
}

/* Bytes are the code points of the same number. */
static const uint16_t *
latin1(void)
{
#define EIGHT(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7
    static const uint16_t code_points[128] = {
        EIGHT(0x80), EIGHT(0x88), EIGHT(0x90), EIGHT(0x98),
        EIGHT(0xa0), EIGHT(0xa8), EIGHT(0xb0), EIGHT(0xb8),
        EIGHT(0xc0), EIGHT(0xc8), EIGHT(0xd0), EIGHT(0xd8),
        EIGHT(0xe0), EIGHT(0xe8), EIGHT(0xf0), EIGHT(0xf8)};
#undef EIGHT

    return code_points;
}

const uint16_t *
charset_single(const char *name)
{
    if (strcmp(name, "ISO-8859-1") == 0)
        return latin1();
    for (size_t i = 0; i < N(charset_singles); i++)
        if (strcmp(charset_singles[i].name, name) == 0)
            return charset_singles[i].code_points;
    return NULL;
}

static bool
token_char(char c)
{
    return ascii_alpha(c) || ascii_digit(c) ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

static bool
is_token(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!token_char(s.p[i]))
            return false;
    return s.n > 0;
}

/* RFC 9110 5.6.4 as MIME Sniffing collects it: the value of the quoted string
 * whose opening quote is before `at`, backslashes undone, cut at sizeof out.
 * The index behind it. */
static size_t
quoted_string(struct str s, size_t at, char *out, size_t room, size_t *n)
{
    *n = 0;
    for (; at < s.n && s.p[at] != '"'; at++) {
        if (s.p[at] == '\\' && at + 1 < s.n)
            at++;
        if (*n < room)
            out[(*n)++] = s.p[at];
    }
    return at < s.n ? at + 1 : at;
}

/* One parameter: *at is behind its ';'.  Whether it is a charset (the first one
 * decides); *found is then its encoding or NULL. */
static bool
parameter(enum charset_labels labels, struct str s, size_t *at,
          const char **found)
{
    char value[64];
    size_t n, from, end;
    struct str name;

    while (*at < s.n && ascii_space(s.p[*at]))
        ++*at;
    from = *at;
    while (*at < s.n && s.p[*at] != ';' && s.p[*at] != '=')
        ++*at;
    name = str_sub(s, from, *at);
    if (*at == s.n || s.p[(*at)++] == ';')
        return false;
    if (*at < s.n && s.p[*at] == '"') {
        *at = str_find(s, ';',
                       quoted_string(s, *at + 1, value, sizeof value, &n)) +
              1;
        if (!str_eq_nocase(name, S("charset")))
            return false;
        *found = charset_name_by(labels, str_n(value, n));
        return true;
    }
    end = str_find(s, ';', *at);
    *found = charset_name_by(labels, str_sub(s, *at, end));
    n = end - *at;
    *at = end + 1;
    return n > 0 && str_eq_nocase(name, S("charset"));
}

const char *
charset_of_content_type(enum charset_labels labels, struct str value)
{
    struct str type = str_trim(value);
    size_t slash = str_find(type, '/', 0), at = str_find(type, ';', 0);
    const char *found = NULL;

    if (slash > at || !is_token(str_sub(type, 0, slash)) ||
        !is_token(str_trim(str_sub(type, slash + 1, at))))
        return NULL;
    for (at++; at < type.n;)
        if (parameter(labels, type, &at, &found))
            return found;
    return NULL;
}
