/* writer_vertical.c -- one token a line, for corpus managers.
 *
 *   <doc id="..." url="..." ...>      output.vertical_attributes
 *   <p bp="0.04">                     a kept block, its boilerplate value; with
 *                                     clean.comments = mark also comment="0|1"
 *   token
 *   <g/>                              no blank stood between the two
 *   token
 *   </p>
 *   </doc>
 *
 * vertical  for Sketch Engine and NoSketch Engine, which take tokens as they
 *           stand: only one that begins with < is written as &lt; so that it
 *           is not read as a structure.
 * cwb       for the IMS Corpus Workbench: & < > as references (cwb-encode -x).
 *           Attribute names are lower-case letters, digits and _.
 *
 * An attribute that is not known is empty.  A registry names every attribute
 * that records may have; its paths are those of this machine. */
#include "clean/text/segment.h"
#include "facts.h"
#include "vertical_words.h"
#include "writers.h"
#include "xml_text.h"

#define NAME_MAX_SIZE 64

/* "last-modified" is last_modified here. */
static struct str
name_of(struct str fact, char out[NAME_MAX_SIZE])
{
    size_t n = fact.n < NAME_MAX_SIZE ? fact.n : NAME_MAX_SIZE;

    for (size_t i = 0; i < n; i++)
        out[i] = ascii_alpha(fact.p[i]) || ascii_digit(fact.p[i])
                     ? ascii_lower(fact.p[i])
                     : '_';
    return str_n(out, n);
}

/* The name of attribute i; "": one before it has the same. */
static struct str
attribute_name(const struct opt_list *list, size_t i, char out[NAME_MAX_SIZE])
{
    struct str name = name_of(list->item[i], out);
    char other[NAME_MAX_SIZE];

    for (size_t k = 0; k < i; k++)
        if (str_eq(name_of(list->item[k], other), name))
            return S("");
    return name;
}

static void
add_names(struct buf *out, const struct opt_list *list, const char *before,
          const char *behind)
{
    char room[NAME_MAX_SIZE];

    for (size_t i = 0; i < list->n; i++) {
        struct str name = attribute_name(list, i, room);

        if (name.n > 0)
            buf_printf(out, "%s%.*s%s", before, STRF(name), behind);
    }
}

static void
add_doc(const struct opts *o, const struct document *d, struct buf *out)
{
    const struct opt_list *list = &o->output_vertical_attributes;
    char name[NAME_MAX_SIZE];
    struct buf value = {.arena = d->arena};

    buf_c(out, "<doc");
    for (size_t i = 0; i < list->n; i++) {
        struct str key = attribute_name(list, i, name);

        buf_clear(&value);
        fact_add(list->item[i], d, &value);
        if (key.n > 0)
            xml_attribute(out, key, buf_view(&value));
    }
    buf_c(out, ">\n");
    buf_free(&value);
}

static void
add_token(struct str token, bool references, struct buf *out)
{
    if (references) {
        xml_text(out, token);
    } else if (str_starts(token, S("<"))) {
        buf_c(out, "&lt;");
        xml_bare(out, str_sub(token, 1, token.n));
    } else {
        xml_bare(out, token);
    }
    buf_char(out, '\n');
}

static void
add_block(const struct opts *o, const struct document *d, const struct block *b,
          bool references, struct buf *out)
{
    struct vertical_words w = {.text = b->text};
    struct str token;

    if (d->segmenter != NULL)
        w.cuts = segment_cuts(d->segmenter, d->arena, b->text);

    buf_c(out, "<p bp=\"");
    fact_real(b->boilerplate, out);
    if (writer_marks_comments(o))
        buf_c(out, b->comment ? "\" comment=\"1" : "\" comment=\"0");
    buf_c(out, "\">\n");
    while (vertical_words_next(&w, &token)) {
        if (w.glued)
            buf_c(out, "<g/>\n");
        add_token(token, references, out);
    }
    buf_c(out, "</p>\n");
}

static void
add(const struct opts *o, const struct document *d, bool references,
    struct buf *out)
{
    add_doc(o, d, out);
    for (uint32_t i = 0; i < d->blocks_n; i++)
        if (d->blocks[i].kept && d->blocks[i].text.n > 0)
            add_block(o, d, &d->blocks[i], references, out);
    buf_c(out, "</doc>\n");
}

