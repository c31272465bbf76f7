/* token.c -- job token: sentences become tokens with blanks between them.
 *
 * Of documents what stands in <s> (or in <p>, where there is no <s>), of other
 * lines the first column. */
#include "doc_line.h"
#include "job.h"
#include "sentence_tokens.h"

enum { REJECTED, LINES, TOKENS };

struct token_job {
    struct job_run *r;
    struct sentence_tokens words;
    struct str language; /* "": each document's own */
    bool parts;          /* of contractions */
    struct buf plain, tokens, text, line;
};

/* Tokens of a sentence behind what `tokens` has. */
static void
add_tokens(struct token_job *j, struct str language, struct str sentence)
{
    if (!sentence_tokenize(&j->words, language, sentence, j->parts))
        return;
    for (size_t i = 0; i < j->words.words_n; i++) {
        if (i > 0)
            buf_char(&j->tokens, ' ');
        buf_str(&j->tokens, j->words.word[i]);
    }
    job_count(j->r, TOKENS, j->words.words_n);
}

static void
add_text(struct token_job *j, struct str language, struct str text)
{
    buf_clear(&j->plain);
    buf_clear(&j->tokens);
    doc_unescape(&j->plain, text);
    add_tokens(j, language, buf_view(&j->plain));
    doc_escape(&j->text, buf_view(&j->tokens));
}

static void
map_document(struct token_job *j, struct doc_line *d)
{
    struct str rest = d->text, own = doc_element(d->source, DOC_FACT_LANGUAGE),
               lang;
    struct doc_piece piece;

    buf_clear(&j->text);
    lang = j->language.n > 0 ? j->language : own;
    while ((piece = doc_next(&rest)).kind != DOC_END) {
        if (piece.kind == DOC_TEXT) {
            add_text(j, lang, piece.text);
            continue;
        }
        if (piece.kind == DOC_S && doc_attribute(piece.text, "lang").n > 0)
            lang = doc_attribute(piece.text, "lang");
        buf_str(&j->text, piece.text);
    }
    d->text = buf_view(&j->text);
    doc_line_write(&j->line, d);
    job_put(j->r, buf_view(&j->line));
}

static void
map_sentence(struct token_job *j, struct str line)
{
    size_t tab = str_find(line, '\t', 0);

    buf_clear(&j->tokens);
    add_tokens(j, j->language, str_sub(line, 0, tab));
    buf_clear(&j->line);
    buf_str(&j->line, buf_view(&j->tokens));
    buf_str(&j->line, str_sub(line, tab, line.n));
    job_put(j->r, buf_view(&j->line));
}

static void
map(struct job_run *r)
{
    struct token_job j = {.r = r,
                          .language = job_option_text(r, "lang"),
                          .parts = job_option(r, "contractions") != 0};
    struct str line;

    sentence_tokens_open(&j.words, r);
    while (job_line(r, &line)) {
        struct doc_line d;

        job_count(r, LINES, 1);
        if (doc_line_read(&d, line) && doc_text_begins(d.text))
            map_document(&j, &d);
        else if (line.n > 0)
            map_sentence(&j, line);
        else
            job_count(r, REJECTED, 1);
    }
    sentence_tokens_close(&j.words);
    buf_free(&j.plain);
    buf_free(&j.tokens);
    buf_free(&j.text);
    buf_free(&j.line);
}

const struct corpus_job job_token = {
    .name = "token",
    .summary = "The tokens of sentences, with blanks between them.",
    .lines = "map: documents, or sentences in the first column -> the same",
    .phase = {map, NULL, NULL},
    .options = {JOB_LANGUAGE(
                    "Language; preset: what each document says of itself."),
                JOB_NUMBER("contractions", "0",
                           "1: in their words, \"im\" as \"in dem\".", 0, 1),
                JOB_WORD_LISTS_OPTION},
    .counters = {JOB_LINES_REJECTED, "lines", "tokens"},
};
