/* batch.c -- threads take the next input each, clean it and write the result.
 *
 * A result file appears whole or not at all: it is written under a temporary
 * name beside it and renamed.  Results for standard output come in the order of
 * the inputs: each thread waits for its turn.  Inputs larger than INPUT_MAX are
 * not read. */
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

static bool
fault(const char *path, const char *what)
{
    fprintf(stderr, "winnow clean: %s: %s\n", path, what);
    return false;
}

static bool
read_input(const char *path, struct buf *bytes)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *f = is_stdin ? stdin : fopen(path, "rb");
    size_t n;
    bool good;

    buf_clear(bytes);
    if (f == NULL)
        return fault(path, strerror(errno));
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

/* mkdir -p of the folder of `path`, which is changed and restored. */
static void
make_folders(char *path)
{
    for (char *p = path + 1; *p; p++)
        if (*p == '/') {
            *p = '\0';
            (void)mkdir(path, 0777); /* a fault shows when the file is made */
            *p = '/';
        }
}

static bool
write_all(int fd, struct str s)
{
    while (s.n > 0) {
        ssize_t n = write(fd, s.p, s.n);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        s = str_sub(s, (size_t)n, s.n);
    }
    return true;
}

static bool
write_file(const char *path, struct str text, struct arena *a)
{
    char *temporary = arena_cstr(a, arena_printf(a, "%s.XXXXXX", path));
    mode_t mask = umask(0);
    int fd = mkstemp(temporary);
    bool good;

    umask(mask);
    if (fd < 0 && errno == ENOENT) {
        make_folders(temporary);
        memcpy(temporary + strlen(temporary) - 6, "XXXXXX", 6);
        fd = mkstemp(temporary);
    }
    if (fd < 0)
        return fault(path, strerror(errno));
    good = write_all(fd, text) && fchmod(fd, 0644) == 0;
    good = close(fd) == 0 && good;
    if (good && rename(temporary, path) == 0)
        return true;
    fault(path, strerror(errno));
    unlink(temporary);
    return false;
}

static bool
write_stdout(struct str text)
{
    return (fwrite(text.p, 1, text.n, stdout) == text.n &&
            fflush(stdout) == 0) ||
           fault("stdout", strerror(errno));
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

/* Clean `bytes` into `out`; whether there is a result to be written. */
static bool
clean(struct batch *b, const struct input *x, struct str bytes, struct arena *a,
      struct buf *out)
{
    struct document d = {.arena = a,
                         .url_text = url_of(b, x, a),
                         .bytes = bytes,
                         .content_type = S(""),
                         .x_robots_tag = S(""),
                         .robots_agent = S("winnow")};

    buf_clear(out);
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
    b->writer->render(b->opts, &d, out);
    return true;
}

static void
one(struct work *w, size_t i, struct arena *a, struct buf *in, struct buf *out)
{
    struct batch *b = w->batch;
    const struct input *x = &b->inputs->item[i];
    bool written = true, result = false;

    if (!read_input(x->in, in))
        b->unreadable++;
    else
        result = clean(b, x, buf_view(in), a, out);
    if (result && x->out != NULL)
        written = write_file(x->out, buf_view(out), a);
    pthread_mutex_lock(&w->lock);
    while (w->turn != i)
        pthread_cond_wait(&w->turned, &w->lock);
    if (result && x->out == NULL)
        written = write_stdout(buf_view(out));
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
    struct arena *a = arena_new();
    struct buf in = {0}, out = {0};

    while (!*w->batch->stop) {
        size_t i = w->next++;

        if (i >= w->batch->inputs->n)
            break;
        one(w, i, a, &in, &out);
        arena_reset(a);
    }
    buf_free(&in);
    buf_free(&out);
    arena_free(a);
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
