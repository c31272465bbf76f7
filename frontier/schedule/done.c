/* done.c -- how a URL ended: out of the queue, into `seen` with its verdict and
 * the parts of its score, and its outlinks into the frontier.
 *
 * Only who holds a lease ends it.  A report may come twice or late: its lease
 * has ended, and the URL is queued again, or out to another crawler, or to the
 * same one for another call.  A late report of a page that was fetched after
 * all is taken, since its document is stored: the URL has ended, and who has it
 * by now holds only the host, until its own report or deadline.  Any other is
 * counted and ignored.  The host's clock is moved by every report of a request,
 * since the host has seen it. */
#include "base/hash.h"
#include "base/log.h"
#include "frontier/store/lowered.h"
#include "schedule_inside.h"

/* So often a host may refuse in a row before its pages are given up: with the
 * preset of politeness.retry_ms in a day and a half. */
#define NO_TRIES_MAX 13
/* Of a kind so many pages may be missing before others speak for the host. */
#define KIND_ERRORS_MAX 20

struct done_report { /* a page's report and what is known about the page */
    const struct frontier_done *d;
    struct row_seen_key key;
    struct row_seen seen;
    struct row_queued q;
    struct host *h;
    bool again;           /* it was kept before and is looked at anew ... */
    bool same;            /* ... and has not changed */
    bool followed;        /* ... at dates of its own */
    enum verdict verdict; /* of then */
    bool leased;          /* it answers the present lease of its host, ... */
    bool unreported;      /* ... or one under which it is unreported ... */
    uint16_t counted;     /* ... with this priority */
    bool explored;        /* ... which chance had given out */
};

/* Its row goes, wherever it waits. */
static enum status
remove_row(struct schedule *sched, const struct done_report *r)
{
    const struct row_seen *s = &r->seen;

    switch (s->state) {
    case ROW_LATER: return schedule_later_remove(sched, s->due_ms, s->position);
    case ROW_HELD: return url_store_held_remove(sched->db, s->position);
    case ROW_UNREPORTED: return schedule_unreported_end(sched, s->position);
    default: return url_store_queue_remove(sched->db, r->h, s->position);
    }
}

/* Take the page's row out of the queue (or from where else it waits).  Its
 * priority is what it counted for then. */
static enum status
take_row(struct schedule *sched, struct done_report *r)
{
    struct row_seen *s = &r->seen;
    struct row_lease *l = &r->h->row.lease;
    uint16_t priority = s->position.priority;
    enum status st;

    if (r->leased) {
        *l = (struct row_lease){0};
        sched->db->counters.totals.leased--;
    } else if (l->out && l->position.sequence == s->position.sequence) {
        l->position.sequence = 0; /* to another, who will see nothing of it */
        sched->db->counters.totals.leased--;
    } else if (s->state != ROW_HELD && s->state != ROW_UNREPORTED) {
        url_store_count_queued(sched->db, s->position.priority, -1);
    }
    if ((st = url_store_waiting_read(sched->db, s, &r->q)) != ST_OK)
        return st;
    r->q.rest = arena_str(sched->db->arena, r->q.rest);
    if (r->unreported)
        priority = r->counted;
    else if (s->state == ROW_QUEUED)
        priority = lowered_priority(sched->db, s->position);
    st = remove_row(sched, r);
    s->position.priority = priority;
    return st;
}

/* What a page of the same host has led to. */
static void
count_heir(struct done_report *r, enum outcome_class class)
{
    const struct row_facts *p = &r->q.facts;
    struct row_host *h = &r->h->row;

    if (p->parent_host != r->h->id || p->seed || p->sitemap ||
        class == CLASS_REFUSED || p->features.url_class >= h->url_classes.n)
        return;
    outcomes_count_latest(&h->url_classes.item[p->features.url_class].outcomes,
                          &h->outcomes, CLASS_OUTLINKS, CLASS_OUTLINKS_KEPT,
                          class == CLASS_KEPT);
}

/* What has ended counts, also when its verdict says nothing of a page. */
static enum outcome_class
counts_as(const struct schedule *sched, enum row_state state,
          enum verdict verdict)
{
    enum outcome_class class = verdict_teaches(verdict);

