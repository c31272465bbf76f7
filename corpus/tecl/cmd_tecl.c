/* cmd_tecl.c -- `winnow tecl`: a corpus without the documents of a list, or
 * with those only.
 *
 * Documents go through one at a time and whole; a file takes its name when it
 * is finished.  A damaged input ends where the damage is: what is before it is
 * kept, the exit code says that something was not read.  Of JSON lines only
 * those that are damaged are left out. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/log.h"
#include "base/progress.h"
#include "clean/tools/text_sink.h"
#include "corpus/lines/id_set.h"
#include "corpus/lines/line_blocks.h"
#include "corpus/lines/replaced.h"
#include "corpus/records/records.h"
#include "registry_along.h"

#define TRIES 30 /* for a name of its own, a tenth of a second each */

/* What has been written of one form of vertical text. */
struct vertical {
    const char *suffix;  /* with its dot */
    struct buf registry; /* of the first input that has one; empty: none */
    struct buf first;    /* path of the first file */
    uint64_t files;
};

struct tecl {
    const struct invocation *in;
    struct id_set listed, seen;
    struct id_set replaced; /* of the crawls that inputs belong to */
    bool white, unique, gzip;
    uint64_t split;
    const char *prefix;
    char time[32];

    struct text_sink *out; /* NULL: none is open */
    struct buf path, part;
    enum record_form form;
    const char *ending;
    struct buf head, tail; /* lines around the documents of a file */
    bool in_header;        /* of a <teiCorpus>: up to its </teiHeader> */
    bool heads;            /* this input's root is that of what is written */
    uint64_t files, in_file;
    uint64_t kept, removed, repeated;
    bool foreign; /* no input is a corpus: nothing of them is written */
    struct vertical vertical[2];
    struct progress *progress;
};

/* ---- output ---- */

static const char *
ending_of(enum record_form form, const char *path)
{
    struct str name = str_c(path);

    if (form == RECORD_JSONL)
        return "jsonl";
    if (form == RECORD_WET)
        return "wet";
    if (form == RECORD_SHINGLES)
        return "shingles";
    if (str_ends(name, S(".gz")))
        name.n -= 3;
    else if (str_ends(name, S(".zst")))
        name.n -= 4;
    if (str_ends(name, S(".vert")))
        return "vert";
    if (str_ends(name, S(".tei")))
        return "tei";
    return str_ends(name, S(".vrt")) ? "vrt" : "xml";
}

static enum status
close_file(struct tecl *t)
{
    enum status st;

    if (t->out == NULL)
        return ST_OK;
    text_sink_put(t->out, buf_view(&t->tail));
    st = text_sink_close(t->out);
    t->out = NULL;
    if (st == ST_OK && !t->foreign && rename(t->part.p, t->path.p) != 0) {
        log_error("tecl", "file=%s fault=\"%s\"", t->path.p, strerror(errno));
        st = ST_IO;
    }
    if (st != ST_OK || t->foreign)
        unlink(t->part.p);
    t->files -= t->foreign;
    return st;
}

static void
name_time(struct tecl *t)
{
    time_t now = time(NULL);
    struct tm tm;

    localtime_r(&now, &tm);
    strftime(t->time, sizeof t->time, "%Y-%m-%d_%H-%M-%S", &tm);
}

static void
name_file(struct tecl *t)
{
    buf_clear(&t->path);
    buf_printf(&t->path, "%s_%010" PRIu64 "_%s.%s%s", t->prefix, t->files,
               t->time, t->ending, t->gzip ? ".gz" : "");
    buf_char(&t->path, '\0');
    buf_clear(&t->part);
    buf_printf(&t->part, "%s.part", t->path.p);
    buf_char(&t->part, '\0');
}

/* Make the file that nobody else writes or has written.  False: errno. */
static bool
claim(const struct tecl *t)
{
    int fd = open(t->part.p, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd < 0)
        return false;
    close(fd);
    if (access(t->path.p, F_OK) != 0)
        return true;
    unlink(t->part.p);
    errno = EEXIST;
    return false;
}

/* Names have the second in which a run began.  Where another run with the same
 * prefix had that second, this one has a later one. */
