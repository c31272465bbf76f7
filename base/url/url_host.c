/* url_host.c -- the host parser of the URL Standard; IDNA by ICU.
 *
 * ASCII names, nearly all, are lower-cased in one pass.  The rest is
 * percent-decoded and goes through UTS 46 processing, non-transitional,
 * CheckHyphens and VerifyDnsLength false, CheckBidi and CheckJoiners true.
 * Such names are bounded by URL_HOST_MAX.  The one UIDNA object is opened on
 * first use, never closed, and safe to share between threads. */
#include "url_parts.h"

#include <pthread.h>
#include <unicode/uidna.h>

static pthread_once_t idna_once = PTHREAD_ONCE_INIT;
static UIDNA *idna;

static void
idna_open(void)
{
    UErrorCode err = U_ZERO_ERROR;

    idna = uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ |
                               UIDNA_NONTRANSITIONAL_TO_ASCII |
                               UIDNA_NONTRANSITIONAL_TO_UNICODE,
                           &err);
    if (U_FAILURE(err))
        idna = NULL; /* ICU without its data: such names are invalid */
}

/* What CheckHyphens and VerifyDnsLength would refuse. */
#define IDNA_ALLOWED                                                           \
    ((uint32_t)(UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |         \
                UIDNA_ERROR_DOMAIN_NAME_TOO_LONG |                             \
                UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN |     \
                UIDNA_ERROR_HYPHEN_3_4))

/* ICU takes "xn--" and "xn--abc-"; Punycode of nothing but ASCII is an error
 * since revision 31 of UTS 46. */
static bool
punycode_is_needless(struct str s)
{
    struct str label;

    while (str_cut(&s, '.', &label))
        if (str_starts(label, S("xn--")) &&
            (label.n == 4 || label.p[label.n - 1] == '-'))
            return true;
    return false;
}

/* A name of `n` bytes in w->p + at as domain to ASCII with beStrict false
 * leaves it: check what comes after that step. */
static enum status
finish(struct url_writer *w, size_t at)
{
    struct str domain = str_n(w->p + at, w->n - at);
    uint32_t address;

    if (domain.n == 0)
        return ST_INVALID;
    if (!url_ends_in_number(domain))
        return ST_OK;
    if (!url_ipv4(domain, &address))
        return ST_INVALID;
    w->n = at;
    url_put_ipv4(w, address);
    return ST_OK;
}

static enum status
put_idna(struct url_writer *w, struct str name)
{
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode err = U_ZERO_ERROR;
    char out[URL_HOST_MAX];
    struct str ascii;
    int32_t n;
    size_t at = w->n;

    pthread_once(&idna_once, idna_open);
    if (idna == NULL)
        return ST_INVALID;
    n = uidna_nameToASCII_UTF8(idna, name.p, (int32_t)name.n, out,
                               (int32_t)sizeof out, &info, &err);
    if (U_FAILURE(err) || n < 0 || (size_t)n > sizeof out ||
        (info.errors & ~IDNA_ALLOWED) != 0)
        return ST_INVALID;
    ascii = str_n(out, (size_t)n);
    if (punycode_is_needless(ascii))
        return ST_INVALID;
    for (size_t i = 0; i < ascii.n; i++)
        if (url_class[(uint8_t)ascii.p[i]] & (URL_FORBIDDEN | URL_NOT_PLAIN))
            return ST_INVALID;
    memcpy(w->p + at, ascii.p, ascii.n);
    w->n = at + ascii.n;
    return finish(w, at);
}

/* Percent-decode into out[URL_HOST_MAX]; false: too long.  Capital sharp s
 * becomes the small one, as UTS 46 has it since Unicode 15.1 and ICU 72 not. */
static bool
percent_decode(struct str s, char *out, size_t *n_out)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++) {
        int byte = str_percent(s, i);
        char c = byte < 0 ? s.p[i] : (char)byte;

        i += byte < 0 ? 0 : 2;
        if (n == URL_HOST_MAX)
            return false;
        out[n++] = c;
        if (n >= 3 && memcmp(out + n - 3, "\xe1\xba\x9e", 3) == 0) {
            memcpy(out + n - 3, "\xc3\x9f", 2);
            n--;
        }
    }
    *n_out = n;
    return true;
}

/* Append an ASCII name in lower case; false at the first byte that cannot
 * stay as it is.  Labels in Punycode are not looked into: that is the
 * standard's rule for names of nothing but ASCII. */
static bool
put_ascii(struct url_writer *w, struct str name, bool *forbidden)
{
    *forbidden = false;
    for (size_t i = 0; i < name.n; i++) {
        uint8_t c = (uint8_t)name.p[i];

        if (url_class[c] & URL_NOT_PLAIN)
            return false;
        if (url_class[c] & URL_FORBIDDEN)
            *forbidden = true; /* "<" may still join with what follows */
        w->p[w->n++] = ascii_lower((char)c);
    }
    return true;
}

enum status
url_put_host(struct url_writer *w, struct str host)
{
    char decoded[URL_HOST_MAX];
    size_t at = w->n, n;
    bool forbidden;

    if (host.n > 0 && host.p[0] == '[')
        return url_put_ipv6(w, host);
    if (put_ascii(w, host, &forbidden))
        return forbidden ? ST_INVALID : finish(w, at);
    w->n = at;
    if (!percent_decode(host, decoded, &n))
        return ST_INVALID;
    if (put_ascii(w, str_n(decoded, n), &forbidden))
        return forbidden ? ST_INVALID : finish(w, at);
    w->n = at;
    return put_idna(w, str_n(decoded, n));
}
