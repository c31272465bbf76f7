/* conllu.c -- see conllu.h. */
#include "conllu.h"

/* What a sentence is gathered in. */
struct gathering {
    struct str *words, *lemmas;
    uint8_t *tags;
    size_t n, room;
    bool bad; /* a tag is none */
};

static void
add_word(struct gathering *g, struct arena *a, const struct str column[4])
{
    unsigned tag = upos_find(column[3]);

    if (g->n == g->room) {
        size_t room = g->room ? g->room * 2 : 64;

        g->words = arena_grow(a, g->words, g->n * sizeof *g->words,
                              room * sizeof *g->words);
        g->lemmas = arena_grow(a, g->lemmas, g->n * sizeof *g->lemmas,
                               room * sizeof *g->lemmas);
        g->tags = arena_grow(a, g->tags, g->n, room);
        g->room = room;
    }
    g->bad |= tag == UPOS_N;
    g->words[g->n] = column[1];
    g->lemmas[g->n] = column[2];
    g->tags[g->n++] = (uint8_t)tag;
}

static void
end_sentence(struct conllu *c, struct arena *a, struct gathering *g,
             size_t *room)
{
    if (g->n > 0 && !g->bad) {
        if (c->n == *room) {
            size_t more = *room ? *room * 2 : 1024;

            c->sentences =
                arena_grow(a, c->sentences, c->n * sizeof *c->sentences,
                           more * sizeof *c->sentences);
            *room = more;
        }
        c->sentences[c->n++] =
            (struct conllu_sentence){g->words, g->lemmas, g->tags, g->n};
        c->words_n += g->n;
    }
    *g = (struct gathering){.bad = false};
}

unsigned
conllu_read(struct conllu *c, struct arena *a, struct str bytes)
{
    struct gathering g = {.bad = false};
    size_t room = c->n; /* the array is cut to what is used */
    unsigned number = 0;
    struct str line;

    while (str_cut(&bytes, '\n', &line)) {
        struct str column[4], rest = line;
        unsigned i = 0;

        number++;
        if (str_trim(line).n == 0) {
            end_sentence(c, a, &g, &room);
            continue;
        }
        if (line.p[0] == '#')
            continue;
        while (i < 4 && str_cut(&rest, '\t', &column[i]))
            i++;
        if (i < 4)
            return number;
        if (memchr(column[0].p, '-', column[0].n) == NULL &&
            memchr(column[0].p, '.', column[0].n) == NULL)
            add_word(&g, a, column);
    }
    end_sentence(c, a, &g, &room);
    return 0;
}
