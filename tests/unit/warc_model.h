/* warc_model.h -- files of random records, and the list they were made from. */
#ifndef WARC_MODEL_H
#define WARC_MODEL_H

#include "base/log.h"
#include "base/random.h"
#include "test.h"
#include "warc_samples.h"

#define RECORDS 40
#define BLOCK_MAX ((size_t)1 << 20)

enum packing {
    PLAIN,
    GZIP_EACH,
    GZIP_WHOLE,
    GZIP_ANYWHERE, /* members end in the middle of records */
    ZSTD_EACH,
    ZSTD_WHOLE,
    ZSTD_DICTIONARY,
    ZSTD_PACKED_DICTIONARY,
    PACKING_N
};

static const char *const types[] = {"warcinfo",   "request",  "response",
                                    "metadata",   "resource", "revisit",
                                    "conversion", "frob"};

struct file_model {
    struct buf text; /* as in an uncompressed file */
    size_t at[RECORDS + 1];
    int type[RECORDS];
    struct str block[RECORDS];
    struct buf blocks;
};

static struct random rng;

static inline size_t
below(size_t n)
{
    return (size_t)random_below(&rng, n);
}

/* Blocks that hold what a reader may stumble over. */
static inline void
random_block(struct buf *out)
{
    static const char *const parts[] = {"\r\n",         "\r\n\r\n",     "WARC/",
                                        "WARC/1.0 ",    "text ",        "\n",
                                        "\x1f\x8b\x08", "<p>a page</p>"};
    size_t n = below(4) == 0 ? below(9000) : below(30);

    if (below(25) == 0)
        n = 40000;
    while (n-- > 0)
        buf_c(out, parts[below(sizeof parts / sizeof *parts)]);
    buf_c(out, below(2) ? "" : "end");
}

static inline void
model_make(struct file_model *m)
{
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < RECORDS; i++) {
        struct buf block = {0};
        char url[64];

        m->at[i] = m->text.n;
        m->type[i] = (int)below(sizeof types / sizeof *types);
        random_block(&block);
        snprintf(url, sizeof url, "http://a.example/%zu", i);
        sample_record(&m->text, types[m->type[i]], url, buf_view(&block));
        m->block[i].n = block.n;
        buf_str(&m->blocks, buf_view(&block));
        buf_free(&block);
    }
    m->at[RECORDS] = m->text.n;
    for (size_t i = 0, at = 0; i < RECORDS; at += m->block[i++].n)
        m->block[i].p = m->blocks.p + at;
}

static inline void
model_free(struct file_model *m)
{
    buf_free(&m->text);
    buf_free(&m->blocks);
}

static inline struct str
record_of(const struct file_model *m, size_t i)
{
    return str_sub(buf_view(&m->text), m->at[i], m->at[i + 1]);
}

static inline void
pack_dictionary(struct buf *out, const struct file_model *m, bool packed)
{
    struct str dictionary =
        S("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: "
          "http://a.example/ text <p>a page</p>");
    struct buf small = {0}, raw = {0};

    /* zstd takes any bytes as a dictionary when they do not begin with its
     * magic number; the packed one is a frame. */
    buf_str(&raw, dictionary);
    if (packed)
        sample_zstd(&small, buf_view(&raw), S(""));
    else
        buf_str(&small, buf_view(&raw));
    sample_skippable(out, 0x5d, buf_view(&small));
    for (size_t i = 0; i < RECORDS; i++) {
        sample_zstd(out, record_of(m, i), dictionary);
        if (i == 3)
            sample_skippable(out, 0x50, S("an extension of some kind"));
    }
    buf_free(&small);
    buf_free(&raw);
}

static inline void
pack(struct buf *out, const struct file_model *m, enum packing how)
{
    struct str all = buf_view(&m->text);

    switch (how) {
    case PLAIN: buf_str(out, all); break;
    case GZIP_WHOLE: sample_gzip(out, all); break;
    case ZSTD_WHOLE: sample_zstd(out, all, S("")); break;
    case GZIP_EACH:
        for (size_t i = 0; i < RECORDS; i++)
            sample_gzip(out, record_of(m, i));
        break;
    case ZSTD_EACH:
        for (size_t i = 0; i < RECORDS; i++)
            sample_zstd(out, record_of(m, i), S(""));
        break;
    case GZIP_ANYWHERE:
        while (all.n > 0) {
            size_t n = below(3000) + 1;

            sample_gzip(out, str_sub(all, 0, n));
            all = str_sub(all, n, all.n);
        }
        break;
    default: pack_dictionary(out, m, how == ZSTD_PACKED_DICTIONARY);
    }
}

/* Reads a file of numbered records; *seen has a bit for each that came out. */
static inline struct warc_counts
read_all(struct str file, enum warc_format format, uint64_t *seen)
{
    struct warc_reading r;
    struct warc_record record;
    struct warc_counts counts;
    size_t n = 0;

    *seen = 0;
    reading_open(&r, file, 4096, format, BLOCK_MAX);
    while (warc_next(r.warc, &record) == ST_OK) {
        size_t slash = record.url.n;
        uint64_t i;

        while (slash > 0 && record.url.p[slash - 1] != '/')
            slash--;
        if (str_u64(str_sub(record.url, slash, record.url.n), &i) && i < 64)
            *seen |= (uint64_t)1 << i;
        CHECK(n++ < 100000);
    }
    counts = *warc_counts(r.warc);
    reading_close(&r);
    return counts;
}

static const char arc_sample[] =
    "filedesc://x.arc 0.0.0.0 20060305082251 text/plain 76\n"
    "1 0 InternetArchive\n"
    "URL IP-address Archive-date Content-type Archive-length\n"
    "\n"
    "http://a.example/0 192.0.2.1 19970417175710 text/html 7\n"
    "<p>zero\n"
    "https://a.example/q?a b c/1 2001:db8::17 20080417175711 text/html 22\n"
    "HTTP/1.0 200 OK\n\n<p>on\n"
    "dns:a.example/2 192.0.2.53 20080417175711 text/dns 3\n"
    "abc\n"
    "http://a.example/3 192.0.2.1 20080417175712  1\n"
    "x\n"
    "http://a.example/4 192.0.2.1 20080417175713 text/html; charset=x 1\n"
    "x\n"
    "http://a.example/5 192.0.2.1 20080417175714 text/html 200 "
    "fac069150613fe55 - 209 x.arc 2\n"
    "<p\n";

#endif
