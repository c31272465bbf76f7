/* Sentence mode of the dedup service: which documents go, what is answered of
 * sentences, and that it is known after a restart, a kill, an undone batch. */
#include "../../shingle/index/index.h"
#include "../../shingle/index/sentence_set.h"
#include "base/log.h"
#include "dedup_world.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define SETTINGS(...)                                                          \
    (const char *const[])                                                      \
    {                                                                          \
        __VA_ARGS__, NULL                                                      \
    }

/* Document `id` with sentences from..to-1 of the world's; put; its answer. */
static struct dedup_answer
put_of(struct world *w, uint64_t id, uint64_t from, uint64_t to, bool another,
       uint32_t revisit)
{
    uint64_t sentence[64];
    struct dedup_answer a = {0};
    struct util_doc d;

    util_doc(&d, id, id, 1);
    for (uint64_t i = from; i < to; i++)
        sentence[d.doc.sentences_n++] = hash_mix(i);
    d.doc.sentences = sentence;
    d.doc.names_another = another;
    d.doc.revisit = revisit;
    CHECK(dedup_client_put(w->client, &d.doc, &go_on, &a) == ST_OK);
    CHECK(strcmp(a.id.z, d.id) == 0 || a.verdict == VERDICT_KEPT);
    return a;
}

static struct dedup_answer
put(struct world *w, uint64_t id, uint64_t from, uint64_t to)
{
    return put_of(w, id, from, to, false, 0);
}

/* How many of those are known to document `id`. */
static size_t
known(struct world *w, uint64_t id, uint64_t from, uint64_t to)
{
    uint64_t sentence[64];
    bool answer[64];
    size_t n = 0;
    struct util_doc d;

    util_doc(&d, id, id, 1);
    for (uint64_t i = from; i < to; i++)
        sentence[d.doc.sentences_n++] = hash_mix(i);
    d.doc.sentences = sentence;
    CHECK(dedup_client_known(w->client, &d.doc, &go_on, answer) == ST_OK);
    for (size_t i = 0; i < d.doc.sentences_n; i++)
        n += answer[i];
    return n;
}

static void
documents_of_known_sentences_go(void)
{
    struct dedup_answer a;
    struct world w;

    world_init(&w, SETTINGS("dedup.url=inproc://known1",
                            "dedup.known_sentences=reject"));
    world_start(&w);
    CHECK(put(&w, 1, 0, 10).verdict == VERDICT_KEPT);
    CHECK(put(&w, 2, 5, 15).verdict == VERDICT_KEPT); /* half, and no more */
    a = put(&w, 3, 0, 21);                            /* 15 of 21 */
    CHECK(a.verdict == VERDICT_NEAR_DUPLICATE && a.of.z[0] == '\0');
    CHECK(a.estimate > 0.714 && a.estimate < 0.715);
    CHECK(known(&w, 9, 0, 21) == 15); /* of what was not kept: nothing */
    CHECK(put(&w, 4, 15, 21).verdict == VERDICT_KEPT);
    CHECK(put(&w, 5, 0, 0).verdict == VERDICT_KEPT); /* has none */
    /* Again: as the first time, though all of it is known by now. */
    CHECK(put(&w, 1, 0, 10).verdict == VERDICT_KEPT);
    CHECK(known(&w, 1, 0, 10) == 0);
    CHECK(known(&w, 6, 0, 10) == 10);
    a = put(&w, 3, 30, 40);
    CHECK(a.verdict == VERDICT_NEAR_DUPLICATE);
    CHECK(known(&w, 6, 30, 40) == 0);
    world_stop(&w);
    world_end(&w);
}

static void
without_the_option_sentences_do_not_matter(void)
{
    struct world w;

    world_init(&w,
               SETTINGS("dedup.url=inproc://known2", "dedup.canonical_mib=0"));
    world_start(&w);
    CHECK(put(&w, 1, 0, 10).verdict == VERDICT_KEPT);
    CHECK(put(&w, 2, 0, 10).verdict == VERDICT_KEPT);
    CHECK(known(&w, 3, 0, 10) == 0);
    world_stop(&w);
    world_end(&w);
}

