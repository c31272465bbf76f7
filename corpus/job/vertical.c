/* vertical.c -- job vertical: documents become files of corpus managers.
 *
 *   form=vertical  a token a line: word, tag, lemma; for Sketch Engine,
 *                  NoSketch Engine and BlackLab (format sketch-wpl)
 *                    <doc url="..." ...>  what is known of the document
 *                    <p heading="1" lang="nl">, <s lang="nl">
 *                    <g/>   no blank stood between the two tokens
 *   form=cwb       the same with & < > as references, for cwb-encode -xsB
 *   form=conllu    CoNLL-U; contractions are ranges of their words
 *   form=registry  the registry file of form=vertical; nothing is read
 *
 * Tags (UPOS, or tagset=xpos) and lemmas are those of the language's tagger;
 * "_" where there is none, or with tags=0.  A contraction is one token of a
 * vertical file, with the tags and lemmas of its words joined by +. */
#include <inttypes.h>

#include "clean/registry/registry_place.h"
#include "doc_line.h"
#include "job.h"
#include "sentence_tokens.h"

enum { REJECTED, DOCUMENTS, PARAGRAPHS, SENTENCES, TOKENS, UNTAGGED };

struct vertical_job {
    struct job_run *r;
    struct sentence_tokens words;
    struct str language;                /* "": each document's own */
    struct str attributes;              /* of <doc> */
    struct str missing;                 /* stands for what is not known */
    bool conllu, references, tags, own; /* own: XPOS, not UPOS */

    const struct tagger *tagger; /* of the sentence; NULL: none */
    bool in_sentence;
    uint64_t sentence; /* number in the document, from 1 */
    struct buf plain, line, value, id;
};

static void
put(struct vertical_job *j)
{
    job_put(j->r, buf_view(&j->line));
    buf_clear(&j->line);
}

static void
put_text(struct vertical_job *j, struct str text)
{
    buf_str(&j->line, text);
    put(j);
}

/* ---- documents ---- */

/* What an element of the columns says, as plain text. */
static struct str
value_of(struct vertical_job *j, const struct doc_line *d, struct str name)
{
    enum doc_fact fact = doc_fact_of(name);
    struct str value;

    buf_clear(&j->value);
    if (fact == DOC_FACT_N)
        return d->url;
    value = doc_element(d->source, fact);
    if (value.n == 0)
        value = doc_element(d->process, fact);
    doc_unescape(&j->value, value);
    return buf_view(&j->value);
}

static void
add_attribute(struct buf *out, struct str name, struct str value)
{
    buf_printf(out, " %.*s=\"", STRF(name));
    for (size_t i = 0; i < value.n; i++)
        switch (value.p[i]) {
        case '&': buf_c(out, "&amp;"); break;
        case '<': buf_c(out, "&lt;"); break;
        case '>': buf_c(out, "&gt;"); break;
        case '"': buf_c(out, "&quot;"); break;
        default: buf_char(out, value.p[i]);
        }
    buf_char(out, '"');
}

static void
begin_document(struct vertical_job *j, const struct doc_line *d)
{
    struct str names = j->attributes, name;

    buf_c(&j->line, "<doc");
    while (str_word(&names, &name)) {
        struct str value = value_of(j, d, name);

        add_attribute(&j->line, name, value.n > 0 ? value : j->missing);
    }
    buf_char(&j->line, '>');
    put(j);
}

static void
begin_conllu_document(struct vertical_job *j, const struct doc_line *d)
{
    struct str id = value_of(j, d, S("id"));

    j->sentence = 0;
    buf_clear(&j->id);
    buf_str(&j->id, id.n > 0 ? id : d->url);
    buf_printf(&j->line, "# newdoc id = %.*s", STRF(buf_view(&j->id)));
    put(j);
    buf_printf(&j->line, "# url = %.*s", STRF(d->url));
    put(j);
}

/* ---- tokens ---- */

/* One line's word: no TAB, no line end, no tag where a tag might be meant. */
static void
add_form(struct vertical_job *j, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];

        if (c < ' ')
            buf_char(&j->line, ' ');
        else if (j->references && (c == '&' || c == '>'))
            buf_c(&j->line, c == '&' ? "&amp;" : "&gt;");
        else if (c == '<' && (j->references || (i == 0 && !j->conllu)))
            buf_c(&j->line, "&lt;");
        else
            buf_char(&j->line, s.p[i]);
    }
}

static void
add_lemma(struct vertical_job *j, size_t w)
{
    uint8_t tag = j->words.tag[w];

    if (tag >= UPOS_N)
        buf_char(&j->line, '_');
    else
        add_form(
            j, tagger_lemma(j->tagger, j->words.arena, j->words.word[w], tag));
}

