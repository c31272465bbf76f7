/* opt_value.h -- the types of options: text to value, value to text. */
#ifndef BASE_OPT_VALUE_H
#define BASE_OPT_VALUE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/options/opt.h"

struct setting {
    const struct opt *row;
    void *field;         /* in a struct opts */
    struct str text;     /* what the operator wrote */
    struct str folder;   /* absolute; relative paths start here */
    struct arena *arena; /* for what the value points to */
    struct buf *why;     /* gets the fault */
};

/* False: the text is not a value of this row; the field is unchanged. */
bool opt_value_set(const struct setting *s);

/* The value as text that opt_value_set() reads back equal. */
void opt_value_show(const struct opt *row, const void *field, struct buf *out);

/* Append user text to a message: short, without control characters. */
void opt_value_quote(struct str text, struct buf *out);

#endif
