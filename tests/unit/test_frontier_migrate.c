/* Stores of schema 1 and 3, made here row by row as they were then, are written
 * anew: nothing that was queued, leased, waiting or ended is lost, and what was
 * two URLs then and is one now is fetched once. */
#include <lmdb.h>

#include "../../frontier/discover/journal.h"
#include "../../frontier/store/pack.h"
#include "frontier_case.h"

#define LATER (T0 + 500000)

/* ---- a store of then ---- */

static MDB_env *env;
static MDB_txn *txn;
static unsigned schema;

static void
begin_store(unsigned version)
{
    schema = version;
    CHECK(mdb_env_create(&env) == 0 && mdb_env_set_maxdbs(env, 16) == 0);
    CHECK(mdb_env_open(env, dir, 0, 0666) == 0);
    CHECK(mdb_txn_begin(env, NULL, 0, &txn) == 0);
}

static void
put(const char *table, struct buf *key, struct buf *value)
{
    MDB_dbi dbi;
    MDB_val k = {key->n, key->p}, v = {value->n, value->p};

    CHECK(mdb_dbi_open(txn, table, MDB_CREATE, &dbi) == 0);
    CHECK(mdb_put(txn, dbi, &k, &v, 0) == 0);
    buf_clear(key);
    buf_clear(value);
}

static struct buf key, value;

static void
put_meta(const char *name, const void *bytes, size_t n)
{
    buf_c(&key, name);
    buf_add(&value, bytes, n);
    put("meta", &key, &value);
}

struct then { /* a URL */
    unsigned host, sequence, priority;
    const char *authority, *rest;
    bool https;
    uint64_t due_ms; /* 0: queued */
};

static void
pack_place(struct buf *b, const struct then *u)
{
    pack_fixed(b, u->host, 4);
    if (schema > 1)
        pack_fixed(b, 0, 1);
    pack_fixed(b, 65535 - u->priority, 2);
    pack_fixed(b, u->sequence, 5);
}

static void
pack_row(struct buf *b, const struct then *u)
{
    if (schema == 1)
        pack_fixed(b, 1u | 2u | (u->https ? 8u : 0u), 1);
    else
        pack_fixed(b, 1u | 32u | 1u << 8 | (u->https ? 4u : 0u), 2);
    pack_number(b, 1);      /* depth */
    pack_number(b, 0);      /* redirects */
    pack_fixed(b, 250, 2);  /* badness */
    pack_fixed(b, 1234, 2); /* boilerplate */
    pack_number(b, 1);      /* parent_host */
    pack_fixed(b, 77, 8);   /* parent_hash */
    if (schema > 1) {
        pack_fixed(b, 9 * 4 + 2, 1); /* tenth, crowd */
        pack_fixed(b, 3 * 16 + 1, 1);
        pack_fixed(b, 500, 2); /* an anchor word */
    }
    pack_number(b, 0); /* attempts */
    buf_c(b, u->rest);
}

static struct str
url_of(const struct then *u)
{
    return arena_printf(a, "%s://%s%s", u->https ? "https" : "http",
                        u->authority, u->rest);
}

static void
pack_key(struct buf *b, const char *authority, struct str url)
{
    pack_fixed(b, hash64(str_c(authority)), 8);
    pack_fixed(b, hash64(url), 8); /* with its session */
}

static void
put_url(const struct then *u)
{
    if (u->due_ms != 0)
        pack_fixed(&key, u->due_ms, 8);
    pack_place(&key, u);
    pack_row(&value, u);
    put(u->due_ms != 0 ? "later" : "queue", &key, &value);

    pack_key(&key, u->authority, url_of(u));
    pack_fixed(&value, u->due_ms != 0 ? ROW_LATER : ROW_QUEUED, 1);
    pack_fixed(&value, u->priority, 2);
    pack_fixed(&value, u->host, 4);
    if (schema > 1)
        pack_fixed(&value, 0, 1);
    pack_fixed(&value, u->sequence, 5);
    if (u->due_ms != 0)
        pack_number(&value, u->due_ms);
    put("seen", &key, &value);
}

