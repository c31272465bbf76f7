/* block_count.c -- see block_count.h.
 *
 * A reader that knows three things: the word it is in, the run (what stands
 * between two blanks) it is in, and whether an end of sentence is pending
 * (terminator seen, closing quotes may follow, white space decides).  Dates,
 * times, addresses and prices are recognised by tiny state machines fed with
 * words and punctuation, where regular expressions would cost ten passes.
 * No allocation, no state between calls. */
#include "block_count.h"

#include "base/hash.h"
#include "char_class.h"

struct text_reader {
    struct block_counts *c;
    const struct title_words *title, *summary;
    uint32_t titles_seen, summaries_seen;    /* bits: words of them met */
    void (*word)(void *self, uint64_t hash); /* block_words(), or NULL */
    void *word_self;

    uint64_t hash; /* of the word so far */
    uint32_t word_chars;
    uint32_t word_digits;
    uint32_t word_value;  /* of an all-digit word, at most 4 digits of it */
    uint64_t word_before; /* hash of the word before, 0 after a blank */
    bool in_run, run_at;  /* a run is open; it has an @ in it */
    bool sentence_pending;
    uint8_t date_parts; /* numbers of a date seen: 1 of 3, 2 of 3 */
    bool clock_pending; /* one or two digits and a colon */
    bool number_before; /* the last thing before the blank was a number */
    bool currency_before;
    uint32_t last, last_but_quotes;
};

static void
digits_end(struct text_reader *r)
{
    uint32_t n = r->word_digits;

    if (n == 4 && (r->word_value / 100 == 19 || r->word_value / 100 == 20))
        r->c->flags |= BLOCK_DATE;
    if (r->clock_pending && n == 2)
        r->c->flags |= BLOCK_TIME;
    if (r->date_parts == 2 && n >= 2 && n <= 4)
        r->c->flags |= BLOCK_DATE;
    r->date_parts = n <= 2 && r->date_parts < 2 ? r->date_parts + 1 : 0;
    if (r->currency_before)
        r->c->flags |= BLOCK_CURRENCY;
}

static void
title_search(const struct title_words *t, uint64_t hash, uint32_t *seen)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->hash[i] == hash)
            *seen |= 1u << i;
}

static inline void
title_look(const struct title_words *t, uint64_t hash, uint32_t *seen)
{
    if (t->bloom[hash >> 6 & (TITLE_BLOOM - 1)] >> (hash & 63) & 1)
        title_search(t, hash, seen);
}

static void
count_up(uint16_t *n)
{
    if (*n < UINT16_MAX)
        (*n)++;
}

static void
lexicon_look(struct text_reader *r, uint64_t hash)
{
    const struct lexicon_entry *e = lexicon_find(hash);

    if (e == NULL)
        return;
    for (uint32_t bits = e->languages; bits != 0; bits &= bits - 1)
        count_up(&r->c->stop[__builtin_ctz(bits)]);
    for (uint32_t bits = e->lexicons; bits != 0; bits &= bits - 1)
        count_up(&r->c->lexicon[__builtin_ctz(bits)]);
    if (e->lexicons & 1u << LEXICON_CURRENCY && r->number_before)
        r->c->flags |= BLOCK_CURRENCY;
}

static void
word_end(struct text_reader *r)
{
    bool number = r->word_digits == r->word_chars;

    if (r->word_chars == 0)
        return;
    r->c->words++;
    if (r->word != NULL)
        r->word(r->word_self, r->hash);
    title_look(r->title, r->hash, &r->titles_seen);
    title_look(r->summary, r->hash, &r->summaries_seen);
    lexicon_look(r, r->hash);
    if (number)
        digits_end(r);
    else
        r->date_parts = 0;
    r->clock_pending = r->currency_before = false;
    r->number_before = number;
    r->word_before = r->hash;
    r->word_chars = r->word_digits = 0;
}

static void
word_add(struct text_reader *r, uint32_t cp, uint8_t class)
{
    if (r->word_chars == 0) {
        r->hash = LEXICON_HASH_START;
        r->word_value = 0;
    }
    r->word_chars++;
    if (class & CHAR_DIGIT) {
        r->word_digits++;
        r->c->digits++;
        if (r->word_digits <= 4 && cp >= '0' && cp <= '9')
            r->word_value = r->word_value * 10 + (cp - '0');
    } else if (class & CHAR_LETTER) {
        r->c->letters++;
    }
    if (class & CHAR_UPPER) {
        r->c->upper++;
        cp = cp < 0x80 ? cp + 32 : char_lower(cp);
    }
    r->hash = lexicon_hash_add(r->hash, cp);
}