static void
render_vertical(const struct opts *o, const struct document *d, struct buf *out)
{
    add(o, d, false, out);
}

static void
render_cwb(const struct opts *o, const struct document *d, struct buf *out)
{
    add(o, d, true, out);
}

static void
registry_vertical(const struct opts *o, const struct registry_place *at,
                  struct buf *out)
{
    const struct opt_list *list = &o->output_vertical_attributes;

    buf_c(out, "NAME ");
    buf_quoted(out, o->output_corpus);
    buf_char(out, '\n');
    registry_line(out, REGISTRY_PATH, at);
    buf_char(out, '\n');
    registry_line(out, REGISTRY_VERTICAL, at);
    buf_c(out, "\nENCODING \"UTF-8\"\n\n"
               "ATTRIBUTE word\n");
    registry_lowercase(out, "lc", "word");
    buf_c(out, "\nSTRUCTURE doc {\n");
    add_names(out, list, "\tATTRIBUTE ", "\n");
    buf_c(out, "}\n"
               "STRUCTURE p {\n"
               "\tATTRIBUTE bp\n");
    if (writer_marks_comments(o))
        buf_c(out, "\tATTRIBUTE comment\n");
    buf_c(out, "}\n"
               "STRUCTURE g {\n"
               "\tDISPLAYTAG 0\n"
               "\tDISPLAYBEGIN \"_EMPTY_\"\n"
               "}\n\n"
               "DOCSTRUCTURE doc\n"
               "DEFAULTATTR word\n");
}

/* The corpus ID: lower-case letters, digits, _ and -, a letter first. */
static void
cwb_id(struct buf *out, struct str name)
{
    if (name.n == 0 || !ascii_alpha(name.p[0]))
        buf_char(out, 'c');
    for (size_t i = 0; i < name.n; i++) {
        char c = ascii_lower(name.p[i]);

        buf_char(out, ascii_alpha(c) || ascii_digit(c) || c == '-' ? c : '_');
    }
}

/* The commands that index the text; cwb-makeall finds the registry file by the
 * ID. */
static void
cwb_commands(const struct opts *o, const struct registry_place *at,
             struct buf *out)
{
    const struct opt_list *list = &o->output_vertical_attributes;

    buf_c(out, "##\n## Copy this file to REGISTRY/");
    cwb_id(out, o->output_corpus);
    buf_c(out, " and index the text with\n");
    registry_line(out, REGISTRY_MKDIR, at);
    buf_char(out, '\n');
    registry_line(out, REGISTRY_ENCODE, at);
    buf_c(out, " -c utf8 -S doc:0");
    add_names(out, list, "+", "");
    buf_printf(out, " -S p:0+bp%s -0 g\n## cwb-makeall -r REGISTRY ",
               writer_marks_comments(o) ? "+comment" : "");
    cwb_id(out, o->output_corpus);
    buf_c(out, "\n##\n\n");
}

static void
registry_cwb(const struct opts *o, const struct registry_place *at,
             struct buf *out)
{
    const struct opt_list *list = &o->output_vertical_attributes;

    cwb_commands(o, at, out);
    buf_c(out, "NAME ");
    buf_quoted(out, o->output_corpus);
    buf_c(out, "\nID   ");
    cwb_id(out, o->output_corpus);
    buf_char(out, '\n');
    registry_line(out, REGISTRY_HOME, at);
    buf_c(out, "\n\n##:: charset = \"utf8\"\n\nATTRIBUTE word\n\n"
               "STRUCTURE doc\n");
    add_names(out, list, "STRUCTURE doc_", "\n");
    buf_c(out, "STRUCTURE p\nSTRUCTURE p_bp\n");
    if (writer_marks_comments(o))
        buf_c(out, "STRUCTURE p_comment\n");
}

const struct writer writer_vertical = {
    .name = "vertical",
    .suffix = "vert",
    .help = "a token a line for Sketch Engine and NoSketch Engine, with a "
            "registry file",
    .render = render_vertical,
    .registry = registry_vertical,
};

const struct writer writer_cwb = {
    .name = "cwb",
    .suffix = "vrt",
    .help = "a token a line for the IMS Corpus Workbench, with a registry file",
    .render = render_cwb,
    .registry = registry_cwb,
};
