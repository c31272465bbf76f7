/* dedup_message.c -- see dedup_message.h.
 *
 * Decoding allocates from the arena, at most MEMORY_FACTOR times the message
 * (proto/pack.h).  A message over that is refused like one that is malformed.
 */
#include "dedup_message.h"

#include "dedup.pb-c.h"
#include "proto/pack.h"
#include "reply_head.h"

enum { MEMORY_FACTOR = 8, URL_MAX = 1 << 20, SUFFIX_MAX = 8 };

/* ---- requests ---- */

static void
pack_fingerprint(const struct fingerprint *f, unsigned char *to)
{
    for (size_t i = 0; i < f->values_n; i++) {
        for (size_t k = 0; k < 4; k++)
            to[4 * i + k] = (unsigned char)(f->value[i] >> (8 * k) & 0xff);
    }
}

static struct fingerprint *
read_fingerprint(const Winnow__Dedup__Document *d, struct arena *a)
{
    struct fingerprint *f = ARENA_NEW(a, struct fingerprint);
    const unsigned char *p = d->fingerprint.data;

    f->values_n = (uint32_t)(d->fingerprint.len / 4);
    for (size_t i = 0; i < f->values_n; i++, p += 4)
        f->value[i] = (uint32_t)p[0] | (uint32_t)p[1] << 8 |
                      (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    f->shingles_n = d->shingles_n;
    return f;
}

/* Hashes of sentences, and back. */
static ProtobufCBinaryData
pack_sentences(const struct dedup_document *doc, struct arena *a)
{
    size_t n = doc->sentences_n < DEDUP_SENTENCES_MAX ? doc->sentences_n
                                                      : DEDUP_SENTENCES_MAX;
    unsigned char *to = arena_raw(a, 8 * n);

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 8; k++)
            to[8 * i + k] =
                (unsigned char)(doc->sentences[i] >> (8 * k) & 0xff);
    return pack_binary(str_n((const char *)to, 8 * n));
}

/* Why they cannot be used, or NULL. */
static const char *
read_sentences(const ProtobufCBinaryData *from, struct arena *a,
               struct dedup_document *out)
{
    uint64_t *to;

    if (from->len == 0)
        return NULL;
    if (from->len % 8 != 0 || from->len / 8 > DEDUP_SENTENCES_MAX)
        return "sentences are not hashes of 8 bytes, or too many";
    out->sentences_n = from->len / 8;
    out->sentences = to = ARENA_ARRAY(a, uint64_t, out->sentences_n);
    for (size_t i = 0; i < from->len; i++)
        to[i / 8] |= (uint64_t)from->data[i] << (8 * (i % 8));
    return NULL;
}

static void
fill_records(const struct dedup_document *doc, struct arena *a,
             Winnow__Dedup__Document *d)
{
    Winnow__Dedup__Record *records;

    d->n_records =
        doc->records_n < DEDUP_RECORDS_MAX ? doc->records_n : DEDUP_RECORDS_MAX;
    d->records = ARENA_ARRAY(a, Winnow__Dedup__Record *, d->n_records);
    records = ARENA_ARRAY(a, Winnow__Dedup__Record, d->n_records);
    for (size_t i = 0; i < d->n_records; i++) {
        winnow__dedup__record__init(&records[i]);
        records[i].suffix = arena_cstr(a, doc->records[i].suffix);
        records[i].data = pack_binary(doc->records[i].bytes);
        d->records[i] = &records[i];
    }
}

static void
fill_document(const struct dedup_document *doc, struct arena *a,
              Winnow__Dedup__Document *d)
{
    winnow__dedup__document__init(d);
    d->id = arena_cstr(a, str_c(doc->id.z));
    d->url = arena_cstr(a, doc->url);
    d->revisit = doc->revisit;
    d->digest_high = doc->digest.high;
    d->digest_low = doc->digest.low;
    d->text_bytes = doc->text_bytes;
    d->verdict = (uint32_t)doc->reject;
    if (doc->fingerprint != NULL) {
        size_t n = (size_t)4 * doc->fingerprint->values_n;
        unsigned char *print = arena_raw(a, n);

        pack_fingerprint(doc->fingerprint, print);
        d->fingerprint = pack_binary(str_n((const char *)print, n));
        d->shingles_n = doc->fingerprint->shingles_n;
        d->scheme = arena_cstr(a, doc->scheme);
    }
    if (doc->signature != NULL && doc->signature->bits_n > 0) {
        struct buf sketch = {.arena = a};

        signature_pack(doc->signature, &sketch);
        d->signature = pack_binary(buf_view(&sketch));
        d->shingles_distinct = doc->signature->shingles_n;
    }
    d->sentences = pack_sentences(doc, a);
    d->names_another = doc->names_another;
    fill_records(doc, a, d);
}