static void
put_token(struct vertical_job *j, size_t i)
{
    const struct sentence_token *t = &j->words.token[i];

    if (i > 0 && t->glued)
        put_text(j, S("<g/>"));
    add_form(j, t->text);
    buf_char(&j->line, '\t');
    sentence_put_tag(&j->words, i, j->own, &j->line);
    buf_char(&j->line, '\t');
    for (size_t w = t->first; w < t->first + t->n; w++) {
        if (w > t->first)
            buf_char(&j->line, '+');
        add_lemma(j, w);
    }
    put(j);
}

/* A line of ten columns for each word, one before those of a contraction. */
static void
put_conllu(struct vertical_job *j, size_t i)
{
    const struct sentence_token *t = &j->words.token[i];
    const char *glue = i + 1 < j->words.n && t[1].glued ? "SpaceAfter=No" : "_";

    if (t->n > 1) {
        buf_printf(&j->line, "%zu-%zu\t", t->first + 1, t->first + t->n);
        add_form(j, t->text);
        buf_printf(&j->line, "\t_\t_\t_\t_\t_\t_\t_\t%s", glue);
        put(j);
    }
    for (size_t w = t->first; w < t->first + t->n; w++) {
        uint8_t tag = j->words.tag[w];
        struct str xpos = j->words.xpos[w];

        buf_printf(&j->line, "%zu\t", w + 1);
        add_form(j, j->words.word[w]);
        buf_char(&j->line, '\t');
        add_lemma(j, w);
        buf_printf(&j->line, "\t%s\t", tag < UPOS_N ? upos_name[tag] : "_");
        add_form(j, xpos.n > 0 ? xpos : S("_"));
        buf_printf(&j->line, "\t_\t_\t_\t_\t%s", t->n > 1 ? "_" : glue);
        put(j);
    }
}

static void
begin_conllu(struct vertical_job *j, struct str text)
{
    buf_printf(&j->line, "# sent_id = %.*s-%" PRIu64, STRF(buf_view(&j->id)),
               ++j->sentence);
    put(j);
    buf_c(&j->line, "# text = ");
    add_form(j, text);
    put(j);
}

static void
put_sentence(struct vertical_job *j, struct str language, struct str text)
{
    buf_clear(&j->plain);
    doc_unescape(&j->plain, text);
    j->tagger = j->tags ? sentence_tagger(&j->words, language) : NULL;
    if (!sentence_tokenize(&j->words, language, buf_view(&j->plain), true))
        return;
    if (j->tagger != NULL)
        sentence_tag(&j->words, j->tagger);
    else
        job_count(j->r, UNTAGGED, 1);
    if (j->conllu)
        begin_conllu(j, buf_view(&j->plain));
    for (size_t i = 0; i < j->words.n; i++)
        if (j->conllu)
            put_conllu(j, i);
        else
            put_token(j, i);
    if (j->conllu)
        put_text(j, S(""));
    job_count(j->r, SENTENCES, 1);
    job_count(j->r, TOKENS, j->words.n);
}

/* ---- structure ---- */

/* The language of a piece that a tag begins. */
static struct str
language_of(const struct vertical_job *j, const struct doc_line *d,
            struct str tag)
{
    struct str own = doc_attribute(tag, "lang");

    if (own.n > 0)
        return own;
    return j->language.n > 0 ? j->language
                             : doc_element(d->source, DOC_FACT_LANGUAGE);
}

static void
put_tag(struct vertical_job *j, const struct doc_piece *piece)
{
    if (piece->kind == DOC_P)
        job_count(j->r, PARAGRAPHS, 1);
    if (!j->conllu)
        put_text(j, piece->text);
    else if (piece->kind == DOC_P)
        put_text(j, S("# newpar"));
}

static void
put_document(struct vertical_job *j, const struct doc_line *d)
{
    struct str rest = d->text, language = language_of(j, d, S(""));
    struct doc_piece piece;

    if (j->conllu)
        begin_conllu_document(j, d);
    else
        begin_document(j, d);
    while ((piece = doc_next(&rest)).kind != DOC_END) {
        bool bare = piece.kind == DOC_TEXT && !j->in_sentence;

        if (piece.kind == DOC_S)
            language = language_of(j, d, piece.text);
        if (piece.kind == DOC_S || piece.kind == DOC_S_END)
            j->in_sentence = piece.kind == DOC_S;
        if (bare && !j->conllu)
            put_text(j, S("<s>"));
        if (piece.kind == DOC_TEXT)
            put_sentence(j, language, piece.text);
        else
            put_tag(j, &piece);
        if (bare && !j->conllu)
            put_text(j, S("</s>"));
    }
    j->in_sentence = false;
    if (!j->conllu)
        put_text(j, S("</doc>"));
    job_count(j->r, DOCUMENTS, 1);
}

