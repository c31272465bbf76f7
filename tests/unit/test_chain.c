/* Stages are opened, run and closed in the right order, whatever fails.
 *
 * Fake stages leave a letter in `trace`: capital when opened, small when run,
 * a digit when closed. */
#include "clean/chain/chain.h"
#include "test.h"

static char trace[64];

static void
note(char c)
{
    size_t n = strlen(trace);

    if (n + 1 < sizeof trace) {
        trace[n] = c;
        trace[n + 1] = '\0';
    }
}

static int state_a = 1, state_b = 2;

static enum status
open_a(void **self, const struct opts *o)
{
    (void)o;
    *self = &state_a;
    note('A');
    return ST_OK;
}

static enum status
open_b(void **self, const struct opts *o)
{
    (void)o;
    *self = &state_b;
    note('B');
    return ST_OK;
}

static enum status
open_fails(void **self, const struct opts *o)
{
    (void)self;
    (void)o;
    note('F');
    return ST_IO;
}

static void
close_any(void *self)
{
    note((char)('0' + *(int *)self));
}

static enum status
run_any(const void *self, struct document *d)
{
    (void)d;
    note((char)('a' + *(const int *)self - 1));
    return ST_OK;
}

static enum status
run_rejects(const void *self, struct document *d)
{
    (void)self;
    note('r');
    document_reject(d, VERDICT_SHORT);
    document_reject(d, VERDICT_BADNESS); /* only the first reason counts */
    return ST_OK;
}

static enum status
run_fails(const void *self, struct document *d)
{
    (void)self;
    (void)d;
    note('!');
    return ST_NOMEM;
}

static const struct stage a = {.name = "a",
                               .needs = DOC_BYTES,
                               .gives = DOC_UTF8,
                               .open = open_a,
                               .run = run_any,
                               .close = close_any};
static const struct stage b = {.name = "b",
                               .needs = DOC_UTF8,
                               .gives = DOC_BLOCKS,
                               .kept_only = true,
                               .open = open_b,
                               .run = run_any,
                               .close = close_any};
static const struct stage fails = {
    .name = "fails", .open = open_fails, .run = run_any, .close = close_any};
static const struct stage rejects = {.name = "rejects", .run = run_rejects};
static const struct stage faulty = {.name = "faulty", .run = run_fails};

static void
failed_open_is_undone_in_reverse(void)
{
    const struct stage *const table[] = {&a, &b, &fails, &rejects, NULL};
    struct chain *c = NULL;

    trace[0] = '\0';
    CHECK(chain_open(&c, table, table, DOC_BYTES, NULL) == ST_IO);
    CHECK(c == NULL);
    CHECK(strcmp(trace, "ABF21") == 0); /* the failed one is not closed */
}

static void
stages_run_in_order_and_close_in_reverse(void)
{
    const struct stage *const table[] = {&a, &rejects, &a, NULL};
    struct document d = {0};
    struct chain *c;

    trace[0] = '\0';
    CHECK(chain_open(&c, table, table, DOC_BYTES, NULL) == ST_OK);
    CHECK(chain_run(c, &d, false) == ST_OK);
    CHECK(d.reject == VERDICT_SHORT);
    chain_close(c);
    CHECK(strcmp(trace, "AAara11") == 0);
    chain_close(NULL);
}

static void
needs_that_nobody_gave_before_are_refused(void)
{
    const struct stage *const swapped[] = {&b, &a, NULL};
    const struct stage *const alone[] = {&b, NULL};
    struct chain *c = NULL;

    trace[0] = '\0';
    CHECK(chain_open(&c, swapped, swapped, DOC_BYTES, NULL) == ST_USAGE);
    CHECK(chain_open(&c, alone, alone, DOC_BYTES, NULL) == ST_USAGE);
    CHECK(c == NULL && trace[0] == '\0'); /* found before anything opens */
    CHECK(chain_open(&c, alone, alone, DOC_UTF8, NULL) == ST_OK);
    chain_close(c);
}

static void
what_only_matters_for_kept_documents_is_skipped_for_others(void)
{
    const struct stage *const table[] = {&a, &rejects, &b, &a, NULL};
    struct document d = {0};
    struct chain *c;

    CHECK(chain_open(&c, table, table, DOC_BYTES, NULL) == ST_OK);
    trace[0] = '\0';
    CHECK(chain_run(c, &d, false) == ST_OK);
    CHECK(strcmp(trace, "ara") == 0);
    trace[0] = '\0';
    d.reject = VERDICT_NONE;
    CHECK(chain_run(c, &d, true) == ST_OK);
    CHECK(strcmp(trace, "arba") == 0);
    chain_close(c);
}

static void
nothing_more_is_done_to_a_rejected_document_that_is_wanted_only_if_kept(void)
{
    const struct stage *const table[] = {&a, &rejects, &a, NULL};
    const struct stage *const keeps[] = {&a, &b, &a, NULL};
    struct document d = {.only_kept = true};
    struct chain *c;

    CHECK(chain_open(&c, table, table, DOC_BYTES, NULL) == ST_OK);
    trace[0] = '\0';
    CHECK(chain_run(c, &d, false) == ST_OK);
    CHECK(d.reject == VERDICT_SHORT && strcmp(trace, "ar") == 0);
    chain_close(c);
    CHECK(chain_open(&c, keeps, keeps, DOC_BYTES, NULL) == ST_OK);
    trace[0] = '\0';
    d.reject = VERDICT_NONE;
    CHECK(chain_run(c, &d, false) == ST_OK && strcmp(trace, "aba") == 0);
    chain_close(c);
}

static void
a_fault_ends_the_run(void)
{
    const struct stage *const table[] = {&a, &faulty, &a, NULL};
    struct document d = {0};
    struct chain *c;

    CHECK(chain_open(&c, table, table, DOC_BYTES, NULL) == ST_OK);
    trace[0] = '\0';
    CHECK(chain_run(c, &d, true) == ST_NOMEM);
    CHECK(strcmp(trace, "a!") == 0);
    chain_close(c);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(failed_open_is_undone_in_reverse),
        TEST(stages_run_in_order_and_close_in_reverse),
        TEST(needs_that_nobody_gave_before_are_refused),
        TEST(what_only_matters_for_kept_documents_is_skipped_for_others),
        TEST(
            nothing_more_is_done_to_a_rejected_document_that_is_wanted_only_if_kept),
        TEST(a_fault_ends_the_run),
        {0},
    };

    return test_main(table, argc, argv);
}
