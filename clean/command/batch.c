/* batch.c -- threads take the next page each, clean it and write the result.
 *
 * A page is a file, or a record of an archive: the threads share the archive
 * that is open, so one large file keeps all of them busy.  Taking a page (under
 * in_lock) gives it its number; what goes to standard output, to joined files
 * and to the files of an archive is written in the order of the numbers: each
 * thread waits for its turn.  At most one page a thread is in memory, cut at
 * page_max bytes.  Documents that are no HTML are converted, in a process
 * beside each thread. */
#include "batch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/url/url.h"
#include "clean/archive/source.h"
#include "clean/charset/sniff.h"
#include "clean/sandbox/sandbox.h"
#include "stats_log.h"

struct batch_work {
    struct batch *batch;
    struct progress *progress;

    pthread_mutex_t in_lock;
    size_t next;            /* input */
    struct source *archive; /* shared; NULL: none is open */
    const struct input *archive_input;
    uint64_t archive_at; /* bytes of it that were taken */
    uint64_t taken;      /* pages and ends of archives */

    pthread_mutex_t out_lock; /* also guards standard output */
    pthread_cond_t turned;
    uint64_t turn;
    const struct input *files_input; /* whose files are open, or NULL */
    struct outputs_files files;
};

struct batch_job {
    enum { JOB_FILE, JOB_RECORD, JOB_END } kind; /* END: of an archive */
    const struct input *input;
    uint64_t number;
    uint64_t bytes;      /* of the input, that it takes us on */
    struct source *file; /* JOB_FILE: owned, still to be read */
    struct source_page page;
};

struct batch_memory { /* what a thread works with */
    struct arena *arena;
    struct sandbox *sandbox;         /* NULL: none */
    struct convert_process *convert; /* NULL: none */
    struct buf html;                 /* that it made */
    struct outputs_records *records;
    struct document d; /* whose records they are */
};

static void
add_counts(struct batch *b, const struct warc_counts *n)
{
    for (int t = 0; t < WARC_TYPE_N; t++)
        b->records[t] += n->records[t];
    for (int f = 0; f < WARC_FAULT_N; f++)
        b->faults[f] += n->faults[f];
}

static uint64_t
size_of(const struct input *x)
{
    struct stat sb;

    return stat(x->in, &sb) == 0 && S_ISREG(sb.st_mode) ? (uint64_t)sb.st_size
                                                        : 0;
}

/* Who cleans such a file would else see 0 pages and not know why. */
static void
look_for_pages(struct batch *b, const struct input *x,
               const struct warc_counts *n)
{
    const char *instead = warc_instead_of_pages(n);

    if (instead == NULL)
        return;
    if (x->from_folder) {
        b->not_html++;
        return;
    }
    b->unreadable++;
    log_error("clean",
              "file=%s: %s: it is the WARC files of these pages that can be "
              "cleaned",
              x->in, instead);
}

/* As far as the records know where they stand. */
static uint64_t
archive_bytes(struct batch_work *w, const struct batch_job *j)
{
    const struct source_page *p = &j->page;
    uint64_t from = w->archive_at, to = j->kind == JOB_END ? size_of(j->input)
                                        : p->decompressed
                                            ? 0
                                            : p->offset + p->length;

    w->archive_at = to > from ? to : from;
    return w->archive_at - from;
}

/* The next record of the open archive, or its end.  False: we are to stop. */
static bool
take_record(struct batch_work *w, struct arena *a, struct batch_job *j)
{
    enum status st = source_next(w->archive, a, &j->page);

    if (st == ST_STOPPED)
        return false;
    j->input = w->archive_input;
    j->kind = st == ST_OK ? JOB_RECORD : JOB_END;
    j->bytes = archive_bytes(w, j);
    if (st == ST_OK)
        return true;
    if (st == ST_NONE)
        look_for_pages(w->batch, j->input, source_counts(w->archive));
    else
        w->batch->unreadable++;
    add_counts(w->batch, source_counts(w->archive));
    source_close(w->archive);
    w->archive = NULL;
    return true;
}

/* As input.format has it. */
static bool
is_allowed(const struct batch *b, const struct source *s, const char *path)
{
    enum warc_format format = source_format(s);

    if (b->format == WARC_FORMAT_NONE || format == WARC_FORMAT_NONE ||
        format == b->format)
        return true;
    log_error("input", "file=%s is %s, and input.format = %s: not read", path,
              format == WARC_FORMAT_ARC ? "ARC" : "WARC",
              b->format == WARC_FORMAT_ARC ? "arc" : "warc");
    return false;
}

