/* cmd_control.h -- winnow frontier --pause, --resume, --delete, --rules. */
#ifndef FRONTIER_CMD_CONTROL_H
#define FRONTIER_CMD_CONTROL_H

#include "base/buf.h"
#include "base/options/command.h"

/* Was one of the flags given? */
bool control_wanted(const struct invocation *in);

/* Before the store in DIR is looked at: a service that has it open brings what
 * it has committed into it. */
void control_ask_to_save(const char *dir, const struct opts *o);

/* `where`: a service's URL, or the folder of a store.  The exit code. */
int control_run(const struct invocation *in, const char *where);

/* What --forget does besides: removes the documents of hosts that match the
 * patterns from the corpus in DIR.  The frontier knows no corpora, so main()
 * says who does it: crawler/forget/forget.h has these.  What cannot be done is
 * refused before anything leaves the queue. */
struct forget;
struct control_forgets {
    enum status (*can)(const char *dir); /* while a crawl works on it */
    enum status (*open)(struct forget **out, const char *dir,
                        const char *const *patterns, size_t n,
                        const struct opts *o);
    /* queued: URLs that have left the queue, by each pattern */
    enum status (*run)(struct forget *f, const uint64_t *queued);
    void (*close)(struct forget *f);
};
void control_forget_with(const struct control_forgets *how); /* static */

/* What is not given, as the job of the crawl says whose frontier stands in
 * `where`; nothing when it has none (false), or one that cannot be read
 * (reported).  Who reads it main() says, too. */
typedef enum status control_job(struct opts *o, const char *dir);
void control_job_with(control_job *how);
bool control_read_job(struct opts *o, const char *where);

/* A line of what of the job's scope leaves a URL out; nothing when nothing
 * does.  Who knows scopes main() says, too. */
typedef void control_scope(const struct opts *o, const char *url,
                           struct buf *out);
void control_scope_with(control_scope *how);
void control_say_scope(const struct opts *o, const char *url, struct buf *out);

#endif