    if (!sched->rules.learn_duplicates &&
        (class == CLASS_EXACT || class == CLASS_NEAR))
        return CLASS_KEPT;
    return class != CLASS_NONE   ? class
           : state == ROW_FAILED ? CLASS_ERROR
                                 : CLASS_OTHER;
}

static void
count_end(struct schedule *sched, struct done_report *r, enum row_state state,
          enum verdict verdict)
{
    struct frontier_totals *t = &sched->db->counters.totals;
    const struct frontier_done *d = r->d;
    struct outcome_counts *url_class =
        &r->h->row.url_classes.item[r->seen.position.url_class].outcomes;
    enum outcome_class class = counts_as(sched, state, verdict);

    if (r->q.kind == FRONTIER_SITEMAP) { /* no page */
        *(state == ROW_REFUSED ? &t->refused
          : state == ROW_DONE  ? &t->done
                               : &t->failed) += 1;
        t->sitemaps += state == ROW_DONE && d->outcome == OUTCOME_FETCHED;
        r->h->row.fetched += d->contacted;
        return;
    }
    if (state == ROW_REFUSED) {
        t->refused++;
    } else if (state == ROW_FAILED) {
        t->failed++;
        t->pages += d->contacted;
    } else if (d->outcome == OUTCOME_REDIRECT) {
        t->done++;
    } else if (r->same) { /* counted the first time */
        t->done++;
        t->unchanged++;
        r->h->row.fetched += d->contacted;
        return;
    } else {
        t->done++;
        t->pages++;
        if (verdict_teaches(verdict) == CLASS_KEPT) {
            t->kept++;
            t->kept_bytes += d->kept_bytes;
            r->h->row.kept_bytes += d->kept_bytes;
        }
    }
    r->h->row.outcomes.n[class]++;
    url_class->n[class]++;
    count_heir(r, class);
    if (!r->q.facts.seed && class != CLASS_REFUSED && class != CLASS_REDIRECT)
        outcomes_count_latest(url_class, &r->h->row.outcomes, CLASS_LINKS,
                              CLASS_LINKS_DEAD, class == CLASS_ERROR);
    r->h->row.fetched += d->contacted;
}

/* A page that was fetched, or is gone, is a lesson. */
static void
learn(struct schedule *sched, const struct done_report *r, enum row_state state,
      enum verdict verdict)
{
    if (state == ROW_REFUSED || !r->d->contacted || r->again ||
        r->q.kind != FRONTIER_PAGE ||
        (state == ROW_DONE && r->d->outcome == OUTCOME_REDIRECT))
        return;
    scoring_learn(sched->sc, &r->h->row, r->seen.position.url_class, &r->q,
                  counts_as(sched, state, verdict));
}

/* What is kept may change; what lists pages as well. */
static bool
is_to_be_followed(const struct done_report *r, enum verdict verdict)
{
    if (r->q.kind == FRONTIER_SITEMAP)
        return r->d->outcome != OUTCOME_REDIRECT;
    return r->followed || verdict == VERDICT_KEPT;
}

/* The host has answered, or has sent another page in place of this one. */
static void
note_answer(struct schedule *sched, struct done_report *r, enum row_state state,
            uint64_t now_ms)
{
    if (state == ROW_REFUSED || !r->d->contacted)
        return;
    if (verdict_kind(r->d->verdict) == VERDICT_KIND_SUBSTITUTED)
        schedule_hold_back(sched, r->h, r->d, false, now_ms);
    else if (r->leased || r->unreported)
        r->h->row.failures = 0; /* a late report lifts no back-off */
}

/* The page has ended: write down how. */
static enum status
end(struct schedule *sched, struct done_report *r, enum row_state state,
    enum verdict verdict, uint64_t now_ms)
{
    struct row_seen s = {.state = state,
                         .outcome = r->d->outcome,
                         .ended_ms = now_ms,
                         .badness = r->d->badness,
                         .has_badness = r->d->has_badness,
                         .verdict = verdict};
    enum status st = take_row(sched, r);
    bool sitemap = r->q.kind == FRONTIER_SITEMAP;

