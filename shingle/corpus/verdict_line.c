/* verdict_line.c -- see verdict_line.h. */
#include "verdict_line.h"

#include "base/json.h"
#include "stream.h"

static void
write_places(struct buf *out, const struct verdict_line *v)
{
    for (size_t i = 0; i < v->places_n; i++) {
        const struct verdict_place *p = &v->place[i];

        if (i > 0)
            buf_char(out, ' ');
        stream_text(out, p->group, p->part, p->suffix);
        buf_printf(out, ":%llu:%llu", (unsigned long long)p->at,
                   (unsigned long long)p->bytes);
    }
}

void
verdict_line_write(struct buf *out, const struct verdict_line *v)
{
    struct json j = {.out = out};
    struct buf places = {0};

    write_places(&places, v);
    json_object(&j);
    json_ku64(&j, "n", v->number);
    json_kstr(&j, "verdict", str_c(verdict_name(v->verdict)));
    json_kstr(&j, "id", v->id);
    json_kstr(&j, "url", v->url);
    json_kstr(&j, "of", v->of);
    if (v->of.n > 0)
        json_kreal(&j, "estimate", v->estimate);
    if (v->replaces.n > 0)
        json_kstr(&j, "replaces", v->replaces);
    json_kstr(&j, "reason",
              v->reason == VERDICT_NONE ? S("")
                                        : str_c(verdict_name(v->reason)));
    json_kstr(&j, "records", buf_view(&places));
    json_object_end(&j);
    buf_char(out, '\n');
    buf_free(&places);
}

/* What is before the next `end`, which is skipped. */
static struct str
next(struct str *s, char end)
{
    size_t n = str_find(*s, end, 0);
    struct str word = str_sub(*s, 0, n);

    *s = n < s->n ? str_sub(*s, n + 1, s->n) : S("");
    return word;
}

static bool
read_places(struct verdict_line *out, struct str places)
{
    while (places.n > 0) {
        struct str word = next(&places, ' '), name = next(&word, ':'),
                   at = next(&word, ':');
        struct verdict_place *p = &out->place[out->places_n];

        if (out->places_n == DEDUP_RECORDS_MAX ||
            !stream_of_text(name, &p->group, &p->part, &p->suffix) ||
            !str_u64(at, &p->at) || !str_u64(word, &p->bytes))
            return false;
        out->places_n++;
    }
    return true;
}

bool
verdict_line_read(struct verdict_line *out, struct json_reader *r,
                  struct str line)
{
    struct str reason;

    *out = (struct verdict_line){0};
    if (!json_reader_read(r, line) || !json_reader_u64(&out->number, r, "n"))
        return false;
    out->id = json_reader_str(r, "id");
    out->url = json_reader_str(r, "url");
    out->of = json_reader_str(r, "of");
    reason = json_reader_str(r, "reason");
    if (reason.n > 0 && !verdict_find(reason, &out->reason))
        out->reason = VERDICT_END; /* another version's */
    return verdict_find(json_reader_str(r, "verdict"), &out->verdict) &&
           out->verdict <= VERDICT_REJECTED && out->number > 0 &&
           read_places(out, json_reader_str(r, "records"));
}
