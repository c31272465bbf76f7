/* sentence.c -- job sentence: the paragraphs of documents become sentences. */
#include "corpus/text/sentences.h"
#include "doc_line.h"
#include "job.h"
#include "job_words_of.h"

enum { REJECTED, DOCUMENTS, PARAGRAPHS, SENTENCES };

struct sentence_job {
    struct job_run *r;
    struct job_word_lists lists;
    struct str language;  /* "": each document's own */
    struct str paragraph; /* its tag */
    struct buf plain, text, line;
    unsigned flags; /* enum sentences_flag */
};

static void
end_paragraph(struct sentence_job *j, const struct language_words *words)
{
    struct sentences it;
    struct str sentence;

    buf_str(&j->text, j->paragraph);
    sentences_begin(&it, words, buf_view(&j->plain), j->flags);
    while (sentences_next(&it, &sentence)) {
        buf_c(&j->text, "<s>");
        doc_escape(&j->text, sentence);
        buf_c(&j->text, "</s>");
        job_count(j->r, SENTENCES, 1);
    }
    buf_c(&j->text, "</p>");
    buf_clear(&j->plain);
    j->paragraph = S("<p>");
    job_count(j->r, PARAGRAPHS, 1);
}

static void
split_text(struct sentence_job *j, struct str text,
           const struct language_words *words)
{
    struct doc_piece piece;

    buf_clear(&j->text);
    buf_clear(&j->plain);
    j->paragraph = S("<p>");
    while ((piece = doc_next(&text)).kind != DOC_END)
        if (piece.kind == DOC_TEXT)
            doc_unescape(&j->plain, piece.text);
        else if (piece.kind == DOC_P)
            j->paragraph = piece.text;
        else if (piece.kind == DOC_P_END)
            end_paragraph(j, words);
        else if (piece.kind == DOC_S_END)
            buf_char(&j->plain, ' '); /* it was split before */
    if (j->plain.n > 0)
        end_paragraph(j, words);
}

static void
map(struct job_run *r)
{
    struct sentence_job j = {
        .r = r,
        .language = job_option_text(r, "lang"),
        .flags = job_option(r, "quotes") != 0 ? SENTENCES_QUOTES : 0};
    struct str line;

    job_word_lists_open(&j.lists, r);
    while (job_line(r, &line)) {
        const struct language_words *words;
        struct doc_line d;

        if (!doc_line_read(&d, line)) {
            job_count(r, REJECTED, 1);
            continue;
        }
        words = job_word_list(&j.lists,
                              j.language.n > 0
                                  ? j.language
                                  : doc_element(d.source, DOC_FACT_LANGUAGE));
        if (words == NULL)
            break;
        split_text(&j, d.text, words);
        d.text = buf_view(&j.text);
        doc_line_write(&j.line, &d);
        job_put(r, buf_view(&j.line));
        job_count(r, DOCUMENTS, 1);
    }
    job_word_lists_close(&j.lists);
    buf_free(&j.plain);
    buf_free(&j.text);
    buf_free(&j.line);
}

const struct corpus_job job_sentence = {
    .name = "sentence",
    .summary = "The sentences of documents, marked.",
    .lines = "map: documents -> documents with <s>...</s> in <p>...</p>",
    .phase = {map, NULL, NULL},
    .options = {JOB_LANGUAGE(
                    "Language; preset: what each document says of itself."),
                JOB_NUMBER("quotes", "0",
                           "1: a long quotation of several sentences is not "
                           "cut, as a short one never is.",
                           0, 1),
                JOB_WORD_LISTS_OPTION},
    .counters = {JOB_LINES_REJECTED, "documents", "paragraphs", "sentences"},
};
