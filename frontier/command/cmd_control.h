/* cmd_control.h -- winnow frontier --pause, --resume, --delete, --rules. */
#ifndef FRONTIER_CMD_CONTROL_H
#define FRONTIER_CMD_CONTROL_H

#include "base/options/command.h"

/* Was one of the flags given? */
bool control_wanted(const struct invocation *in);

/* Before the store in DIR is looked at: a service that has it open brings what
 * it has committed into it. */
void control_ask_to_save(const char *dir, const struct opts *o);

/* `where`: a service's URL, or the folder of a store.  The exit code. */
int control_run(const struct invocation *in, const char *where);

/* What --forget does besides: removes the documents of hosts that match the
 * pattern from the corpus in DIR.  The frontier knows no corpora, so main()
 * says who does it.  queued: URLs that have left the queue. */
typedef enum status control_forgets(const char *dir, struct str pattern,
                                    uint64_t queued, const struct opts *o);
void control_forget_with(control_forgets *how);

/* What is not given, as the job of the crawl says whose frontier stands in
 * `where`; nothing when it has none, or one that cannot be read (reported).
 * Who reads it main() says, too. */
typedef enum status control_job(struct opts *o, const char *dir);
void control_job_with(control_job *how);
void control_read_job(struct opts *o, const char *where);

#endif
