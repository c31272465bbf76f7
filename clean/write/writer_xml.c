/* writer_xml.c -- records in the element and attribute names of texrex.
 *
 *   <doc url id ip sourcecharset sourcedoctype bdc bdv nbc nbcprop nbd nbdprop
 *        avgbpc avgbpd ATTRIBUTES reject>
 *   <meta name="title" content="..." />
 *   <metadata name content source confidence chosen />
 *   <CONTAINER>
 *   value
 *   </CONTAINER>
 *   <div idx bpc bpv ATTRIBUTES>
 *   <meta name="chars" content="..." />
 *   <metrics value="..." />
 *   text
 *   </div>
 *   <dup idx of>
 *   text
 *   </dup>
 *   </doc>
 *
 * bdv is the badness and bpv the boilerplate value; bdc and bpc are the same as
 * a letter ('a' is best: badness in steps of 2, boilerplate in steps of .1).
 * nbc and nbd count kept characters and blocks, the -prop attributes are their
 * shares, avgbpc and avgbpd means of bpv over characters and over blocks.
 * ip and reject are there when there is one; of the attributes the operator
 * lists, those that are not known are "unknown".  Every block with text is
 * written, boilerplate too: readers choose by bpv.
 *
 * texrex writes no root element, and so does a crawl: its files are sequences
 * of records.  The files of winnow clean have one (output.xml_header), so that
 * XML parsers read them.  Beyond texrex, a record is always well-formed: line
 * ends and characters that XML 1.0 forbids become blanks. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "facts.h"
#include "metrics.h"
#include "writers.h"
#include "xml_text.h"

static void
add_attribute(struct buf *out, const char *name, struct str value)
{
    xml_attribute(out, str_c(name), value);
}

static void
begin_attribute(const char *name, struct buf *out)
{
    buf_char(out, ' ');
    buf_c(out, name);
    buf_c(out, "=\"");
}

static void
add_real(struct buf *out, const char *name, double value)
{
    begin_attribute(name, out);
    fact_real(value, out);
    buf_char(out, '"');
}

static void
add_number(struct buf *out, const char *name, uint64_t value)
{
    begin_attribute(name, out);
    buf_number(out, value);
    buf_char(out, '"');
}

/* 'a' and on for 0, 1 ... last. */
static void
add_letter(struct buf *out, const char *name, double value, int last)
{
    double rounded = nearbyint(value);
    int step = rounded >= last ? last : rounded > 0 ? (int)rounded : 0;

    begin_attribute(name, out);
    buf_char(out, (char)('a' + step));
    buf_char(out, '"');
}

/* Mean boilerplate value over blocks. */
static double
block_mean(const struct document *d)
{
    double sum = 0;

    for (uint32_t i = 0; i < d->blocks_n; i++)
        sum += d->blocks[i].boilerplate;
    return d->blocks_n ? sum / d->blocks_n : -1;
}

static bool
scored(const struct opts *o, const char *score)
{
    return opt_list_has(&o->output_xml_scores, str_c(score));
}

/* Badness, and how much of the document is text. */
static void
add_scores(const struct opts *o, const struct document *d, struct buf *out)
{
    if (scored(o, "bdc"))
        add_letter(out, "bdc", d->badness / 2, 25);
    if (scored(o, "bdv"))
        add_real(out, "bdv", d->badness);
    if (scored(o, "nbc"))
        add_number(out, "nbc", d->kept_chars);
    if (scored(o, "nbcprop"))
        add_real(out, "nbcprop",
                 d->all_chars ? (double)d->kept_chars / d->all_chars : -1);
    if (scored(o, "nbd"))
        add_number(out, "nbd", d->kept_blocks_n);
    if (scored(o, "nbdprop"))
        add_real(out, "nbdprop",
                 d->blocks_n ? (double)d->kept_blocks_n / d->blocks_n : -1);
    if (scored(o, "avgbpc"))
        add_real(out, "avgbpc", d->boilerplate_mean);
    if (scored(o, "avgbpd"))
        add_real(out, "avgbpd", block_mean(d));
}

/* The name a fact is written under. */
static struct str
name_of(struct str fact)
{
    static const struct str prefixes[] = {STR("header-"), STR("unknown-"),
                                          STR("texrex-")};

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (str_starts(fact, prefixes[i]))
            return str_sub(fact, prefixes[i].n, fact.n);
    return fact;
}

/* Whether an item before i is written under the same name: XML allows it
 * once. */
