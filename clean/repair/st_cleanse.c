/* st_cleanse.c -- tags, e-mail addresses, URIs and hashtags in the text
 * (cleanse.h), in this order.  Off unless clean.cleanse lists some.  Features
 * are counted before, so the network's verdict does not depend on it.  What
 * looks like a tag or a hashtag in code is none. */
#include <stdlib.h>

#include "base/memory.h"
#include "clean/blocks/block_edit.h"
#include "clean/chain/stage.h"
#include "clean/text/cleanse.h"

struct st_cleanse {
    struct letters *letters;
    struct arena *arena; /* for the replacers */
    bool tags, emails, uris, hashtags;
    struct str email, uri, hashtag;
};

static void
close_cleanse(void *self)
{
    struct st_cleanse *c = self;

    if (c == NULL)
        return;
    letters_free(c->letters);
    arena_free(c->arena);
    memory_free(c);
}

static enum status
open_cleanse(void **self, const struct opts *o)
{
    struct memory_held held;
    struct st_cleanse *c;

    if (o->clean_cleanse.n == 0)
        return ST_OK;
    if ((c = memory_zero(1, sizeof *c)) == NULL)
        return ST_NOMEM;
    c->arena = arena_new();
    if ((c->letters = letters_new()) == NULL) {
        close_cleanse(c);
        return ST_NOMEM;
    }
    for (size_t i = 0; i < o->clean_cleanse.n; i++) {
        struct str kind = o->clean_cleanse.item[i];

        c->tags = c->tags || str_eq(kind, S("tags"));
        c->emails = c->emails || str_eq(kind, S("emails"));
        c->uris = c->uris || str_eq(kind, S("uris"));
        c->hashtags = c->hashtags || str_eq(kind, S("hashtags"));
    }
    memory_hold(&held, close_cleanse, c);
    c->email = arena_str(c->arena, o->clean_email_replacer);
    c->uri = arena_str(c->arena, o->clean_uri_replacer);
    c->hashtag = arena_str(c->arena, o->clean_hashtag_replacer);
    memory_let_go(&held);
    *self = c;
    return ST_OK;
}

static struct str
change(const void *self, struct arena *a, struct str s, bool code)
{
    const struct st_cleanse *c = self;

    if (c->tags && !code)
        s = cleanse_tags(a, s);
    if (c->emails)
        s = cleanse_emails(c->letters, a, s, c->email);
    if (c->uris)
        s = cleanse_uris(c->letters, a, s, c->uri);
    if (c->hashtags && !code)
        s = cleanse_hashtags(c->letters, a, s, c->hashtag);
    return s;
}

static enum status
run(const void *self, struct document *d)
{
    if (self != NULL)
        document_change(d, change, self);
    return ST_OK;
}

const struct stage stage_cleanse = {
    .name = "cleanse",
    .needs = DOC_BLOCKS | DOC_BOILERPLATE,
    .open = open_cleanse,
    .run = run,
    .close = close_cleanse,
};
