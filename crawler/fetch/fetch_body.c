/* fetch_body.c -- a body as it comes: what is no HTML or too long is stopped
 * here.
 *
 * One in a content coding is decoded when all of it has come, as whole bodies
 * are decoded faster, and not by libcurl, which gives up what is in no coding
 * that it knows and says nothing of what it makes of a stack of them.  A long
 * one is looked at before: it may be too long, or a bomb. */
#include "fetch_inside.h"

#include "clean/archive/content_coding.h"
#include "clean/charset/sniff.h"

#define BOMB_RATIO 200          /* decoded bytes for one received */
#define REFUSAL_MAX (64 * 1024) /* of bodies that nobody wants */
#define CODED_KEPT (64 * 1024)  /* room, for the transfer after this one */
#define LOOK_RATIO 8            /* pages have no more */
#define XML_HEAD ((size_t)4096) /* in which XHTML begins, if it is that */

/* Room for a body before its first byte: what its server says of it, or this.
 * Growing step by step would copy it twice. */
#define ROOM_UNKNOWN ((size_t)32 << 10)
#define ROOM_MOST ((size_t)1 << 20)

bool
fetch_keeps_coded(const struct opts *o)
{
    return o->output_warc && str_eq(o->output_warc_bodies, S("sent"));
}

static struct buf *
page_of(struct transfer *t)
{
    return t->wanted ? &t->reply->body : &t->reply->refusal;
}

static size_t
page_max(const struct transfer *t)
{
    return t->wanted ? t->body_max : REFUSAL_MAX;
}

void
fetch_body_begins(struct transfer *t)
{
    const struct fetch_reply *r = t->reply;

    t->coded = content_coding_is_known(buf_view(&r->codings)) ||
               content_coding_is_known(buf_view(&r->transfer_codings));
    t->look_n = t->body_max / LOOK_RATIO;
}

static void
free_room(struct buf room[2])
{
    buf_free(&room[0]);
    buf_free(&room[1]);
}

/* Codings of the transfer are applied behind all others. */
static void
decode(const struct transfer *t, struct uncoded *u, size_t max,
       struct buf room[2])
{
    struct buf list = {0};

    buf_printf(&list, "%.*s,%.*s", STRF(buf_view(&t->reply->codings)),
               STRF(buf_view(&t->reply->transfer_codings)));
    content_coding_undo(u, buf_view(&list), buf_view(&t->coded_body), max,
                        room);
    buf_free(&list);
}

/* A feed, a sitemap ...: the beginning of the body tells, the rest is left. */
static bool
is_other_xml(struct transfer *t)
{
    struct str type = buf_view(&t->reply->content_type);
    struct uncoded u = {.body = buf_view(&t->reply->body)};
    struct buf room[2] = {0};
    bool other;

    if (!t->html_only || sniff_declared(type) != SNIFF_XML)
        return false;
    if (t->coded)
        decode(t, &u, XML_HEAD, room);
    other = !sniff_is_html(type, u.body);
    free_room(room);
    return other;
}

/* Of what has come, more than a page. */
static bool
is_too_long(struct transfer *t)
{
    struct uncoded u;
    struct buf room[2] = {0};

    t->look_n *= 2;
    decode(t, &u, t->body_max, room);
    free_room(room);
    return u.cut;
}

static size_t
first_room(const struct transfer *t)
{
    const struct fetch_reply *r = t->reply;
    size_t most = t->body_max < ROOM_MOST ? t->body_max : ROOM_MOST;
    uint64_t n = r->length > 0 ? r->length : ROOM_UNKNOWN;

    return n < most ? (size_t)n : most;
}

/* Of a body that nobody wants the beginning, if it may say why it is refused.
 */
static bool
take_refusal(struct transfer *t, const char *p, size_t n)
{
    t->discarded += n;
    if (t->refused && t->discarded <= REFUSAL_MAX)
        buf_add(t->coded ? &t->coded_body : &t->reply->refusal, p, n);
    return t->discarded <= REFUSAL_MAX || fetch_stop(t, VERDICT_NONE);
}

static bool
take_page(struct transfer *t, const char *p, size_t n)
{
    struct buf *to = t->coded ? &t->coded_body : &t->reply->body;
    size_t had = to->n, room = t->body_max - had;

    if (to->cap == 0)
        buf_reserve(to, first_room(t));
    buf_add(to, p, n < room ? n : room);
    if (had < XML_HEAD && to->n >= XML_HEAD && is_other_xml(t))
        return fetch_stop(t, VERDICT_NOT_HTML);
    t->reply->truncated = n > room;
    if (n > room || (t->coded && to->n >= t->look_n && is_too_long(t)))
        return fetch_stop(t, VERDICT_NONE);
    return true;
}

size_t
fetch_on_body(char *p, size_t size, size_t n, void *self)
{
    struct transfer *t = self;

    t->fetch->unasked = 0;
    n *= size;
    return (t->wanted ? take_page(t, p, n) : take_refusal(t, p, n)) ? n : 0;
}

/* Move what was decoded to where pages are. */
static void
keep(struct transfer *t, const struct uncoded *u, struct buf room[2])
{
    struct buf *to = page_of(t);

    for (size_t i = 0; i < 2; i++)
        if (u->body.n > 0 && u->body.p == room[i].p) {
            buf_free(to);
            *to = room[i];
            to->n = u->body.n;
            room[i] = (struct buf){0};
            return;
        }
    buf_str(to, u->body);
}

/* Of a page, for the archive.  What the transfer was coded in beside is no part
 * of a record. */
static void
keep_coded(struct transfer *t)
{
    if (!t->wanted || t->reply->transfer_codings.n > 0 ||
        !fetch_keeps_coded(t->fetch->opts))
        return;
    buf_free(&t->reply->coded_body);
    t->reply->coded_body = t->coded_body;
    t->coded_body = (struct buf){0};
}

static enum verdict
fault_of(const struct transfer *t, const struct uncoded *u)
{
    if (u->cut && u->growth >= BOMB_RATIO)
        return VERDICT_BOMB;
    if (u->early && u->body.n == 0) /* the name of a gzip file, for ever */
        return t->reply->truncated ? VERDICT_TOO_MUCH : VERDICT_ENCODING;
    return u->plain || u->foreign || u->damaged ? VERDICT_ENCODING
                                                : VERDICT_NONE;
}

enum verdict
fetch_body_ends(struct transfer *t, enum verdict fault)
{
    struct uncoded u;
    struct buf room[2] = {0};

    if (t->coded_body.n == 0)
        return fault;
    decode(t, &u, page_max(t), room);
    keep(t, &u, room);
    free_room(room);
    keep_coded(t);
    buf_clear(&t->coded_body);
    if (t->coded_body.cap > CODED_KEPT)
        buf_free(&t->coded_body);
    if (!t->wanted || fault != VERDICT_NONE)
        return fault;
    fault = fault_of(t, &u);
    t->reply->broken_off = u.early && !u.cut && !t->reply->truncated;
    t->reply->truncated |= u.cut || u.early;
    return fault;
}
