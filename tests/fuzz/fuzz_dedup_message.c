/* Bytes of a peer, read as a request and as a reply of the dedup service: what
 * is accepted keeps the bounds that the service relies on. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "../../shingle/message/dedup_message.h"
#include "base/facts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t seen; /* so that all of it is read */

static void
check(int c)
{
    if (!c)
        abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str message = {(const char *)data, size};
    struct arena *a = arena_new();
    struct dedup_request request;
    struct dedup_reply reply;
    const char *why = NULL;

    if (dedup_message_read_request(message, a, &request, &why) == ST_OK) {
        check(request.documents_n <= MESSAGE_DOCUMENTS_MAX);
        for (size_t i = 0; i < request.documents_n; i++) {
            const struct dedup_document *d = &request.documents[i];

            check(strlen(d->id.z) ==
                      (request.call == MESSAGE_PUT ? DOCUMENT_ID_CHARS : 0) &&
                  d->records_n <= DEDUP_RECORDS_MAX);
            check(d->sentences_n <= DEDUP_SENTENCES_MAX &&
                  8 * d->sentences_n <= size);
            for (size_t k = 0; k < d->sentences_n; k++)
                seen = d->sentences[k];
            for (size_t k = 0; k < d->records_n; k++)
                check(d->records[k].suffix.n <= 8 &&
                      memchr(d->records[k].suffix.p, '/',
                             d->records[k].suffix.n) == NULL);
        }
        if (request.call == MESSAGE_JOB) {
            struct buf out = {0};

            facts_compare(request.job.facts, request.job.provenance, &out);
            facts_compare(request.job.facts, request.job.facts, &out);
            buf_free(&out);
        }
    } else {
        check(why != NULL);
    }
    if (dedup_message_read_reply(message, a, &reply) == ST_OK) {
        for (size_t i = 0; i < reply.answers_n; i++)
            check(reply.answers[i].verdict <= VERDICT_REJECTED &&
                  strlen(reply.answers[i].id.z) == DOCUMENT_ID_CHARS &&
                  strlen(reply.answers[i].of.z) <= DOCUMENT_ID_CHARS);
    }
    arena_free(a);
    return 0;
}
