/* layout.h -- what an LMDB 0.9 file looks like on a 64-bit little-endian
 * machine: pages of one size; 0 and 1 are meta pages, the one with the larger
 * transaction counts.
 *
 *   page    number 8 | pad 2 | flags 2 | lower 2, upper 2 (or pages 4)
 *           then offsets of nodes, 2 each, up to `lower`; nodes from `upper`
 *   node    low 2 | high 2 | flags 2 | key size 2 | key | data
 *           branch: low, high, flags are the number of a page, 48 bits
 *           leaf: low, high are the size of the data; F_BIG: the data is the
 *           number of an overflow page; F_SUB: the root of a table
 *   meta    behind the header: magic 4 | version 4 | address 8 | map size 8 |
 *           root of the free list 48 | root of the tables 48 | last page 8 |
 *           transaction 8
 *   root    pad 4 (of the free list: page size) | flags 2 | depth 2 | branch
 *           pages 8 | leaf pages 8 | overflow pages 8 | entries 8 | page 8 */
#ifndef PAGES_LAYOUT_H
#define PAGES_LAYOUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    PAGE_BRANCH = 0x01,
    PAGE_LEAF = 0x02,
    PAGE_OVERFLOW = 0x04,
    PAGE_META = 0x08,
    NODE_BIG = 0x01,
    NODE_SUB = 0x02,
    PAGE_HEADER = 16,
    NODE_HEADER = 8,
    ROOT_SIZE = 48,
    ROOT_FLAGS = 0x7f, /* of the tree; others are the environment's */
    ROOT_NUMBERS = 0x08,
    META_SIZE = 152, /* with its header */
    META_N = 2,
    DEPTH_MAX = 32, /* of a tree: LMDB's own bound */
    KEY_SIZE_MAX = 511
};

#define META_MAGIC 0xBEEFC0DEu
#define META_VERSION 1u
#define NO_PAGE UINT64_MAX

static inline uint64_t
layout_get(const unsigned char *p, size_t n)
{
    uint64_t v = 0;

    for (size_t i = n; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static inline unsigned
layout_u16(const unsigned char *p)
{
    return (unsigned)p[0] | (unsigned)p[1] << 8;
}

#endif
