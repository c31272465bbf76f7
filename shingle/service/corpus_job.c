/* corpus_job.c -- see corpus_job.h. */
#include "corpus_job.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/facts.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/options/opt.h"
#include "shingle/store/corpus_file.h"

#define FILE_BYTES_MAX ((size_t)16 << 20)

static enum status
write_file(const char *path, struct str text)
{
    enum status st = file_write(path, text);

    if (st != ST_OK)
        log_error("dedup", "%s: %s", path, strerror(errno));
    return st;
}

/* The facts, and what was ever changed. */
static enum status
note(const char *path, struct str was, struct str facts, struct str differences,
     bool changes)
{
    struct buf text = {0};
    struct str line;
    enum status st;
    char now[21];

    clock_iso(clock_wall_ms(), now);
    buf_str(&text, facts);
    while (str_cut(&was, '\n', &line))
        if (line.n > 0 && line.p[0] == '#')
            buf_printf(&text, "%.*s\n", STRF(line));
    while (changes && str_cut(&differences, '\n', &line))
        if (line.n > 0)
            buf_printf(&text, "# %s %.*s\n", now, STRF(line));
    st = write_file(path, buf_view(&text));
    buf_free(&text);
    return st;
}

/* What the crawler says, and what is this service's to say. */
static enum status
write_provenance(const char *path, const struct dedup_job *job,
                 const struct opts *o)
{
    struct str text = str_trim(job->provenance);
    struct buf whole = {0};
    struct json j = {.out = &whole, .comma = true};
    enum status st;

    if (job->own || !str_ends(text, S("}")))
        return write_file(path, job->provenance);
    buf_str(&whole, str_sub(text, 0, text.n - 1));
    json_key(&j, "dedup_service");
    opts_json(o, "dedup", false, &j);
    buf_c(&whole, "}\n");
    st = write_file(path, buf_view(&whole));
    buf_free(&whole);
    return st;
}

enum status
corpus_job_take(const char *dir, const struct dedup_job *job,
                const struct opts *o, bool empty, struct buf *differences)
{
    struct path path = path_printf("%s/dedup.job", dir);
    struct path beside = path_printf("%s/corpus/" PROVENANCE_FILE, dir);
    struct buf was = {0};
    enum status st = ST_OK;
    bool known = access(path.z, F_OK) == 0, same;

    if (known && (st = file_read(&was, path.z, FILE_BYTES_MAX)) != ST_OK)
        log_error("dedup", "%s: %s", path.z, strerror(errno));
    if (st == ST_OK && known)
        opts_compare_facts(buf_view(&was), job->facts, differences);
    same = known && differences->n == 0;
    if (st == ST_OK && known && !same && !job->change && !empty) {
        buf_free(&was);
        return ST_OK; /* refused: what differs is said */
    }
    if (st == ST_OK && !same)
        st = note(path.z, buf_view(&was), job->facts, buf_view(differences),
                  !empty);
    if (st == ST_OK && (!same || job->own || access(beside.z, F_OK) != 0))
        st = write_provenance(beside.z, job, o);
    if (st == ST_OK)
        buf_clear(differences);
    buf_free(&was);
    return st;
}
