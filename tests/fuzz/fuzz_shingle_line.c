/* Lines of fingerprints: what is read lies inside the line, and is what stands
 * there; a signature among them resembles itself. */
#include <stdlib.h>

#include "corpus/tender/shingle_line.h"
#include "fuzz.h"
#include "shingle/fingerprint/fingerprint.h"

static void
compare(struct str bytes, uint32_t shingles_n)
{
    struct arena *a = arena_new();
    struct signature s;

    if (signature_unpack(bytes, shingles_n, a, &s) &&
        signature_resemblance(&s, &s) < 1)
        abort();
    arena_free(a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static char bytes[SIGNATURE_BITS_MAX / 8];
    struct str text = str_n((const char *)data, n), line;

    while (str_cut(&text, '\n', &line)) {
        uint32_t value[VALUES_MAX];
        struct hash_line h;
        struct print_line p;

        if (hash_line_read(&h, line) && h.id + ID_SIZE > line.p + line.n)
            abort();
        if (!print_line_read(&p, line))
            continue;
        if (p.values.p + p.values.n > line.p + line.n ||
            p.values_n > VALUES_MAX)
            abort();
        if (p.signature.n / 2 > sizeof bytes ||
            p.scheme.n >= FINGERPRINT_SCHEME_BYTES)
            abort();
        hex_values(p.values, value);
        if (hex_bytes(p.signature, bytes))
            compare(str_n(bytes, p.signature.n / 2), p.shingles_n);
    }
    return 0;
}
