/* turns.c -- see turns.h.
 *
 * A turn is one transaction.  Calls that bring links (reports, sitemaps, seeds)
 * are taken in the order in which they came, as many as a slice has time for;
 * then the quick ones (leases, questions), which so see what the reports have
 * freed.  A report that does not fit stays where it is for the next turn.  When
 * such calls wait, every second turn belongs to the quick ones alone, which
 * costs no commit of tables as a rule: so a lease waits for one slice at most,
 * however much is being loaded.
 *
 * A slice is a few milliseconds of work and as many rows as the disk can commit
 * in about that time, which is learnt from the commits before.  While nobody
 * leases slices are longer, since each commit has a price of its own.
 *
 * Replies are written after the commit of the last part of a call, so nothing
 * is promised that a crash could undo.  When the disk is full or the store
 * fails, nothing of the turn has happened and the callers of that are told so;
 * what a call had brought in before is known when it is sent again. */
#include "turns.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "proto/server.h"

#define WORK_MS 8u    /* of a slice */
#define COMMIT_MS 12u /* ... for its commit, about */
#define ROWS_LEAST 256u
#define ROWS_FIRST 2000u
#define ROWS_MOST 40000u
#define LEASED_MS 1000u  /* nobody leases who has not done so for so long */
#define LONGER 5u        /* how much longer slices are then */
#define MAINTAIN_MS 100u /* leases without a pause do not keep links out */

/* ---- jobs ---- */

static struct turn_job *
job_new(struct turns *t, struct str request)
{
    static struct log_limit malformed = LOG_LIMIT(10);
    struct arena *a = t->spare_n > 0 ? t->spare[--t->spare_n] : arena_new();
    struct turn_job *j = ARENA_NEW(a, struct turn_job);

    j->arena = a;
    winnow__frontier__reply__init(&j->reply);
    if (message_read_request(&j->request, a, request) != ST_OK)
        log_rarely(&malformed, LOG_WARN, "frontier",
                   "a malformed request of %zu bytes", request.n);
    return j;
}

static void
job_free(struct turns *t, struct turn_job *j)
{
    struct arena *a = j->arena;

    arena_reset(a);
    if (t->spare_n < TURNS_SPARE)
        t->spare[t->spare_n++] = a;
    else
        arena_free(a);
}

void
turns_free(struct turns *t)
{
    while (t->spare_n > 0)
        arena_free(t->spare[--t->spare_n]);
}

/* Of a request that is not read yet: a lease or a question?  Its first byte is
 * the number of the call; if it is not, it only is not served first. */
static unsigned
kind_of(struct str request)
{
    unsigned char tag = request.n > 0 ? (unsigned char)request.p[0] : 0;

    return (tag & 7) == 2 ? tag >> 3 : 0;
}

static bool
is_quick(const struct server_call *c)
{
    switch (kind_of(c->request)) {
    case WINNOW__FRONTIER__REQUEST__CALL_LEASE:
    case WINNOW__FRONTIER__REQUEST__CALL_ROBOTS:
    case WINNOW__FRONTIER__REQUEST__CALL_STAT:
    case WINNOW__FRONTIER__REQUEST__CALL_WHY: return true;
    default: return false;
    }
}

static void
refuse(message_reply *r, enum status st)
{
    winnow__frontier__reply__init(r);
    r->code = st == ST_FULL ? WINNOW__FRONTIER__CODE__FULL
                            : WINNOW__FRONTIER__CODE__STORE_FAILED;
    r->message = (char *)(uintptr_t)status_name(st);
}

/* ---- one turn ---- */

/* As much of a call as there is time for; `cut`: it may be parted. */
static enum status
work(struct frontier_service *s, struct server_call *c, bool cut,
     uint64_t now_ms)
{
    struct turn_job *j = c->state;
    enum status st;

    if (j == NULL)
        c->state = j = job_new(&s->turns, c->request);
    c->bad = j->request == NULL;
    s->arena = j->arena;
    do
        st = service_answer(s, j, now_ms);
    while (st == ST_OK && !j->ended &&
           !(cut && frontier_slice_over(s->frontier)));
    return st;
}

/* Which of the calls: those that bring links as far as there is time, the
 * quick ones all. */
static enum status
work_all(struct frontier_service *s, struct server_call *calls, size_t n,
         bool links, uint64_t now_ms)
{
    bool over = !links;
    enum status st = ST_OK;

    for (size_t i = 0; i < n && st == ST_OK; i++) {
        if (is_quick(&calls[i]))
            continue;
        calls[i].kept = over;
        if (over)
            continue;
        st = work(s, &calls[i], true, now_ms);
        over = frontier_slice_over(s->frontier);
    }
    for (size_t i = 0; i < n && st == ST_OK; i++)
        if (is_quick(&calls[i]))
            st = work(s, &calls[i], false, now_ms);
    return st;
}

static bool
anybody_leases(const struct turns *t)
{
    return t->leased_ms != 0 && clock_steady_ms() - t->leased_ms < LEASED_MS;
}