    if (st != ST_OK)
        return st;
    s.position = r->seen.position;
    s.facts = r->q.facts;
    s.facts.explored = r->explored;
    learn(sched, r, state, verdict);
    note_answer(sched, r, state, now_ms);
    count_end(sched, r, state, verdict);
    url_store_host_changed(sched->db, r->h);
    if ((st = scoring_follow(sched->sc, r->h, r->seen.position.url_class)) !=
        ST_OK)
        return st;
    if ((st = url_store_seen_put(sched->db, r->key, &s)) != ST_OK)
        return st;
    if (state == ROW_DONE && is_to_be_followed(r, verdict))
        return schedule_revisit_plan(sched, r->key, r->d,
                                     sitemap ? r->q.owner : 0, now_ms);
    if (sched->rules.revisit_ms == 0)
        return ST_OK;
    return r->d->outcome == OUTCOME_RETRY
               ? schedule_revisit_later(sched, r->key, now_ms)
               : schedule_revisit_drop(sched, r->key);
}

static struct row_parent
parent_of(const struct done_report *r)
{
    struct row_parent p = {0};

    p.facts.parent_host = r->h->id;
    p.facts.parent_hash = row_parent_hash(hash64(r->d->url));
    p.facts.depth = r->q.facts.depth;
    p.facts.features.level = page_level(r->q.rest);
    p.facts.features.url_class = r->seen.position.url_class;
    return p;
}

/* What the verdict says of the page as a place to find links. */
static enum link_parent
link_parent_of(const struct frontier_done *d)
{
    if (d->other_language)
        return PARENT_LANGUAGE;
    if (d->verdict == VERDICT_PAGE_KIND) /* nothing else is wrong with it */
        return PARENT_KEPT;
    switch (verdict_teaches(d->verdict)) {
    case CLASS_KEPT:
    case CLASS_EXACT:
    case CLASS_NEAR: return PARENT_KEPT;
    case CLASS_LANGUAGE: return PARENT_LANGUAGE;
    case CLASS_BADNESS: return PARENT_DOUBTFUL;
    case CLASS_SHORT: return PARENT_SHORT;
    default: return PARENT_NONE;
    }
}

static enum status
fetched(struct schedule *sched, struct done_report *r, uint64_t now_ms,
        struct schedule_found *found)
{
    const struct frontier_done *d = r->d;
    enum status st =
        end(sched, r, ROW_DONE, r->same ? r->verdict : d->verdict, now_ms);

    if (st != ST_OK || d->links_n == 0 || r->q.kind == FRONTIER_SITEMAP)
        return st;
    found->by = SCHEDULE_PAGE;
    found->links = d->links;
    found->links_n = d->links_n;
    found->parent = parent_of(r);
    found->parent.facts.depth++;
    found->parent.facts.badness = d->badness;
    found->parent.facts.has_badness = d->has_badness;
    found->parent.facts.parent = link_parent_of(d);
    found->class = verdict_teaches(d->verdict);
    if (sched->rules.traps)
        found->trap = trap_of(r->q.rest, trap_year(now_ms));
    return ST_OK;
}

/* Its row, which was taken, waits again. */
static enum status
put_later(struct schedule *sched, struct done_report *r, uint64_t due_ms)
{
    struct row_seen s = {
        .state = ROW_LATER, .due_ms = due_ms, .position = r->seen.position};
    enum status st;

    url_store_count_queued(sched->db, s.position.priority, 1);
    url_store_host_changed(sched->db, r->h);
    st = schedule_later_add(sched, due_ms, s.position, &r->q);
    return st != ST_OK ? st : url_store_seen_put(sched->db, r->key, &s);
}

/* It has answered and has not ended: it is asked once more. */
static enum status
ask_again(struct schedule *sched, struct done_report *r, uint64_t now_ms)
{
    note_answer(sched, r, ROW_FAILED, now_ms);
    r->h->row.fetched += r->d->contacted;
    return put_later(sched, r, now_ms);
}

/* A redirect to what is one page with it: to itself, for whoever has got a
 * cookie meanwhile, or to its URL with another session or without marks.  A
 * link to that would find it known. */
static bool
leads_to_itself(const struct schedule *sched, const struct done_report *r,
                struct row_url *to)
{
    struct str url = r->d->links_n > 0 ? r->d->links[0].url : S("");
    struct row_seen_key key;

    if (url.n > sched->rules.url_size_max || !row_url_split(to, url))
        return false;
    key = row_seen_key(sched->db->keys, to->authority, url);
    return memcmp(key.bytes, r->key.bytes, sizeof key.bytes) == 0;
}

