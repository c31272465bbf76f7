/* conllu.c -- see conllu.h. */
#include "conllu.h"

/* What a sentence is gathered in. */
struct gathering {
    struct str *words, *lemmas, *xpos;
    uint8_t *tags;
    size_t n, room;
    bool bad; /* a tag is none */
    bool upos_only;
};

/* Room for one more word. */
static void
grow(struct gathering *g, struct arena *a)
{
    size_t room = g->room ? g->room * 2 : 64, had = g->n * sizeof *g->words,
           bytes = room * sizeof *g->words;

    g->words = arena_grow(a, g->words, had, bytes);
    g->lemmas = arena_grow(a, g->lemmas, had, bytes);
    g->xpos = arena_grow(a, g->xpos, had, bytes);
    g->tags = arena_grow(a, g->tags, g->n, room);
    g->room = room;
}

static void
add_word(struct gathering *g, struct arena *a, const struct str column[5])
{
    unsigned tag = upos_find(column[3]);

    if (g->n == g->room)
        grow(g, a);
    g->bad |= tag == UPOS_N;
    g->words[g->n] = column[1];
    g->lemmas[g->n] = column[2];
    g->xpos[g->n] =
        g->upos_only || str_eq(column[4], S("_")) ? S("") : column[4];
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
        c->sentences[c->n++] = (struct conllu_sentence){g->words, g->lemmas,
                                                        g->xpos, g->tags, g->n};
        c->words_n += g->n;
    }
    *g = (struct gathering){.upos_only = g->upos_only};
}

unsigned
conllu_read(struct conllu *c, struct arena *a, struct str bytes, bool upos_only)
{
    struct gathering g = {.upos_only = upos_only};
    size_t room = c->n; /* the array is cut to what is used */
    unsigned number = 0;
    struct str line;

    while (str_cut(&bytes, '\n', &line)) {
        struct str column[5] = {[4] = S("")}, rest = line;
        unsigned i = 0;

        number++;
        if (str_trim(line).n == 0) {
            end_sentence(c, a, &g, &room);
            continue;
        }
        if (line.p[0] == '#')
            continue;
        while (i < 5 && str_cut(&rest, '\t', &column[i]))
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
