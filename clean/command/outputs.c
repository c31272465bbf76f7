/* outputs.c -- see outputs.h.
 *
 * Names: a file the operator names is taken as it is (its ending .gz or .zst
 * asks for compression); otherwise the format's ending and that of the
 * compression are put after the base.  A registry stands beside what it
 * describes: NAME.registry for a file, FOLDER/corpus.SUFFIX.registry for a
 * folder of files. */
#include "outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "clean/corpus/registry.h"
#include "clean/write/tarc.h"

void
outputs_records_clear(struct outputs_records *r)
{
    for (size_t i = 0; i < OUTPUTS_MAX; i++)
        buf_clear(&r->item[i]);
}

void
outputs_records_free(struct outputs_records *r)
{
    for (size_t i = 0; i < OUTPUTS_MAX; i++)
        buf_free(&r->item[i]);
}

/* Of two outputs: a full disk is one of all that follow, too. */
static enum status
worse(enum status st, enum status one)
{
    return one != ST_OK && st != ST_FULL ? one : st;
}

enum status
outputs_add(struct outputs *o, const struct writer *w, const char *file)
{
    if (o->n == OUTPUTS_MAX)
        return ST_LIMIT;
    o->item[o->n++] = (struct output){.writer = w, .file = file};
    return ST_OK;
}

static enum pack
pack_of(const struct outputs *o, const char *file)
{
    for (int p = PACK_NONE + 1; p < PACK_N; p++)
        if (str_ends(str_c(file), str_c(pack_suffix((enum pack)p))))
            return (enum pack)p;
    return o->pack;
}

/* 0: it is one file. */
static uint64_t
split_of(const struct outputs *o, const struct output *x)
{
    return x->file != NULL ? 0 : x->split_own ? x->split_bytes : o->split_bytes;
}

/* How the files of an output are called. */
static struct corpus_out_name
name_of(const struct outputs *o, const struct output *x, const char *base,
        bool exact)
{
    return (struct corpus_out_name){.base = base,
                                    .writer = x->writer,
                                    .opts = o->opts,
                                    .suffix = exact ? NULL : x->writer->suffix,
                                    .pack = exact         ? pack_of(o, base)
                                            : x->pack_own ? x->pack
                                                          : o->pack,
                                    .alone = x->writer->alone};
}

/* Formats whose facts the operator chooses. */
static bool
has_facts(const struct writer *w)
{
    return strcmp(w->name, "xml") == 0 || strcmp(w->name, "vertical") == 0 ||
           strcmp(w->name, "cwb") == 0;
}

static bool
names_place(const struct opt_list *facts)
{
    for (size_t i = 0; i < facts->n; i++)
        if (str_starts(facts->item[i], S("tarc")))
            return true;
    return false;
}

/* The TARC file whose places the other formats name. */
static const struct output *
named_tarc(const struct outputs *o)
{
    const struct opts *opts = o->opts;

    if (!names_place(&opts->output_xml_doc_attributes) &&
        !names_place(&opts->output_xml_doc_meta) &&
        !names_place(&opts->output_xml_doc_container) &&
        !names_place(&opts->output_vertical_attributes))
        return NULL;
    for (size_t i = 0; i < o->n; i++)
        if (strcmp(o->item[i].writer->name, "tarc") == 0)
            return &o->item[i];
    return NULL;
}

enum status
outputs_open(struct outputs *o)
{
    o->tarc = named_tarc(o);
    for (size_t i = 0; i < o->n; i++) {
        struct output *x = &o->item[i];
        struct corpus_out_name name;

        if (x->file == NULL && !o->join)
            continue;
        name = name_of(o, x, x->file ? x->file : o->out, x->file != NULL);
        name.split_bytes = split_of(o, x);
        if (name.split_bytes > 0 && corpus_out_unused(&name) != ST_OK)
            return ST_USAGE;
        if ((x->joined = corpus_out_new(&name)) == NULL)
            return ST_NOMEM;
    }
    return ST_OK;
}

const char *
outputs_path(const struct outputs *o, const struct output *x, const char *base,
             struct arena *a)
{
    struct corpus_out_name name;

    if (o->join && split_of(o, x) > 0)
        return NULL;
    if (x->file == NULL && !o->join && base == NULL)
        return NULL;
    name = name_of(o, x,
                   x->file   ? x->file
                   : o->join ? o->out
                             : base,
                   x->file != NULL || (o->exact && !o->join));
    return corpus_out_path(&name, a);
}

void
outputs_render(const struct outputs *o, const struct document *d,
               struct outputs_records *r)
{
    for (size_t i = 0; i < o->n; i++)
        if (o->tarc == NULL || !has_facts(o->item[i].writer))
            o->item[i].writer->render(o->opts, d, &r->item[i]);
}

/* Its TARC record comes next in `file`: now the other records can be made. */
static enum status
render_placed(const struct outputs *o, struct corpus_out *file,
              struct document *d, struct outputs_records *r)
{
    const size_t tarc = o->tarc ? (size_t)(o->tarc - o->item) : 0;
    struct corpus_out_place at;
    enum status st;

    if (o->tarc == NULL || file == NULL || d == NULL)
        return ST_OK;
    if ((st = corpus_out_next(file, &at)) != ST_OK)
        return st;
    tarc_place(d, buf_view(&r->item[tarc]), at.file, at.offset);
    for (size_t i = 0; i < o->n; i++)
        if (has_facts(o->item[i].writer))
            o->item[i].writer->render(o->opts, d, &r->item[i]);
    return ST_OK;
}

