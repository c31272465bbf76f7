/* fuzz_ini.c -- any bytes as a job file: no crash, and what was accepted is
 * dumped and read back equal. */
#include <stdlib.h>

#include "base/buf.h"
#include "base/options/opt.h"
#include "base/texrex/texrex_job.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static FILE *nowhere;
    struct opts o, again;
    char *text = NULL;
    size_t text_n = 0;
    FILE *f;

    if (nowhere == NULL && (nowhere = fopen("/dev/null", "w")) == NULL)
        abort();
    texrex_register();
    opts_init(&o);
    opts_init(&again);
    o.faults = again.faults = nowhere;
    (void)opts_read_text(&o, "/fuzz/job.ini", str_n((const char *)data, n));
    if ((f = open_memstream(&text, &text_n)) == NULL)
        abort();
    opts_dump(&o, f);
    fclose(f);
    if (opts_read_text(&again, "/x/y.ini", str_n(text, text_n)) != ST_OK ||
        !opts_equal(&o, &again))
        abort();
    free(text);
    opts_free(&o);
    opts_free(&again);
    return 0;
}