static enum status
follow_to_itself(struct schedule *sched, struct done_report *r,
                 const struct row_url *to, uint64_t now_ms)
{
    enum status st = take_row(sched, r);

    r->q.https = to->https;
    r->q.rest = to->rest;
    r->q.facts.redirects++;
    return st != ST_OK ? st : ask_again(sched, r, now_ms);
}

static enum verdict
redirect_verdict(struct schedule *sched, const struct done_report *r)
{
    if (r->q.facts.redirects >= sched->rules.redirects_max)
        return VERDICT_REDIRECTS;
    return r->d->links_n > 0 && r->q.kind == FRONTIER_PAGE &&
                   schedule_leads_to_closed_login(sched, r->h,
                                                  r->d->links[0].url)
               ? VERDICT_LOGIN
               : VERDICT_REDIRECT;
}

/* The target stands for the page: same depth, same priority. */
static enum status
redirected(struct schedule *sched, struct done_report *r, uint64_t now_ms,
           struct schedule_found *found)
{
    const struct frontier_done *d = r->d;
    struct row_parent *p = &found->parent;
    enum verdict verdict = redirect_verdict(sched, r);
    struct row_url to;
    enum status st;

    if (verdict == VERDICT_REDIRECT && leads_to_itself(sched, r, &to))
        return follow_to_itself(sched, r, &to, now_ms);
    st = end(sched, r, verdict == VERDICT_REDIRECT ? ROW_DONE : ROW_FAILED,
             verdict, now_ms);
    if (st != ST_OK || verdict != VERDICT_REDIRECT || d->links_n == 0)
        return st;
    p->facts = r->q.facts;
    p->owner = r->q.kind == FRONTIER_SITEMAP ? r->q.owner : 0;
    p->facts.parent_host = r->h->id;
    p->facts.parent_hash = row_parent_hash(hash64(d->url));
    p->facts.features.url_class = r->seen.position.url_class;
    p->facts.redirects++;
    p->priority = r->seen.position.priority;
    found->by = SCHEDULE_REDIRECT;
    found->target = d->links[0];
    found->target.kind = r->q.kind;
    found->target.boilerplate = r->q.facts.boilerplate;
    found->target.relation = r->q.facts.relation;
    found->links = &found->target;
    found->links_n = 1;
    return ST_OK;
}

/* Would any page of the host have met it? */
static bool
is_of_host(enum verdict v)
{
    return verdict_holds_host(v) || v == VERDICT_CONNECT ||
           v == VERDICT_CONNECT_TIMEOUT || v == VERDICT_TLS ||
           v == VERDICT_TLS_VERIFY;
}

/* Does a host that answers 429 or 503, is down, or whose certificate has run
 * out, go on so, and has it other pages to ask next?  Then it is no try of this
 * page, or an outage would cost the host a page for every few requests.  The
 * last try counts all the same: who fetches tells it by its number alone. */
static bool
is_no_try(const struct schedule *sched, const struct done_report *r)
{
    const struct row_host *h = &r->h->row;

    return h->failures > 0 && h->failures < NO_TRIES_MAX && h->queued > 1 &&
           is_of_host(r->d->verdict) && r->q.attempts < sched->rules.retries;
}

/* Has the page failed before, or is it of a kind of which no page was there, on
 * a host that has others?  After many of that kind there may be nothing else
 * left to ask for, and it is time to ask less. */
static bool
is_own_mistake(const struct done_report *r)
{
    const struct row_host *h = &r->h->row;
    const struct url_class *kind =
        &h->url_classes.item[r->seen.position.url_class];

    return r->q.attempts > 0 ||
           (outcomes_there(&kind->outcomes) == 0 &&
            kind->outcomes.n[CLASS_ERROR] < KIND_ERRORS_MAX &&
            outcomes_there(&h->outcomes) > 0);
}

static uint64_t
held_ms(const struct host *h, uint64_t now_ms)
{
    return h->row.next_contact_ms > now_ms ? h->row.next_contact_ms - now_ms
                                           : 0;
}

