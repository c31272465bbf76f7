/* json_reader.c -- see base/json_reader.h; json-c is called from here only.
 */
#include "base/json_reader.h"

#include <json-c/json.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

struct json_reader {
    struct json_tokener *tokener;
    struct json_object *outer;  /* NULL: none */
    struct json_object *object; /* whose fields are read: it or one in it */
};

struct json_reader *
json_reader_new(int depth_max)
{
    struct json_reader *r = calloc(1, sizeof *r);

    if (r == NULL)
        return NULL;
    r->tokener = json_tokener_new_ex(depth_max);
    if (r->tokener == NULL) {
        free(r);
        return NULL;
    }
    return r;
}

void
json_reader_free(struct json_reader *r)
{
    if (r == NULL)
        return;
    json_object_put(r->outer);
    json_tokener_free(r->tokener);
    free(r);
}

/* As where a file without a last end of line was put before another one. */
static bool
is_all(const struct json_reader *r, struct str text)
{
    size_t end = json_tokener_get_parse_end(r->tokener);

    return str_trim(str_sub(text, end, text.n)).n == 0;
}

bool
json_reader_read(struct json_reader *r, struct str text)
{
    json_object_put(r->outer);
    r->outer = r->object = NULL;
    if (text.n > INT_MAX)
        return false;
    json_tokener_reset(r->tokener);
    r->outer = json_tokener_parse_ex(r->tokener, text.p, (int)text.n);
    if (json_object_is_type(r->outer, json_type_object) && is_all(r, text)) {
        r->object = r->outer;
        return true;
    }
    json_object_put(r->outer);
    r->outer = NULL;
    return false;
}

/* NULL: there is none, or the reader is in one already. */
static struct json_object *
inner(const struct json_reader *r, const char *key, enum json_type type)
{
    struct json_object *v;

    return r->object == r->outer &&
                   json_object_object_get_ex(r->outer, key, &v) &&
                   json_object_is_type(v, type)
               ? v
               : NULL;
}

bool
json_reader_enter(struct json_reader *r, const char *key, size_t i)
{
    struct json_object *list = inner(r, key, json_type_array), *item;

    if (list == NULL || i >= json_object_array_length(list))
        return false;
    item = json_object_array_get_idx(list, i);
    if (!json_object_is_type(item, json_type_object))
        return false;
    r->object = item;
    return true;
}

bool
json_reader_enter_object(struct json_reader *r, const char *key)
{
    struct json_object *object = inner(r, key, json_type_object);

    if (object == NULL)
        return false;
    r->object = object;
    return true;
}

void
json_reader_leave(struct json_reader *r)
{
    r->object = r->outer;
}

bool
json_reader_has(const struct json_reader *r, const char *key)
{
    return json_object_object_get_ex(r->object, key, NULL);
}

static struct str
text_of(struct json_object *v)
{
    return str_n(json_object_get_string(v),
                 (size_t)json_object_get_string_len(v));
}

void
json_reader_strs(const struct json_reader *r, json_reader_each *each,
                 void *self)
{
    struct json_object_iterator at, end;

    if (r->object == NULL)
        return;
    at = json_object_iter_begin(r->object);
    end = json_object_iter_end(r->object);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        struct json_object *v = json_object_iter_peek_value(&at);

        if (json_object_is_type(v, json_type_string))
            each(self, str_c(json_object_iter_peek_name(&at)), text_of(v));
    }
}

struct str
json_reader_str(const struct json_reader *r, const char *key)
{
    struct json_object *v;

    if (!json_object_object_get_ex(r->object, key, &v) ||
        !json_object_is_type(v, json_type_string))
        return S("");
    return text_of(v);
}

struct str
json_reader_text(const struct json_reader *r, const char *key)
{
    struct json_object *v;

    if (!json_object_object_get_ex(r->object, key, &v))
        return S("");
    if (json_object_is_type(v, json_type_int) &&
        (json_object_get_uint64(v) == UINT64_MAX ||
         json_object_get_int64(v) == INT64_MIN))
        return S(""); /* json-c makes the same of all larger ones */
    if (json_object_is_type(v, json_type_int) ||
        json_object_is_type(v, json_type_double))
        return str_c(json_object_to_json_string_ext(v, JSON_C_TO_STRING_PLAIN));
    return json_reader_str(r, key);
}

bool
json_reader_u64(uint64_t *out, const struct json_reader *r, const char *key)
{
    struct json_object *v;

    if (!json_object_object_get_ex(r->object, key, &v) ||
        !json_object_is_type(v, json_type_int) || json_object_get_int64(v) < 0)
        return false;
    *out = json_object_get_uint64(v);
    return true;
}

double
json_reader_real(const struct json_reader *r, const char *key)
{
    struct json_object *v;

    if (!json_object_object_get_ex(r->object, key, &v) ||
        !(json_object_is_type(v, json_type_double) ||
          json_object_is_type(v, json_type_int)))
        return NAN;
    return json_object_get_double(v);
}

bool
json_reader_bool(const struct json_reader *r, const char *key)
{
    struct json_object *v;

    return json_object_object_get_ex(r->object, key, &v) &&
           json_object_get_boolean(v);
}
