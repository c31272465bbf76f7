/* writer_shingles.c -- fingerprints (fingerprint.h), for finding
 * near-duplicates later.  Documents with too few tokens give nothing.
 *
 * shingles  one line for each document: ID, bytes of all blocks, number of
 *           different shingles, the values of the fingerprint as 8 hex digits
 *           each and the bytes of the signature as 2, without anything between
 *           them, and how the values were made (onepermutation/100/5/0); TABs
 *           between the six columns.
 * tender    the lines of texrex's tender: as many for each document as there
 *           are values,
 *           68 bytes with the line end's 69: a hash of 20 decimal digits, a
 *           blank, the id, a blank, the bytes in 10 digits.  A value's place
 *           goes into its hash, since there only equal hashes of equal places
 *           are to meet. */
#include <inttypes.h>

#include "base/hash.h"
#include "writers.h"

static uint64_t
bytes_of(const struct document *d)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < d->blocks_n; i++)
        n += d->blocks[i].text.n;
    return n;
}

/* In hex, as it stands on the wire. */
static void
render_signature(const struct signature *s, struct buf *out)
{
    static const char digits[] = "0123456789abcdef";
    size_t bytes = signature_bytes(s), from = out->n;
    char *p;

    buf_reserve(out, 2 * bytes);
    signature_pack(s, out);
    out->n = from + 2 * bytes;
    p = out->p + from;
    for (size_t i = bytes; i-- > 0;) { /* in place, from the end */
        unsigned char c = (unsigned char)p[i];

        p[2 * i + 1] = digits[c & 15];
        p[2 * i] = digits[c >> 4];
    }
}

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    const struct fingerprint *f = &d->fingerprint;
    struct fingerprint_scheme scheme = fingerprint_scheme_of(o);
    char text[FINGERPRINT_SCHEME_BYTES];

    if (f->shingles_n == 0)
        return;
    buf_printf(out, "%s\t%" PRIu64 "\t%u\t", d->id.z, bytes_of(d),
               d->signature.shingles_n);
    for (size_t i = 0; i < f->values_n; i++)
        buf_printf(out, "%08x", f->value[i]);
    buf_char(out, '\t');
    render_signature(&d->signature, out);
    fingerprint_scheme_text(&scheme, text);
    buf_printf(out, "\t%s\n", text);
}

static void
render_tender(const struct opts *o, const struct document *d, struct buf *out)
{
    const struct fingerprint *f = &d->fingerprint;
    uint64_t bytes = bytes_of(d);

    (void)o;
    if (f->shingles_n == 0)
        return;
    if (bytes > 9999999999u)
        bytes = 9999999999u;
    for (size_t i = 0; i < f->values_n; i++)
        buf_printf(out, "%020" PRIu64 " %s %010" PRIu64 "\n",
                   hash_mix((uint64_t)i << 32 | f->value[i]), d->id.z, bytes);
}

const struct writer writer_shingles = {
    .name = "shingles",
    .suffix = "shingles",
    .help = "the fingerprint of each document in hex, a line each",
    .render = render,
};

const struct writer writer_tender = {
    .name = "tender",
    .suffix = "tender",
    .help = "the fingerprint as fixed-width lines for texrex's tender",
    .render = render_tender,
};