void
dedup_message_put(const struct dedup_document *docs, size_t n,
                  uint64_t folder_id, struct buf *out)
{
    Winnow__Dedup__Request request = WINNOW__DEDUP__REQUEST__INIT;
    Winnow__Dedup__PutRequest put = WINNOW__DEDUP__PUT_REQUEST__INIT;
    struct arena *a = arena_new();
    Winnow__Dedup__Document *d = ARENA_ARRAY(a, Winnow__Dedup__Document, n);

    put.n_documents = n;
    put.documents = ARENA_ARRAY(a, Winnow__Dedup__Document *, n);
    for (size_t i = 0; i < n; i++) {
        fill_document(&docs[i], a, &d[i]);
        put.documents[i] = &d[i];
    }
    request.call_case = WINNOW__DEDUP__REQUEST__CALL_PUT;
    request.put = &put;
    request.folder_id = folder_id;
    pack_message(out, &request.base);
    arena_free(a);
}

void
dedup_message_job(const struct dedup_job *job, struct buf *out)
{
    Winnow__Dedup__Request request = WINNOW__DEDUP__REQUEST__INIT;
    Winnow__Dedup__JobRequest m = WINNOW__DEDUP__JOB_REQUEST__INIT;
    struct arena *a = arena_new();

    m.facts = arena_cstr(a, job->facts);
    m.provenance = arena_cstr(a, job->provenance);
    m.change = job->change;
    m.own = job->own;
    request.call_case = WINNOW__DEDUP__REQUEST__CALL_JOB;
    request.job = &m;
    pack_message(out, &request.base);
    arena_free(a);
}

void
dedup_message_sentences(const struct dedup_document *doc, uint64_t folder_id,
                        struct buf *out)
{
    Winnow__Dedup__Request request = WINNOW__DEDUP__REQUEST__INIT;
    Winnow__Dedup__SentencesRequest m = WINNOW__DEDUP__SENTENCES_REQUEST__INIT;
    struct arena *a = arena_new();

    m.url = arena_cstr(a, doc->url);
    m.revisit = doc->revisit;
    m.sentences = pack_sentences(doc, a);
    request.call_case = WINNOW__DEDUP__REQUEST__CALL_SENTENCES;
    request.sentences = &m;
    request.folder_id = folder_id;
    pack_message(out, &request.base);
    arena_free(a);
}

void
dedup_message_stat(struct buf *out)
{
    Winnow__Dedup__Request request = WINNOW__DEDUP__REQUEST__INIT;
    Winnow__Dedup__StatRequest stat = WINNOW__DEDUP__STAT_REQUEST__INIT;

    request.call_case = WINNOW__DEDUP__REQUEST__CALL_STAT;
    request.stat = &stat;
    pack_message(out, &request.base);
}

/* 1 to SUFFIX_MAX of a-z and 0-9 */
static bool
is_suffix(struct str s)
{
    if (s.n == 0 || s.n > SUFFIX_MAX)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (!(s.p[i] >= 'a' && s.p[i] <= 'z') && !ascii_digit(s.p[i]))
            return false;
    return true;
}

/* What is no verdict of cleaning, a newer crawler's for instance, is rejected
 * without saying why. */
static enum verdict
rejected_as(uint32_t number)
{
    enum verdict v = verdict_is(number) ? (enum verdict)number : VERDICT_END;

    return verdict_fitting(OUTCOME_FETCHED, v);
}

/* Fingerprint and signature; why they cannot be used, or NULL. */
static const char *
read_sketches(const Winnow__Dedup__Document *d, struct arena *a,
              struct dedup_document *out)
{
    struct fingerprint_scheme scheme = {.values_n = FINGERPRINT_SIZE};
    struct signature *signature;

    out->scheme = str_c(d->scheme);
    if (d->fingerprint.len == 0)
        return NULL;
    if (out->scheme.n > 0 && !fingerprint_scheme_read(&scheme, out->scheme))
        return "a scheme of fingerprints is unknown";
    if (d->fingerprint.len != (size_t)4 * scheme.values_n)
        return "a fingerprint has the wrong length";
    out->fingerprint = read_fingerprint(d, a);
    if (d->signature.len == 0)
        return NULL;
    out->signature = signature = ARENA_NEW(a, struct signature);
    return signature_unpack(pack_text(&d->signature), d->shingles_distinct, a,
                            signature)
               ? NULL
               : "a signature has the wrong length";
}

static const char *
read_document(const Winnow__Dedup__Document *d, struct arena *a,
              struct dedup_document *out)
{
    struct dedup_record *records;
    const char *why;

