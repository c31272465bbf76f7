/* library_record.c -- a page of libwinnow as a record of a format. */
#include "base/clock.h"
#include "base/memory.h"
#include "clean/write/writer.h"
#include "library.h"

struct record_call {
    struct winnow_page *page;
    const struct writer *writer;
    struct opts opts; /* the cleaner's, shared */
    struct str record;
};

static enum status
render(void *self)
{
    struct record_call *c = self;
    struct document d = c->page->doc;
    struct buf out = {.arena = c->page->arena};

    /* A WARC record must have a date. */
    if (d.origin.fetched_ms == 0 && str_eq(str_c(c->writer->name), S("wet")))
        d.origin.fetched_ms = clock_wall_ms();
    c->writer->render(&c->opts, &d, &out);
    c->record = buf_keep(&out);
    return ST_OK;
}

static void
none(const char **record, size_t *n)
{
    *record = NULL;
    if (n != NULL)
        *n = 0;
}

static int
give_record(struct record_call *call, const char **record, size_t *n)
{
    enum status st = memory_guarded(render, call);

    if (st != ST_OK)
        return library_code(st);
    *record = call->record.p;
    if (n != NULL)
        *n = call->record.n;
    return WINNOW_OK;
}

int
winnow_page_record(struct winnow_page *p, const char *format,
                   const char **record, size_t *n)
{
    struct record_call call = {.page = p,
                               .writer = writer_find(str_c(format)),
                               .opts = p->cleaner->opts};

    none(record, n);
    return call.writer != NULL ? give_record(&call, record, n) : WINNOW_UNKNOWN;
}

int
winnow_page_jsonl(struct winnow_page *p, const char *fields,
                  const char **record, size_t *n)
{
    const struct opt *row = opt_find(S("output"), S("fields"));
    struct record_call call = {
        .page = p, .writer = writer_find(S("jsonl")), .opts = p->cleaner->opts};
    struct str known = str_c(row->unit), name;

    none(record, n);
    while (str_cut(&known, '|', &name))
        if (str_eq(name, str_c(fields))) {
            call.opts.output_fields = name;
            return give_record(&call, record, n);
        }
    return WINNOW_UNKNOWN;
}