static enum status
claim_file(struct tecl *t)
{
    const struct timespec between = {0, 100000000L};

    for (int tries = 0;; tries++) {
        name_file(t);
        if (claim(t))
            return ST_OK;
        if (errno != EEXIST || t->files > 1 || tries == TRIES)
            break;
        nanosleep(&between, NULL);
        name_time(t);
    }
    log_error("tecl", "file=%s fault=\"%s\"", t->part.p, strerror(errno));
    return ST_IO;
}

/* NULL: the ending is that of no vertical text. */
static struct vertical *
vertical_of(struct tecl *t)
{
    for (size_t i = 0; i < sizeof t->vertical / sizeof *t->vertical; i++)
        if (strcmp(t->vertical[i].suffix + 1, t->ending) == 0)
            return &t->vertical[i];
    return NULL;
}

static void
count_vertical(struct tecl *t)
{
    struct vertical *v = vertical_of(t);

    if (v != NULL && v->files++ == 0)
        buf_str(&v->first, buf_view(&t->path)); /* with its NUL */
}

static enum status
open_file(struct tecl *t)
{
    enum status st;

    t->files++;
    st = claim_file(t);
    if (st == ST_OK)
        st = text_sink_open(&t->out, t->part.p, t->gzip);
    if (st == ST_OK)
        text_sink_put(t->out, buf_view(&t->head));
    if (st == ST_OK)
        count_vertical(t);
    t->in_file = 0;
    return st;
}

static enum status
put(struct tecl *t, const struct corpus_record *r)
{
    enum status st = ST_OK;

    if (r->is_document && t->split > 0 && t->in_file == t->split)
        st = close_file(t);
    if (st == ST_OK && t->out == NULL)
        st = open_file(t);
    if (st != ST_OK)
        return st;
    text_sink_put(t->out, r->bytes);
    if (t->form == RECORD_WET)
        text_sink_part(t->out);
    t->in_file += r->is_document;
    return ST_OK;
}

/* ---- which documents stay ---- */

static bool
stays(struct tecl *t, struct str id)
{
    if (id_set_meet(&t->listed, id) != t->white ||
        id_set_has(&t->replaced, id)) {
        t->removed++;
        return false;
    }
    if (t->unique && id.n > 0 && !id_set_add(&t->seen, id)) {
        t->repeated++;
        return false;
    }
    t->kept++;
    return true;
}

/* The root element of an XML file stands around the documents of every file
 * that is written; the first input of a form that has one decides how it looks.
 * What comes while a file is open, or after a root, is of another input. */
static bool
is_frame(struct tecl *t, const struct corpus_record *r)
{
    struct str line = str_trim(r->bytes);
    bool tei = str_starts(line, S("<teiCorpus")),
         root = tei || str_eq(line, S("<xml>")),
         first = root || str_starts(line, S("<?xml")),
         ends = str_eq(line, S("</xml>")) || str_eq(line, S("</teiCorpus>"));

    if (t->form != RECORD_DOC || (!first && !ends && !t->in_header))
        return false;
    t->in_header = tei || (t->in_header && !str_eq(line, S("</teiHeader>")));
    if (first)
        t->heads = t->out == NULL && t->tail.n == 0;
    if (ends || !t->heads)
        return true;
    buf_str(&t->head, r->bytes);
    if (root)
        buf_c(&t->tail, tei ? "</teiCorpus>\n" : "</xml>\n");
    return true;
}

static enum status
take(struct tecl *t, const struct corpus_record *r)
{
    if (r->is_document ? !stays(t, r->id) : is_frame(t, r))
        return ST_OK;
    return put(t, r);
}

/* ---- input ---- */

/* Files are of one form each, and have the root of one input.  What an input
 * without a root has left in the head is not that of the next one. */
static enum status
begin_form(struct tecl *t, enum record_form form, const char *path)
{
    const char *ending = ending_of(form, path);
    struct vertical *v;
    enum status st = ST_OK;

    if (form == RECORD_EMPTY)
        return ST_OK;
    if (t->ending != NULL && strcmp(t->ending, ending) != 0) {
        st = close_file(t);
        buf_clear(&t->tail);
    }
    if (t->tail.n == 0 && t->out == NULL)
        buf_clear(&t->head);
    t->in_header = false;
    t->form = form;
    t->ending = ending;
    if ((v = vertical_of(t)) != NULL && v->registry.n == 0)
        (void)registry_along_find(path, v->suffix, &v->registry);
    return st;
}

