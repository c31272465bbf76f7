/* mmdb_make.h -- writes small MaxMind DB files (format 2.0) for tests: binary
 * search tree, data section, metadata; records of 24, 28 or 32 bits. */
#ifndef MMDB_MAKE_H
#define MMDB_MAKE_H

#include <assert.h>

#include "base/buf.h"

#define MMDB_NODES_MAX 4096u
#define MMDB_NONE UINT32_MAX
#define MMDB_LEAF 0x80000000u

struct mmdb_make {
    uint32_t child[MMDB_NODES_MAX][2]; /* node, MMDB_LEAF | data, or NONE */
    uint32_t nodes_n;
    struct buf data;
    unsigned ip_version;
};

static inline void
mmdb_control(struct buf *b, unsigned type, size_t size)
{
    unsigned low = size < 29 ? (unsigned)size : 29;

    assert(size < 29 + 256);
    buf_char(b, (char)((type > 7 ? 0 : type) << 5 | low));
    if (type > 7)
        buf_char(b, (char)(type - 7));
    if (low == 29)
        buf_char(b, (char)(size - 29));
}

static inline void
mmdb_text(struct buf *b, const char *z)
{
    mmdb_control(b, 2, strlen(z));
    buf_c(b, z);
}

static inline void
mmdb_map(struct buf *b, size_t pairs)
{
    mmdb_control(b, 7, pairs);
}

static inline void
mmdb_array(struct buf *b, size_t items)
{
    mmdb_control(b, 11, items);
}

/* An unsigned number of type 5 (16 bits), 6 (32) or 9 (64). */
static inline void
mmdb_number(struct buf *b, unsigned type, uint64_t value)
{
    unsigned n = 0;

    for (uint64_t v = value; v > 0; v >>= 8)
        n++;
    mmdb_control(b, type, n);
    while (n-- > 0)
        buf_char(b, (char)(value >> 8 * n));
}

static inline void
mmdb_init(struct mmdb_make *m, unsigned ip_version)
{
    memset(m, 0, sizeof *m);
    m->ip_version = ip_version;
    m->nodes_n = 1;
    m->child[0][0] = m->child[0][1] = MMDB_NONE;
}

/* The first `length` bits of `address` belong to the value at `data`.  In an
 * IPv6 tree IPv4 addresses stand below ::/96. */
static inline void
mmdb_add(struct mmdb_make *m, const unsigned char *address, unsigned length,
         uint32_t data)
{
    uint32_t node = 0;

    for (unsigned i = 0; i < length; i++) {
        unsigned bit = address[i / 8] >> (7 - i % 8) & 1;
        uint32_t *next = &m->child[node][bit];

        if (i == length - 1) {
            *next = MMDB_LEAF | data;
            return;
        }
        if (*next == MMDB_NONE) {
            assert(m->nodes_n < MMDB_NODES_MAX);
            m->child[m->nodes_n][0] = m->child[m->nodes_n][1] = MMDB_NONE;
            *next = m->nodes_n++;
        }
        node = *next;
    }
}

static inline void
mmdb_add_v4(struct mmdb_make *m, unsigned a, unsigned b, unsigned c, unsigned d,
            unsigned length, uint32_t data)
{
    unsigned char address[16] = {0};
    unsigned char *p = m->ip_version == 6 ? address + 12 : address;

    p[0] = (unsigned char)a;
    p[1] = (unsigned char)b;
    p[2] = (unsigned char)c;
    p[3] = (unsigned char)d;
    mmdb_add(m, address, length + (m->ip_version == 6 ? 96 : 0), data);
}

static inline void
mmdb_node(struct buf *out, uint32_t left, uint32_t right, unsigned record_bits)
{
    if (record_bits == 32)
        buf_char(out, (char)(left >> 24));
    for (int i = 16; i >= 0; i -= 8)
        buf_char(out, (char)(left >> i));
    if (record_bits == 28)
        buf_char(out, (char)((left >> 24 & 15) << 4 | (right >> 24 & 15)));
    if (record_bits == 32)
        buf_char(out, (char)(right >> 24));
    for (int i = 16; i >= 0; i -= 8)
        buf_char(out, (char)(right >> i));
}

static inline uint32_t
mmdb_record(const struct mmdb_make *m, uint32_t child)
{
    return child == MMDB_NONE  ? m->nodes_n
           : child & MMDB_LEAF ? m->nodes_n + 16 + (child & ~MMDB_LEAF)
                               : child;
}

/* The whole file, appended to `out`. */
static inline void
mmdb_write(struct mmdb_make *m, unsigned record_bits, struct buf *out)
{
    for (uint32_t i = 0; i < m->nodes_n; i++)
        mmdb_node(out, mmdb_record(m, m->child[i][0]),
                  mmdb_record(m, m->child[i][1]), record_bits);
    buf_add(out, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    buf_str(out, buf_view(&m->data));
    buf_c(out, "\xab\xcd\xefMaxMind.com");
    mmdb_map(out, 9);
    mmdb_text(out, "binary_format_major_version");
    mmdb_number(out, 5, 2);
    mmdb_text(out, "binary_format_minor_version");
    mmdb_number(out, 5, 0);
    mmdb_text(out, "build_epoch");
    mmdb_number(out, 9, 1700000000);
    mmdb_text(out, "database_type");
    mmdb_text(out, "Winnow-Test-City");
    mmdb_text(out, "description");
    mmdb_map(out, 1);
    mmdb_text(out, "en");
    mmdb_text(out, "made by a test");
    mmdb_text(out, "ip_version");
    mmdb_number(out, 5, m->ip_version);
    mmdb_text(out, "languages");
    mmdb_array(out, 1);
    mmdb_text(out, "en");
    mmdb_text(out, "node_count");
    mmdb_number(out, 6, m->nodes_n);
    mmdb_text(out, "record_size");
    mmdb_number(out, 5, record_bits);
}

#endif
