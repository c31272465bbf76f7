/* dedup_util.h -- made documents for the dedup tests. */
#ifndef DEDUP_UTIL_H
#define DEDUP_UTIL_H

#include <dirent.h>

#include "base/random.h"
#include "folder.h"
#include "shingle/message/dedup.h"

static inline struct fingerprint
util_print(uint64_t seed)
{
    struct random r = random_seed(hash_mix(seed));
    struct fingerprint f = {.shingles_n = 300, .values_n = FINGERPRINT_SIZE};

    for (int i = 0; i < FINGERPRINT_SIZE; i++)
        f.value[i] = (uint32_t)random_u64(&r);
    return f;
}

/* n of the values of `f` replaced. */
static inline struct fingerprint
util_mutate(struct fingerprint f, int n, uint64_t seed)
{
    struct random r = random_seed(hash_mix(seed));
    int from = (int)random_below(&r, FINGERPRINT_SIZE);

    for (int i = 0; i < n; i++)
        f.value[(from + i * 37) % FINGERPRINT_SIZE] = (uint32_t)random_u64(&r);
    return f;
}

/* A document with its own memory: one or two records around its number. */
struct util_doc {
    struct dedup_document doc;
    struct fingerprint print;
    struct dedup_record records[2];
    char id[DOCUMENT_ID_CHARS + 1], url[64], json[160], xml[160];
};

static inline void
util_doc(struct util_doc *d, uint64_t id, uint64_t text, size_t records_n)
{
    struct document_id made;

    memset(d, 0, sizeof *d);
    snprintf(d->url, sizeof d->url, "http://h/%llu", (unsigned long long)id);
    made = document_id_make(str_c(d->url), id);
    memcpy(d->id, made.z, sizeof d->id);
    snprintf(d->json, sizeof d->json,
             "{\"id\":\"%s\",\"text\":\"t%llu of it\"}\n", d->id,
             (unsigned long long)text);
    snprintf(d->xml, sizeof d->xml, "<doc id=\"%s\">t%llu</doc>\n", d->id,
             (unsigned long long)text);
    d->records[0] = (struct dedup_record){S("jsonl"), str_c(d->json)};
    d->records[1] = (struct dedup_record){S("xml"), str_c(d->xml)};
    d->print = util_print(text);
    d->doc = (struct dedup_document){.id = made,
                                     .url = str_c(d->url),
                                     .digest = {hash_mix(text), text},
                                     .fingerprint = &d->print,
                                     .text_bytes = 1000,
                                     .records = d->records,
                                     .records_n = records_n};
}

/* All that `command` prints. */
static inline void
util_run(const char *command, struct buf *out)
{
    FILE *f = popen(command, "r");
    char part[4096];
    size_t n;

    buf_clear(out);
    while ((n = fread(part, 1, sizeof part, f)) > 0)
        buf_add(out, part, n);
    CHECK(pclose(f) == 0);
}

static inline size_t
util_occurrences(struct str text, const char *what)
{
    size_t n = 0;
    const char *p = text.p, *end = text.p + text.n;

    while ((p = memmem(p, (size_t)(end - p), what, strlen(what))) != NULL) {
        n++;
        p += strlen(what);
    }
    return n;
}

#endif