/* Three words of English letters, known by their hash. */
static bool
is_word(uint64_t hash, const char *word)
{
    uint64_t h = LEXICON_HASH_START;

    for (; *word != '\0'; word++)
        h = lexicon_hash_add(h, (uint8_t)*word);
    return h == hash;
}

static void
dot_or_colon(struct text_reader *r, uint32_t cp, struct str text, size_t at)
{
    bool after_word = r->word_before != 0;

    if (cp == '.') {
        if (after_word && is_word(r->word_before, "www"))
            r->c->flags |= BLOCK_URL;
        if (r->run_at && at < text.n && text.p[at] != ' ')
            r->c->flags |= BLOCK_EMAIL;
        return;
    }
    if (after_word && at + 1 < text.n && text.p[at] == '/' &&
        text.p[at + 1] == '/' &&
        (is_word(r->word_before, "http") || is_word(r->word_before, "https")))
        r->c->flags |= BLOCK_URL;
    if (r->number_before && r->date_parts > 0)
        r->clock_pending = true;
}

/* Whether cp ends a sentence if white space or the end follows. */
static bool
is_terminator(uint32_t cp)
{
    switch (cp) {
    case '.':
    case '!':
    case '?':
    case ';':
    case 0x2026:
    case 0x3002:
    case 0xff01:
    case 0xff1f:
    case 0x589: /* Armenian */
    case 0x61f: /* Arabic */
    case 0x6d4: /* Urdu */
    case 0x964: /* Devanagari */
    case 0x965:
    case 0x104b: /* Burmese */
    case 0x1362: /* Ethiopic */
    case 0x17d4: /* Khmer */
    case 0x17d5: return true;
    default: return false;
    }
}

static bool
is_closing(uint32_t cp)
{
    return cp == '"' || cp == '\'' || cp == ')' || cp == ']' || cp == 0x201d ||
           cp == 0x2019 || cp == 0xbb || cp == 0x300d || cp == 0x300f ||
           cp == 0x201c;
}

static void
special(struct text_reader *r, uint32_t cp)
{
    switch (cp) {
    case ',':
    case ';':
    case 0x3001:
    case 0xff0c: r->c->commas++; break;
    case '?':
    case 0xff1f: r->c->flags |= BLOCK_QUESTION; break;
    case '|':
    case 0xb7:
    case 0xbb:
    case 0x203a:
    case 0x2022: r->c->flags |= BLOCK_BAR; break;
    case 0xa9: r->c->flags |= BLOCK_COPYRIGHT; break;
    case '@': r->run_at = r->in_run; break;
    case '$':
    case 0xa3:
    case 0xa5: r->currency_before = true; break;
    case 0x20ac:
        r->currency_before = true;
        if (r->number_before)
            r->c->flags |= BLOCK_CURRENCY;
        break;
    default: break;
    }
    if (cp == 0x3002 || cp == 0xff01 || cp == 0xff1f) { /* no blank needed */
        r->c->sentences++;
        r->sentence_pending = false;
    } else if (is_terminator(cp)) {
        r->sentence_pending = true;
    } else if (!is_closing(cp)) {
        r->sentence_pending = false;
    }
}

static void
punctuation(struct text_reader *r, uint32_t cp, struct str text, size_t at)
{
    word_end(r);
    special(r, cp);
    if (cp == '.' || cp == ':')
        dot_or_colon(r, cp, text, at);
    if (cp != '.' && cp != '/' && cp != '-')
        r->date_parts = 0;
    if (cp != 0x20ac)
        r->number_before = false;
    r->word_before = 0;
}

static void
blank(struct text_reader *r)
{
    word_end(r);
    r->c->blanks++;
    r->c->sentences += r->sentence_pending;
    r->sentence_pending = false;
    r->in_run = r->run_at = false;
    r->date_parts = 0;
    r->clock_pending = false;
    r->word_before = 0;
}

static void
run_start(struct text_reader *r, uint8_t class)
{
    r->in_run = true;
    r->c->runs++;
    r->c->capital_runs += (class & CHAR_UPPER) != 0;
}

/* As much of a word as is ASCII letters, of which there is one at least: what
 * read_text() would do with each.  Where they end. */
