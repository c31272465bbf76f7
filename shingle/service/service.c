/* service.c -- see dedup.h: the dedup service.
 *
 * The server's thread (proto/endpoint.c) brings all put requests that wait, and
 * they become one batch: judge every document, add the records of those that
 * are new, one write to the commit log and one sync, then the replies.  So a
 * sync is shared by as many documents as the load brings, and a verdict is sent
 * only when its document is durable.  Files and index follow later, on another
 * thread (committer.c).
 *
 *     decode -> prepare streams -> begin -> judge, add -> end (sync) -> reply
 *
 * If any step fails the batch never was, and every put of it is told why (FULL:
 * no space, ask again; FAILED: see the log).  A request that cannot be used
 * (BAD) falls out before the batch is made, so it harms no other.  Records are
 * only taken in the formats of the job's output.format: each is a stream of
 * files for ever.
 *
 * Bounds: the endpoint's for messages in hand; MESSAGE_DOCUMENTS_MAX documents
 * a message, which bounds the transaction.  DIR/dedup.lock makes sure that one
 * process writes.  Threads: the handle belongs to its opener; the handler runs
 * on the server's thread only, so nothing here is locked. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/folder_id.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/pages/hold.h"
#include "base/reminder.h"
#include "committer.h"
#include "corpus_job.h"
#include "dedup_decides.h"
#include "dedup_service.h"
#include "proto/endpoint.h"
#include "proto/options.h"
#include "proto/server.h"
#include "put_fault.h"
#include "shingle/corpus/verdict_line.h"
#include "shingle/message/dedup_message.h"
#include "shingle/shards/shards.h"
#include "shingle/store/corpus_file.h"

enum { ARENA_KEEP = 64 << 20, SPACE_MS = 1000 /* between two looks */ };

#define REPLACED_SUFFIX S("ids") /* of its stream, CORPUS_REPLACED */

struct dedup_service {
    char *dir, *url;
    const struct opts *o;
    int lock_fd;
    struct path lock;
    struct shards *shards; /* NULL: there are none */
    uint64_t folder_id;    /* 0: not known */
    struct index *index;
    struct corpus *corpus;
    struct committer *committer;
    struct server *server, *_Atomic alarm; /* alarm: NULL before it is known */
    uint64_t space_ms;                     /* when there was space */
    struct arena *arena;
    struct buf line;
    struct reminder trouble;
    bool has_job; /* a crawler of this run has said one */
};

/* One put request of a batch. */
struct put {
    struct server_call *call;
    struct dedup_request request;
    struct dedup_answer *answers;
};

/* ---- where records go ---- */

static enum corpus_group
group_of(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_EXACT_DUPLICATE: return CORPUS_EXACT_DUPLICATE;
    case VERDICT_NEAR_DUPLICATE: return CORPUS_NEAR_DUPLICATE;
    case VERDICT_REJECTED: return CORPUS_REJECTED;
    default: return CORPUS_KEPT;
    }
}

/* Rejected documents are sent only when they are to be written; duplicates are
 * found out here. */
static bool
is_written(const struct dedup_service *s, enum verdict verdict)
{
    return verdict == VERDICT_KEPT || verdict == VERDICT_REJECTED ||
           s->o->output_keep_rejected;
}

/* Is there a log of verdicts for those who subscribe (follow.h)? */
static bool
is_published(const struct dedup_service *s)
{
    return s->o->dedup_pub.n > 0;
}

/* Every stream this document may need. */
static enum status
prepare(struct dedup_service *s, const struct dedup_document *doc)
{
    enum status st = ST_OK;

    for (int v = VERDICT_KEPT; v <= VERDICT_REJECTED; v++) {
        enum verdict verdict = (enum verdict)v;
        bool rejected = verdict == VERDICT_REJECTED;

        if (rejected != (doc->reject != VERDICT_NONE) ||
            !is_written(s, verdict))
            continue;
        for (size_t i = 0; i < doc->records_n && st == ST_OK; i++)
            st = committer_prepare(s->committer, group_of(verdict),
                                   doc->records[i].suffix);
    }
    return st;
}

/* ---- a batch ---- */