static void
put_ended(const char *authority, const char *url)
{
    pack_key(&key, authority, str_c(url));
    pack_fixed(&value, ROW_DONE, 1);
    pack_fixed(&value, 40000, 2);
    pack_fixed(&value, 0, schema == 1 ? 1 : 2); /* flags */
    pack_number(&value, 0);
    pack_number(&value, 0);
    pack_fixed(&value, 0, 2);
    pack_number(&value, 0);
    pack_number(&value, OUTCOME_FETCHED);
    pack_number(&value, T0 - 1000);
    pack_fixed(&value, 1, 1);
    pack_fixed(&value, 333, 2);
    pack_text(&value, S("kept"));
    put("seen", &key, &value);
}

/* With `queued` rows, the first of them number `head`; `leased`: number 1. */
static void
put_host(unsigned id, const char *name, unsigned queued, unsigned head,
         bool leased_out)
{
    pack_fixed(&key, id, 4);
    pack_fixed(&value, leased_out, 1);
    pack_text(&value, str_c(name));
    pack_text(&value, str_c(name));
    pack_number(&value, T0);
    for (int i = 0; i < 8; i++) /* failures, robots */
        pack_number(&value, 0);
    if (schema == 1) {
        pack_number(&value, queued);
        pack_fixed(&value, 50000, 2);
        pack_number(&value, head);
    }
    pack_number(&value, 3); /* fetched */
    pack_number(&value, 4000);
    pack_number(&value, 900);
    if (schema == 1) {
        for (unsigned i = 0; i < 10; i++)
            pack_number(&value, i == CAUSE_KEPT ? 2 : i == CAUSE_ERROR);
    } else {
        pack_number(&value, 1); /* a shelf */
        pack_fixed(&value, 4711, 4);
        pack_number(&value, queued);
        pack_fixed(&value, 50000, 2);
        pack_number(&value, head);
        pack_number(&value, 1u << CAUSE_KEPT | 1u << CAUSE_ERROR);
        pack_number(&value, 2);
        pack_number(&value, 1);
    }
    if (leased_out) {
        pack_fixed(&value, 0, 1);
        pack_fixed(&value, 1, 8); /* crawler */
        pack_number(&value, 0);
        pack_number(&value, T0 - 50);
        pack_number(&value, 600000);
        pack_fixed(&value, hash64(S("http://a.nl/1")), 8);
        if (schema > 1)
            pack_fixed(&value, 0, 1);
        pack_fixed(&value, 50000, 2);
        pack_number(&value, 1);
        pack_number(&value, 0);
    }
    put("hosts", &key, &value);
    pack_fixed(&key, hash64(str_c(name)), 8);
    pack_fixed(&value, id, 4);
    put("names", &key, &value);
}

static void
put_counters(void)
{
    static const unsigned n[] = {3, 2, 4000, 900, 6, 4, 1, 1, 0, 0, 2, 9, 5,
                                 1, 2, 0,    0,   4, 0, 0, 0, 0, 0, 0, 0};

    buf_c(&key, "counters");
    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        pack_number(&value, n[i]);
    put("meta", &key, &value);
}

static void
make_store(unsigned version)
{
    static const struct then urls[] = {
        {1, 1, 50000, "a.nl", "/1", false, 0},
        {1, 2, 45000, "a.nl", "/2?PHPSESSID=0123456789abcdef01", false, 0},
        {1, 3, 45000, "a.nl", "/2?PHPSESSID=fedcba987654321001", false, 0},
        {2, 4, 50000, "b.nl", "/x", true, 0},
        {2, 5, 50000, "b.nl", "/late", false, LATER},
    };

    begin_store(version);
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++)
        put_url(&urls[i]);
    put_ended("a.nl", "http://a.nl/0");
    put_host(1, "a.nl", 3, 1, true);
    put_host(2, "b.nl", 1, 4, false);
    put_counters();
    pack_fixed(&key, 2, 4);
    buf_c(&value, "User-agent: *\n");
    put("robots", &key, &value);
    buf_clear(&value);
    put_meta("magic", "winnow frontier", 15);
    put_meta("schema", &version, sizeof version);
    put_meta("scorer", "paper", 5);
}

