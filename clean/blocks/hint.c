/* hint.c -- see hint.h.
 *
 * Bytes fall into 28 symbols: the letters, the separator, everything else.
 * The automaton has one state for each prefix of a pattern (some 700); a
 * transition table of 16-bit states makes it about 40 KiB. */
#include "hint.h"

#include <assert.h>
#include <pthread.h>

#define SYMBOLS 28
#define SEPARATOR 26
#define OTHER 27
#define STATES_MAX 1500

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint8_t symbol_of[256];
static uint16_t next_state[STATES_MAX][SYMBOLS];
static uint32_t found[STATES_MAX];
static uint16_t states_n;

static const char *const patterns[HINT_N] = {
#define HINT(id, patterns) [HINT_##id] = patterns,
#include "hint.tbl.h"
#undef HINT
};

static const char *const words[] = {
#define CLASS_WORD(id, patterns) patterns,
#include "class_word.tbl.h"
#undef CLASS_WORD
};
#define WORDS_N (sizeof words / sizeof *words)
_Static_assert(HINT_N + WORDS_N <= 32, "a bit for each");

static void
add(struct str pattern, uint32_t bit)
{
    uint16_t s = 0;

    for (size_t i = 0; i < pattern.n; i++) {
        uint16_t *to = &next_state[s][symbol_of[(uint8_t)pattern.p[i]]];

        if (*to == 0) {
            assert(states_n < STATES_MAX);
            *to = states_n++;
        }
        s = *to;
    }
    found[s] |= bit;
}

/* Breadth first: a missing transition goes where the longest proper suffix
 * goes, so that matching never has to follow failure links. */
static void
complete(void)
{
    static uint16_t queue[STATES_MAX], suffix[STATES_MAX];
    size_t head = 0, tail = 0;

    for (int c = 0; c < SYMBOLS; c++)
        if (next_state[0][c] != 0)
            queue[tail++] = next_state[0][c];
    while (head < tail) {
        uint16_t s = queue[head++];

        found[s] |= found[suffix[s]];
        for (int c = 0; c < SYMBOLS; c++) {
            uint16_t to = next_state[s][c];

            if (to == 0) {
                next_state[s][c] = next_state[suffix[s]][c];
                continue;
            }
            suffix[to] = next_state[suffix[s]][c];
            queue[tail++] = to;
        }
    }
}

static void
add_all(const char *list, unsigned bit)
{
    struct str rest = str_c(list), word;

    while (str_word(&rest, &word))
        add(word, 1u << bit);
}

static void
build(void)
{
    for (int c = 0; c < 256; c++) {
        char l = ascii_lower((char)c);

        symbol_of[c] = OTHER;
        if (l >= 'a' && l <= 'z')
            symbol_of[c] = (uint8_t)(l - 'a');
        if (l == '-' || l == '_' || ascii_space(l))
            symbol_of[c] = SEPARATOR;
    }
    states_n = 1;
    for (unsigned h = 0; h < HINT_N; h++)
        add_all(patterns[h], h);
    for (unsigned w = 0; w < WORDS_N; w++)
        add_all(words[w], HINT_N + w);
    complete();
}

void
hint_init(void)
{
    pthread_once(&once, build);
}

static uint32_t
scan(struct str s)
{
    uint16_t state = next_state[0][SEPARATOR];
    uint32_t bits = 0;

    for (size_t i = 0; i < s.n; i++) {
        state = next_state[state][symbol_of[(uint8_t)s.p[i]]];
        bits |= found[state];
    }
    return bits | found[next_state[state][SEPARATOR]];
}

uint32_t
hint_find(struct str class_value, struct str id_value)
{
    uint32_t bits = 0;

    if (class_value.n > 0)
        bits |= scan(class_value);
    if (id_value.n > 0)
        bits |= scan(id_value);
    return bits;
}