/* Add its records; where they stand. */
static void
add_records(struct dedup_service *s, const struct dedup_document *doc,
            enum corpus_group group, struct verdict_line *line)
{
    for (size_t k = 0; k < doc->records_n; k++) {
        const struct dedup_record *r = &doc->records[k];
        struct corpus_place at = corpus_place(s->corpus, group, r->suffix);

        line->place[line->places_n++] = (struct verdict_place){
            group, r->suffix, at.part, at.at, r->bytes.n};
        corpus_add(s->corpus, group, r->suffix, r->bytes);
    }
}

/* The document's line in the log of verdicts. */
static enum status
log_verdict(struct dedup_service *s, const struct dedup_document *doc,
            const struct index_verdict *v, struct verdict_line *line)
{
    const struct dedup_answer *a = &v->answer;
    char replaces[RECORD_REPLACED_MAX * (DOCUMENT_ID_CHARS + 1) + 1] = "";
    size_t at = 0;
    struct dedup_stat stat;
    enum status st = index_stat(s->index, &stat);

    if (st != ST_OK)
        return st;
    line->number = stat.index_entries;
    line->verdict = a->verdict;
    line->id = str_c(a->id.z);
    line->url = doc->url;
    line->of = str_c(a->of.z);
    line->estimate = a->estimate;
    line->reason = doc->reject;
    for (size_t i = 0; i < v->replaced_n; i++)
        at += (size_t)snprintf(replaces + at, sizeof replaces - at, "%s%s",
                               i > 0 ? " " : "", v->replaced[i].z);
    line->replaces = str_c(replaces);
    buf_clear(&s->line);
    verdict_line_write(&s->line, line);
    corpus_add(s->corpus, CORPUS_VERDICTS, VERDICTS_SUFFIX, buf_view(&s->line));
    line->replaces = S(""); /* its bytes end here */
    return ST_OK;
}

/* What a kept document replaces, for readers of the corpus: "old new
 * resemblance". */
static void
log_replaced(struct dedup_service *s, const struct index_verdict *v)
{
    for (size_t i = 0; i < v->replaced_n; i++) {
        buf_clear(&s->line);
        buf_printf(&s->line, "%s %s %.3f\n", v->replaced[i].z, v->answer.id.z,
                   v->replaced_estimate[i]);
        corpus_add(s->corpus, CORPUS_REPLACED, REPLACED_SUFFIX,
                   buf_view(&s->line));
    }
}

static enum status
decide(struct dedup_service *s, struct put *p)
{
    for (size_t i = 0; i < p->request.documents_n; i++) {
        const struct dedup_document *doc = &p->request.documents[i];
        struct verdict_line line = {0};
        struct index_verdict v;
        enum status st = index_decide(s->index, doc, &v);

        if (st != ST_OK)
            return st;
        p->answers[i] = v.answer;
        log_replaced(s, &v);
        if (!v.known && is_written(s, v.answer.verdict))
            add_records(s, doc, group_of(v.answer.verdict), &line);
        if (!v.known && is_published(s) &&
            (st = log_verdict(s, doc, &v, &line)) != ST_OK)
            return st;
    }
    return ST_OK;
}

static bool
has_space(struct dedup_service *s)
{
    uint64_t now = clock_steady_ms();
    struct statvfs v;

    if (s->space_ms > 0 && now < s->space_ms + SPACE_MS)
        return true;
    s->space_ms =
        statvfs(s->dir, &v) != 0 || (uint64_t)v.f_bavail * v.f_frsize >=
                                        s->o->output_disk_free_mib << 20
            ? now
            : 0;
    return s->space_ms > 0;
}

/* Have the shards say what they know of the batch. */
static enum status
ask_shards(struct dedup_service *s, const struct put *puts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < puts[i].request.documents_n; k++)
            index_want(s->index, &puts[i].request.documents[k]);
    return index_ask(s->index);
}

/* Judge and store the batch, or nothing of it. */
static enum status
store_batch(struct dedup_service *s, struct put *puts, size_t n)
{
    enum status st = has_space(s) ? ask_shards(s, puts, n) : ST_FULL;

    if (st == ST_OK)
        st = committer_begin(s->committer);
    if (st != ST_OK)
        return st;
    for (size_t i = 0; i < n && st == ST_OK; i++)
        st = decide(s, &puts[i]);
    if (st == ST_OK)
        return committer_end(s->committer);
    committer_undo(s->committer);
    return st;
}