/* Its results are whole, since they get their names when they are. */
static bool
is_done(struct batch_work *w, const struct input *x, struct arena *a)
{
    if (!w->batch->missing || !outputs_are_whole(w->batch->outputs, x, a))
        return false;
    w->batch->there++;
    progress_add(w->progress, size_of(x));
    return true;
}

/* Open the next input.  False: it cannot be read (reported), is an archive that
 * is now open for all, was done before, or we are to stop. */
static bool
take_input(struct batch_work *w, struct arena *a, struct batch_job *j)
{
    struct batch *b = w->batch;
    size_t page_max =
        b->page_max > b->document_max ? b->page_max : b->document_max;
    struct source *s;
    enum status st;

    j->input = &b->inputs->item[w->next++];
    if (is_done(w, j->input, a))
        return false;
    st = source_open_by(&s, j->input->in, page_max, b->gzip, b->stop_fd);
    if (st == ST_STOPPED)
        return false;
    if (st != ST_OK) {
        b->unreadable++;
        b->done++;
        return false;
    }
    if (!is_allowed(b, s, j->input->in)) {
        source_close(s);
        b->unreadable++;
        b->done++;
        return false;
    }
    if (source_format(s) == WARC_FORMAT_NONE) {
        j->kind = JOB_FILE;
        j->bytes = size_of(j->input);
        j->file = s;
        return true;
    }
    b->archives++;
    w->archive = s;
    w->archive_at = 0;
    w->archive_input = j->input;
    return false;
}

static bool
take(struct batch_work *w, struct arena *a, struct batch_job *j)
{
    bool got = false;

    pthread_mutex_lock(&w->in_lock);
    while (!got && !*w->batch->stop && !w->batch->lost) {
        if (w->archive != NULL) {
            got = take_record(w, a, j);
        } else if (w->next == w->batch->inputs->n) {
            break;
        } else {
            got = take_input(w, a, j);
        }
    }
    if (got)
        j->number = w->taken++;
    pthread_mutex_unlock(&w->in_lock);
    return got;
}

/* What an input is called: a URL below the base, or its own name. */
static struct str
url_of(const struct batch *b, const struct input *x, struct arena *a)
{
    if (b->url.n == 0)
        return x->name;
    if (!x->from_folder)
        return b->url;
    return arena_printf(a, "%.*s%s%.*s", STRF(b->url),
                        str_ends(b->url, S("/")) ? "" : "/", STRF(x->name));
}

static enum convert_kind
kind_of(const struct batch *b, const struct batch_job *j)
{
    const struct source_page *p = &j->page;

    if (!source_page_answers(p))
        return CONVERT_NONE;
    return convert_kind_of(b->documents, p->content_type,
                           j->kind == JOB_RECORD ? p->url : str_c(j->input->in),
                           p->body);
}

/* The page that a document is cleaned as.  False: there is none, and why is
 * counted. */
static bool
convert(struct batch *b, enum convert_kind k, struct batch_memory *t)
{
    struct document *d = &t->d;
    struct converted c;

    convert_document(t->convert, k, d->bytes, d->origin.cut, &t->html, &c);
    if (c.reject != VERDICT_NONE) {
        log_info("convert", "url=%.*s type=%s %s %.*s", STRF(d->url_text),
                 convert_kind_name(k), verdict_name(c.reject), STRF(c.why));
        b->reject[c.reject]++;
        return false;
    }
    d->bytes = buf_view(&t->html);
    d->content_type = S("text/html; charset=utf-8");
    d->origin.cut = false;
    return true;
}

/* A page is shorter than a document may be. */
static void
cut_page(const struct batch *b, struct document *d)
{
    if (d->bytes.n <= b->page_max)
        return;
    d->bytes = str_sub(d->bytes, 0, b->page_max);
    d->origin.cut = true;
}

/* Who names a file so means it, but for one that begins like a page. */
static bool
is_named_markdown(const struct batch_job *j)
{
    struct str name = str_c(j->input->in);

    if (str_ends(name, S(".gz")))
        name.n -= 3;
    return (str_ends(name, S(".md")) || str_ends(name, S(".markdown"))) &&
           !sniff_is_html(S(""), j->page.body);
}

