/* date_parts.c -- see date_parts.h. */
#include "date_parts.h"

#include "clean/blocks/char_class.h"
#include "clean/chain/codepoint.h"

#define DAY_MS INT64_C(86400000)

static char
mark_of(uint32_t cp, char before)
{
    switch (cp) {
    case ' ': return before;
    case '-':
    case '/':
    case '.':
    case ',':
    case '\'': return before == '\0' || before == '.' ? (char)cp : '?';
    case 0x2010:
    case 0x2011: return '-';
    case 0x2019: return '\'';
    default: return '?';
    }
}

/* 年, 月, 日 and their like in Korean stand behind their numbers. */
static char
ideograph(uint32_t cp)
{
    switch (cp) {
    case 0x5e74:
    case 0xb144: return 'Y';
    case 0x6708:
    case 0xc6d4: return 'M';
    case 0x65e5:
    case 0xc77c: return 'D';
    default: return '\0';
    }
}

static void
number(struct date_part *p, struct str text, size_t *at)
{
    p->kind = PART_NUMBER;
    while (*at < text.n && ascii_digit(text.p[*at])) {
        if (p->digits < 9)
            p->value = p->value * 10 + (uint32_t)(text.p[*at] - '0');
        if (p->digits < 255)
            p->digits++;
        (*at)++;
    }
}

static void
word(struct date_part *p, struct str text, size_t *at)
{
    size_t n = 0;

    p->kind = PART_WORD;
    while (*at < text.n) {
        size_t next = *at;
        uint32_t cp = char_next(text, &next);

        if (!(char_class(cp) & (CHAR_LETTER | CHAR_MARK)) ||
            ideograph(cp) != '\0')
            break;
        cp = char_class(cp) & CHAR_UPPER ? char_lower(cp) : cp;
        if (n + 4 < sizeof p->lower)
            n += codepoint_put(p->lower + n, cp);
        *at = next;
    }
    p->word = str_n(p->lower, n);
    p->month = (uint8_t)date_month_named(p->word);
    p->context = (uint8_t)date_word_context(p->word);
}

size_t
date_parts(struct date_part parts[DATE_PARTS_MAX], struct str text)
{
    size_t n = 0, at = 0;
    char mark = '\0';

    while (at < text.n && n < DATE_PARTS_MAX) {
        struct date_part *p = &parts[n];
        size_t next = at;
        uint32_t cp = char_next(text, &next);

        if (ideograph(cp) != '\0') {
            mark = ideograph(cp);
            at = next;
            continue;
        }
        if (!ascii_digit(text.p[at]) && !(char_class(cp) & CHAR_LETTER)) {
            mark = mark_of(cp, mark);
            at = next;
            continue;
        }
        p->mark = mark;
        p->digits = p->month = p->context = 0;
        p->value = 0;
        p->word = (struct str)STR("");
        p->from = at;
        if (ascii_digit(text.p[at]))
            number(p, text, &at);
        else
            word(p, text, &at);
        p->to = at;
        mark = '\0';
        n++;
    }
    return n;
}

/* ---- relative dates ---- */

static const struct {
    const char *words;
    uint32_t minutes;
} units[] = {
    {"second seconds sec secs sekunde sekunden seconde seconden secondes "
     "segundo segundos secondo secondi sekund sekunder",
     0},
    {"minute minutes min mins minuten minuto minutos minuti minut minuter "
     "minuty m",
     1},
    {"hour hours hr hrs h stunde stunden uur uren heure heures hora horas ora "
     "ore timme timmar time timer godzin godziny godzinę",
     60},
    {"day days d tag tage tagen dag dagen jour jours día días dia dias giorno "
     "giorni dagar dage dni dzień",
     1440},
    {"week weeks wk woche wochen weken semaine semaines semana semanas "
     "settimana settimane vecka veckor uge uger tydzień tygodnie",
     10080},
};

static const char *const ago[] = {"ago",   "geleden", "fa",    "atrás",
                                  "sedan", "sedan",   "siden", "temu"};
static const char *const before[] = {"vor", "hace", "a", "há", "för", "for"};

static bool
one_of(struct str s, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(s, str_c(words[i])))
            return true;
    return false;
}

/* Minutes of a unit; UINT32_MAX: no unit. */
static uint32_t
unit_minutes(struct str s)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct str rest = str_c(units[i].words), w;

        while (str_word(&rest, &w))
            if (str_eq(s, w))
                return units[i].minutes;
    }
    return UINT32_MAX;
}

static size_t
back(struct day_time *out, const struct date_reading *how, uint64_t minutes,
     size_t used)
{
    uint64_t ms = minutes * 60000;

    if (ms > how->fetched_ms)
        return 0;
    date_of_moment(out, (int64_t)(how->fetched_ms - ms));
    if (minutes >= 1440)
        out->has_time = out->has_zone = false;
    return used;
}

size_t
date_relative(struct day_time *out, const struct date_part *p, size_t n,
              const struct date_reading *how)
{
    static const char *const yesterday[] = {"yesterday", "gestern", "gisteren",
                                            "hier",      "ayer",    "ieri",
                                            "igår",      "ontem",   "wczoraj"};
    uint32_t minutes;

    if (n == 1 && p[0].kind == PART_WORD &&
        one_of(p[0].word, yesterday, sizeof yesterday / sizeof *yesterday))
        return back(out, how, 1440, 1);
    if (n >= 3 && p[0].kind == PART_NUMBER && p[0].digits <= 2 &&
        one_of(p[2].word, ago, sizeof ago / sizeof *ago) &&
        (minutes = unit_minutes(p[1].word)) != UINT32_MAX)
        return back(out, how, (uint64_t)p[0].value * minutes, 3);
    if (n >= 3 && p[0].kind == PART_WORD && p[1].kind == PART_NUMBER &&
        p[1].digits <= 2 &&
        one_of(p[0].word, before, sizeof before / sizeof *before) &&
        (minutes = unit_minutes(p[2].word)) != UINT32_MAX)
        return back(out, how, (uint64_t)p[1].value * minutes, 3);
    return 0;
}