enum status
outputs_files_open(const struct outputs *o, const struct input *x,
                   struct outputs_files *f)
{
    *f = (struct outputs_files){0};
    for (size_t i = 0; i < o->n && x->out != NULL; i++) {
        struct corpus_out_name name = name_of(o, &o->item[i], x->out, o->exact);

        if (o->item[i].joined == NULL &&
            (f->item[i] = corpus_out_new(&name)) == NULL) {
            outputs_files_close(o, f, false);
            return ST_NOMEM;
        }
    }
    return ST_OK;
}

enum status
outputs_files_put(const struct outputs *o, struct outputs_files *f,
                  struct document *d, struct outputs_records *r)
{
    enum status st =
        render_placed(o, o->tarc ? f->item[o->tarc - o->item] : NULL, d, r);

    for (size_t i = 0; i < o->n; i++)
        if (f->item[i] != NULL)
            st = worse(st, corpus_out_put(f->item[i], buf_view(&r->item[i])));
    return st;
}

enum status
outputs_files_close(const struct outputs *o, struct outputs_files *f,
                    bool whole)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < o->n; i++)
        st = worse(st, corpus_out_close(f->item[i], whole));
    *f = (struct outputs_files){0};
    return st;
}

enum status
outputs_own(const struct outputs *o, const struct input *x, struct document *d,
            struct outputs_records *r)
{
    struct outputs_files files;

    if (outputs_files_open(o, x, &files) != ST_OK)
        return ST_NOMEM;
    (void)outputs_files_put(o, &files, d, r); /* its fault comes again */
    return outputs_files_close(o, &files, true);
}

static enum status
to_stdout(enum pack pack, struct str text)
{
    struct buf packed = {0};
    enum status st = pack_add(pack, text, &packed);

    /* by one call: several that append to one file do not mix their lines */
    if (st == ST_OK && !fd_write(STDOUT_FILENO, packed.p, packed.n)) {
        fprintf(stderr, "winnow clean: stdout: %s\n", strerror(errno));
        st = ST_IO;
    }
    buf_free(&packed);
    return st;
}

static enum status
put_stdout(const struct outputs *o, struct output *x, struct str text)
{
    enum status st = ST_OK;
    struct buf head = {0};

    if (!x->begun && x->writer->head != NULL)
        x->writer->head(o->opts, NULL, &head);
    x->begun = true;
    if (head.n > 0)
        st = to_stdout(o->pack, buf_view(&head));
    buf_free(&head);
    return st == ST_OK ? to_stdout(o->pack, text) : st;
}

/* Behind what went to standard output. */
static enum status
end_stdout(const struct outputs *o, const struct output *x)
{
    enum status st = ST_OK;
    struct buf tail = {0};

    if (x->begun && x->writer->tail != NULL)
        x->writer->tail(o->opts, &tail);
    if (tail.n > 0)
        st = to_stdout(o->pack, buf_view(&tail));
    buf_free(&tail);
    return st;
}

enum status
outputs_shared(struct outputs *o, const struct input *x, struct document *d,
               struct outputs_records *r)
{
    enum status st = render_placed(o, o->tarc ? o->tarc->joined : NULL, d, r);

    for (size_t i = 0; i < o->n; i++) {
        struct str text = buf_view(&r->item[i]);
        enum status one = ST_OK;

        if (o->item[i].joined != NULL)
            one = corpus_out_put(o->item[i].joined, text);
        else if (x->out == NULL && text.n > 0)
            one = put_stdout(o, &o->item[i], text);
        st = worse(st, one);
    }
    return st;
}

/* The registry of an output, if its format has one and it went to files. */
static enum status
describe(const struct outputs *o, const struct output *x)
{
    struct registry_files files = {.writer = x->writer,
                                   .pack = x->file       ? pack_of(o, x->file)
                                           : x->pack_own ? x->pack
                                                         : o->pack};

    if (x->writer->registry == NULL || (x->file == NULL && o->out == NULL))
        return ST_OK;
    files.base = x->file ? x->file : o->out;
    if (x->file == NULL && o->folder && !o->join)
        files.kind = REGISTRY_FOLDER;
    else if (x->file != NULL || o->exact)
        files.kind = REGISTRY_EXACT;
    else
        files.kind = split_of(o, x) > 0 ? REGISTRY_SPLIT : REGISTRY_ONE;
    if (files.kind == REGISTRY_EXACT)
        files.pack = pack_of(o, files.base);
    return registry_write(o->opts, &files);
}

enum status
outputs_close(struct outputs *o, bool whole)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < o->n; i++) {
        struct corpus_out_place at;
        enum status one = ST_OK;

        if (whole && o->item[i].joined != NULL && split_of(o, &o->item[i]) == 0)
            one = corpus_out_next(o->item[i].joined, &at); /* it is made */
        one = worse(one, corpus_out_close(o->item[i].joined, whole));
        o->item[i].joined = NULL;
        if (one == ST_OK)
            one = end_stdout(o, &o->item[i]);
        if (one == ST_OK && whole)
            one = describe(o, &o->item[i]);
        st = worse(st, one);
    }
    return st;
}
