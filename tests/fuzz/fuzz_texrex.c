/* fuzz_texrex.c -- texrex's divisions and features of any page, beside the
 * blocks that strip makes of it. */
#include <math.h>
#include <stdlib.h>

#include "clean/boilerplate/texrex_features.h"
#include "clean/chain/stage.h"
#include "clean/charset/charset.h"
#include "fuzz.h"

extern const struct stage stage_strip;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct letters *letters;
    static void *strip;
    struct document d = {.arena = arena_new()};
    struct texrex_features f;

    if (letters == NULL && ((letters = letters_new()) == NULL ||
                            stage_strip.open(&strip, NULL) != ST_OK))
        abort();
    if (charset_convert(&d.utf8, d.arena, str_n((const char *)data, n),
                        "UTF-8") == ST_OK &&
        stage_strip.run(strip, &d) == ST_OK) {
        texrex_features(&f, &d, letters);
        for (uint32_t i = 0; i < d.blocks_n; i++) {
            const float *row = texrex_block_row(&f, &d, i);

            for (int k = 0; row != NULL && k < TEXREX_N; k++)
                if (!isfinite(row[k]))
                    abort();
        }
    }
    arena_free(d.arena);
    return 0;
}