static void
end_store(void)
{
    CHECK(mdb_txn_commit(txn) == 0);
    mdb_env_close(env);
}

/* ---- what it has become ---- */

static void
check_hosts(void)
{
    struct host *h;

    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_host(f, 1, &h) == ST_OK);
    CHECK(h->row.causes.n[CAUSE_KEPT] == 2 &&
          h->row.causes.n[CAUSE_ERROR] == 1);
    CHECK(h->row.fetched == 3 && h->row.kept_bytes == 900);
    CHECK(h->row.lease.out && h->row.queued == 2);
    frontier_abort(f);
}

static void
check_links(void)
{
    struct row_queued q;
    struct row_place place;
    struct host *h;

    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_host(f, 2, &h) == ST_OK);
    frontier_any_head(f, h, &place);
    CHECK(frontier_queue_read(f, place, &q) == ST_OK);
    CHECK(q.facts.parent == PARENT_KEPT && q.facts.parent_host == 1);
    CHECK(q.facts.parent_hash == row_parent_hash(77));
    CHECK(q.facts.has_badness && q.facts.badness == 2.5f);
    CHECK(q.facts.place.tenth == (schema == 1 ? 0 : 9));
    CHECK(q.facts.place.anchor_n == (schema == 1 ? 0 : 1));
    frontier_abort(f);
}

static void
check_totals(uint64_t seen)
{
    struct frontier_totals t = totals(T0);

    CHECK(t.seen == seen && t.queued == seen - 2 && t.leased == 1);
    CHECK(t.done == 1 && t.pages == 3 && t.kept == 2 && t.hosts == 2);
    CHECK(t.links_refused == 5);
}

static void
done_with(const char *url, uint64_t now)
{
    fetch_with(url, now, 1, NULL, 0);
    help_check(f);
}

static void
crawl_the_rest(void)
{
    struct frontier_link again[] = {
        help_link("http://a.nl/0"), help_link("https://b.nl/x"),
        help_link("http://a.nl/2?PHPSESSID=aaaaaaaaaaaaaaaa01")};
    size_t fresh = 9;

    HELP_OK(f, frontier_seed(f, again, 3, T0, &fresh));
    CHECK(fresh == 0);
    CHECK(leased(T0 + 1, "https://b.nl/x"));
    done_with("https://b.nl/x", T0 + 2);
    CHECK(leased(T0 + 3, "")); /* a.nl is out */
    HELP_OK(f, frontier_hello(f, 1, T0 + 4));
    CHECK(leased(T0 + 5000, "http://a.nl/1"));
    done_with("http://a.nl/1", T0 + 5001);
    CHECK(leased(T0 + 10000, "http://a.nl/2?PHPSESSID=0123456789abcdef01"));
    done_with("http://a.nl/2?PHPSESSID=0123456789abcdef01", T0 + 10001);
    CHECK(leased(T0 + 20000, ""));
    CHECK(leased(LATER, "http://b.nl/late"));
    done_with("http://b.nl/late", LATER + 1);
}

static void
is_migrated(unsigned version)
{
    struct frontier *r;

    set_up();
    make_store(version);
    end_store();
    CHECK(frontier_open_reader(&r, dir, &o) == ST_USAGE);
    open_it(T0);
    help_check(f);
    check_totals(5);
    check_hosts();
    check_links();
    frontier_close(f);
    open_it(T0);
    crawl_the_rest();
    CHECK(frontier_open_reader(&r, dir, &o) == ST_OK);
    frontier_close(r);
    tear_down();
}