/* Once more when something is due, though nobody calls. */
static void
look_again(struct dedup_service *s, bool idle)
{
    uint64_t ms = committer_look(s->committer, idle);
    struct server *v = s->alarm;

    if (v != NULL && ms != UINT64_MAX)
        server_again(v, ms);
}

static void
tell_space(struct dedup_service *s, bool full)
{
    if (full && reminder_due(&s->trouble, "no space"))
        log_warn("dedup",
                 "dir=%s no space left, storing nothing until there "
                 "is (output.disk_free_mib=%llu dedup.map_gib=%llu)",
                 s->dir, (unsigned long long)s->o->output_disk_free_mib,
                 (unsigned long long)s->o->dedup_map_gib);
    if (!full && reminder_over(&s->trouble))
        log_info("dedup", "dir=%s space again, storing", s->dir);
}

/* ---- replies ---- */

static void
refuse(struct server_call *call, enum message_code code, const char *why)
{
    static struct log_limit said = LOG_LIMIT(10);
    struct dedup_reply r = {.code = code, .text = str_c(why)};

    call->bad = code == MESSAGE_BAD;
    if (call->bad)
        log_rarely(&said, LOG_WARN, "dedup", "a request is refused: %s", why);
    dedup_message_reply(&r, &call->reply);
}

static void
answer(struct put *p, enum status st)
{
    struct dedup_reply r = {.answers = p->answers,
                            .answers_n = p->request.documents_n};

    if (st == ST_OK)
        dedup_message_reply(&r, &p->call->reply);
    else if (st == ST_FULL)
        refuse(p->call, MESSAGE_FULL, "no space left");
    else if (st == ST_BUSY)
        refuse(p->call, MESSAGE_BUSY, "a shard of the index is not there yet");
    else
        refuse(p->call, MESSAGE_FAILED, "the store failed, see its log");
}

static void
answer_stat(struct dedup_service *s, struct server_call *call)
{
    struct dedup_reply r = {.has_stat = true, .version = S(WINNOW_VERSION)};

    if (index_stat(s->index, &r.stat) == ST_OK)
        dedup_message_reply(&r, &call->reply);
    else
        refuse(call, MESSAGE_FAILED, "the store failed, see its log");
}

static void
answer_job(struct dedup_service *s, const struct dedup_job *job,
           struct server_call *call)
{
    struct dedup_reply r = {.has_job = true};
    struct buf differences = {.arena = s->arena}, decides = {.arena = s->arena};
    struct dedup_stat stat;
    enum status st = index_stat(s->index, &stat);

    if (st == ST_OK)
        st = corpus_job_take(s->dir, job, s->o,
                             stat.index_entries == 0 && !s->has_job,
                             &differences);
    if (st != ST_OK) {
        refuse(call, st == ST_FULL ? MESSAGE_FULL : MESSAGE_FAILED,
               "the corpus's job cannot be kept, see the service's log");
        return;
    }
    s->has_job |= differences.n == 0;
    r.differences = buf_view(&differences);
    r.folder_id = s->folder_id;
    dedup_decides(s->o, false, &decides);
    r.decides = buf_view(&decides);
    dedup_message_reply(&r, &call->reply);
}

static void
answer_known(struct dedup_service *s, const struct dedup_document *doc,
             struct server_call *call)
{
    struct dedup_reply r = {.has_known = true};
    bool *known = ARENA_ARRAY(s->arena, bool, doc->sentences_n + 1);

    if (index_known(s->index, doc, known) != ST_OK) {
        refuse(call, MESSAGE_FAILED, "the store failed, see its log");
        return;
    }
    r.known = str_n((const char *)known, doc->sentences_n);
    dedup_message_reply(&r, &call->reply);
}

/* Of a crawler that began with the corpus of another folder: that one has its
 * job, this one may have another. */