/* Whose sentences others were cut for stays: nothing replaces it. */
static void
with_cut_the_earlier_copy_stays(void)
{
    for (int cut = 0; cut < 2; cut++) {
        struct util_doc first, longer;
        struct dedup_answer a;
        struct world w;

        world_init(&w, SETTINGS("dedup.url=inproc://known3",
                                cut ? "dedup.known_sentences=cut"
                                    : "dedup.known_sentences=reject"));
        world_start(&w);
        util_doc(&first, 1, 1, 1);
        util_doc(&longer, 2, 2, 1);
        longer.print = util_mutate(first.print, 4, 5);
        longer.doc.text_bytes = 2000;
        CHECK(dedup_client_put(w.client, &first.doc, &go_on, &a) == ST_OK);
        CHECK(dedup_client_put(w.client, &longer.doc, &go_on, &a) == ST_OK);
        CHECK(a.verdict == (cut ? VERDICT_NEAR_DUPLICATE : VERDICT_KEPT));
        CHECK(strcmp(a.of.z, cut ? first.id : "") == 0);
        world_stop(&w);
        world_end(&w);
    }
}

/* A page that names another one as canonical may be wrong: it goes only when
 * the corpus has what it says. */
static void
what_names_another_as_canonical_goes_if_nothing_of_it_is_new(void)
{
    struct dedup_answer a;
    struct world w;

    world_init(&w, SETTINGS("dedup.url=inproc://known6"));
    world_start(&w);
    CHECK(put_of(&w, 1, 0, 20, true, 0).verdict == VERDICT_KEPT);
    a = put_of(&w, 2, 5, 15, true, 0);
    CHECK(a.verdict == VERDICT_NEAR_DUPLICATE && a.of.z[0] == '\0');
    CHECK(a.estimate > 0.99);
    CHECK(put_of(&w, 3, 5, 15, false, 0).verdict == VERDICT_KEPT);
    CHECK(put_of(&w, 4, 11, 21, true, 0).verdict == VERDICT_KEPT); /* 9 of 10 */
    CHECK(put_of(&w, 5, 1, 22, true, 0).verdict == VERDICT_NEAR_DUPLICATE);
    CHECK(put_of(&w, 6, 0, 2, true, 0).verdict == VERDICT_KEPT);  /* too few */
    CHECK(put_of(&w, 7, 0, 10, true, 1).verdict == VERDICT_KEPT); /* again */
    CHECK(put_of(&w, 8, 0, 0, true, 0).verdict == VERDICT_KEPT);
    world_stop(&w);
    world_start(&w); /* of which nothing is remembered */
    CHECK(put_of(&w, 9, 0, 10, true, 0).verdict == VERDICT_KEPT);
    world_stop(&w);
    world_end(&w);
}

static void
it_replaces_no_document(void)
{
    static const uint64_t sentence[] = {1, 2, 3, 4};

    for (int another = 0; another < 2; another++) {
        struct util_doc first, longer;
        struct dedup_answer a;
        struct world w;

        world_init(&w, SETTINGS("dedup.url=inproc://known7"));
        world_start(&w);
        util_doc(&first, 1, 1, 1);
        util_doc(&longer, 2, 2, 1);
        longer.print = util_mutate(first.print, 4, 5);
        longer.doc.text_bytes = 2000;
        first.doc.sentences = longer.doc.sentences = sentence;
        first.doc.sentences_n = longer.doc.sentences_n = 4;
        longer.doc.names_another = another;
        CHECK(dedup_client_put(w.client, &first.doc, &go_on, &a) == ST_OK);
        CHECK(dedup_client_put(w.client, &longer.doc, &go_on, &a) == ST_OK);
        CHECK(a.verdict == (another ? VERDICT_NEAR_DUPLICATE : VERDICT_KEPT));
        CHECK(strcmp(a.of.z, another ? first.id : "") == 0);
        world_stop(&w);
        world_end(&w);
    }
}