static bool
repeats(const struct opt_list *list, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (str_eq(name_of(list->item[k]), name_of(list->item[i])))
            return true;
    return false;
}

/* The same of the attributes that every document has. */
static bool
taken(const struct opts *o, const struct document *d, size_t i)
{
    static const struct str own[] = {STR("url"), STR("id"),
                                     STR("sourcecharset"), STR("sourcedoctype"),
                                     STR("reject")};
    const struct opt_list *list = &o->output_xml_doc_attributes;
    struct str name = name_of(list->item[i]);

    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (str_eq(name, own[k]))
            return true;
    return repeats(list, i) || opt_list_has(&o->output_xml_scores, name) ||
           (str_eq(name, S("ip")) && d->origin.ip.n > 0);
}

/* ... and every block. */
static bool
block_taken(const struct opts *o, size_t i)
{
    const struct opt_list *list = &o->output_xml_block_attributes;
    struct str name = name_of(list->item[i]);

    return repeats(list, i) || str_eq(name, S("idx")) ||
           opt_list_has(&o->output_xml_scores, name) ||
           (str_eq(list->item[i], S("unknown-comment")) &&
            writer_marks_comments(o));
}

static void
add_doc(const struct opts *o, const struct document *d, struct buf *out)
{
    const struct opt_list *list = &o->output_xml_doc_attributes;
    struct buf value = {.arena = d->arena};

    buf_c(out, "<doc");
    add_attribute(out, "url", d->url_text);
    add_attribute(out, "id", str_c(d->id.z));
    if (d->origin.ip.n > 0)
        add_attribute(out, "ip", d->origin.ip);
    add_attribute(out, "sourcecharset", d->charset);
    add_attribute(out, "sourcedoctype",
                  str_c(d->doctype ? d->doctype : "UNKNOWN"));
    add_scores(o, d, out);
    for (size_t i = 0; i < list->n; i++) {
        if (taken(o, d, i))
            continue;
        buf_clear(&value);
        fact_add(list->item[i], d, &value);
        xml_attribute(out, name_of(list->item[i]),
                      value.n > 0 ? buf_view(&value) : S("unknown"));
    }
    if (d->reject != VERDICT_NONE)
        add_attribute(out, "reject", str_c(verdict_name(d->reject)));
    buf_c(out, ">\n");
    buf_free(&value);
}

static void
add_one_meta(struct str name, struct str value, struct buf *out)
{
    if (value.n == 0)
        return;
    buf_c(out, "<meta");
    xml_attribute(out, S("name"), name_of(name));
    add_attribute(out, "content", value);
    buf_c(out, " />\n");
}

static void
add_meta(const struct opt_list *list, const struct document *d, struct buf *out)
{
    struct buf value = {.arena = d->arena};

    for (size_t i = 0; i < list->n; i++) {
        buf_clear(&value);
        fact_add(list->item[i], d, &value);
        add_one_meta(list->item[i], buf_view(&value), out);
    }
    buf_free(&value);
}

/* <metadata name content source confidence chosen/>. */
static void
add_sources(const struct opts *o, const struct document *d, struct buf *out)
{
    bool all = str_eq(o->output_metadata_sources, S("all"));

    if (!all && !str_eq(o->output_metadata_sources, S("chosen")))
        return;
    for (uint32_t i = 0; i < d->meta.candidates_n; i++) {
        const struct meta_candidate *c = &d->meta.candidates[i];

        if (!all && !c->chosen)
            continue;
        buf_c(out, "<metadata");
        add_attribute(out, "name", str_c(meta_field_name(c->field)));
        add_attribute(out, "content", c->value);
        add_attribute(out, "source",
                      str_c(meta_source_name(meta_candidate_source(c))));
        add_real(out, "confidence", (double)c->confidence);
        add_number(out, "chosen", c->chosen);
        buf_c(out, " />\n");
    }
}

static void
add_containers(const struct opt_list *list, const struct document *d,
               struct buf *out)
{
    struct buf value = {.arena = d->arena};

    for (size_t i = 0; i < list->n; i++) {
        buf_clear(&value);
        fact_add(list->item[i], d, &value);
        if (value.n == 0)
            continue;
        buf_printf(out, "<%.*s>\n", STRF(name_of(list->item[i])));
        xml_text(out, buf_view(&value));
        buf_printf(out, "\n</%.*s>\n", STRF(name_of(list->item[i])));
    }
    buf_free(&value);
}

