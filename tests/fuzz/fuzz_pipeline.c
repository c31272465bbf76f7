/* Pipelines and jobconf.txt: whatever the text is, it is read or there is a
 * reason; stages read only what stands above them. */
#include "corpus/job/jobconf.h"
#include "corpus/run/pipeline.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str text = str_n((const char *)data, n);
    struct pipeline *p = calloc(1, sizeof *p);
    struct buf why = {0};
    struct jobconf c = {.defines_n = 0};

    MUST(p != NULL);
    p->arena = arena_new();
    MUST(pipeline_read(p, text, &why) || why.n > 0);
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->stage[i].inputs_n; k++)
            MUST(p->stage[i].input[k].stage == SIZE_MAX ||
                 p->stage[i].input[k].stage < i);
    buf_clear(&why);
    MUST(pipeline_set(p, text, &why) || why.n > 0);
    buf_clear(&why);
    MUST(jobconf_read(&c, p->arena, text, &why) || why.n > 0);
    jobconf_free(&c);
    buf_free(&why);
    arena_free(p->arena);
    free(p);
    return 0;
}
