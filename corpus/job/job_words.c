/* job_words.c -- see job_words.h. */
#include "job_words.h"

#include <stdlib.h>

#include "base/memory.h"
#include "doc_line.h"

void
job_words_open(struct job_words *w, struct job_run *r, unsigned rejected)
{
    *w = (struct job_words){.r = r,
                            .column = job_option(r, "column"),
                            .weight_column = job_option(r, "weight-column"),
                            .separator = job_option_text(r, "separator"),
                            .rejected = rejected};
}

void
job_words_close(struct job_words *w)
{
    buf_free(&w->plain);
    free(w->word);
}

static bool
column_of(struct str line, uint64_t i, struct str *column)
{
    size_t from = 0, to = str_find(line, '\t', 0);

    while (i > 1 && to < line.n) {
        from = to + 1;
        to = str_find(line, '\t', from);
        i--;
    }
    *column = str_sub(line, from, to);
    return i == 1;
}

static bool
next_line(struct job_words *w)
{
    struct str line, weight;

    while (job_line(w->r, &line)) {
        w->weight = 1;
        if (!column_of(line, w->column, &w->rest) ||
            (w->weight_column > 0 &&
             (!column_of(line, w->weight_column, &weight) ||
              !str_u64(weight, &w->weight) || w->weight == 0))) {
            job_count(w->r, w->rejected, 1);
            continue;
        }
        w->has_tags = doc_text_begins(w->rest);
        return true;
    }
    return false;
}

/* The next text between tags or separators. */
static bool
next_text(struct job_words *w, struct str *text)
{
    const char *p;

    if (w->has_tags) {
        struct doc_piece piece;

        do
            piece = doc_next(&w->rest);
        while (piece.kind != DOC_TEXT && piece.kind != DOC_END);
        buf_clear(&w->plain);
        doc_unescape(&w->plain, piece.text);
        *text = buf_view(&w->plain);
        return piece.kind == DOC_TEXT;
    }
    if (w->rest.n == 0)
        return false;
    p = w->separator.n == 0
            ? NULL
            : memmem(w->rest.p, w->rest.n, w->separator.p, w->separator.n);
    *text = p == NULL ? w->rest : str_n(w->rest.p, (size_t)(p - w->rest.p));
    w->rest = str_sub(w->rest, p == NULL ? w->rest.n : text->n + w->separator.n,
                      w->rest.n);
    return true;
}

static void
add_word(struct job_words *w, struct str word)
{
    if (w->n == w->room) {
        w->room = w->room ? 2 * w->room : 64;
        w->word = memory_need(realloc(w->word, w->room * sizeof *w->word));
    }
    w->word[w->n++] = word;
}

bool
job_words_next(struct job_words *w)
{
    struct str text, word;

    for (;;) {
        while (!next_text(w, &text))
            if (!next_line(w))
                return false;
        w->n = 0;
        while (str_cut(&text, ' ', &word))
            if (word.n > 0)
                add_word(w, word);
        if (w->n > 0)
            return true;
    }
}