/* ST_INVALID: it is damaged, go on with the next one. */
static enum status
one_file(struct tecl *t, const char *path)
{
    struct corpus_record record;
    struct records *r;
    enum status st = records_open(&r, path), wrote;

    if (st != ST_OK)
        return st == ST_IO ? ST_INVALID : st;
    wrote = begin_form(t, records_form(r), path);
    while (wrote == ST_OK && (st = records_next(r, &record)) == ST_OK) {
        wrote = take(t, &record);
        progress_figure(t->progress, "documents kept", t->kept);
    }
    records_close(r);
    return wrote != ST_OK ? ST_IO : st == ST_NONE ? ST_OK : ST_INVALID;
}

/* ---- registries ---- */

/* A file that is plain text as it is, else what prints all of them. */
static void
add_text(const struct tecl *t, const struct vertical *v, struct buf *text)
{
    struct buf path = {0};

    file_absolute(&path, v->files > 1 ? t->prefix : v->first.p);
    if (v->files == 1 && !t->gzip) {
        buf_str(text, buf_view(&path));
    } else {
        buf_c(text, t->gzip ? "| zcat " : "| cat ");
        buf_shell(text, buf_view(&path));
        if (v->files > 1)
            buf_printf(text, "_*_%s%s%s", t->time, v->suffix,
                       t->gzip ? ".gz" : "");
    }
    buf_free(&path);
}

/* PREFIX_TIME.ENDING.registry, where an input had one. */
static enum status
write_registry(const struct tecl *t, const struct vertical *v)
{
    struct buf base = {0}, to = {0}, text = {0};
    enum status st;

    if (v->files == 0 || v->registry.n == 0)
        return ST_OK;
    file_absolute(&base, t->prefix);
    buf_printf(&base, "_%s%s", t->time, v->suffix);
    buf_printf(&to, "%.*s.registry", STRF(buf_view(&base)));
    buf_char(&to, '\0');
    buf_c(&base, ".indexed");
    add_text(t, v, &text);
    st = registry_along_write(
        v->registry.p, to.p,
        &(struct registry_place){.text = buf_view(&text),
                                 .folder = buf_view(&base)});
    buf_free(&base);
    buf_free(&to);
    buf_free(&text);
    return st;
}

static enum status
write_registries(const struct tecl *t)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < sizeof t->vertical / sizeof *t->vertical; i++)
        if (st == ST_OK)
            st = write_registry(t, &t->vertical[i]);
    return st;
}

static int
all_files(struct tecl *t, const struct paths *inputs)
{
    uint64_t done = 0;
    bool damaged = false;
    enum status st = ST_OK;

    t->progress = progress_begin("writing the corpus", PROGRESS_BYTES,
                                 line_blocks_bytes(inputs));
    for (size_t i = 0; i < inputs->n && st != ST_IO; i++) {
        struct stat about;

        st = one_file(t, inputs->path[i]);
        damaged |= st == ST_INVALID;
        if (stat(inputs->path[i], &about) == 0)
            done += (uint64_t)about.st_size;
        progress_to(t->progress, done);
    }
    progress_end(t->progress);
    t->foreign = damaged && t->kept + t->removed + t->repeated == 0;
    if (st != ST_IO && t->out == NULL && t->files == 0 && t->ending != NULL)
        st = open_file(t); /* nothing is left: an empty corpus, not none */
    if (close_file(t) != ST_OK || st == ST_IO ||
        (!t->foreign && write_registries(t) != ST_OK))
        return EXIT_FAILED;
    return damaged ? EXIT_REJECTED : EXIT_DONE;
}

static enum status
read_lists(struct tecl *t, const struct paths *lists,
           const struct paths *inputs)
{
    enum status st = replaced_read(&t->replaced, inputs);

    for (size_t i = 0; i < lists->n && st == ST_OK; i++)
        st = id_set_read(&t->listed, lists->path[i]);
    return st;
}

/* Lists may name documents of other files; but also be no lists. */
static void
say_unmet(const struct tecl *t, const struct paths *lists)
{
    uint64_t of, n = id_set_unmet(&t->listed, &of), line_n;
    struct buf id = {0};

    for (size_t i = 0; i < lists->n && n > 0; i++) {
        if (id_set_first_unmet(&t->listed, lists->path[i], &line_n, &id) !=
            ST_OK)
            continue;
        log_warn("tecl",
                 "file=%s line=%" PRIu64 " id=\"%.*s\": %" PRIu64 " of %" PRIu64
                 " ids of the lists are those of no document",
                 lists->path[i], line_n, STRF(buf_view(&id)), n, of);
        break;
    }
    buf_free(&id);
}

