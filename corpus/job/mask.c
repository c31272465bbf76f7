/* mask.c -- job mask: personal data in documents becomes words that say what
 * stood there, as texrex's cleansing does (emailblank).
 *
 * Numbers with a checksum (IBAN, ISO 7064; cards, Luhn) have to be right, so
 * that other numbers stay. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "doc_line.h"
#include "job.h"

enum { REJECTED, DOCUMENTS, CHANGED, EMAILS, IPS, PHONES, IBANS, CARDS };

static bool
is_alnum(char c)
{
    return ascii_alpha(c) || ascii_digit(c) || (unsigned char)c >= 0x80;
}

static size_t
email(struct str s)
{
    size_t at = 0, dot = 0, n;

    while (at < s.n && at <= 64 &&
           (ascii_alpha(s.p[at]) || ascii_digit(s.p[at]) ||
            memchr("._%+-", s.p[at], 5) != NULL))
        at++;
    if (at == 0 || at > 64 || at == s.n || s.p[at] != '@')
        return 0;
    for (n = at + 1; n < s.n && (ascii_alpha(s.p[n]) || ascii_digit(s.p[n]) ||
                                 s.p[n] == '-' || s.p[n] == '.');
         n++)
        if (s.p[n] == '.' && n + 2 < s.n && ascii_alpha(s.p[n + 1]) &&
            ascii_alpha(s.p[n + 2]))
            dot = n;
    while (n > 0 && (s.p[n - 1] == '.' || s.p[n - 1] == '-'))
        n--;
    return dot > at + 1 && dot < n ? n : 0;
}

static size_t
ip(struct str s)
{
    size_t at = 0;

    for (unsigned part = 0; part < 4; part++) {
        unsigned value = 0;
        size_t begin;

        if (part > 0 && (at == s.n || s.p[at++] != '.'))
            return 0;
        for (begin = at; at < s.n && at < begin + 3 && ascii_digit(s.p[at]);
             at++)
            value = 10 * value + (unsigned)(s.p[at] - '0');
        if (at == begin || value > 255)
            return 0;
    }
    if (at < s.n && (is_alnum(s.p[at]) || (s.p[at] == '.' && at + 1 < s.n &&
                                           ascii_digit(s.p[at + 1]))))
        return 0;
    return at;
}

/* Of version 6.  At least one group has three digits: "1::2" is no address, and
 * "::1" is everybody's. */
static size_t
ip6(struct str s)
{
    char text[INET6_ADDRSTRLEN];
    size_t n = 0, group = 0, longest = 0;
    struct in6_addr address;

    while (n < s.n && n < sizeof text &&
           (ascii_hex(s.p[n]) >= 0 || s.p[n] == ':' || s.p[n] == '.')) {
        group = ascii_hex(s.p[n++]) >= 0 ? group + 1 : 0;
        longest = group > longest ? group : longest;
    }
    if (n == sizeof text || longest < 3 || (n < s.n && is_alnum(s.p[n])))
        return 0;
    while (n > 2 &&
           (s.p[n - 1] == '.' || (s.p[n - 1] == ':' && s.p[n - 2] != ':')))
        n--; /* the sentence's */
    memcpy(text, s.p, n);
    text[n] = '\0';
    return inet_pton(AF_INET6, text, &address) == 1 ? n : 0;
}

/* Digits (and capitals, for an IBAN) with single separators between them;
 * returns the length in the text. */