static void
a_store_of_schema_1_goes_on(void)
{
    is_migrated(1);
}

static void
a_store_of_schema_3_goes_on(void)
{
    is_migrated(3);
}

/* ---- the discovery log ---- */

static void
add_record(struct journal *j, const struct then *u)
{
    buf_clear(&value);
    pack_key(&value, u->authority, url_of(u));
    pack_number(&value, u->sequence);
    pack_fixed(&value, u->priority, 2);
    pack_fixed(&value, 0, 1);
    pack_text(&value, str_c(u->authority));
    pack_text(&value, str_c(u->authority));
    pack_row(&value, u);
    journal_add(j, buf_view(&value));
    buf_clear(&value);
}

static void
put_log(const struct then *u, size_t n)
{
    struct journal *j;
    struct str path = arena_printf(a, "%s/links-7.log", dir);

    CHECK(journal_open(&j, path.p, 0, false) == ST_OK);
    for (size_t i = 0; i < n; i++)
        add_record(j, &u[i]);
    CHECK(journal_write(j, false) == ST_OK);
    buf_c(&key, "links");
    pack_number(&value, 7);
    pack_number(&value, journal_end(j));
    pack_number(&value, n);
    pack_fixed(&value, 0, 1);
    put("meta", &key, &value);
    journal_close(j);
}

static void
links_that_wait_in_a_log_of_then_are_merged(void)
{
    static const struct then links[] = {
        {0, 6, 30000, "a.nl", "/2?PHPSESSID=bbbbbbbbbbbbbbbb01", false, 0},
        {0, 7, 30000, "b.nl", "/y?PHPSESSID=cccccccccccccccc01", false, 0},
    };

    set_up();
    make_store(3);
    put_log(links, 2);
    end_store();
    open_it(T0);
    help_check(f);
    CHECK(totals(T0).links_waiting == 2);
    for (int i = 0; i < 10 && totals(T0).links_waiting > 0; i++)
        leased(T0 + o.frontier_merge_seconds * 1000 + 1000 * (unsigned)i, "");
    CHECK(totals(T0).links_waiting == 0);
    CHECK(totals(T0).seen == 6);
    help_check(f);
    tear_down();
}

/* ---- what can go wrong ---- */

static void
a_migration_that_was_killed_is_begun_anew(void)
{
    struct str copy;
    FILE *rest;

    set_up();
    make_store(1);
    end_store();
    copy = arena_printf(a, "%s/migration", dir);
    CHECK(mkdir(copy.p, 0777) == 0);
    rest = fopen(arena_printf(a, "%s/data.mdb", copy.p).p, "wb");
    CHECK(rest != NULL && fputs("half a store", rest) > 0);
    fclose(rest);
    open_it(T0);
    help_check(f);
    check_totals(5);
    CHECK(access(copy.p, F_OK) != 0);
    tear_down();
}

static void
a_garbled_old_store_stays_as_it_was(void)
{
    const struct then bad = {1, 8, 60000, "a.nl", "/bad", false, 0};

    set_up();
    make_store(1);
    pack_place(&key, &bad);
    buf_c(&value, "?");
    put("queue", &key, &value);
    end_store();
    for (int i = 0; i < 2; i++) {
        CHECK(frontier_open(&f, dir, &o, T0) == ST_STORE);
        CHECK(f == NULL);
    }
    tear_down();
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(a_store_of_schema_1_goes_on),
        TEST(a_store_of_schema_3_goes_on),
        TEST(links_that_wait_in_a_log_of_then_are_merged),
        TEST(a_migration_that_was_killed_is_begun_anew),
        TEST(a_garbled_old_store_stays_as_it_was),
        {0},
    };
    int failed = test_main(tests, argc, argv);

    buf_free(&key);
    buf_free(&value);
    return failed;
}