/* A named file whose bytes nobody wants to see taken for HTML (reported). */
static bool
is_left_out(const struct batch *b, const struct batch_job *j)
{
    const char *file = j->input->in, *corpus = sniff_corpus(j->page.body),
               *binary = sniff_binary(j->page.body);
    enum convert_kind k =
        convert_kind_left_out(b->documents, str_c(file), j->page.body);

    if (corpus == NULL && is_named_markdown(j))
        corpus = "Markdown";
    if (sniff_is_mime(j->page.body))
        log_error("clean",
                  "file=%s is a page in MIME parts (MHTML) or a mail, and not "
                  "read: save it as HTML",
                  file);
    else if (corpus != NULL)
        log_error("clean",
                  "file=%s is %s, no HTML, and not read: clean the pages or "
                  "archives it is made of (winnow run reads JSON lines)",
                  file, corpus);
    else if (k != CONVERT_NONE)
        log_error("clean",
                  "file=%s is no HTML and not read: convert.types = %s has it "
                  "read",
                  file, convert_kind_name(k));
    else if (binary != NULL)
        log_error("clean",
                  "file=%s is %s, no HTML, and not read: unpack it first, if "
                  "pages are in it; WACZ files are read by name, not from a "
                  "stream",
                  file, binary);
    else
        return false;
    return true;
}

/* Whether a page is to be cleaned at all; counted if not.  Archives also hold
 * images, redirects, error pages: that is no fault of theirs. */
static bool
wanted(struct batch *b, const struct batch_job *j)
{
    const struct source_page *p = &j->page;

    if (j->kind == JOB_RECORD) {
        if (source_page_answers(p) && sniff_is_html(p->content_type, p->body))
            return true;
        b->not_page++;
        return false;
    }
    if (b->all || (j->input->from_folder ? sniff_is_html(S(""), p->body)
                                         : !is_left_out(b, j)))
        return true;
    if (j->input->from_folder)
        b->not_html++;
    else
        b->unreadable++;
    return false;
}

/* Of files without --url it is not known where they are from. */
static enum verdict
out_of_scope(const struct batch *b, const struct document *d)
{
    struct url u;

    if (url_parse_plain(&u, d->arena, d->url_text, NULL) != ST_OK)
        return VERDICT_NONE;
    return !scope_admits(b->scope, u.href, u.host) ? VERDICT_OUT_OF_SCOPE
           : !scope_saves(b->scope, u.href)        ? VERDICT_NOT_SAVED
                                                   : VERDICT_NONE;
}

/* Clean a page into records; whether there are any. */
static bool
clean(struct batch *b, const struct batch_job *j, struct batch_memory *t)
{
    const struct source_page *p = &j->page;
    bool archived = j->kind == JOB_RECORD;
    enum convert_kind k = kind_of(b, j);
    struct document *d = &t->d;
    enum verdict out;

    *d = (struct document){.arena = t->arena,
                           .id = p->id,
                           .origin = {.ip = p->ip,
                                      .last_modified = p->last_modified,
                                      .sitemap_ms = p->sitemap_ms,
                                      .headers = p->headers,
                                      .file = archived ? p->file : S(""),
                                      .offset = p->offset,
                                      .length = p->length,
                                      .decompressed = p->decompressed,
                                      .cut = p->cut,
                                      .fetched_ms = p->date_ms},
                           .url_text = archived ? p->url
                                                : url_of(b, j->input, t->arena),
                           .bytes = p->body,
                           .content_type = p->content_type,
                           .x_robots_tag = p->x_robots_tag,
                           .robots_agent = S("winnow"),
                           .only_kept = !b->all};
    b->bytes_in += p->body.n;
    if (k == CONVERT_NONE && !wanted(b, j))
        return false;
    b->pages++;
    if ((out = out_of_scope(b, d)) != VERDICT_NONE && !b->all) {
        b->reject[out]++;
        return false;
    }
    if (k != CONVERT_NONE && !convert(b, k, t))
        return false;
    cut_page(b, d);
    if (sandbox_clean(t->sandbox, b->cleaner, d, b->all) != ST_OK &&
        d->reject != VERDICT_MEMORY) {
        b->unreadable++;
        return false;
    }
    if (d->reject == VERDICT_NONE)
        d->reject = out;
    b->reject[d->reject]++;
    if (d->reject != VERDICT_NONE && !b->all)
        return false;
    outputs_render(b->outputs, d, t->records);
    return true;
}

/* Append to the files of an archive; its end completes them, empty or not, and
 * has the faults of all that was put. */
static enum status
write_archive(struct batch_work *w, const struct batch_job *j,
              struct batch_memory *t)
{
    struct outputs *o = w->batch->outputs;
    enum status st;