    *out = (struct dedup_document){.url = str_c(d->url),
                                   .revisit = d->revisit,
                                   .digest = {d->digest_high, d->digest_low},
                                   .text_bytes = d->text_bytes,
                                   .reject = rejected_as(d->verdict),
                                   .names_another = d->names_another,
                                   .records_n = d->n_records};
    if (!document_id_read(str_c(d->id), &out->id))
        return "an id is not a UUID of 36 characters";
    if (out->url.n > URL_MAX)
        return "a url is too long";
    if ((why = read_sketches(d, a, out)) != NULL ||
        (why = read_sentences(&d->sentences, a, out)) != NULL)
        return why;
    if (out->records_n > DEDUP_RECORDS_MAX)
        return "a document has too many records";
    if (out->records_n == 0 && out->reject == VERDICT_NONE)
        return "a document has no record";
    out->records = records =
        ARENA_ARRAY(a, struct dedup_record, out->records_n);
    for (size_t i = 0; i < out->records_n; i++) {
        records[i].suffix = str_c(d->records[i]->suffix);
        records[i].bytes = pack_text(&d->records[i]->data);
        if (!is_suffix(records[i].suffix))
            return "a suffix is not a short word";
    }
    return NULL;
}

static const char *
read_put(const Winnow__Dedup__PutRequest *put, struct arena *a,
         struct dedup_request *out)
{
    const char *why = NULL;

    out->call = MESSAGE_PUT;
    out->documents_n = put->n_documents;
    if (out->documents_n > MESSAGE_DOCUMENTS_MAX)
        return "too many documents";
    out->documents = ARENA_ARRAY(a, struct dedup_document, out->documents_n);
    for (size_t i = 0; i < out->documents_n && why == NULL; i++)
        why = read_document(put->documents[i], a, &out->documents[i]);
    return why;
}

static const char *
read_known(const Winnow__Dedup__SentencesRequest *m, struct arena *a,
           struct dedup_request *out)
{
    out->call = MESSAGE_SENTENCES;
    out->documents_n = 1;
    out->documents = ARENA_NEW(a, struct dedup_document);
    out->documents->url = str_c(m->url);
    out->documents->revisit = m->revisit;
    return out->documents->url.n > URL_MAX
               ? "a url is too long"
               : read_sentences(&m->sentences, a, out->documents);
}

enum status
dedup_message_read_request(struct str message, struct arena *a,
                           struct dedup_request *out, const char **why)
{
    const ProtobufCMessage *m = unpack_message(
        &winnow__dedup__request__descriptor, a, message, MEMORY_FACTOR);
    const Winnow__Dedup__Request *r = (const void *)m;

    *out = (struct dedup_request){.call = MESSAGE_STAT};
    *why = "not a request";
    if (r == NULL)
        return ST_INVALID;
    out->folder_id = r->folder_id;
    switch (r->call_case) {
    case WINNOW__DEDUP__REQUEST__CALL_STAT: *why = NULL; break;
    case WINNOW__DEDUP__REQUEST__CALL_JOB:
        out->call = MESSAGE_JOB;
        out->job =
            (struct dedup_job){str_c(r->job->facts), str_c(r->job->provenance),
                               r->job->change, r->job->own};
        *why = NULL;
        break;
    case WINNOW__DEDUP__REQUEST__CALL_SENTENCES:
        *why = read_known(r->sentences, a, out);
        break;
    case WINNOW__DEDUP__REQUEST__CALL_PUT:
        *why = read_put(r->put, a, out);
        break;
    default: break;
    }
    return *why == NULL ? ST_OK : ST_INVALID;
}

/* ---- replies ---- */

static void
fill_stat(const struct dedup_reply *r, struct arena *a,
          Winnow__Dedup__StatReply *to)
{
    to->documents = r->stat.documents;
    to->exact_duplicates = r->stat.exact_duplicates;
    to->near_duplicates = r->stat.near_duplicates;
    to->rejected = r->stat.rejected;
    to->text_bytes = r->stat.text_bytes;
    to->index_entries = r->stat.index_entries;
    to->bands_full = r->stat.bands_full;
    to->replaced = r->stat.replaced;
    to->forgotten = r->stat.forgotten;
    to->version = arena_cstr(a, r->version);
}

static void
fill_put(const struct dedup_reply *r, struct arena *a,
         Winnow__Dedup__PutReply *to)
{
    to->n_verdicts = to->n_of = to->n_ids = to->n_estimates = r->answers_n;
    to->verdicts = ARENA_ARRAY(a, uint32_t, r->answers_n);
    to->of = ARENA_ARRAY(a, char *, r->answers_n);
    to->ids = ARENA_ARRAY(a, char *, r->answers_n);
    to->estimates = ARENA_ARRAY(a, float, r->answers_n);
    for (size_t i = 0; i < r->answers_n; i++) {
        to->verdicts[i] = (uint32_t)r->answers[i].verdict;
        to->of[i] = r->answers[i].of.z;
        to->ids[i] = r->answers[i].id.z;
        to->estimates[i] = (float)r->answers[i].estimate;
    }
}

