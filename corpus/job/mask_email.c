/* mask_email.c -- see mask_email.h. */
#include "mask_email.h"

#include "mask_chars.h"

enum { LOCAL_MAX = 64, HOST_MAX = 255 }; /* bytes */

static bool
is_letter(enum mask_char c)
{
    return c == MASK_LATIN || c == MASK_LETTER || c == MASK_LOOSE;
}

/* Whether c goes on with a row of one script, of which *script are the letters
 * so far (MASK_SIGN: there is none). */
static bool
same_script(enum mask_char *script, enum mask_char c)
{
    if (!is_letter(c))
        return c != MASK_SIGN;
    if (*script == MASK_SIGN)
        *script = c;
    return *script == c;
}

/* Where letters, digits and the bytes of `punctuation` end, `high` at the
 * latest. */
static size_t
run_end(struct str s, size_t at, size_t high, const char *punctuation)
{
    enum mask_char script = MASK_SIGN;

    while (at < s.n && at < high) {
        size_t next = at;

        if (strchr(punctuation, s.p[at]) != NULL && s.p[at] != '\0') {
            script = MASK_SIGN;
            at++;
        } else if (same_script(&script, mask_char_next(s, &next))) {
            at = next;
        } else {
            break;
        }
    }
    return at;
}

static bool
two_letters(struct str s, size_t at)
{
    if (at >= s.n || !is_letter(mask_char_next(s, &at)) || at >= s.n)
        return false;
    switch (mask_char_next(s, &at)) {
    case MASK_SIGN:
    case MASK_DIGIT: return false;
    default: return true;
    }
}

size_t
mask_email(struct str s)
{
    size_t at = run_end(s, 0, LOCAL_MAX + 1, "._%+-"), dot = 0, end;

    if (at == 0 || at > LOCAL_MAX || at == s.n || s.p[at] != '@')
        return 0;
    end = run_end(s, at + 1, at + 1 + HOST_MAX, ".-");
    for (size_t i = at + 1; i < end; i++)
        if (s.p[i] == '.' && two_letters(s, i + 1))
            dot = i;
    while (end > 0 && (s.p[end - 1] == '.' || s.p[end - 1] == '-'))
        end--;
    return dot > at + 1 && dot < end ? end : 0;
}