/* ---- the registry ---- */

static void
put_registry(struct vertical_job *j)
{
    struct str names = j->attributes, name;

    buf_printf(&j->line,
               "NAME \"%.*s\"\nPATH \"%.*s.indexed\"\nVERTICAL \"%.*s\"\n"
               "ENCODING \"UTF-8\"\n\nATTRIBUTE word\n",
               STRF(job_option_text(j->r, "corpus")),
               STRF(job_option_text(j->r, "path")),
               STRF(job_option_text(j->r, "path")));
    registry_lowercase(&j->line, "lc", "word");
    buf_c(&j->line, "ATTRIBUTE tag\nATTRIBUTE lemma\n");
    registry_lowercase(&j->line, "lemma_lc", "lemma");
    buf_c(&j->line, "\nSTRUCTURE doc {\n");
    while (str_word(&names, &name))
        buf_printf(&j->line, "\tATTRIBUTE %.*s\n", STRF(name));
    buf_c(&j->line, "}\nSTRUCTURE p {\n\tATTRIBUTE heading\n\tATTRIBUTE lang\n"
                    "}\nSTRUCTURE s {\n\tATTRIBUTE lang\n\tATTRIBUTE lani\n"
                    "}\nSTRUCTURE g {\n\tDISPLAYTAG 0\n"
                    "\tDISPLAYBEGIN \"_EMPTY_\"\n}\n\n"
                    "DOCSTRUCTURE doc\nDEFAULTATTR word");
    put(j);
}

static void
put_documents(struct vertical_job *j)
{
    struct str line;

    while (job_line(j->r, &line)) {
        struct doc_line d;

        if (doc_line_read(&d, line) && doc_text_begins(d.text))
            put_document(j, &d);
        else
            job_count(j->r, REJECTED, 1);
    }
}

static void
map(struct job_run *r)
{
    struct str form = job_option_text(r, "form");
    struct vertical_job j = {
        .r = r,
        .language = job_option_text(r, "lang"),
        .attributes = job_option_text(r, "attributes"),
        .missing = job_option_text(r, "missing"),
        .conllu = str_eq(form, S("conllu")),
        .references = str_eq(form, S("cwb")),
        .tags = job_option(r, "tags") != 0,
        .own = str_eq(job_option_text(r, "tagset"), S("xpos"))};

    sentence_tokens_open(&j.words, r);
    if (str_eq(form, S("registry")))
        put_registry(&j);
    else
        put_documents(&j);
    sentence_tokens_close(&j.words);
    buf_free(&j.plain);
    buf_free(&j.line);
    buf_free(&j.value);
    buf_free(&j.id);
}

const struct corpus_job job_vertical = {
    .name = "vertical",
    .summary = "Tokens, parts of speech and lemmas for corpus managers.",
    .lines = "map: documents -> lines of a vertical file or of CoNLL-U",
    .phase = {map, NULL, NULL},
    .options =
        {JOB_TEXT("form", "vertical",
                  "For Sketch Engine and BlackLab, for the Corpus "
                  "Workbench, CoNLL-U, or the registry file.",
                  "vertical cwb conllu registry"),
         JOB_LANGUAGE("Language of what says none; preset: what each "
                      "document says of itself."),
         JOB_NUMBER("tags", "1", "0: no parts of speech and lemmas.", 0, 1),
         JOB_TEXT("tagset", "upos",
                  "The tags of a vertical file; xpos: those of the language's "
                  "own where its model has them (CoNLL-U has both).",
                  "upos xpos"),
         JOB_LIST("attributes",
                  "id url title date timestamp language length badness "
                  "boilerplate_mean",
                  "What of a document stands in <doc>. date is the page's, "
                  "timestamp that of the fetch.",
                  doc_fact_names),
         JOB_TEXT("missing", "",
                  "What stands there for what is not known: n/a.", NULL),
         JOB_TEXT("corpus", "corpus", "registry: name of the corpus.", NULL),
         JOB_TEXT("path", "corpus.vert", "registry: path of the file.", NULL),
         JOB_WORD_LISTS_OPTION},
    .counters = {JOB_LINES_REJECTED, "documents", "paragraphs", "sentences",
                 "tokens", "sentences without tagger"},
};