static enum status
retry(struct schedule *sched, struct done_report *r, uint64_t now_ms)
{
    const struct frontier_done *d = r->d;
    bool no_try = is_no_try(sched, r);
    uint64_t wait;
    enum status st;

    schedule_hold_back(sched, r->h, d, is_own_mistake(r), now_ms);
    if (r->q.attempts >= sched->rules.retries) {
        uint32_t failures = r->h->row.failures;

        st = end(sched, r, ROW_FAILED, d->verdict, now_ms);
        r->h->row.failures = failures; /* the host is no better for it */
        return st;
    }
    if ((st = take_row(sched, r)) != ST_OK)
        return st;
    wait = schedule_backoff(sched, sched->rules.retry_ms, r->q.attempts);
    if (wait < d->retry_after_ms)
        wait = d->retry_after_ms;
    if (no_try && wait < 2 * held_ms(r->h, now_ms))
        wait = 2 * held_ms(r->h, now_ms); /* first another of its pages */
    if (wait > SCHEDULE_BACKOFF_MAX_MS)
        wait = SCHEDULE_BACKOFF_MAX_MS;
    r->q.attempts += !no_try;
    return put_later(sched, r, now_ms + wait);
}

/* A sitemap has led to some page, such as the home page, to which many sites
 * send whoever asks for what they have not.  A link to that page would find it
 * known; so it is fetched once more, as what it is. */
static enum status
again_as_page(struct schedule *sched, struct done_report *r, uint64_t now_ms)
{
    enum status st = take_row(sched, r);

    r->q.kind = FRONTIER_PAGE;
    r->q.owner = 0;
    r->q.attempts = r->q.facts.nesting = 0;
    return st != ST_OK ? st : ask_again(sched, r, now_ms);
}

static enum status
failed(struct schedule *sched, struct done_report *r, uint64_t now_ms,
       struct schedule_found *found)
{
    enum status st;

    if (r->d->verdict == VERDICT_NO_SITEMAP && r->q.facts.redirects > 0 &&
        r->q.kind == FRONTIER_SITEMAP)
        return again_as_page(sched, r, now_ms);
    st = end(sched, r, ROW_FAILED, r->d->verdict, now_ms);
    if (st == ST_OK && r->d->contacted)
        schedule_home_instead(sched, r->h, &r->q, found);
    return st;
}

static enum status
page_done(struct schedule *sched, struct done_report *r, uint64_t now_ms,
          struct schedule_found *found)
{
    const struct frontier_done *d = r->d;

    switch (d->outcome) {
    case OUTCOME_FETCHED: return fetched(sched, r, now_ms, found);
    case OUTCOME_REDIRECT: return redirected(sched, r, now_ms, found);
    case OUTCOME_FAILED: return failed(sched, r, now_ms, found);
    case OUTCOME_RETRY: return retry(sched, r, now_ms);
    case OUTCOME_UNCHANGED: return fetched(sched, r, now_ms, found);
    case OUTCOME_DISALLOWED:
    case OUTCOME_OUT_OF_SCOPE:
        return end(sched, r, ROW_REFUSED, d->verdict, now_ms);
    case OUTCOME_ROBOTS_DONE: /* not a page's outcome: as if not tried */
    case OUTCOME_RETURNED:
        if (r->unreported)
            return schedule_unreported_return(sched, r->seen.position);
        sched->db->counters.totals.leased--;
        url_store_count_queued(sched->db, r->seen.position.priority, 1);
        schedule_lease_ended(sched, r->h);
        return ST_OK;
    }
    return ST_OK;
}

/* Has it the text that it had?  Without revisits nobody has noted that: then it
 * is a duplicate of what was kept, itself. */
static bool
is_unchanged(const struct frontier_done *d, const struct row_revisit *v)
{
    return d->outcome == OUTCOME_FETCHED &&
           (v->digest == 0 ? v->verdict == VERDICT_KEPT &&
                                 d->verdict == VERDICT_EXACT_DUPLICATE
                           : d->digest == v->digest);
}

/* Was it fetched and kept before?  Then what it found changes no counts unless
 * the text is another. */
static enum status
recall(struct schedule *sched, struct done_report *r)
{
    struct row_revisit v;
    bool answered;
    enum status st;

    r->same = r->d->outcome == OUTCOME_UNCHANGED;
    r->verdict = r->d->verdict;
    if (r->q.kind != FRONTIER_PAGE)
        return ST_OK;
    st = url_store_revisit_get(sched->db, r->key, &v);
    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    answered = r->d->outcome == OUTCOME_FETCHED || r->same;
    r->followed = answered && v.interval_ms > 0;
    r->again = r->followed || (answered && v.verdict == VERDICT_KEPT);
    r->same = r->same || is_unchanged(r->d, &v);
    r->verdict = v.verdict;
    return ST_OK;
}

