/* language_called.c -- see language_called.h.  The names are ICU's. */
#include "language_called.h"

#include <stdio.h>
#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/ustring.h>

#define NAME_MAX_UNITS 64

static bool
is_name(struct str word, const char *code, const char *in)
{
    UChar name[NAME_MAX_UNITS], asked[NAME_MAX_UNITS];
    UErrorCode fault = U_ZERO_ERROR;
    int32_t n = uloc_getDisplayLanguage(code, in, name, NAME_MAX_UNITS, &fault),
            asked_n = 0;

    u_strFromUTF8(asked, NAME_MAX_UNITS, &asked_n, word.p, (int32_t)word.n,
                  &fault);
    return U_SUCCESS(fault) && fault != U_STRING_NOT_TERMINATED_WARNING &&
           u_strCaseCompare(name, n, asked, asked_n, U_FOLD_CASE_DEFAULT,
                            &fault) == 0;
}

bool
language_called(struct str word, struct str code)
{
    char c[16];

    if (code.n >= sizeof c || word.n >= NAME_MAX_UNITS)
        return false;
    snprintf(c, sizeof c, "%.*s", STRF(code));
    if (word.n > code.n && (word.p[code.n] == '-' || word.p[code.n] == '_'))
        return str_eq_nocase(str_sub(word, 0, code.n), code);
    return str_eq_nocase(word, str_c(uloc_getISO3Language(c))) ||
           is_name(word, c, "en") || is_name(word, c, c);
}
