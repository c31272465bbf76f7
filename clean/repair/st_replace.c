/* st_replace.c -- the operator's replacements (replacer.h), before normalise so
 * that what they leave is composed and swept.  Off unless clean.replacements
 * names a file. */
#include <errno.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/log.h"
#include "clean/blocks/block_edit.h"
#include "clean/chain/stage.h"
#include "clean/charset/utf8.h"
#include "replacer.h"

static enum status
open_rules(void **self, const struct opts *o)
{
    struct replacer *r = NULL;
    struct buf text = {0}, path = {0};
    uint32_t bad = 0;
    enum status st;

    if (o->clean_replacements.n == 0)
        return ST_OK;
    buf_printf(&path, "%.*s", STRF(o->clean_replacements));
    st = file_read(&text, path.p, REPLACER_FILE_BYTES);
    if (st == ST_IO)
        log_error("clean", "file=%s fault=\"%s\"", path.p, strerror(errno));
    else if (st == ST_OK && !utf8_valid(buf_view(&text)))
        st = ST_INVALID;
    if (st == ST_OK)
        st = replacer_parse(&r, buf_view(&text), &bad);
    if (st == ST_INVALID)
        log_error("clean", "file=%s fault=\"not UTF-8\"", path.p);
    if (st == ST_LIMIT)
        log_error("clean",
                  "file=%s fault=\"larger than 16 MiB or more than "
                  "%u rules\"",
                  path.p, REPLACER_RULES_MAX);
    if (bad > 0)
        log_warn("clean", "file=%s lines_ignored=%u", path.p, bad);
    buf_free(&text);
    buf_free(&path);
    *self = r;
    return st == ST_INVALID || st == ST_LIMIT ? ST_USAGE : st;
}

static struct str
change(const void *self, struct arena *a, struct str s, bool code)
{
    (void)code;
    return replacer_apply(self, a, s);
}

static enum status
run(const void *self, struct document *d)
{
    if (self != NULL)
        document_change(d, change, self);
    return ST_OK;
}

static void
close_rules(void *self)
{
    replacer_free(self);
}

const struct stage stage_replace = {
    .name = "replace",
    .needs = DOC_BLOCKS | DOC_BOILERPLATE,
    .open = open_rules,
    .run = run,
    .close = close_rules,
};
