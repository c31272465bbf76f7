/* odt.c -- ODT (ODF 1.2): content.xml, with what meta.xml says of it.
 *
 * Headers and footers stand in styles.xml, which is not read; tables of
 * contents and indices are elements of their own; notes come behind their
 * paragraph, so that they cut no sentence. */
#include "html_write.h"
#include "properties_read.h"
#include "reader.h"
#include "xml_read.h"
#include "zip_read.h"

struct odt {
    struct html_writer html;
    struct buf note;          /* the text of notes of the paragraph */
    unsigned depth, notes_at; /* 0: not in one */
    unsigned skip;
    unsigned paragraphs, items; /* open, inside each other */
};

static bool
is_skipped(const char *name)
{
    static const char *const names[] = {"table-of-content",
                                        "illustration-index",
                                        "table-index",
                                        "object-index",
                                        "user-index",
                                        "alphabetical-index",
                                        "bibliography-index",
                                        "tracked-changes",
                                        "annotation",
                                        "note-citation",
                                        "forms",
                                        "ruby-text",
                                        "annotation-end",
                                        "script",
                                        "event-listeners"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void
put(struct odt *d, struct str s)
{
    if (d->notes_at > 0)
        buf_str(&d->note, s);
    else if (d->paragraphs > 0)
        html_text(&d->html, s);
}

static void
end_paragraph(struct odt *d, unsigned heading)
{
    struct buf note = d->note;

    if (d->items > 0 && heading == 0)
        html_item(&d->html);
    else
        html_paragraph(&d->html, heading);
    if (note.n == 0)
        return;
    html_text(&d->html, buf_view(&note));
    html_paragraph(&d->html, 0);
    buf_clear(&d->note);
}

static void
begin_paragraph(struct odt *d)
{
    if (d->notes_at > 0) {
        put(d, S(" "));
        return;
    }
    if (d->paragraphs++ > 0) /* in a frame inside of one */
        end_paragraph(d, 0);
}

static void
begin(void *self, const char *name, const char *const *attributes)
{
    struct odt *d = self;

    (void)attributes;
    d->depth++;
    if (d->skip > 0 || is_skipped(name)) {
        d->skip++;
        return;
    }
    if (strcmp(name, "p") == 0 || strcmp(name, "h") == 0)
        begin_paragraph(d);
    else if (strcmp(name, "s") == 0 || strcmp(name, "tab") == 0)
        put(d, S(" "));
    else if (strcmp(name, "line-break") == 0 && d->notes_at == 0)
        html_break(&d->html);
    else if (strcmp(name, "note-body") == 0 && d->notes_at == 0)
        d->notes_at = d->depth;
    else if (d->notes_at > 0)
        return;
    else if (strcmp(name, "list-item") == 0)
        d->items++;
    else if (strcmp(name, "table") == 0)
        html_table_begin(&d->html);
    else if (strcmp(name, "table-row") == 0)
        html_row_begin(&d->html);
    else if (strcmp(name, "table-cell") == 0)
        html_cell_begin(&d->html);
}

static void
end_table(struct odt *d, const char *name)
{
    if (strcmp(name, "table-cell") == 0)
        html_cell_end(&d->html);
    else if (strcmp(name, "table") == 0)
        html_table_end(&d->html);
}

static void
end(void *self, const char *name)
{
    struct odt *d = self;
    bool note_ends = d->notes_at == d->depth;

    d->depth--;
    if (d->skip > 0) {
        d->skip--;
        return;
    }
    if (note_ends)
        d->notes_at = 0;
    else if (d->notes_at > 0)
        return;
    else if ((strcmp(name, "p") == 0 || strcmp(name, "h") == 0) &&
             d->paragraphs > 0) {
        d->paragraphs--;
        end_paragraph(d, name[0] == 'h' ? 2 : 0);
    } else if (strcmp(name, "list-item") == 0 && d->items > 0)
        d->items--;
    else
        end_table(d, name);
}

static void
text(void *self, struct str s)
{
    struct odt *d = self;

    if (d->skip == 0)
        put(d, s);
}

static bool
is_encrypted(struct zip_read *z, struct buf *scratch)
{
    static const char mark[] = "encryption-data";
    const char *why;

    return zip_read_file(z, "META-INF/manifest.xml", scratch, &why) == ST_OK &&
           memmem(scratch->p, scratch->n, mark, sizeof mark - 1) != NULL;
}

static enum status
read_all(struct zip_read *z, struct buf *html, const char **why)
{
    struct odt d = {0};
    const struct xml_handler h = {&d, begin, end, text};
    struct properties_read p = {0};
    struct properties about;
    struct buf scratch = {0};
    enum status st;

    if (zip_read_file(z, "meta.xml", &scratch, why) == ST_OK)
        properties_read_xml(&p, buf_view(&scratch));
    about = properties_view(&p);
    html_begin(&d.html, html, &about);
    if (is_encrypted(z, &scratch)) {
        *why = "encrypted";
        st = ST_INVALID;
    } else if ((st = zip_read_file(z, "content.xml", &scratch, why)) == ST_OK) {
        st = xml_read(buf_view(&scratch), &h, why);
    } else if (st == ST_NONE) {
        *why = "no document in the archive";
    }
    html_end(&d.html);
    buf_free(&d.note);
    properties_free(&p);
    buf_free(&scratch);
    return st == ST_OK ? ST_OK : ST_INVALID;
}

enum status
convert_read_odt(struct str zip, struct buf *html, const char **why)
{
    struct zip_read *z;
    enum status st = zip_read_open(&z, zip, why);

    if (st != ST_OK)
        return st;
    st = read_all(z, html, why);
    zip_read_close(z);
    return st;
}
