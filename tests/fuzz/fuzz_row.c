/* fuzz_row.c -- any bytes as a row of any of the frontier's tables: refused, or
 * what was read is written and read again with the same bytes. */
#include <stdlib.h>

#include "frontier/store/row.h"
#include "fuzz.h"

/* Equal after the first writing: the shortest form of a number is written,
 * whatever form was read. */
static void
check_again(bool read, const struct buf *once, const struct buf *twice)
{
    if (!read || !str_eq(buf_view(once), buf_view(twice)))
        abort();
}

static void
queued(struct str row, struct buf *once, struct buf *twice)
{
    struct row_queued q;
    bool read;

    if (!row_queued_read(&q, row))
        return;
    row_queued_write(once, &q);
    if ((read = row_queued_read(&q, buf_view(once))))
        row_queued_write(twice, &q);
    check_again(read, once, twice);
}

static void
seen(struct str row, struct buf *once, struct buf *twice)
{
    struct row_seen s;
    bool read;

    if (!row_seen_read(&s, row))
        return;
    if (row_state_name(s.state) == NULL ||
        (row_has_ended(s.state) && !verdict_is(s.verdict)))
        abort();
    row_seen_write(once, &s);
    if ((read = row_seen_read(&s, buf_view(once))))
        row_seen_write(twice, &s);
    check_again(read, once, twice);
}

static void
host(struct str row, struct buf *once, struct buf *twice)
{
    struct url_class room[URL_CLASSES_MAX];
    struct row_host h;
    bool read;

    if (!row_host_read(&h, row, room))
        return;
    row_host_write(once, &h);
    if ((read = row_host_read(&h, buf_view(once), room)))
        row_host_write(twice, &h);
    check_again(read, once, twice);
}

static void
lease(struct str row, struct buf *once, struct buf *twice)
{
    struct row_lease l;
    bool read;

    if (!row_lease_read(&l, row))
        return;
    row_lease_write(once, &l);
    if ((read = row_lease_read(&l, buf_view(once))))
        row_lease_write(twice, &l);
    check_again(read, once, twice);
}

static void
counters(struct str row, struct buf *once, struct buf *twice)
{
    struct row_counters c;
    bool read;

    if (!row_counters_read(&c, row))
        return;
    row_counters_write(once, &c);
    if ((read = row_counters_read(&c, buf_view(once))))
        row_counters_write(twice, &c);
    check_again(read, once, twice);
}

/* The first byte names the table, the rest is the value; as a key, too. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static void (*const tables[])(struct str, struct buf *, struct buf *) = {
        queued, seen, host, lease, counters};
    struct buf once = {0}, twice = {0};
    struct row_position position;
    struct row_url url;
    uint64_t due_ms;
    struct str row;

    if (n == 0)
        return 0;
    row = str_n((const char *)data + 1, n - 1);
    tables[data[0] % (sizeof tables / sizeof *tables)](row, &once, &twice);
    row_queue_position(&position, row);
    row_later_position(&position, &due_ms, row);
    if (row_url_split(&url, row) && url.authority.n + url.rest.n > row.n)
        abort();
    buf_free(&once);
    buf_free(&twice);
    return 0;
}
