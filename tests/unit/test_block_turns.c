/* Blocks in turns: who gets which does not depend on who is faster, and nobody
 * waits for ever. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "corpus/run/block_turns.h"
#include "folder.h"

enum { LINES = 1500000, TAKERS = 3 };

/* Lines of numbers, some ten blocks of them. */
static const char *
numbers(void)
{
    const char *path = in_folder("numbers");
    FILE *f = fopen(path, "we");

    CHECK(f != NULL);
    for (unsigned i = 0; i < LINES; i++)
        fprintf(f, "%012u\n", i);
    fclose(f);
    return path;
}

struct asker {
    struct block_turns *t;
    size_t i;
    useconds_t nap; /* after each block */
    size_t most;    /* blocks, then it leaves */
    size_t blocks, bytes;
    unsigned first[32]; /* numbers of its blocks */
    enum status st;
};

static void *
read_all(void *self)
{
    struct asker *r = self;
    struct buf block = {0};
    uint64_t too_long = 0;

    r->st = ST_OK;
    while (r->blocks < r->most &&
           (r->st = block_turns_next(r->t, r->i, &block, &too_long)) == ST_OK) {
        r->first[r->blocks++ % 32] = (unsigned)strtoul(block.p, NULL, 10);
        r->bytes += block.n;
        usleep(r->nap);
    }
    block_turns_leave(r->t, r->i);
    buf_free(&block);
    return NULL;
}

/* `slow`: who takes a nap; `at_once`: in threads. */
static void
run(struct asker r[TAKERS], size_t slow, size_t leaves, bool at_once)
{
    char *path = (char *)numbers();
    struct line_source *s = line_source_new(&path, 1, NULL);
    struct block_turns *t = block_turns_new(s, TAKERS);
    pthread_t thread[TAKERS];

    for (size_t i = 0; i < TAKERS; i++) {
        r[i] = (struct asker){.t = t,
                              .i = i,
                              .nap = i == slow ? 20000 : 0,
                              .most = i == leaves ? 1 : SIZE_MAX};
        if (at_once)
            CHECK(pthread_create(&thread[i], NULL, read_all, &r[i]) == 0);
        else
            read_all(&r[i]);
    }
    for (size_t i = 0; i < TAKERS && at_once; i++)
        pthread_join(thread[i], NULL);
    block_turns_free(t);
    line_source_free(s);
}

static void
each_gets_the_same_blocks_whoever_is_faster(void)
{
    struct asker expected[TAKERS], r[TAKERS];
    size_t bytes = 0;

    run(expected, TAKERS, TAKERS, false); /* one after the other */
    for (size_t i = 0; i < TAKERS; i++) {
        CHECK(expected[i].blocks > 1 && expected[i].st == ST_NONE);
        bytes += expected[i].bytes;
        CHECK(i == 0 || expected[i].first[0] > expected[i - 1].first[0]);
    }
    CHECK(bytes == (size_t)LINES * 13);
    for (size_t slow = 0; slow < TAKERS; slow++) {
        run(r, slow, TAKERS, true);
        for (size_t i = 0; i < TAKERS; i++)
            CHECK(r[i].blocks == expected[i].blocks &&
                  r[i].bytes == expected[i].bytes &&
                  memcmp(r[i].first, expected[i].first, sizeof r[i].first) ==
                      0);
    }
}

static void
nobody_waits_for_one_that_left(void)
{
    struct asker all[TAKERS], r[TAKERS];

    run(all, TAKERS, TAKERS, true);
    run(r, TAKERS, 1, true);
    CHECK(r[1].blocks == 1);
    CHECK(r[0].bytes == all[0].bytes && r[2].bytes == all[2].bytes);
}

static void
faults_reach_all(void)
{
    char *path = (char *)in_folder("missing");
    struct line_source *s = line_source_new(&path, 1, NULL);
    struct block_turns *t = block_turns_new(s, 2);
    struct buf block = {0};
    uint64_t too_long = 0;

    CHECK(block_turns_next(t, 1, &block, &too_long) == ST_IO);
    CHECK(block_turns_next(t, 0, &block, &too_long) == ST_IO);
    buf_free(&block);
    block_turns_free(t);
    line_source_free(s);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(each_gets_the_same_blocks_whoever_is_faster),
        TEST(nobody_waits_for_one_that_left),
        TEST(faults_reach_all),
        {0}};

    return folder_main(table, argc, argv);
}