static int
lists_and_files(struct tecl *t, const struct paths *lists,
                const struct paths *inputs)
{
    enum status st = read_lists(t, lists, inputs);
    int code = st == ST_OK      ? all_files(t, inputs)
               : st == ST_USAGE ? EXIT_USAGE
                                : EXIT_FAILED;

    if (st == ST_OK)
        say_unmet(t, lists);
    return code;
}

static int
options(struct tecl *t)
{
    const struct invocation *in = t->in;
    const char *split = invocation_flag(in, "split");

    t->white = invocation_flag(in, "white") != NULL;
    t->unique = invocation_flag(in, "uniqids") != NULL;
    t->gzip = invocation_flag(in, "gzip") != NULL;
    t->prefix = invocation_flag(in, "output");
    if (t->white && t->unique)
        return command_usage(in, "--uniqids and --white exclude each other");
    if (split != NULL && !str_u64(str_c(split), &t->split))
        return command_usage(in, "--split takes a number of documents, not %s",
                             split);
    if (t->prefix == NULL || invocation_flag(in, "input") == NULL ||
        in->words_n > 0)
        return command_usage(in, "--input and --output are needed");
    if (invocation_flag(in, "black") == NULL && !t->unique)
        return command_usage(in, "which documents? --black LIST");
    return EXIT_DONE;
}

static int
run(struct invocation *in)
{
    struct tecl t = {.in = in,
                     .vertical = {{.suffix = ".vert"}, {.suffix = ".vrt"}}};
    struct paths inputs = {0}, lists = {0};
    int code = options(&t);

    if (code != EXIT_DONE)
        return code;
    id_set_init(&t.listed);
    id_set_init(&t.seen);
    id_set_init(&t.replaced);
    name_time(&t);
    code = EXIT_USAGE;
    if (paths_of_flag(&inputs, in, "input") &&
        paths_of_flag(&lists, in, "black"))
        code = lists_and_files(&t, &lists, &inputs);
    log_info("tecl",
             "kept=%" PRIu64 " removed=%" PRIu64 " repeated=%" PRIu64
             " files=%" PRIu64,
             t.kept, t.removed, t.repeated, t.files);
    paths_free(&inputs);
    paths_free(&lists);
    buf_free(&t.path);
    buf_free(&t.part);
    buf_free(&t.head);
    buf_free(&t.tail);
    for (size_t i = 0; i < sizeof t.vertical / sizeof *t.vertical; i++) {
        buf_free(&t.vertical[i].registry);
        buf_free(&t.vertical[i].first);
    }
    id_set_free(&t.listed);
    id_set_free(&t.seen);
    id_set_free(&t.replaced);
    return code;
}

static const struct flag flags[] = {
    FLAG("black,b", "PATTERN",
         "Lists of ids, one a line, or clusters; compressed or not; !ID takes "
         "one back. Quote wildcards. Repeatable."),
    FLAG("input,i", "PATTERN",
         "Corpus files: XML, TEI, vertical text, JSON lines, WET or shingles, "
         "compressed "
         "or not. Repeatable."),
    FLAG_ON_DISK("output,o", "PREFIX",
                 "Files are PREFIX_NUMBER_TIME.ENDING; the registry beside "
                 "vertical text comes along."),
    SWITCH("uniqids,u", "Of documents with the same id keep the first."),
    FLAG("split,s", "N", "A new file after every N documents."),
    SWITCH("gzip,g", "Compress the output."),
    SWITCH("white,w", "Keep what is on the lists, and nothing else."),
    {0},
};

const struct command command_tecl = {
    .name = "tecl",
    .group = COMMANDS_DOCUMENTS,
    .usage = "-b PATTERN -i PATTERN -o PREFIX [-s N] [-g] [-u | -w]",
    .summary = "Remove listed documents from a corpus.",
    .help = "For what winnow tender (or texrex's) has found. Documents are "
            "copied byte by\nbyte. What a crawl has replaced by longer copies "
            "(DIR/replaced, "
            "beside the corpus)\nis left out as well.\n\n"
            "  winnow tecl -i 'corpus/*.xml.gz' -b 'black_*.03.blacklist' -o "
            "unique -g",
    .flags = flags,
    .run = run,
};
