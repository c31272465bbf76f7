/* forget.c -- see forget.h.
 *
 * All files are read once to learn which documents are meant; that is written
 * down ("begun"), then the index forgets them, which is written down, too, then
 * each file that has some is replaced by itself, WARC files last, and it is
 * written down that it is done.  Files go after the index because they are what
 * says whose a document is: whatever is killed in between, the next call finds
 * in them what is left, and in the receipt what had been counted. */
#include "forget.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/document_id.h"
#include "base/fd_io.h"
#include "base/file.h"
#include "base/folder_glob.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/path.h"
#include "clean/corpus/pack.h"
#include "clean/tools/text_lines.h"
#include "corpus/lines/id_set.h"
#include "corpus/records/records.h"
#include "forget_warc.h"
#include "frontier/features/pattern_set.h"
#include "receipts.h"
#include "shingle/tools/forget.h"

#define MEMBER_BYTES ((size_t)4 << 20)
#define PACKED ".gz"
#define TAIL ".tail-" /* of a running service: shingle/corpus/corpus.h */
#define N(a) (sizeof(a) / sizeof *(a))

static const char *const groups[] = {"corpus/part-", "rejected/part-",
                                     "rejected/exact_duplicate-",
                                     "rejected/near_duplicate-"};
/* Formats whose records can be told from each other (records.h).  The first
 * NAMING_N name id and URL of all documents, the others may have ids alone, of
 * which only those say whose they are: they are read later and replaced
 * earlier. */
#define NAMING_N 4
static const char *const endings[] = {"xml",  "tei", "jsonl",   "wet",
                                      "vert", "vrt", "shingles"};

struct forget_hosts { /* that match a pattern */
    struct str pattern;
    struct forget_counts n;
    struct forget_counts begun; /* by a call that has not ended */
    struct id_set ids;
    uint64_t file; /* the last one that has some of them */
};

struct forget {
    const char *dir;
    struct arena *arena; /* of the patterns */
    struct pattern_set patterns;
    struct forget_hosts *hosts; /* one a pattern */
    size_t hosts_n;
    const struct opts *opts;
    int lock;                 /* of the corpus; -1 */
    bool no_corpus;           /* there is none yet */
    struct forget_warc *warc; /* NULL: there are none */
    uint64_t files_n;
    struct id_set ids; /* of all of them */
    struct buf out, member;
};

/* ---- whose a document is ---- */

/* NULL: of none. */
static struct forget_hosts *
of_id(const struct forget *f, struct str id)
{
    if (!id_set_has(&f->ids, id)) /* as it is mostly */
        return NULL;
    for (size_t i = 0; i < f->hosts_n; i++)
        if (id_set_has(&f->hosts[i].ids, id))
            return &f->hosts[i];
    return NULL;
}

static struct forget_hosts *
of_record(const struct forget *f, const struct corpus_record *record)
{
    uint32_t i;

    if (!record->is_document)
        return NULL;
    i = pattern_set_url(&f->patterns, record->url);
    return i != PATTERN_NONE ? &f->hosts[i] : of_id(f, record->id);
}

/* ---- files ---- */

typedef enum status each_file(struct forget *f, const char *path, size_t group);

/* ST_NONE: there are no such files; ST_IO: that cannot be known. */
static enum status
find(const struct forget *f, const char *pattern, glob_t *found)
{
    int rc = folder_glob(f->dir, pattern, 0, found);

    return rc == 0 ? ST_OK : rc == GLOB_NOMATCH ? ST_NONE : ST_IO;
}

/* Its files with that ending. */
static enum status
in_group(const struct forget *f, size_t group, const char *ending,
         glob_t *found)
{
    return find(f, path_printf("%s*%s", groups[group], ending).z, found);
}

static enum status
all_files(struct forget *f, const char *ending, each_file *each)
{
    enum status st = ST_OK;

    for (size_t g = 0; g < N(groups) && st == ST_OK; g++) {
        glob_t found = {0};

        st = in_group(f, g, ending, &found);
        for (size_t i = 0; st == ST_OK && i < found.gl_pathc; i++)
            st = each(f, found.gl_pathv[i], g);
        if (st == ST_NONE)
            st = ST_OK;
        globfree(&found);
    }
    return st;
}