static bool
is_strange(const struct dedup_service *s, const struct dedup_request *r)
{
    return folder_id_is_other(r->folder_id, s->folder_id) &&
           r->call != MESSAGE_JOB;
}

/* Decode one call.  True: it is a put for the batch; else it is answered. */
static bool
take_call(struct dedup_service *s, struct server_call *call, struct put *out)
{
    const char *why;
    enum status st;

    *out = (struct put){.call = call};
    st = dedup_message_read_request(call->request, s->arena, &out->request,
                                    &why);
    if (st != ST_OK) {
        refuse(call, MESSAGE_BAD, why);
        return false;
    }
    if (is_strange(s, &out->request)) {
        refuse(call, MESSAGE_BAD, folder_id_other);
        return false;
    }
    if (out->request.call == MESSAGE_STAT) {
        answer_stat(s, call);
        return false;
    }
    if (out->request.call == MESSAGE_SENTENCES) {
        answer_known(s, out->request.documents, call);
        return false;
    }
    if (out->request.call == MESSAGE_JOB) {
        answer_job(s, &out->request.job, call);
        return false;
    }
    if ((why = put_fault(s->index, s->o, &out->request, s->arena)) != NULL) {
        refuse(call, MESSAGE_BAD, why);
        return false;
    }
    for (size_t i = 0; i < out->request.documents_n && st == ST_OK; i++)
        st = prepare(s, &out->request.documents[i]);
    if (st == ST_LIMIT)
        refuse(call, MESSAGE_BAD, "too many different formats");
    else if (st != ST_OK)
        answer(out, st);
    if (st == ST_FULL)
        tell_space(s, true);
    out->answers =
        ARENA_ARRAY(s->arena, struct dedup_answer, out->request.documents_n);
    return st == ST_OK;
}

static void
handle(void *self, struct server_call *calls, size_t calls_n)
{
    struct dedup_service *s = self;
    struct put *puts;
    size_t n = 0;
    enum status st;

    if (arena_used(s->arena) > ARENA_KEEP) {
        arena_free(s->arena);
        s->arena = arena_new();
    }
    arena_reset(s->arena);
    puts = ARENA_ARRAY(s->arena, struct put, calls_n);
    for (size_t i = 0; i < calls_n; i++)
        n += take_call(s, &calls[i], &puts[n]);
    if (n > 0) {
        st = store_batch(s, puts, n);
        tell_space(s, st == ST_FULL);
        for (size_t i = 0; i < n; i++)
            answer(&puts[i], st);
    }
    look_again(s, calls_n == 0);
}

/* ---- starting and stopping ---- */

static enum status
lock_folder(struct dedup_service *s)
{
    s->lock = path_printf("%s/dedup.lock", s->dir);
    return hold_take(&s->lock_fd, s->lock.z, s->dir, "dedup");
}

static enum status
know_sentences(struct dedup_service *s)
{
    const struct opts *o = s->o;
    bool canonical = str_eq(o->dedup_known_sentences, S("off"));
    const struct index_sentences rule = {
        .bytes_max = machine_cache_bytes(
            canonical ? o->dedup_canonical_mib : o->dedup_known_sentences_mib),
        .most = o->dedup_known_sentences_max,
        .cut = str_eq(o->dedup_known_sentences, S("cut")),
        .canonical = canonical};

    return rule.bytes_max == 0 ? ST_OK : index_know_sentences(s->index, &rule);
}