/* In a process that is killed when it has answered. */
static void
put_and_die(uint64_t id)
{
    struct world w = {0};
    int to_child[2];
    char byte;
    pid_t child;

    CHECK(pipe(to_child) == 0);
    if ((child = fork()) == 0) {
        opts_init(&w.opts);
        if (opts_set(&w.opts, "test", S("dedup.known_sentences=reject")) !=
                ST_OK ||
            opts_set(&w.opts, "test", S("dedup.map_gib=1")) != ST_OK ||
            opts_set(&w.opts, "test", S("output.disk_free_mib=0")) != ST_OK ||
            opts_set(&w.opts, "test", S("dedup.save_ms=60000")) != ST_OK)
            _exit(1);
        world_start(&w);
        (void)put(&w, id, 10 * id, 10 * id + 10);
        if (write(to_child[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    CHECK(read(to_child[0], &byte, 1) == 1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(to_child[0]);
    close(to_child[1]);
}

static void
what_is_acknowledged_is_known_after_a_kill(void)
{
    struct world w;

    world_init(&w, SETTINGS("dedup.url=inproc://known4",
                            "dedup.known_sentences=reject"));
    put_and_die(1);
    put_and_die(2);
    for (int starts = 0; starts < 2; starts++) {
        world_start(&w);
        CHECK(known(&w, 9, 10, 30) == 20 && known(&w, 9, 30, 40) == 0);
        CHECK(known(&w, 1, 10, 20) == 0); /* its own */
        world_stop(&w);
    }
    world_start(&w);
    CHECK(put(&w, 3, 10, 20).verdict == VERDICT_NEAR_DUPLICATE);
    CHECK(put(&w, 1, 10, 20).verdict == VERDICT_KEPT);
    world_stop(&w);
    world_end(&w);
}

/* A batch that the disk did not take teaches nothing. */
static void
an_undone_batch_is_forgotten(void)
{
    const struct store_options plain = {.map_gib = 1, .sync = STR("none")};
    const struct index_sentences rule = {1 << 20, 0.5, false, false};
    const uint64_t sentence[] = {1, 0, 3};
    struct index_verdict v;
    struct util_doc d;
    struct index *x;
    bool answer[3];

    folder_open();
    CHECK(index_open(&x, folder, 0, &plain) == ST_OK);
    CHECK(index_know_sentences(x, &rule) == ST_OK);
    for (int keep = 0; keep < 2; keep++) {
        util_doc(&d, 1, 1, 1);
        d.doc.sentences = sentence;
        d.doc.sentences_n = 3;
        index_batch_begin(x);
        CHECK(index_decide(x, &d.doc, &v) == ST_OK &&
              v.answer.verdict == VERDICT_KEPT);
        util_doc(&d, 2, 2, 1); /* the batch itself knows */
        d.doc.sentences = sentence;
        d.doc.sentences_n = 3;
        CHECK(index_decide(x, &d.doc, &v) == ST_OK &&
              v.answer.verdict == VERDICT_NEAR_DUPLICATE);
        CHECK(index_batch_end(x) == ST_OK);
        if (!keep)
            index_batch_undo(x);
        util_doc(&d, 3, 3, 1);
        d.doc.sentences = sentence;
        d.doc.sentences_n = 3;
        CHECK(index_known(x, &d.doc, answer) == ST_OK);
        for (size_t i = 0; i < 3; i++)
            CHECK(answer[i] == keep);
    }
    index_close(x);
    folder_close();
}

static void
memory_for_sentences_is_bounded(void)
{
    enum { N = 400000 };
    struct sentence_set *s;
    size_t lost = 0, wrong = 0;

    CHECK(sentence_set_open(&s, 1 << 20, false) == ST_OK);
    log_threshold = LOG_ERROR;
    for (uint64_t i = 0; i < N; i++)
        sentence_set_put(s, hash_mix(i));
    for (uint64_t i = 0; i < N; i++) {
        lost += !sentence_set_has(s, hash_mix(i));
        wrong += sentence_set_has(s, hash_mix(i + N));
    }
    printf("%d sentences in 1 MiB: %zu not remembered, %zu wrong\n", N, lost,
           wrong);
    CHECK(lost > 0 && lost < N * 3 / 4 && wrong < 5);
    for (uint64_t i = 0; i < 100000; i++) /* the first ones are there */
        CHECK(sentence_set_has(s, hash_mix(i)));
    sentence_set_close(s);
}

static void
the_latest_sentences_are_known(void)
{
    enum { N = 1000000, LATEST = 300000 };
    struct sentence_set *s;
    size_t lost = 0, wrong = 0, first = 0;

    CHECK(sentence_set_open(&s, 2 << 20, true) == ST_OK);
    for (uint64_t i = 0; i < N; i++)
        sentence_set_put(s, hash_mix(i));
    for (uint64_t i = 0; i < LATEST; i++) {
        lost += !sentence_set_has(s, hash_mix(N - 1 - i));
        wrong += sentence_set_has(s, hash_mix(i + N));
        first += sentence_set_has(s, hash_mix(i));
    }
    printf("%d sentences in 2 MiB: %zu of the latest not remembered, %zu "
           "wrong\n",
           N, lost, wrong);
    CHECK(lost == 0 && wrong < LATEST / 20 && first < LATEST / 10);
    sentence_set_close(s);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(what_names_another_as_canonical_goes_if_nothing_of_it_is_new),
        TEST(it_replaces_no_document),
        TEST(the_latest_sentences_are_known),
        TEST(documents_of_known_sentences_go),
        TEST(without_the_option_sentences_do_not_matter),
        TEST(with_cut_the_earlier_copy_stays),
        TEST(what_is_acknowledged_is_known_after_a_kill),
        TEST(an_undone_batch_is_forgotten),
        TEST(memory_for_sentences_is_bounded),
        {0}};

    return test_main(table, argc, argv);
}
