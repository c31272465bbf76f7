/* mask_numbers.c -- see mask_numbers.h.
 *
 * A blank may part the groups of a number, or the number from what follows: the
 * longest part that ends with a group and has a right checksum is taken. */
#include "mask_numbers.h"

#include <string.h>

#include "mask_chars.h"

enum { IBAN_MIN = 15, IBAN_MAX = 34, CARD_MIN = 13, CARD_MAX = 19 };
enum { PHONE_MAX = 15 }; /* digits, by E.164 */

struct number {
    char c[IBAN_MAX];
    size_t end[IBAN_MAX]; /* where in the text each one ends */
    size_t n;
    bool more; /* the text has others behind them */
};

/* Digits (and capitals, for an IBAN) with single separators between them. */
static void
read_number(struct number *d, struct str s, const char *separators,
            bool letters, size_t most)
{
    size_t end = 0;

    d->n = 0;
    d->more = false;
    for (size_t at = 0; at < s.n; at++) {
        char c = s.p[at];

        if (ascii_digit(c) || (letters && c >= 'A' && c <= 'Z')) {
            end = at + 1;
            d->more = d->n == most;
            if (d->more)
                break;
            d->c[d->n] = c;
            d->end[d->n++] = end;
        } else if (c == '\0' || strchr(separators, c) == NULL || end != at) {
            break;
        }
    }
}

static bool
group_ends(struct str s, size_t at)
{
    return !mask_goes_on(s, at);
}

/* ---- IBAN ---- */

/* The registry of SWIFT: countries and the lengths of their numbers. */
static const char countries[] =
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 "
    "CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 "
    "GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 "
    "KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 "
    "MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 "
    "RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 "
    "UA29 VA22 VG24 XK20 YE30 ";

/* Of a country's numbers; 0: not in the registry, any is right. */
static size_t
iban_length(const char *code)
{
    for (const char *c = countries; *c != '\0'; c += 5)
        if (c[0] == code[0] && c[1] == code[1])
            return (size_t)(c[2] - '0') * 10 + (size_t)(c[3] - '0');
    return 0;
}

static bool
iban_checks(const char *c, size_t n)
{
    unsigned rest = 0;

    for (size_t i = 0; i < n; i++) {
        char d = c[(i + 4) % n];

        rest = ascii_digit(d) ? (rest * 10 + (unsigned)(d - '0')) % 97
                              : (rest * 100 + (unsigned)(d - 'A') + 10) % 97;
    }
    return rest == 1;
}

size_t
mask_iban(struct str s, bool behind)
{
    struct number d;
    size_t length;

    (void)behind;
    if (s.n < IBAN_MIN || s.p[0] < 'A' || s.p[0] > 'Z' || s.p[1] < 'A' ||
        s.p[1] > 'Z' || !ascii_digit(s.p[2]) || !ascii_digit(s.p[3]))
        return 0;
    read_number(&d, s, " ", true, IBAN_MAX);
    length = iban_length(d.c);
    if (length == 0 && d.more)
        return 0;
    if (length == 0)
        length = d.n;
    return length >= IBAN_MIN && length <= d.n &&
                   group_ends(s, d.end[length - 1]) && iban_checks(d.c, length)
               ? d.end[length - 1]
               : 0;
}

/* ---- cards ---- */

static bool
luhn(const char *c, size_t n)
{
    unsigned sum = 0;

    for (size_t i = 0; i < n; i++) {
        unsigned d = (unsigned)(c[n - 1 - i] - '0') * (i % 2 == 1 ? 2 : 1);

        sum += d > 9 ? d - 9 : d;
    }
    return sum % 10 == 0;
}

/* The first four digits of issuers' cards, and the lengths of these. */
static const struct {
    unsigned from, to;
    size_t least, most, step;
} issuers[] = {
    {2221, 2720, 16, 16, 1}, {3000, 3059, 14, 16, 2}, {3400, 3499, 15, 15, 1},
    {3528, 3589, 16, 16, 1}, {3600, 3699, 14, 16, 2}, {3700, 3799, 15, 15, 1},
    {3800, 3999, 14, 16, 2}, {4000, 4999, 13, 19, 3}, {5000, 5899, 16, 16, 1},
    {6000, 6999, 16, 19, 1},
};