/* Its URL has ended by a late report, and may be queued once more by now: this
 * ends the host alone. */
static bool
ends_the_host(struct schedule *sched, struct done_report *r)
{
    if (!r->leased || r->h->row.lease.position.sequence != 0)
        return false;
    schedule_lease_ended(sched, r->h);
    r->leased = false;
    return true;
}

/* The lease of a page that is unreported: is this the answer to it? */
static enum status
recognise_unreported(struct schedule *sched, struct done_report *r)
{
    struct row_lease l;
    enum status st =
        url_store_unreported_lease(sched->db, r->seen.position, &l);

    if (st != ST_OK || !schedule_answers(r->d, &l))
        return st;
    r->unreported = true;
    r->counted = l.position.priority;
    r->explored = l.explored;
    return ST_OK;
}

/* The queue has what is leased, `seen` knows nothing of it, or that it has
 * ended: a damaged store.  It counts as queued, lest it be fetched for ever. */
static void
mend_seen(struct schedule *sched, struct done_report *r, bool known)
{
    log_warn("frontier",
             "%.*s: was leased and `seen` has %s: the store is damaged; when "
             "nothing works on it, winnow frontier --dir %s --check --repair",
             STRF(r->d->url), known ? "its end" : "nothing of it",
             sched->db->dir);
    if (known)
        url_store_ended_once_less(sched->db, r->seen.state);
    r->seen = (struct row_seen){.state = ROW_QUEUED,
                                .position = r->h->row.lease.position};
}

/* Is this report of a page to be taken?  Fills the report. */
static enum status
recognise(struct schedule *sched, struct done_report *r, struct str authority)
{
    const struct row_lease *l = &r->h->row.lease;
    enum status st;

    r->key = row_seen_key(sched->db->keys, authority, r->d->url);
    st = url_store_seen_get(sched->db, r->key, &r->seen);
    if (st != ST_OK && st != ST_NONE)
        return st;
    if (st == ST_NONE || row_has_ended(r->seen.state)) {
        if (!r->leased)
            return ST_NONE;
        mend_seen(sched, r, st == ST_OK);
    }
    if (r->seen.position.url_class >= r->h->row.url_classes.n)
        return url_store_corrupt("hosts");
    r->explored = r->leased && l->explored;
    if (r->seen.state == ROW_UNREPORTED &&
        (st = recognise_unreported(sched, r)) != ST_OK)
        return st;
    if (!r->leased && !r->unreported && r->d->outcome != OUTCOME_FETCHED &&
        r->d->outcome != OUTCOME_UNCHANGED && r->d->outcome != OUTCOME_REDIRECT)
        return ST_NONE;
    return url_store_waiting_read(sched->db, &r->seen, &r->q);
}

enum status
schedule_done(struct schedule *sched, const struct frontier_done *d,
              uint64_t now_ms, struct schedule_found *found)
{
    struct done_report r = {.d = d};
    struct row_url url;
    enum status st;
    bool over;

    *found = (struct schedule_found){0};
    if (!row_url_split(&url, d->url))
        return ST_OK;
    st = url_store_host_named(sched->db, url.authority, S(""), false, &r.h);
    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    found->host = r.h;
    r.leased = schedule_answers(d, &r.h->row.lease);
    if ((st = schedule_contact_ended(sched, r.h, d, now_ms)) != ST_OK)
        return st;
    url_store_host_changed(sched->db, r.h);
    if (frontier_is_rules(d->kind)) {
        sched->db->counters.totals.late_reports += !r.leased;
        return schedule_robots_done(sched, r.h, d, now_ms, found);
    }
    over = ends_the_host(sched, &r);
    st = recognise(sched, &r, url.authority);
    sched->db->counters.totals.late_reports +=
        !r.leased && !r.unreported && !over;
    if (st == ST_OK && (st = recall(sched, &r)) == ST_OK)
        st = page_done(sched, &r, now_ms, found);
    return st == ST_NONE ? ST_OK : st;
}