static size_t
ascii_letters(struct text_reader *r, struct str text, size_t at)
{
    uint64_t hash = r->word_chars > 0 ? r->hash : LEXICON_HASH_START;
    uint32_t upper = 0, n = 0;
    char c = text.p[at];

    if (r->word_chars == 0)
        r->word_value = 0;
    do {
        upper += c < 'a';
        hash = lexicon_hash_add(hash, (uint32_t)(c | 0x20));
        n++;
    } while (at + n < text.n && ascii_alpha(c = text.p[at + n]));
    r->hash = hash;
    r->word_chars += n;
    r->c->chars += n;
    r->c->letters += n;
    r->c->upper += upper;
    r->last = r->last_but_quotes = (uint8_t)text.p[at + n - 1];
    r->sentence_pending = false;
    return at + n;
}

static void
read_text(struct text_reader *r, struct str text)
{
    for (size_t at = 0; at < text.n;) {
        uint32_t cp;
        uint8_t class;

        if (ascii_alpha(text.p[at])) {
            if (!r->in_run)
                run_start(r, text.p[at] < 'a' ? CHAR_UPPER : 0);
            at = ascii_letters(r, text, at);
            continue;
        }
        r->c->chars++;
        if (text.p[at] == ' ') { /* as after most words */
            at++;
            blank(r);
            continue;
        }
        cp = char_next(text, &at);
        class = char_class(cp);
        if (class & CHAR_SPACE) {
            blank(r);
            continue;
        }
        if (!r->in_run)
            run_start(r, class);
        if (class & CHAR_WORD) {
            if (class & CHAR_SINGLE)
                word_end(r);
            word_add(r, cp, class);
            if (class & CHAR_SINGLE)
                word_end(r);
            r->sentence_pending = false;
        } else {
            punctuation(r, cp, text, at);
        }
        r->last = cp;
        if (!is_closing(cp))
            r->last_but_quotes = cp;
    }
    word_end(r);
    r->c->sentences += r->sentence_pending;
}

static uint32_t
edge_flags(const struct text_reader *r, struct str text)
{
    uint32_t last = r->last_but_quotes, flags = 0;
    size_t at = 0;
    uint32_t first = text.n > 0 ? char_next(text, &at) : 0;
    uint8_t class = char_class(first);

    if (is_terminator(last) && last != ';')
        flags |= BLOCK_ENDS_SENTENCE;
    if (last == ':' || last == 0xff1a)
        flags |= BLOCK_ENDS_COLON;
    if (r->last == 0x2026 || str_ends(text, S("...")))
        flags |= BLOCK_ENDS_ELLIPSIS;
    if ((class & (CHAR_LETTER | CHAR_UPPER)) == CHAR_LETTER &&
        !(class & CHAR_SINGLE))
        flags |= BLOCK_STARTS_LOWER;
    if (class & CHAR_DIGIT)
        flags |= BLOCK_STARTS_DIGIT;
    return flags;
}

void
block_count_text(struct block_counts *c, struct str text,
                 const struct title_words *title,
                 const struct title_words *summary)
{
    struct text_reader r = {.c = c, .title = title, .summary = summary};

    read_text(&r, text);
    c->bytes = (uint32_t)text.n;
    c->title_words = (uint32_t)__builtin_popcount(r.titles_seen);
    c->summary_words = (uint32_t)__builtin_popcount(r.summaries_seen);
    c->text = hash64(text);
    c->flags |= edge_flags(&r, text);
    if (c->lexicon[LEXICON_LEGAL] >= 2)
        c->flags |= BLOCK_COPYRIGHT;
}

void
block_words(struct str text, void (*word)(void *self, uint64_t hash),
            void *self)
{
    struct block_counts scratch = {0};
    struct title_words none = {.n = 0};
    struct text_reader r = {.c = &scratch,
                            .title = &none,
                            .summary = &none,
                            .word = word,
                            .word_self = self};

    read_text(&r, text);
}

static void
title_add(void *self, uint64_t hash)
{
    struct title_words *t = self;

    for (uint32_t i = 0; i < t->n; i++)
        if (t->hash[i] == hash)
            return;
    if (t->n == TITLE_WORDS_MAX)
        return;
    t->hash[t->n++] = hash;
    t->bloom[hash >> 6 & (TITLE_BLOOM - 1)] |= UINT64_C(1) << (hash & 63);
}

void
title_words_set(struct title_words *t, struct str title)
{
    *t = (struct title_words){.n = 0};
    block_words(title, title_add, t);
}

static void
summary_add(void *self, uint64_t hash)
{
    const struct lexicon_entry *e = lexicon_find(hash);

    if (e == NULL || e->languages == 0)
        title_add(self, hash);
}

void
title_words_set_summary(struct title_words *t, struct str summary)
{
    *t = (struct title_words){.n = 0};
    block_words(summary, summary_add, t);
}