/* What is known of a block by that name; "": there is none. */
static struct str
block_fact(const struct block *b, struct str name, char room[24])
{
    uint64_t n = str_eq(name, S("chars"))     ? b->chars
                 : str_eq(name, S("tokens"))  ? b->tokens
                 : str_eq(name, S("comment")) ? b->comment
                                              : b->kept;

    if (str_eq(name, S("container")))
        return b->container;
    if (str_eq(name, S("form")))
        return str_c(form_name(b->form.form));
    if (str_starts(name, S("unknown-")))
        return S("");
    return str_n(room, (size_t)snprintf(room, 24, "%" PRIu64, n));
}

static void
add_block_attributes(const struct opts *o, const struct block *b,
                     struct buf *out)
{
    const struct opt_list *list = &o->output_xml_block_attributes;
    char room[24];

    for (size_t i = 0; i < list->n; i++) {
        struct str value = block_fact(b, list->item[i], room);

        if (!block_taken(o, i))
            xml_attribute(out, name_of(list->item[i]),
                          str_starts(list->item[i], S("unknown-"))
                              ? S("unknown")
                              : value);
    }
}

static void
add_block_meta(const struct opt_list *list, const struct block *b,
               struct buf *out)
{
    char room[24];

    for (size_t i = 0; i < list->n; i++)
        add_one_meta(list->item[i], block_fact(b, list->item[i], room), out);
}

static void
add_text(const struct opts *o, struct str text, struct buf *out)
{
    if (o->output_xml_entities)
        xml_text(out, text);
    else
        xml_bare(out, text);
}

static void
add_duplicate(const struct opts *o, const struct block *b, uint32_t i,
              struct buf *out)
{
    struct str text = o->output_xml_duplicate_text;

    if (!o->output_xml_duplicates)
        return;
    buf_c(out, "<dup");
    add_number(out, "idx", i);
    add_number(out, "of", (uint64_t)b->duplicate_of);
    buf_c(out, ">\n");
    add_text(o, text.n > 0 ? text : b->text, out);
    buf_c(out, "\n</dup>\n");
}

/* What every block is given, looked up once a document. */
struct block_scores {
    bool bpc, bpv;
    struct metrics *metrics; /* or NULL */
};

static void
add_block(const struct opts *o, const struct block *b, uint32_t i,
          const struct block_scores *scores, struct buf *out)
{
    buf_c(out, "<div");
    add_number(out, "idx", i);
    if (scores->bpc)
        add_letter(out, "bpc", b->boilerplate * 10, 10);
    if (scores->bpv)
        add_real(out, "bpv", b->boilerplate);
    add_block_attributes(o, b, out);
    if (b->comment && writer_marks_comments(o) &&
        !opt_list_has(&o->output_xml_block_attributes, S("comment")))
        xml_attribute(out, S("comment"), S("1"));
    buf_c(out, ">\n");
    add_block_meta(&o->output_xml_block_meta, b, out);
    if (scores->metrics != NULL) {
        buf_c(out, "<metrics value=\"");
        metrics_row(scores->metrics, i, ' ', out);
        buf_c(out, "\" />\n");
    }
    if (o->output_xml_text) {
        struct str text = b->text, line;

        while (str_cut(&text, '\n', &line)) { /* several: code */
            add_text(o, line, out);
            buf_char(out, '\n');
        }
    }
    buf_c(out, "</div>\n");
}

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    const struct block_scores scores = {
        .bpc = scored(o, "bpc"),
        .bpv = scored(o, "bpv"),
        .metrics = o->output_xml_metrics ? metrics_new(o, d) : NULL};

    add_doc(o, d, out);
    add_meta(&o->output_xml_doc_meta, d, out);
    add_sources(o, d, out);
    add_containers(&o->output_xml_doc_container, d, out);
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        const struct block *b = &d->blocks[i];

        if (b->text.n == 0)
            continue;
        if (b->duplicate_of >= 0)
            add_duplicate(o, b, i, out);
        else
            add_block(o, b, i, &scores, out);
    }
    buf_c(out, "</doc>\n");
}

static void
head(const struct opts *o, const char *file, struct buf *out)
{
    (void)file;
    if (o->output_xml_header)
        buf_c(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xml>\n");
}

static void
tail(const struct opts *o, struct buf *out)
{
    if (o->output_xml_header)
        buf_c(out, "</xml>\n");
}

const struct writer writer_xml = {
    .name = "xml",
    .suffix = "xml",
    .help = "<doc> records as texrex writes them, all blocks with their "
            "boilerplate value (bpv), badness as bdv",
    .head = head,
    .tail = tail,
    .render = render,
};