static enum status
open_stores(struct dedup_service *s)
{
    const struct opts *o = s->o;
    struct path folder = path_printf("%s/dedup", s->dir);
    struct fingerprint_scheme scheme = fingerprint_scheme_of(o);
    char scheme_text[FINGERPRINT_SCHEME_BYTES];
    const struct endpoint_options eo = endpoint_options_shard(o);
    struct store_options so = {.map_gib = o->dedup_map_gib,
                               .sync = o->dedup_sync,
                               .checkpoint_bytes = o->dedup_checkpoint_mib
                                                   << 20};
    struct corpus_options co = {.split_bytes = o->output_split_mib << 20,
                                .tail_bytes = CORPUS_TAIL_BYTES,
                                .tail_ms = CORPUS_TAIL_MS,
                                .sync = !str_eq(o->dedup_sync, S("none"))};
    struct committer_options ko = {
        .sync = co.sync, .every_ms = o->dedup_save_ms, .lock = s->lock.z};
    enum status st;

    fingerprint_scheme_text(&scheme, scheme_text);
    if ((st = corpus_file_folder(s->dir)) != ST_OK ||
        (st = lock_folder(s)) != ST_OK ||
        (st = corpus_file_folder(folder.z)) != ST_OK ||
        (st = shards_open(&s->shards, &o->dedup_shards, &eo)) != ST_OK)
        return st;
    so.shards = s->shards;
    ko.lock_fd = s->lock_fd;
    s->folder_id = folder_id(folder.z);
    if ((st = index_open(&s->index, folder.z, o->dedup_near, &so)) != ST_OK ||
        (st = index_expect(s->index, str_c(scheme_text))) != ST_OK ||
        (st = know_sentences(s)) != ST_OK)
        return st;
    st = corpus_open(&s->corpus, s->dir, s->index, &co);
    if (st == ST_OK && o->dedup_near > 0)
        st = corpus_prepare(s->corpus, CORPUS_REPLACED, REPLACED_SUFFIX);
    if (st == ST_OK && is_published(s))
        st = corpus_prepare(s->corpus, CORPUS_VERDICTS, VERDICTS_SUFFIX);
    if (st == ST_OK)
        st = committer_open(&s->committer, folder.z, s->index, s->corpus, &ko);
    /* which has entered what was not saved, and that may have a scheme */
    if (st == ST_OK && o->dedup_near > 0)
        st = index_be_of(s->index, str_c(scheme_text));
    return st;
}

enum status
dedup_service_check(const struct opts *o)
{
    const struct endpoint_options own = endpoint_options_dedup(o),
                                  shards = endpoint_options_shard(o),
                                  pub = endpoint_options_publisher(o);
    enum status st = endpoint_check(o->dedup_url.p, &own);

    if (shards_check(&o->dedup_shards, &shards) != ST_OK)
        st = ST_USAGE;
    if (o->dedup_pub.n > 0 && endpoint_check(o->dedup_pub.p, &pub) != ST_OK)
        st = ST_USAGE;
    return st;
}

enum status
dedup_service_start(struct dedup_service **out, const char *dir,
                    const struct opts *o)
{
    const struct endpoint_options options = endpoint_options_dedup(o);
    struct dedup_service *s = calloc(1, sizeof *s);
    enum status st = ST_NOMEM;

    *out = NULL;
    if (s == NULL)
        return ST_NOMEM;
    s->o = o;
    s->trouble = (struct reminder)REMINDER_INITIALIZER;
    s->lock_fd = -1;
    s->arena = arena_new();
    if ((s->dir = strdup(dir)) == NULL ||
        (s->url = strndup(o->dedup_url.p, o->dedup_url.n)) == NULL)
        goto failed;
    if ((st = open_stores(s)) != ST_OK)
        goto failed;
    if ((st = server_start(&s->server, s->url, &options, handle, s)) != ST_OK)
        goto failed;
    s->alarm = s->server;
    *out = s;
    return ST_OK;

failed:
    if (st == ST_FULL)
        log_error("dedup", "%s: no space left: make room and start again", dir);
    if (st == ST_NOMEM)
        log_error("dedup",
                  "%s: the system allows no more memory or threads "
                  "(ulimit -v, ulimit -u)",
                  dir);
    dedup_service_stop(s);
    return st;
}

enum status
dedup_service_stop(struct dedup_service *s)
{
    enum status st;

    if (s == NULL)
        return ST_OK;
    server_stop(s->server);
    if ((st = committer_close(s->committer)) != ST_OK)
        log_warn("dedup",
                 "%s: the latest documents are in dedup/commits-* until the "
                 "next start",
                 s->dir);
    corpus_close(s->corpus);
    index_close(s->index);
    shards_close(s->shards);
    if (s->lock_fd >= 0)
        close(s->lock_fd);
    arena_free(s->arena);
    buf_free(&s->line);
    free(s->dir);
    free(s->url);
    free(s);
    return st;
}
