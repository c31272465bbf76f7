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
#include "mask_chars.h"
#include "mask_email.h"
#include "mask_numbers.h"
#include "mask_versions.h"

enum { REJECTED, DOCUMENTS, CHANGED, EMAILS, IPS, PHONES, IBANS, CARDS };

static size_t
email(struct str s, bool behind)
{
    (void)behind;
    return mask_email(s);
}

static size_t
ip(struct str s, bool behind)
{
    size_t at = 0;

    (void)behind;
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
    if (mask_goes_on(s, at) ||
        (at + 1 < s.n && s.p[at] == '.' && ascii_digit(s.p[at + 1])))
        return 0;
    return mask_is_file_ending(str_sub(s, at, s.n)) ? 0 : at;
}

/* Of version 6.  At least one group has three digits: "1::2" is no address, and
 * "::1" is everybody's. */
static size_t
ip6(struct str s, bool behind)
{
    char text[INET6_ADDRSTRLEN];
    size_t n = 0, group = 0, longest = 0;
    struct in6_addr address;

    (void)behind;
    while (n < s.n && n < sizeof text &&
           (ascii_hex(s.p[n]) >= 0 || s.p[n] == ':' || s.p[n] == '.')) {
        group = ascii_hex(s.p[n++]) >= 0 ? group + 1 : 0;
        longest = group > longest ? group : longest;
    }
    if (n == sizeof text || longest < 3 || mask_goes_on(s, n))
        return 0;
    while (n > 2 &&
           (s.p[n - 1] == '.' || (s.p[n - 1] == ':' && s.p[n - 2] != ':')))
        n--; /* the sentence's */
    memcpy(text, s.p, n);
    text[n] = '\0';
    return inet_pton(AF_INET6, text, &address) == 1 ? n : 0;
}

static const struct mask {
    const char *option, *word;
    unsigned counter;
    size_t (*find)(struct str s, bool behind); /* see mask_numbers.h */
} masks[] = {
    {"email", "emailblank", EMAILS, email},
    {"iban", "ibanblank", IBANS, mask_iban},
    {"card", "cardblank", CARDS, mask_card},
    {"ip", "ipblank", IPS, ip},
    {"ip", "ipblank", IPS, ip6},
    {"phone", "phoneblank", PHONES, mask_phone},
};
#define MASKS_N (sizeof masks / sizeof *masks)

/* How much of `s`, a word's begin, is to be masked, and by which. */
static size_t
find_mask(struct job_run *r, struct str s, bool behind,
          const struct mask **which)
{
    for (size_t i = 0; i < MASKS_N; i++) {
        size_t n = masks[i].find(s, behind);

        if (n > 0 && job_option(r, masks[i].option) != 0) {
            *which = &masks[i];
            return n;
        }
    }
    return 0;
}

/* Whether what begins at `at` goes on with what stands before it: a number with
 * one and a dot, "1.2", or with a name or a version that has more of them,
 * "so.1.2.3.4"; a name with another one, "std::add".  "Tel.030/1234567" only
 * lacks a blank. */
static bool
goes_on(struct str s, size_t at)
{
    bool dot = at > 0 && s.p[at - 1] == '.';

    if (at > 1 && s.p[at - 1] == ':' && s.p[at - 2] == ':')
        return true;
    if (at == 0 || !ascii_digit(s.p[at]))
        return false;
    if (dot && at > 1 && ascii_digit(s.p[at - 2]))
        return true;
    return (dot && mask_is_dotted(str_sub(s, at, s.n))) ||
           mask_is_version(s, at);
}

/* Whether digits and one separator stand before `at`: "30 00".  What is masked
 * up to `end` is a number of its own. */
static bool
is_behind(struct str s, size_t at, size_t end)
{
    return at > 1 && at - 1 != end && ascii_digit(s.p[at - 2]) &&
           (s.p[at - 1] == ' ' || s.p[at - 1] == '-' || s.p[at - 1] == '/');
}

/* Whether something that is masked may begin at `at` with a character of this
 * kind; `before`: of the word that it stands in or behind. */
static bool
may_begin(struct str s, size_t at, enum mask_char kind, enum mask_char before)
{
    bool inside = before != MASK_SIGN && before != MASK_LOOSE;
    char c = s.p[at], next = at + 1 < s.n ? s.p[at + 1] : '\0';

    if (c == '(')
        return next == '0' || next == '+';
    switch (kind) {
    case MASK_SIGN:
        if (c != '+' && (c != ':' || next != ':'))
            return false;
        break;
    case MASK_DIGIT: break;
    case MASK_MARK: return false;
    default: inside = before == kind || before == MASK_DIGIT; break;
    }
    return !inside && !goes_on(s, at);
}

/* ... and of what stands behind such a character. */
static enum mask_char
word_of(enum mask_char kind, enum mask_char before)
{
    if (kind == MASK_MARK || (kind == MASK_DIGIT && before != MASK_LOOSE))
        return before != MASK_SIGN ? before : MASK_DIGIT;
    return kind;
}

static uint64_t
mask_text(struct job_run *r, struct str s, struct buf *out)
{
    enum mask_char before = MASK_SIGN;
    uint64_t masked = 0;
    size_t end = 0; /* of the last one; up to there all is in *out */

    for (size_t at = 0, next = 0; at < s.n; at = next) {
        enum mask_char kind = mask_char_next(s, &next);
        const struct mask *m;
        size_t n =
            may_begin(s, at, kind, before)
                ? find_mask(r, str_sub(s, at, s.n), is_behind(s, at, end), &m)
                : 0;

        if (n == 0) {
            before = word_of(kind, before);
            continue;
        }
        buf_add(out, s.p + end, at - end);
        buf_c(out, m->word);
        job_count(r, m->counter, 1);
        masked++;
        end = next = at + n;
        before = MASK_LATIN;
    }
    buf_add(out, s.p + end, s.n - end);
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
        doc_process_add(&process, d.process, DOC_FACT_MASKED, str_c(number));
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
    .counters = {JOB_LINES_REJECTED, "documents", "documents masked", "e-mail",
                 "IP", "telephone", "IBAN", "cards"},
};