static size_t
compact(struct str s, const char *separators, bool letters, char *out,
        size_t most, size_t *n)
{
    size_t end = 0;

    *n = 0;
    for (size_t at = 0; at < s.n; at++) {
        char c = s.p[at];

        if (ascii_digit(c) || (letters && c >= 'A' && c <= 'Z')) {
            if (*n == most)
                return 0;
            out[(*n)++] = c;
            end = at + 1;
        } else if (strchr(separators, c) == NULL || c == '\0' || end != at) {
            break;
        }
    }
    return end < s.n && is_alnum(s.p[end]) ? 0 : end;
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

static size_t
iban(struct str s)
{
    char c[34];
    size_t n, length;

    if (s.n < 15 || s.p[0] < 'A' || s.p[0] > 'Z' || s.p[1] < 'A' ||
        s.p[1] > 'Z' || !ascii_digit(s.p[2]) || !ascii_digit(s.p[3]))
        return 0;
    length = compact(s, " ", true, c, sizeof c, &n);
    return length > 0 && n >= 15 && iban_checks(c, n) ? length : 0;
}

static size_t
card(struct str s)
{
    char c[19];
    size_t n, length;
    unsigned sum = 0;

    if (s.n < 13 || s.p[0] < '2' || s.p[0] > '6')
        return 0;
    length = compact(s, " -", false, c, sizeof c, &n);
    if (length == 0 || n < 13)
        return 0;
    for (size_t i = 0; i < n; i++) {
        unsigned d = (unsigned)(c[n - 1 - i] - '0') * (i % 2 == 1 ? 2 : 1);

        sum += d > 9 ? d - 9 : d;
    }
    return sum % 10 == 0 ? length : 0;
}

/* With a country's code, or a 0 and at least nine digits in groups. */
static size_t
phone(struct str s)
{
    size_t at = 0, end = 0, digits = 0, groups = 0;
    bool country = s.n > 1 && s.p[0] == '+' && ascii_digit(s.p[1]);

    if (!country && (s.n == 0 || s.p[0] != '0'))
        return 0;
    for (at = country; at < s.n && at < end + 3; at++) {
        if (ascii_digit(s.p[at])) {
            groups += end != at || digits == 0;
            digits++;
            end = at + 1;
        } else if (strchr(" -/()", s.p[at]) == NULL || s.p[at] == '\0') {
            break;
        }
    }
    if (end < s.n && is_alnum(s.p[end]))
        return 0;
    return digits <= 15 && digits >= (country ? 7 : 9) &&
                   (country || groups > 1)
               ? end
               : 0;
}

static const struct mask {
    const char *option, *word;
    unsigned counter;
    size_t (*find)(struct str s);
} masks[] = {
    {"email", "emailblank", EMAILS, email},
    {"iban", "ibanblank", IBANS, iban},
    {"card", "cardblank", CARDS, card},
    {"ip", "ipblank", IPS, ip},
    {"ip", "ipblank", IPS, ip6},
    {"phone", "phoneblank", PHONES, phone},
};
#define MASKS_N (sizeof masks / sizeof *masks)

/* How much of `s`, a word's begin, is to be masked, and by which. */
static size_t
find_mask(struct job_run *r, struct str s, const struct mask **which)
{
    for (size_t i = 0; i < MASKS_N; i++) {
        size_t n = masks[i].find(s);

        if (n > 0 && job_option(r, masks[i].option) != 0) {
            *which = &masks[i];
            return n;
        }
    }
    return 0;
}

/* Whether a number that begins at `at` goes on with one that stands before it:
 * "1.2", "30 00"; or a name with another one: "std::add". */
static bool
goes_on(struct str s, size_t at)
{
    if (at > 1 && s.p[at - 1] == ':' && s.p[at - 2] == ':')
        return true;
    if (at == 0 || !ascii_digit(s.p[at]))
        return false;
    if (s.p[at - 1] == '.')
        return true;
    return at > 1 && strchr(" -/", s.p[at - 1]) != NULL &&
           ascii_digit(s.p[at - 2]);
}

static uint64_t
mask_text(struct job_run *r, struct str s, struct buf *out)
{
    uint64_t masked = 0;
    bool inside = false; /* of a word */

    for (size_t at = 0; at < s.n;) {
        const struct mask *m;
        bool may =
            !inside && !goes_on(s, at) &&
            (ascii_alpha(s.p[at]) || ascii_digit(s.p[at]) || s.p[at] == '+' ||
             (s.p[at] == ':' && at + 1 < s.n && s.p[at + 1] == ':'));
        size_t n = may ? find_mask(r, str_sub(s, at, s.n), &m) : 0;

        if (n == 0) {
            inside = is_alnum(s.p[at]);
            buf_char(out, s.p[at++]);
            continue;
        }
        buf_c(out, m->word);
        job_count(r, m->counter, 1);
        masked++;
        at += n;
        inside = true;
    }
    return masked;
}

static void
map(struct job_run *r)
{
    struct buf text = {0}, process = {0}, out = {0};
    struct str line;

    while (job_line(r, &line)) {
        struct doc_piece piece;
        struct doc_line d;
        struct str rest;
        uint64_t masked = 0;
        char number[24];

        if (!doc_line_read(&d, line)) {
            job_count(r, REJECTED, 1);
            continue;
        }
        buf_clear(&text);
        for (rest = d.text; (piece = doc_next(&rest)).kind != DOC_END;)
            if (piece.kind == DOC_TEXT)
                masked += mask_text(r, piece.text, &text);
            else
                buf_str(&text, piece.text);
        job_count(r, DOCUMENTS, 1);
        job_count(r, CHANGED, masked > 0);
        snprintf(number, sizeof number, "%" PRIu64, masked);
        doc_process_add(&process, d.process, "masked", str_c(number));
        d.process = buf_view(&process);
        d.text = buf_view(&text);
        doc_line_write(&out, &d);
        job_put(r, buf_view(&out));
    }
    buf_free(&text);
    buf_free(&process);
    buf_free(&out);
}

const struct corpus_job job_mask = {
    .name = "mask",
    .summary = "Personal data in documents, masked.",
    .lines = "map: documents -> documents, with <masked>N</masked>",
    .phase = {map, NULL, NULL},
    .options = {JOB_NUMBER("email", "1", "E-mail: emailblank.", 0, 1),
                JOB_NUMBER("ip", "1", "IP, of both versions: ipblank.", 0, 1),
                JOB_NUMBER("phone", "1", "Telephone: phoneblank.", 0, 1),
                JOB_NUMBER("iban", "1",
                           "IBAN with a right checksum: "
                           "ibanblank.",
                           0, 1),
                JOB_NUMBER("card", "1",
                           "Credit cards with a right checksum: cardblank.", 0,
                           1)},
    .counters = {"lines rejected", "documents", "documents masked", "e-mail",
                 "IP", "telephone", "IBAN", "cards"},
};