static enum status
cannot_tell(const char *path)
{
    log_error("forget",
              "%s: it cannot be told which of its documents are whose: nothing "
              "is changed (it can of jsonl, xml, tei and wet, and with one of "
              "them beside it of shingles and of vertical text with id or url)",
              path);
    return ST_USAGE;
}

static bool
can_be_read(const char *path)
{
    struct str name = str_c(path);
    const char *tail = strstr(strrchr(path, '/'), TAIL);

    name.n = tail != NULL ? (size_t)(tail - path) : name.n - strlen(PACKED);
    for (size_t i = 0; i < N(endings); i++) {
        size_t n = strlen(endings[i]);

        if (name.n > n && name.p[name.n - n - 1] == '.' &&
            str_ends(name, str_c(endings[i])))
            return true;
    }
    return false;
}

/* Whether a format that names all documents stands beside. */
static bool
is_named_beside(const struct forget *f, size_t group)
{
    bool found = false;

    for (size_t i = 0; i < NAMING_N && !found; i++) {
        glob_t paths = {0};

        /* a running service's tails, too */
        found = in_group(f, group, path_printf(".%s.*", endings[i]).z,
                         &paths) == ST_OK;
        globfree(&paths);
    }
    return found;
}

/* Of a document the files need id or URL, and the index needs its id; vertical
 * files have what output.vertical_attributes says. */
static bool
is_told(const struct corpus_record *record, bool named_beside)
{
    if (!record->is_document || (record->id.n > 0 && record->url.n > 0))
        return true;
    return named_beside && (record->id.n > 0 || record->url.n > 0);
}

static enum status
look_at_name(struct forget *f, const char *path, size_t group)
{
    bool alone = strstr(strrchr(path, '/'), ".shingles.") != NULL &&
                 !is_named_beside(f, group);

    return can_be_read(path) && !alone ? ST_OK : cannot_tell(path);
}

/* Its documents that are meant. */
static enum status
look_at(struct forget *f, const char *path, size_t group)
{
    struct corpus_record record;
    struct forget_hosts *h;
    struct records *r;
    bool beside = is_named_beside(f, group);
    enum status st;

    if ((st = records_open(&r, path)) != ST_OK)
        return st;
    f->files_n++;
    while ((st = records_next(r, &record)) == ST_OK &&
           is_told(&record, beside)) {
        if ((h = of_record(f, &record)) == NULL)
            continue;
        h->n.files += h->file != f->files_n;
        h->file = f->files_n;
        h->n.bytes += record.bytes.n;
        if (record.id.n > 0 && id_set_add(&f->ids, record.id)) {
            id_set_add(&h->ids, record.id);
            *(group == 0 ? &h->n.documents : &h->n.rejected) += 1;
        }
    }
    if (st == ST_OK)
        st = cannot_tell(path);
    records_close(r);
    return st == ST_NONE ? ST_OK : st;
}

static enum status
each_of_ending(struct forget *f, size_t i, each_file *each)
{
    return all_files(f, path_printf(".%s" PACKED, endings[i]).z, each);
}

static enum status
look_at_all(struct forget *f)
{
    enum status st = all_files(f, PACKED, look_at_name);

    for (size_t i = 0; i < N(endings) && st == ST_OK; i++)
        st = each_of_ending(f, i, look_at);
    return st;
}

static enum status
write_member(struct forget *f, int fd)
{
    enum status st;

    buf_clear(&f->member);
    st = pack_add(PACK_GZIP, buf_view(&f->out), &f->member);
    buf_clear(&f->out);
    if (st == ST_OK && !fd_write(fd, f->member.p, f->member.n))
        st = ST_IO;
    return st;
}

/* All others, to `fd`. */
static enum status
write_others(struct forget *f, struct records *r, int fd, uint64_t *removed)
{
    struct corpus_record record;
    enum record_form form = records_form(r);
    bool any = false;
    enum status st;

    buf_clear(&f->out);
    while ((st = records_next(r, &record)) == ST_OK) {
        if (of_record(f, &record) != NULL) {
            ++*removed;
            continue;
        }
        buf_str(&f->out, record.bytes);
        if (form != RECORD_WET && f->out.n < MEMBER_BYTES)
            continue;
        if ((st = write_member(f, fd)) != ST_OK)
            return st;
        any = true;
    }
    if (st != ST_NONE)
        return st;
    /* a file of no member is no gzip file */
    return f->out.n > 0 || !any ? write_member(f, fd) : ST_OK;
}

