/* batch.c -- threads take the next input each, clean it and write the result.
 *
 * Results for standard output and for files that hold those of all inputs come
 * in the order of the inputs: each thread waits for its turn.  Inputs larger
 * than INPUT_MAX are not read.  A file counts as fetched when it was last
 * modified. */
#include "batch.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <sys/stat.h>

#include "winnow/buf.h"

#define INPUT_MAX ((size_t)64 << 20)
#define THREADS_MAX 256
#define PROGRESS_NS 100000000

struct work {
    struct batch *batch;
    atomic_size_t next;
    pthread_mutex_t lock; /* guards turn, and standard output */
    pthread_cond_t turned;
    size_t turn;
};

struct bench { /* what a thread works with */
    struct arena *arena;
    struct buf in;
    uint64_t modified_ms; /* of the input file; 0: unknown */
    struct outputs_records *records;
};

static bool
fault(const char *path, const char *what)
{
    fprintf(stderr, "winnow clean: %s: %s\n", path, what);
    return false;
}

static bool
read_input(const char *path, struct bench *t)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *f = is_stdin ? stdin : fopen(path, "rb");
    struct buf *bytes = &t->in;
    struct stat sb;
    size_t n;
    bool good;

    buf_clear(bytes);
    t->modified_ms = 0;
    if (f == NULL)
        return fault(path, strerror(errno));
    if (fstat(fileno(f), &sb) == 0 && S_ISREG(sb.st_mode) && sb.st_mtime > 0)
        t->modified_ms = (uint64_t)sb.st_mtime * 1000;
    do {
        buf_reserve(bytes, 65536);
        n = fread(bytes->p + bytes->n, 1, 65536, f);
        bytes->n += n;
    } while (n > 0 && bytes->n <= INPUT_MAX);
    good = !ferror(f);
    if (!is_stdin)
        fclose(f);
    if (!good)
        return fault(path, strerror(errno));
    return bytes->n <= INPUT_MAX || fault(path, "larger than 64 MiB");
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

/* Clean `bytes` into records; whether there are any. */
static bool
clean(struct batch *b, const struct input *x, const struct bench *t)
{
    struct str bytes = buf_view(&t->in);
    struct document d = {.arena = t->arena,
                         .origin = {.fetched_ms = t->modified_ms},
                         .url_text = url_of(b, x, t->arena),
                         .bytes = bytes,
                         .content_type = S(""),
                         .x_robots_tag = S(""),
                         .robots_agent = S("winnow")};

    b->bytes_in += bytes.n;
    if (!b->all && x->from_folder && !cleaner_is_html(S(""), bytes)) {
        b->not_html++;
        return false;
    }
    if (cleaner_run(b->cleaner, &d, b->all) != ST_OK) {
        b->unreadable++;
        return false;
    }
    b->reject[d.reject]++;
    if (d.reject != REJECT_NONE && !b->all)
        return false;
    outputs_render(b->outputs, &d, t->records);
    return true;
}

static void
one(struct work *w, size_t i, struct bench *t)
{
    struct batch *b = w->batch;
    const struct input *x = &b->inputs->item[i];
    bool written = true, result = false;

    outputs_records_clear(t->records);
    if (!read_input(x->in, t))
        b->unreadable++;
    else
        result = clean(b, x, t);
    if (result)
        written = outputs_own(b->outputs, x, t->records) == ST_OK;
    pthread_mutex_lock(&w->lock);
    while (w->turn != i)
        pthread_cond_wait(&w->turned, &w->lock);
    if (result && outputs_shared(b->outputs, x, t->records) != ST_OK)
        written = false;
    w->turn++;
    pthread_cond_broadcast(&w->turned);
    pthread_mutex_unlock(&w->lock);
    b->unwritten += !written;
    b->done++;
}

static void *
worker(void *arg)
{
    struct work *w = arg;
    struct outputs_records records = {0};
    struct bench t = {.arena = arena_new(), .records = &records};

    while (!*w->batch->stop) {
        size_t i = w->next++;

        if (i >= w->batch->inputs->n)
            break;
        one(w, i, &t);
        arena_reset(t.arena);
    }
    buf_free(&t.in);
    outputs_records_free(&records);
    arena_free(t.arena);
    return NULL;
}

static void
show_progress(const struct batch *b)
{
    const struct timespec wait = {0, PROGRESS_NS};

    while (b->done < b->inputs->n && !*b->stop) {
        fprintf(stderr, "\r%zu of %zu files, %zu kept ", (size_t)b->done,
                b->inputs->n, (size_t)b->reject[REJECT_NONE]);
        nanosleep(&wait, NULL);
    }
    fprintf(stderr, "\r\033[K");
}

enum status
batch_run(struct batch *b)
{
    struct work w = {.batch = b,
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .turned = PTHREAD_COND_INITIALIZER};
    pthread_t thread[THREADS_MAX];
    size_t threads_n = 0;

    while (threads_n < b->threads_n && threads_n < THREADS_MAX &&
           threads_n < b->inputs->n &&
           pthread_create(&thread[threads_n], NULL, worker, &w) == 0)
        threads_n++;
    if (threads_n > 0 && b->progress)
        show_progress(b);
    for (size_t i = 0; i < threads_n; i++)
        pthread_join(thread[i], NULL);
    return threads_n > 0 || b->inputs->n == 0 ? ST_OK : ST_NOMEM;
}
