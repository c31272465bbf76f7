/* fuzz_rights.c -- any line is read, and what was reserved stays so. */
#include "clean/metadata/rights.h"
#include "fuzz.h"

/* Lines "name: value", of a page whose path is the first line. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str rest = str_n((const char *)data, n), path = S(""), line;
    struct rights r = {{0}}, before;

    str_cut(&rest, '\n', &path);
    while (str_cut(&rest, '\n', &line)) {
        size_t colon = str_find(line, ':', 0);

        before = r;
        rights_signal(&r, str_sub(line, 0, colon),
                      str_sub(line, colon + 1, line.n), path,
                      (struct str)STR("winnow"));
        for (int u = 0; u < RIGHTS_USES_N; u++) {
            MUST(r.use[u] == 0 || r.use[u] == 'y' || r.use[u] == 'n');
            MUST(before.use[u] != 'n' || r.use[u] == 'n');
        }
        MUST(rights_reserved(&r, (struct str)STR("none-reserved")) ==
             (memchr(r.use, 'n', sizeof r.use) != NULL));
    }
    return 0;
}