/* `fresh` in the place of `path`, if anything goes. */
static enum status
take_place(const char *path, const char *fresh, int fd, uint64_t removed)
{
    enum status st = ST_OK;

    if (removed == 0)
        (void)unlink(fresh);
    else if (fsync(fd) != 0 || rename(fresh, path) != 0 ||
             file_sync_name(path) != ST_OK)
        st = ST_IO;
    return st;
}

static enum status
rewrite(struct forget *f, const char *path, size_t group)
{
    struct buf fresh = {0};
    struct records *r;
    uint64_t removed = 0;
    enum status st = records_open(&r, path);
    int fd;

    (void)group;
    if (st != ST_OK)
        return st;
    buf_printf(&fresh, "%s.part", path);
    buf_char(&fresh, '\0');
    fd = open(fresh.p, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    st = fd < 0 ? ST_IO : write_others(f, r, fd, &removed);
    if (st == ST_OK)
        st = take_place(path, fresh.p, fd, removed);
    if (st == ST_IO)
        log_error("forget", "%s: %s", fresh.p, strerror(errno));
    if (fd >= 0)
        close(fd);
    records_close(r);
    buf_free(&fresh);
    return st;
}

static enum status
rewrite_all(struct forget *f)
{
    enum status st = ST_OK;

    for (size_t i = N(endings); i-- > 0 && st == ST_OK;)
        st = each_of_ending(f, i, rewrite);
    return st;
}

/* Lists of what was replaced by what: a document comes back when the longer one
 * that stood for it goes. */
static enum status
rewrite_list(struct forget *f, const char *path)
{
    struct text_lines *lines;
    struct str line, rest, id, by;
    bool ended;
    enum status st = text_lines_open(&lines, path);

    if (st != ST_OK)
        return st;
    buf_clear(&f->out);
    while ((st = text_lines_next(lines, &line, &ended)) == ST_OK) {
        rest = line;
        if (!str_word(&rest, &id))
            continue;
        if (!str_word(&rest, &by))
            by = S("");
        if (id_set_has(&f->ids, id) || id_set_has(&f->ids, by))
            continue;
        buf_str(&f->out, line);
        buf_char(&f->out, '\n');
    }
    text_lines_close(lines);
    if (st != ST_NONE)
        return st;
    buf_clear(&f->member);
    st = pack_add(PACK_GZIP, buf_view(&f->out), &f->member);
    return st == ST_OK ? file_write(path, buf_view(&f->member)) : st;
}

static enum status
rewrite_lists(struct forget *f)
{
    glob_t found = {0};
    enum status st = find(f, "replaced/part-*.ids.gz", &found);

    for (size_t i = 0; st == ST_OK && i < found.gl_pathc; i++)
        st = rewrite_list(f, found.gl_pathv[i]);
    globfree(&found);
    return st == ST_NONE ? ST_OK : st;
}

/* ---- the index ---- */

static bool
is_forgotten(void *self, const unsigned char *bytes)
{
    const struct document_id id = document_id_unpack(bytes);
    struct forget_hosts *h = of_id(self, str_c(id.z));

    if (h != NULL)
        h->n.index_entries++;
    return h != NULL;
}

/* ---- receipts ---- */

static enum status
write_receipts(struct forget *f, const char *state)
{
    struct buf lines = {0};
    enum status st;

    for (size_t i = 0; i < f->hosts_n; i++)
        receipt_line(&lines, f->hosts[i].pattern, state, &f->hosts[i].n);
    st = receipts_append(f->dir, buf_view(&lines));
    if (st == ST_OK && strcmp(state, "done") == 0)
        fwrite(lines.p, 1, lines.n, stdout);
    buf_free(&lines);
    return st;
}

/* What calls before this one have begun and not ended. */
static void
note_receipt(void *self, struct str pattern, bool done,
             const struct forget_counts *n)
{
    const struct forget_counts none = {0};
    struct forget *f = self;
    uint32_t i = pattern_set_same(&f->patterns, pattern);

    if (i != PATTERN_NONE)
        f->hosts[i].begun = done ? none : *n;
}

/* No less than a call that was killed has counted. */
static void
count_begun(struct forget *f)
{
    for (struct forget_hosts *h = f->hosts; h < f->hosts + f->hosts_n; h++) {
#define X(member)                                                              \
    if (h->n.member < h->begun.member)                                         \
        h->n.member = h->begun.member;
        FORGET_COUNTS(X)
#undef X
    }
}

/* ---- all of it ---- */

static void
index_patterns(struct forget *f)
{
    struct str *pattern;

    f->arena = arena_new();
    pattern = ARENA_ARRAY(f->arena, struct str, f->hosts_n);
    for (size_t i = 0; i < f->hosts_n; i++)
        pattern[i] = f->hosts[i].pattern;
    pattern_set_init(&f->patterns, f->arena, pattern, (uint32_t)f->hosts_n);
}

/* ST_OK also when nothing was archived. */
static enum status
look_at_warc(struct forget *f)
{
    enum status st = forget_warc_open(&f->warc, f->dir, &f->patterns);

    for (uint32_t i = 0; st == ST_OK && i < f->hosts_n; i++) {
        f->hosts[i].n.warc_records = forget_warc_records(f->warc, i);
        f->hosts[i].n.files += forget_warc_files(f->warc, i);
    }
    return st == ST_NONE ? ST_OK : st;
}

enum status
forget_can(const char *dir)
{
    struct forget f = {.dir = dir};
    enum status st = all_files(&f, PACKED, look_at_name);

    return st == ST_OK ? all_files(&f, TAIL "*", look_at_name) : st;
}

enum status
forget_open(struct forget **out, const char *dir, const char *const *patterns,
            size_t n, const struct opts *o)
{
    struct forget *f = memory_need(calloc(1, sizeof *f));
    enum status st;

    *f = (struct forget){.dir = dir, .opts = o, .hosts_n = n};
    id_set_init(&f->ids);
    f->hosts = memory_need(calloc(n, sizeof *f->hosts));
    for (size_t i = 0; i < n; i++) {
        f->hosts[i].pattern = str_c(patterns[i]);
        id_set_init(&f->hosts[i].ids);
    }
    index_patterns(f);
    st = dedup_forget_begin(&f->lock, dir, o);
    f->no_corpus = st == ST_NONE;
    if (st == ST_OK)
        st = look_at_all(f);
    if (st == ST_OK || st == ST_NONE)
        st = look_at_warc(f);
    if (st != ST_OK) {
        forget_close(f);
        return st;
    }
    *out = f;
    return ST_OK;
}

static enum status
forget_in_corpus(struct forget *f)
{
    uint64_t entries = 0;
    enum status st;

    for (size_t i = 0; i < f->hosts_n; i++)
        f->hosts[i].n.index_entries = 0; /* is_forgotten() counts them anew */
    st = dedup_forget_records(f->dir, f->opts, is_forgotten, f, &entries);
    count_begun(f);
    /* Once files are replaced, nobody can count these again. */
    if (st == ST_OK && (st = write_receipts(f, "begun")) == ST_OK &&
        (st = rewrite_lists(f)) == ST_OK)
        st = rewrite_all(f);
    return st;
}

enum status
forget_run(struct forget *f, const uint64_t *queued)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < f->hosts_n; i++)
        f->hosts[i].n.queued = queued[i];
    receipts_read(f->dir, note_receipt, f);
    count_begun(f);
    if (!f->no_corpus || f->warc != NULL)
        st = write_receipts(f, "begun");
    if (st == ST_OK && !f->no_corpus)
        st = forget_in_corpus(f);
    if (st == ST_OK && f->warc != NULL)
        st = forget_warc_run(f->warc);
    return st == ST_OK ? write_receipts(f, "done") : st;
}

void
forget_close(struct forget *f)
{
    if (f == NULL)
        return;
    if (f->lock >= 0)
        close(f->lock);
    forget_warc_close(f->warc);
    id_set_free(&f->ids);
    for (size_t i = 0; i < f->hosts_n; i++)
        id_set_free(&f->hosts[i].ids);
    free(f->hosts);
    arena_free(f->arena);
    buf_free(&f->out);
    buf_free(&f->member);
    free(f);
}
