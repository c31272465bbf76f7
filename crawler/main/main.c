/* main.c -- the winnow program: a table of commands.
 *
 * Commands live in the folder of what they do; each is one constant.  What is
 * common to all (flags, options, help, exit codes) is base/options/command.c.
 */
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/options/command.h"
#include "base/pages/guard.h"
#include "base/texrex/texrex_job.h"
#include "crawler/admit/scope_say.h"
#include "crawler/forget/forget.h"
#include "crawler/job/job.h"
#include "frontier/command/cmd_control.h"

extern const struct command command_backup, command_clean, command_config,
    command_convert, command_crawl, command_dedup, command_frontier,
    command_hydra, command_init, command_lab, command_profile, command_publish,
    command_report, command_rofl, command_job, command_run, command_tecl,
    command_tender, command_tenet, command_train, command_try, command_wacz;

static const struct command *const commands[] = {
    &command_try,
    &command_crawl,
    &command_report,
    &command_frontier,
    &command_dedup,
    &command_publish,
    &command_backup,
    &command_wacz,
    &command_init,
    &command_clean,
    &command_convert,
    &command_tender,
    &command_tecl,
    &command_run,
    &command_job,
    &command_hydra,
    &command_rofl,
    &command_lab,
    &command_train,
    &command_profile,
    &command_tenet,
    &command_config,
    NULL,
};

/* Everything durable survives kill -9, so it survives this. */
static void
out_of_memory(size_t n)
{
    log_error("winnow", "out of memory (%zu bytes more)", n);
    _exit(EXIT_FAILED);
}

/* Who reads stdout has left (`winnow report | head`): end as other programs do.
 * For any other descriptor it is an error code of the write. */
static void
on_broken_pipe(int number)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

    if (poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

static const struct control_forgets forgets = {forget_can, forget_open,
                                               forget_run, forget_close};

int
main(int argc, char **argv)
{
    struct sigaction act = {.sa_handler = on_broken_pipe,
                            .sa_flags = SA_RESTART};

    fd_keep_standard();
    memory_set_handler(out_of_memory);
    sigaction(SIGPIPE, &act, NULL);
    signal(SIGXFSZ, SIG_IGN); /* an error of the write: base/disk_full.h */
    pages_guard();
    texrex_register();
    control_forget_with(&forgets);
    control_job_with(job_adopt_folder);
    control_scope_with(scope_say);
    return commands_main(commands, argc, argv);
}
