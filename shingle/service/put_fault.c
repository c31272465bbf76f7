/* put_fault.c -- see put_fault.h. */
#include "put_fault.h"

#include "base/options/opt.h"

/* May files end so?  Those of a format that output.format names do. */
static bool
is_ours(const struct opts *o, struct str suffix)
{
    static const struct {
        struct str name, suffix;
    } formats[] = {
#define FORMAT(name, suffix) {STR(#name), STR(suffix)},
        OUTPUT_FORMATS(FORMAT, FORMAT)
#undef FORMAT
    };
    const struct opt_list *named = &o->output_format;

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (size_t k = 0; k < named->n; k++)
            if (str_eq(formats[i].suffix, suffix) &&
                str_eq(formats[i].name, named->item[k]))
                return true;
    return false;
}

const char *
put_fault(struct index *x, const struct opts *o, const struct dedup_request *r,
          struct arena *a)
{
    for (size_t i = 0; i < r->documents_n; i++) {
        const struct dedup_document *doc = &r->documents[i];

        if (doc->fingerprint != NULL && index_expect(x, doc->scheme) != ST_OK)
            return "its fingerprint is of another scheme than the index has "
                   "(dedup.fingerprint, values, shingle_size, seed)";
        for (size_t k = 0; k < doc->records_n; k++)
            if (!is_ours(o, doc->records[k].suffix))
                return arena_printf(a,
                                    "output.format of the service's job names "
                                    "no format with files *.%.*s: name it "
                                    "there and start the service again",
                                    STRF(doc->records[k].suffix))
                    .p;
    }
    return NULL;
}