    if (w->files_input == NULL) {
        if (outputs_files_open(o, j->input, &w->files) != ST_OK)
            return ST_NOMEM;
        w->files_input = j->input;
    }
    st = outputs_files_put(o, &w->files, j->kind == JOB_END ? NULL : &t->d,
                           t->records);
    if (j->kind != JOB_END)
        return st == ST_FULL ? ST_FULL : ST_OK;
    w->files_input = NULL;
    return outputs_files_close(o, &w->files, true);
}

/* How the writing of one input's result ended.  One that cannot be written is
 * no reason not to write others, but for a disk without room for any. */
static bool
is_written(struct batch *b, enum status st)
{
    if (st == ST_FULL)
        b->lost = true;
    return st == ST_OK;
}

static void
work_on(struct batch_work *w, struct batch_job *j, struct batch_memory *t)
{
    struct batch *b = w->batch;
    bool written = true, result = false;
    enum status st;

    outputs_records_clear(t->records);
    if (j->kind == JOB_FILE) {
        st = source_next(j->file, t->arena, &j->page);
        if (st == ST_OK)
            result = clean(b, j, t);
        b->unreadable += st != ST_OK && st != ST_STOPPED;
        b->damaged += j->page.damaged;
        source_close(j->file);
        if (result)
            written = is_written(
                b, outputs_own(b->outputs, j->input, &t->d, t->records));
        else
            b->stale += outputs_are_there(b->outputs, j->input, t->arena);
    } else if (j->kind == JOB_RECORD) {
        result = clean(b, j, t);
    }
    pthread_mutex_lock(&w->out_lock);
    while (w->turn != j->number)
        pthread_cond_wait(&w->turned, &w->out_lock);
    if (result &&
        outputs_shared(b->outputs, j->input, &t->d, t->records) != ST_OK) {
        written = false;
        b->lost = true;
    }
    if (j->kind == JOB_END || (j->kind == JOB_RECORD && result))
        written = is_written(b, write_archive(w, j, t)) && written;
    w->turn++;
    pthread_cond_broadcast(&w->turned);
    pthread_mutex_unlock(&w->out_lock);
    b->unwritten += !written;
    b->done += j->kind != JOB_RECORD;
    progress_figure(w->progress, "kept", b->reject[VERDICT_NONE]);
    progress_add(w->progress, j->bytes);
    stats_log_tick(b->stats, b);
}

static void *
worker(void *arg)
{
    struct outputs_records records = {0};
    struct batch_memory t = {.arena = arena_new(), .records = &records};
    const struct batch_work *w = arg;
    struct batch_job j;

    if (w->batch->sandboxed && sandbox_open(&t.sandbox) != ST_OK) {
        fprintf(stderr, "winnow clean: the system allows no more threads, for "
                        "a sandbox (ulimit -u, ulimit -v, a container's "
                        "limit)\n");
        w->batch->unwritten++;
        arena_free(t.arena);
        return NULL;
    }
    t.convert = convert_process_open(w->batch->converter, NULL);
    while (take(arg, t.arena, &j)) {
        work_on(arg, &j, &t);
        arena_reset(t.arena);
    }
    convert_process_close(t.convert);
    buf_free(&t.html);
    sandbox_close(t.sandbox);
    outputs_records_free(&records);
    arena_free(t.arena);
    return NULL;
}

/* 0: not known, since a pipe is among them. */
static uint64_t
bytes_of_all(const struct inputs *inputs)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < inputs->n; i++) {
        if (strcmp(inputs->item[i].in, "-") == 0)
            return 0;
        sum += size_of(&inputs->item[i]);
    }
    return sum;
}

enum status
batch_run(struct batch *b)
{
    struct batch_work w = {.batch = b,
                           .in_lock = PTHREAD_MUTEX_INITIALIZER,
                           .out_lock = PTHREAD_MUTEX_INITIALIZER,
                           .turned = PTHREAD_COND_INITIALIZER};
    struct pool pool;
    size_t threads_n;

    w.progress =
        progress_begin("clean", PROGRESS_BYTES, bytes_of_all(b->inputs));
    threads_n = pool_start(&pool, b->threads_n, worker, &w, 0);
    pool_join(&pool);
    progress_end(w.progress);
    source_close(w.archive); /* stopped in the middle of it: */
    if (w.files_input != NULL)
        outputs_files_close(b->outputs, &w.files, false);
    return threads_n > 0 || b->inputs->n == 0 ? ST_OK : ST_NOMEM;
}
