/* language.c -- job language: in which language each sentence is.
 *
 * lani is what was detected, lang what it counts as (language_runs.h).  A
 * paragraph that has no sentence left is left out, and so is a document without
 * paragraphs. */
#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "corpus/language/language_id.h"
#include "doc_line.h"
#include "job.h"
#include "job_words_of.h"
#include "language_runs.h"

enum { REJECTED, DOCUMENTS, SENTENCES, OTHERS, UNKNOWN, ERRORS, EMPTY };

struct language_job {
    struct job_run *r;
    struct language_model *model;
    struct str language; /* "": each document's own */
    uint64_t most;
    bool drop, mark; /* mark: paragraphs, too */

    struct str *sentence; /* of the paragraph, as they stand */
    struct labelled_sentence *label;
    size_t n, room;
    struct str paragraph; /* its tag */
    struct buf plain, text, line;
    struct buf whole; /* the paragraph's text, to be marked */
};

static void
add_sentence(struct language_job *j, struct str text)
{
    struct language_guess g;

    if (j->n == j->room) {
        j->room = j->room ? 2 * j->room : 64;
        j->sentence =
            memory_need(realloc(j->sentence, j->room * sizeof *j->sentence));
        j->label = memory_need(realloc(j->label, j->room * sizeof *j->label));
    }
    buf_clear(&j->plain);
    doc_unescape(&j->plain, text);
    if (j->mark) {
        buf_str(&j->whole, buf_view(&j->plain));
        buf_char(&j->whole, ' ');
    }
    language_guess(j->model, buf_view(&j->plain), &g);
    j->sentence[j->n] = text;
    j->label[j->n++] = (struct labelled_sentence){
        .lani = str_eq(g.language, S("und")) ? S("unknown") : g.language,
        .chars = doc_chars(text)};
}

static void
count(struct language_job *j, const struct labelled_sentence *s,
      struct str wanted)
{
    job_count(j->r, SENTENCES, 1);
    job_count(j->r, OTHERS, !s->is_wanted);
    job_count(j->r, UNKNOWN, str_eq(s->lani, S("unknown")));
    job_count(j->r, ERRORS, s->is_wanted && !str_eq(s->lani, wanted));
}

/* <p> with the language of all of it. */
static void
put_paragraph(struct language_job *j)
{
    struct language_guess g;

    if (!j->mark) {
        buf_str(&j->text, j->paragraph);
        return;
    }
    language_guess(j->model, buf_view(&j->whole), &g);
    buf_str(&j->text, str_sub(j->paragraph, 0, j->paragraph.n - 1));
    buf_printf(&j->text, " lang=\"%.*s\">", STRF(g.language));
}

static void
end_paragraph(struct language_job *j, struct str wanted)
{
    size_t begin = j->text.n;
    bool any = false;

    language_runs(j->label, j->n, wanted, j->most);
    put_paragraph(j);
    for (size_t i = 0; i < j->n; i++) {
        const struct labelled_sentence *s = &j->label[i];
        struct str lang = s->is_wanted && wanted.n > 0 ? wanted : s->lani;

        count(j, s, wanted);
        if (j->drop && !s->is_wanted)
            continue;
        buf_printf(&j->text, "<s lang=\"%.*s\" lani=\"%.*s\">%.*s</s>",
                   STRF(lang), STRF(s->lani), STRF(j->sentence[i]));
        any = true;
    }
    buf_c(&j->text, "</p>");
    if (!any)
        j->text.n = begin;
    j->n = 0;
    j->paragraph = S("<p>");
    buf_clear(&j->whole);
}

static void
label_text(struct language_job *j, struct str text, struct str wanted)
{
    struct doc_piece piece;

    buf_clear(&j->text);
    buf_clear(&j->whole);
    j->n = 0;
    j->paragraph = S("<p>");
    while ((piece = doc_next(&text)).kind != DOC_END)
        if (piece.kind == DOC_TEXT)
            add_sentence(j, piece.text);
        else if (piece.kind == DOC_P)
            j->paragraph = piece.text;
        else if (piece.kind == DOC_P_END)
            end_paragraph(j, wanted);
    if (j->n > 0)
        end_paragraph(j, wanted);
}

/* "de" of "de-AT", by the name that guesses have for it. */
static struct str
wanted_of(const struct language_job *j, struct str language)
{
    struct str primary, known;
    size_t n = 0;

    while (n < language.n && ascii_alpha(language.p[n]))
        n++;
    primary = str_sub(language, 0, n);
    known = language_known(j->model, primary);
    return known.n > 0 ? known : primary;
}

/* One that no sentence can be of would leave nothing of the corpus. */
static bool
can_be_told(const struct language_job *j)
{
    struct buf known = {0};

    if (j->language.n == 0 ||
        language_known(j->model, wanted_of(j, j->language)).n > 0)
        return true;
    language_list(j->model, &known);
    log_error("job",
              "job=language lang=\"%.*s\" fault=\"no language of this name is "
              "told\" known=\"%.*s\"",
              STRF(j->language), STRF(str_trim(buf_view(&known))));
    buf_free(&known);
    return false;
}

static void
map_line(struct language_job *j, struct str line)
{
    struct doc_line d;

    if (!doc_line_read(&d, line)) {
        job_count(j->r, REJECTED, 1);
        return;
    }
    label_text(j, d.text,
               wanted_of(j, j->language.n > 0
                                ? j->language
                                : doc_element(d.source, DOC_FACT_LANGUAGE)));
    job_count(j->r, DOCUMENTS, 1);
    if (j->text.n == 0) {
        job_count(j->r, EMPTY, 1);
        return;
    }
    d.text = buf_view(&j->text);
    doc_line_write(&j->line, &d);
    job_put(j->r, buf_view(&j->line));
}

static void
map(struct job_run *r)
{
    struct language_job j = {.r = r,
                             .language = job_option_text(r, "lang"),
                             .most = job_option(r, "unknown-max"),
                             .drop = job_option(r, "drop") != 0,
                             .mark = job_option(r, "paragraphs") != 0};
    struct buf folder = {0};
    struct str line;

    job_data_dir(r, &folder);
    if (language_model_open(&j.model, folder.p) == ST_OK && can_be_told(&j))
        while (job_line(r, &line))
            map_line(&j, line);
    else
        job_fail(r);
    language_model_free(j.model);
    free(j.sentence);
    free(j.label);
    buf_free(&folder);
    buf_free(&j.plain);
    buf_free(&j.text);
    buf_free(&j.line);
    buf_free(&j.whole);
}

const struct corpus_job job_language = {
    .name = "language",
    .summary = "The languages of sentences; those of others go.",
    .lines = "map: documents with <s> -> the same with <s lang= lani=>",
    .phase = {map, NULL, NULL},
    .options = {JOB_LANGUAGE("The language that is wanted; preset: what each "
                             "document says of itself."),
                JOB_NUMBER("unknown-max", "200",
                           "Characters: so much of another language inside of "
                           "a paragraph is taken for an error.",
                           0, 1000000000),
                JOB_NUMBER("paragraphs", "0",
                           "1: paragraphs are marked, too: <p lang=>.", 0, 1),
                JOB_NUMBER("drop", "1",
                           "0: sentences of other languages stay, marked.", 0,
                           1)},
    .counters = {JOB_LINES_REJECTED, "documents", "sentences",
                 "sentences of another language",
                 "sentences of no known language", "taken for errors",
                 "documents without a sentence left"},
};
