/* json.c -- see json.h.  Numbers are printed so that they read back equal. */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>

#include "base/ascii_run.h"

static void
value(struct json *j)
{
    if (j->comma)
        buf_char(j->out, ',');
    j->comma = true;
}

void
json_object(struct json *j)
{
    value(j);
    buf_char(j->out, '{');
    j->comma = false;
}

void
json_object_end(struct json *j)
{
    buf_char(j->out, '}');
    j->comma = true;
}

void
json_array(struct json *j)
{
    value(j);
    buf_char(j->out, '[');
    j->comma = false;
}

void
json_array_end(struct json *j)
{
    buf_char(j->out, ']');
    j->comma = true;
}

/* Length of the valid UTF-8 sequence at p (RFC 3629), 0 if there is none. */
static size_t
sequence(const unsigned char *p, size_t n)
{
    static const unsigned char low[] = {0x80, 0xa0, 0x90};
    size_t need;
    unsigned char least = 0x80, most = 0xbf;

    if (p[0] >= 0xc2 && p[0] <= 0xdf)
        need = 2;
    else if (p[0] >= 0xe0 && p[0] <= 0xef)
        need = 3;
    else if (p[0] >= 0xf0 && p[0] <= 0xf4)
        need = 4;
    else
        return 0;
    if (n < need)
        return 0;
    if (p[0] == 0xe0)
        least = low[1];
    else if (p[0] == 0xf0)
        least = low[2];
    else if (p[0] == 0xed)
        most = 0x9f;
    else if (p[0] == 0xf4)
        most = 0x8f;
    if (p[1] < least || p[1] > most)
        return 0;
    for (size_t i = 2; i < need; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return need;
}

/* Is a valid sequence of n bytes U+FDD0 to U+FDEF, or one of the last two of a
 * plane? */
static bool
no_character(const unsigned char *p, size_t n)
{
    if (n == 3)
        return p[0] == 0xef && ((p[1] == 0xb7 && p[2] >= 0x90 && p[2] < 0xb0) ||
                                (p[1] == 0xbf && p[2] >= 0xbe));
    return n == 4 && (p[1] & 0x0f) == 0x0f && p[2] == 0xbf && p[3] >= 0xbe;
}

static void
escape(struct buf *out, unsigned char c)
{
    switch (c) {
    case '"': buf_c(out, "\\\""); break;
    case '\\': buf_c(out, "\\\\"); break;
    case '\n': buf_c(out, "\\n"); break;
    case '\r': buf_c(out, "\\r"); break;
    case '\t': buf_c(out, "\\t"); break;
    default: buf_printf(out, "\\u%04x", c);
    }
}

void
json_name(struct json *j, struct str key)
{
    json_str(j, key);
    buf_char(j->out, ':');
    j->comma = false;
}

void
json_str(struct json *j, struct str s)
{
    static const char stops[5] = {'"', '\\', '"', '"', '"'};
    const unsigned char *p = (const unsigned char *)s.p;
    size_t from = 0, i = 0;

    value(j);
    buf_char(j->out, '"');
    while ((i = ascii_run(s, i, stops)) < s.n) {
        size_t len = p[i] < 0x80 ? 0 : sequence(p + i, s.n - i);

        if (len > 0 && !no_character(p + i, len)) {
            i += len;
            continue;
        }
        buf_add(j->out, p + from, i - from);
        if (p[i] < 0x80)
            escape(j->out, p[i]);
        else
            buf_c(j->out, "\xef\xbf\xbd");
        i += len > 0 ? len : 1;
        from = i;
    }
    if (from < s.n)
        buf_add(j->out, p + from, s.n - from);
    buf_char(j->out, '"');
}

void
json_key(struct json *j, const char *key)
{
    json_str(j, str_c(key));
    buf_char(j->out, ':');
    j->comma = false;
}

void
json_u64(struct json *j, uint64_t v)
{
    value(j);
    buf_number(j->out, v);
}

void
json_real(struct json *j, double v)
{
    size_t from, end;
    char exponent[8] = "";
    struct str text;

    if (!isfinite(v)) {
        json_null(j);
        return;
    }
    value(j);
    from = j->out->n;
    buf_real(j->out, v, 7);
    text = str_n(j->out->p + from, j->out->n - from);
    if (str_find(text, '.', 0) < text.n)
        return;
    /* Readers that guess a column's type from its first values must not take
     * it for one of integers. */
    end = str_find(text, 'e', 0);
    memcpy(exponent, text.p + end, text.n - end);
    j->out->n = from + end;
    buf_c(j->out, ".0");
    buf_c(j->out, exponent);
}

void
json_bool(struct json *j, bool v)
{
    value(j);
    buf_c(j->out, v ? "true" : "false");
}

void
json_null(struct json *j)
{
    value(j);
    buf_c(j->out, "null");
}

void
json_kstr(struct json *j, const char *key, struct str v)
{
    json_key(j, key);
    json_str(j, v);
}

void
json_ku64(struct json *j, const char *key, uint64_t v)
{
    json_key(j, key);
    json_u64(j, v);
}

void
json_kreal(struct json *j, const char *key, double v)
{
    json_key(j, key);
    json_real(j, v);
}

void
json_kbool(struct json *j, const char *key, bool v)
{
    json_key(j, key);
    json_bool(j, v);
}