void
dedup_message_reply(const struct dedup_reply *r, struct buf *out)
{
    Winnow__Dedup__Reply reply = WINNOW__DEDUP__REPLY__INIT;
    Winnow__Dedup__StatReply stat = WINNOW__DEDUP__STAT_REPLY__INIT;
    Winnow__Dedup__PutReply put = WINNOW__DEDUP__PUT_REPLY__INIT;
    Winnow__Dedup__JobReply job = WINNOW__DEDUP__JOB_REPLY__INIT;
    Winnow__Dedup__SentencesReply known = WINNOW__DEDUP__SENTENCES_REPLY__INIT;
    struct arena *a = arena_new();

    reply.code = (Winnow__Dedup__Code)r->code;
    reply.message = arena_cstr(a, r->text);
    if (r->has_stat) {
        fill_stat(r, a, &stat);
        reply.result_case = WINNOW__DEDUP__REPLY__RESULT_STAT;
        reply.stat = &stat;
    } else if (r->has_job) {
        job.differences = arena_cstr(a, r->differences);
        job.folder_id = r->folder_id;
        job.decides = arena_cstr(a, r->decides);
        reply.result_case = WINNOW__DEDUP__REPLY__RESULT_JOB;
        reply.job = &job;
    } else if (r->has_known) {
        known.known = pack_binary(r->known);
        reply.result_case = WINNOW__DEDUP__REPLY__RESULT_SENTENCES;
        reply.sentences = &known;
    } else if (r->answers_n > 0) {
        fill_put(r, a, &put);
        reply.result_case = WINNOW__DEDUP__REPLY__RESULT_PUT;
        reply.put = &put;
    }
    pack_message(out, &reply.base);
    arena_free(a);
}

static enum status
read_answers(const Winnow__Dedup__PutReply *put, struct arena *a,
             struct dedup_reply *out)
{
    out->answers_n = put->n_verdicts;
    if (put->n_of != put->n_verdicts || put->n_ids != put->n_verdicts)
        return ST_INVALID;
    out->answers = ARENA_ARRAY(a, struct dedup_answer, out->answers_n);
    for (size_t i = 0; i < out->answers_n; i++) {
        struct dedup_answer *to = &out->answers[i];
        struct str of = str_c(put->of[i]);

        if (put->verdicts[i] > VERDICT_REJECTED ||
            !document_id_read(str_c(put->ids[i]), &to->id) ||
            (!document_id_read(of, &to->of) && of.n > 0))
            return ST_INVALID;
        to->verdict = (enum verdict)put->verdicts[i];
        if (i < put->n_estimates) /* an older service sends none */
            to->estimate = put->estimates[i];
    }
    return ST_OK;
}

enum status
dedup_message_read_reply(struct str message, struct arena *a,
                         struct dedup_reply *out)
{
    const Winnow__Dedup__Reply *r;

    *out = (struct dedup_reply){0};
    r = reply_head_read(message, a, MEMORY_FACTOR, &out->code, &out->text);
    if (r == NULL)
        return ST_INVALID;
    if (r->result_case == WINNOW__DEDUP__REPLY__RESULT_PUT)
        return read_answers(r->put, a, out);
    if (r->result_case == WINNOW__DEDUP__REPLY__RESULT_STAT) {
        out->has_stat = true;
        out->stat =
            (struct dedup_stat){.documents = r->stat->documents,
                                .exact_duplicates = r->stat->exact_duplicates,
                                .near_duplicates = r->stat->near_duplicates,
                                .rejected = r->stat->rejected,
                                .text_bytes = r->stat->text_bytes,
                                .index_entries = r->stat->index_entries,
                                .bands_full = r->stat->bands_full,
                                .replaced = r->stat->replaced,
                                .forgotten = r->stat->forgotten};
        out->version = str_c(r->stat->version);
    }
    if (r->result_case == WINNOW__DEDUP__REPLY__RESULT_JOB) {
        out->has_job = true;
        out->differences = str_c(r->job->differences);
        out->folder_id = r->job->folder_id;
        out->decides = str_c(r->job->decides);
    }
    if (r->result_case == WINNOW__DEDUP__REPLY__RESULT_SENTENCES) {
        out->has_known = true;
        out->known = pack_text(&r->sentences->known);
    }
    return ST_OK;
}
