/* json_reader.h -- reads a JSON object (RFC 8259) and gives its fields by name.
 *
 * For lines of logs and dumps: flat objects, one after the other, or with
 * flat objects or arrays of them in them.  A field that is missing or of
 * another type is the caller's ordinary case, not a fault. Nothing is logged.
 * One reader per thread. */
#ifndef BASE_JSON_READER_H
#define BASE_JSON_READER_H

#include "base/str.h"

struct json_reader; /* opaque; see base/json_reader.c */

/* Objects nested deeper than depth_max are none.  NULL: out of memory. */
struct json_reader *json_reader_new(int depth_max);
void json_reader_free(struct json_reader *r); /* NULL is allowed */

/* False: `text` is no object, or something stands behind it; then there are no
 * fields. */
bool json_reader_read(struct json_reader *r, struct str text);

bool json_reader_has(const struct json_reader *r, const char *key);
/* Each field that is a string, in their order. */
typedef void json_reader_each(void *self, struct str key, struct str value);
void json_reader_strs(const struct json_reader *r, json_reader_each *each,
                      void *self);
/* A string, else ""; valid until the next read or free. */
struct str json_reader_str(const struct json_reader *r, const char *key);
/* The same, and of a number its text; "" if it has more digits than 64 bits. */
struct str json_reader_text(const struct json_reader *r, const char *key);
/* A whole number from 0 on.  False: it is none, *out is unchanged. */
bool json_reader_u64(uint64_t *out, const struct json_reader *r,
                     const char *key);
double json_reader_real(const struct json_reader *r, const char *key); /* NAN */
/* Into object number i of the array `key`: until json_reader_leave() its fields
 * are those that are read.  False: there is none, or the reader is in one. */
bool json_reader_enter(struct json_reader *r, const char *key, size_t i);
/* Likewise into the object `key`. */
bool json_reader_enter_object(struct json_reader *r, const char *key);
void json_reader_leave(struct json_reader *r); /* to the outer object */
/* False when it is missing; others by the rules of JavaScript. */
bool json_reader_bool(const struct json_reader *r, const char *key);

#endif