/* The rows of a slice follow what the disk takes. */
static void
learn(struct turns *t, uint64_t ms)
{
    uint64_t aim = anybody_leases(t) ? COMMIT_MS : COMMIT_MS * LONGER;

    if (ms > aim + aim / 4)
        t->rows -= t->rows / 4;
    else if (ms < aim - aim / 4)
        t->rows += t->rows / 8;
    t->rows = t->rows < ROWS_LEAST  ? ROWS_LEAST
              : t->rows > ROWS_MOST ? ROWS_MOST
                                    : t->rows;
}

static void
set_slice(struct frontier_service *s, bool leases)
{
    struct turns *t = &s->turns;
    uint64_t times = anybody_leases(t) ? 1 : LONGER;

    if (t->rows == 0)
        t->rows = ROWS_FIRST;
    frontier_set_slice(s->frontier, WORK_MS * times, t->rows * times, leases);
}

static enum status
commit(struct frontier_service *s)
{
    uint64_t start = clock_steady_ms();
    bool full = frontier_slice_over(s->frontier);
    enum status st = frontier_commit(s->frontier);

    if (st == ST_OK && full)
        learn(&s->turns, clock_steady_ms() - start);
    return st;
}

/* ST_OK: it is committed, and who was served completely has an answer. */
static enum status
turn(struct frontier_service *s, struct server_call *calls, size_t n,
     bool links)
{
    enum status st;

    set_slice(s, !links);
    if ((st = frontier_begin(s->frontier)) == ST_OK) {
        st = work_all(s, calls, n, links, service_now(s));
        if (st == ST_OK)
            st = commit(s);
        else
            frontier_abort(s->frontier);
    }
    return st;
}

/* How a turn went, to those of its calls that it has served, or that it should
 * have served when it failed. */
static void
tell(struct frontier_service *s, struct server_call *calls, size_t n,
     bool quick, enum status st)
{
    for (size_t i = 0; i < n; i++) {
        struct server_call *c = &calls[i];
        struct turn_job *j = c->state;
        message_reply no;

        if (is_quick(c) != quick)
            continue;
        c->kept = st == ST_OK && (j == NULL || !j->ended);
        if (c->kept)
            continue;
        if (st != ST_OK)
            refuse(&no, st);
        message_write_reply(&c->reply, st == ST_OK ? &j->reply : &no);
        c->state = NULL;
        if (j != NULL)
            job_free(&s->turns, j);
    }
}

/* ---- turn after turn ---- */

static void
again(struct frontier_service *s, uint64_t ms)
{
    struct server *v = s->alarm;

    if (v != NULL)
        server_again(v, ms);
}

/* Links that wait are brought in when nobody calls, or before more come. */
static enum status
tend(struct frontier_service *s)
{
    uint64_t again_ms;
    enum status st;

    s->turns.maintained_ms = clock_steady_ms();
    set_slice(s, false);
    st = frontier_maintain(s->frontier, service_now(s), &again_ms);
    if (st == ST_OK && again_ms == 0) /* a slice, and more to come */
        learn(&s->turns, clock_steady_ms() - s->turns.maintained_ms);
    again(s, again_ms);
    return st;
}

struct waiting {
    bool links, quick;
};

static struct waiting
look(struct turns *t, struct server_call *calls, size_t n)
{
    struct waiting w = {false, false};

    for (size_t i = 0; i < n; i++) {
        if (is_quick(&calls[i]))
            w.quick = true;
        else
            w.links = calls[i].kept = true;
        if (kind_of(calls[i].request) == WINNOW__FRONTIER__REQUEST__CALL_LEASE)
            t->leased_ms = clock_steady_ms() | 1;
    }
    return w;
}

/* A turn with links; false: the quick ones were not served. */
static bool
take_links(struct frontier_service *s, struct server_call *calls, size_t n)
{
    bool behind =
        frontier_behind(s->frontier) && frontier_has_room(s->frontier);
    enum status st = behind ? tend(s) : turn(s, calls, n, true);

    if (st != ST_OK || !behind)
        tell(s, calls, n, false, st);
    if (st == ST_OK && !behind)
        tell(s, calls, n, true, st);
    return st == ST_OK && !behind;
}

void
turns_handle(void *self, struct server_call *calls, size_t n)
{
    struct frontier_service *s = self;
    struct turns *t = &s->turns;
    struct waiting w;

    if (n == 0) {
        (void)tend(s);
        return;
    }
    w = look(t, calls, n);
    if (!w.links && clock_steady_ms() - t->maintained_ms >= MAINTAIN_MS &&
        frontier_maintain_due(s->frontier, service_now(s)) == 0)
        (void)tend(s);
    t->leases = w.links && w.quick && t->kept && !t->leases;
    if (w.links && !t->leases && take_links(s, calls, n))
        w.quick = false;
    if (w.quick)
        tell(s, calls, n, true, turn(s, calls, n, false));
    t->kept = false;
    for (size_t i = 0; i < n; i++)
        t->kept = t->kept || calls[i].kept;
    again(s, frontier_maintain_due(s->frontier, service_now(s)));
}