static bool
is_issued(const char *c, size_t n)
{
    unsigned first = 0;

    for (size_t i = 0; i < 4; i++)
        first = 10 * first + (unsigned)(c[i] - '0');
    for (size_t i = 0; i < sizeof issuers / sizeof *issuers; i++)
        if (first >= issuers[i].from && first <= issuers[i].to)
            return n >= issuers[i].least && n <= issuers[i].most &&
                   (n - issuers[i].least) % issuers[i].step == 0;
    return false;
}

/* A part of a row of numbers is right by chance more often than a number that
 * stands alone, so it has to be one that an issuer has as well. */
size_t
mask_card(struct str s, bool behind)
{
    struct number d;

    if (s.n < CARD_MIN || s.p[0] < '2' || s.p[0] > '6')
        return 0;
    read_number(&d, s, " -", false, CARD_MAX);
    for (size_t n = d.n; n >= CARD_MIN; n--) {
        bool alone = !behind && n == d.n && !d.more;

        if (group_ends(s, d.end[n - 1]) && luhn(d.c, n) &&
            (alone || is_issued(d.c, n)))
            return d.end[n - 1];
    }
    return 0;
}

/* ---- telephones ---- */

struct phone {
    bool country;
    size_t digits, groups, end;
    size_t first, group; /* digits of the first group, of the last one */
    bool mixed;          /* no row of groups of one length with a 0 each */
    size_t cut;          /* where it ends if a list goes on; or 0 */
};

static bool
is_phone(const struct phone *p)
{
    return p->digits >= (p->country ? 7 : 9) && p->digits <= PHONE_MAX &&
           (p->country || p->groups > 1);
}

/* A group of digits is to begin at `at`.  In a list, where more digits follow
 * than a number has, the next number is the one that begins with a 0. */
static void
begin_group(struct phone *p, struct str s, size_t at)
{
    bool zero = s.p[at] == '0';

    if (p->groups == 1)
        p->first = p->group;
    p->mixed |= p->groups > 1 && p->group != p->first;
    if (is_phone(p) && p->mixed && zero && p->cut == 0)
        p->cut = p->end;
    p->mixed |= p->groups > 0 && !zero;
    p->groups++;
    p->group = 0;
}

/* Whether what has been read is an area code: "030", "0 61 31", "+49 30". */
static bool
is_area(const struct phone *p)
{
    return p->digits >= 3 && p->digits <= 6 &&
           (p->country || p->groups == 1 || p->first == 1);
}

/* Where separators end at the latest.  Two blanks and a stroke part two
 * numbers, or an area code from the rest: "030 / 1234567". */
static size_t
next_group_max(const struct phone *p, struct str s)
{
    bool is_rest = is_area(p) &&
                   str_starts(str_sub(s, p->end, s.n), S(" / ")) &&
                   p->end + 3 < s.n && s.p[p->end + 3] != '0';

    return p->end + (is_rest ? 4 : 3);
}

/* Without the bracket that it may begin with. */
static size_t
phone_length(struct str s)
{
    struct phone p = {.cut = 0};

    p.country = s.n > 1 && s.p[0] == '+' && ascii_digit(s.p[1]);
    p.mixed = p.country;
    if (!p.country && (s.n == 0 || s.p[0] != '0'))
        return 0;
    for (size_t at = p.country;
         at < s.n && at < next_group_max(&p, s) && p.digits <= PHONE_MAX;
         at++) {
        if (ascii_digit(s.p[at])) {
            if (p.end != at || p.digits == 0)
                begin_group(&p, s, at);
            p.digits++;
            p.group++;
            p.end = at + 1;
        } else if (s.p[at] == '\0' || strchr(" -/()", s.p[at]) == NULL) {
            break;
        }
    }
    if (p.digits > PHONE_MAX)
        return p.cut;
    return group_ends(s, p.end) && is_phone(&p) ? p.end : 0;
}

/* Whether brackets that are closed in it are more than those that are opened.
 */
static bool
closes_bracket(struct str s)
{
    int open = 0;

    for (size_t i = 0; i < s.n && open >= 0; i++)
        open += (s.p[i] == '(') - (s.p[i] == ')');
    return open < 0;
}

/* "(030) 1234567" has its bracket, "(030 1234567)" stands in one. */
size_t
mask_phone(struct str s, bool behind)
{
    bool bracket = s.n > 0 && s.p[0] == '(';
    size_t n;

    if (!bracket)
        return behind && s.n > 0 && s.p[0] != '+' ? 0 : phone_length(s);
    s = str_sub(s, 1, s.n);
    n = phone_length(s);
    return n > 0 && closes_bracket(str_sub(s, 0, n)) ? n + 1 : 0;
}
