/* json.h -- writes JSON (RFC 8259) into a buf, one value after the other.
 *
 * The writer puts commas and colons; the caller keeps objects and arrays
 * balanced.  Strings are made valid UTF-8: a bad byte becomes U+FFFD, and so
 * does a noncharacter (U+FFFE ...), which no XML made of it could hold (RFC
 * 7493). json_reader.h reads it. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/buf.h"

struct json {
    struct buf *out;
    bool comma; /* a value was written at this level */
};

/* Begin and end an object, an array; in an object a key stands before each
 * value.  Texts are copied into the buf, which the caller owns. */
void json_object(struct json *j); /* { */
void json_object_end(struct json *j);
void json_array(struct json *j); /* [ */
void json_array_end(struct json *j);
void json_key(struct json *j, const char *key);
void json_name(struct json *j, struct str key); /* as json_key() */

/* A value. */
void json_str(struct json *j, struct str s);
void json_u64(struct json *j, uint64_t value);
void json_real(struct json *j, double value); /* always with a point; NaN and
                                                  Inf become null */
void json_bool(struct json *j, bool value);
void json_null(struct json *j);

/* Shorthands: key and value. */
void json_kstr(struct json *j, const char *key, struct str value);
void json_ku64(struct json *j, const char *key, uint64_t value);
void json_kreal(struct json *j, const char *key, double value);
void json_kbool(struct json *j, const char *key, bool value);

#endif
