/* receipts.c -- see receipts.h. */
#include "receipts.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd_io.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_reader.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/path.h"

#define FILE_NAME "forgotten.jsonl"
#define BYTES_MAX ((size_t)1 << 26)
#define JSON_DEPTH 64

void
receipt_line(struct buf *out, struct str pattern, const char *state,
             const struct forget_counts *n)
{
    struct json j = {.out = out};
    char when[21];

    clock_iso(clock_wall_ms(), when);
    json_object(&j);
    json_kstr(&j, "forgotten", pattern);
    json_kstr(&j, "state", str_c(state));
    json_kstr(&j, "time", str_c(when));
#define X(member) json_ku64(&j, #member, n->member);
    FORGET_COUNTS(X)
#undef X
    json_object_end(&j);
    buf_char(out, '\n');
}

enum status
receipts_append(const char *dir, struct str lines)
{
    struct path path = path_printf("%s/" FILE_NAME, dir);
    int fd = open(path.z, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    enum status st = ST_OK;

    if (fd < 0 || !fd_write(fd, lines.p, lines.n) || fsync(fd) != 0 ||
        file_sync_name(path.z) != ST_OK) {
        log_error("forget", "%s: %s", path.z, strerror(errno));
        st = ST_IO;
    }
    if (fd >= 0)
        close(fd);
    return st;
}

static void
read_line(struct json_reader *json, struct str line, receipt_each *each,
          void *self)
{
    struct forget_counts n = {0};

    if (!json_reader_read(json, line))
        return;
#define X(member) (void)json_reader_u64(&n.member, json, #member);
    FORGET_COUNTS(X)
#undef X
    each(self, json_reader_str(json, "forgotten"),
         str_eq(json_reader_str(json, "state"), S("done")), &n);
}

void
receipts_read(const char *dir, receipt_each *each, void *self)
{
    struct json_reader *json = memory_need(json_reader_new(JSON_DEPTH));
    struct buf text = {0};
    struct str rest, line;

    (void)file_read(&text, path_printf("%s/" FILE_NAME, dir).z, BYTES_MAX);
    rest = buf_view(&text);
    while (str_cut(&rest, '\n', &line))
        read_line(json, line, each, self);
    buf_free(&text);
    json_reader_free(json);
}

static void
add_documents(void *self, struct str pattern, bool done,
              const struct forget_counts *n)
{
    (void)pattern;
    *(uint64_t *)self += done ? n->documents : 0;
}

uint64_t
receipts_documents(const char *dir)
{
    uint64_t sum = 0;

    receipts_read(dir, add_documents, &sum);
    return sum;
}
