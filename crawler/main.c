/* main.c -- the winnow program: a table of commands.
 *
 * Commands live in the folder of what they do; each is one constant.  What is
 * common to all (flags, options, help, exit codes) is base/options/command.c.
 */
#include <signal.h>
#include <unistd.h>

#include "winnow/command.h"
#include "winnow/log.h"
#include "winnow/memory.h"

extern const struct command command_clean, command_config, command_crawl,
    command_dedup, command_frontier, command_hydra, command_lab,
    command_profile, command_report, command_rofl, command_tenet, command_train;

static const struct command *const commands[] = {
    &command_crawl,
    &command_report,
    &command_clean,
    &command_config,
    &command_frontier,
    &command_dedup,
    &command_profile,
    &command_train,
    &command_lab,
    &command_hydra,
    &command_rofl,
    &command_tenet,
    NULL,
};

/* Everything durable survives kill -9, so it survives this. */
static void
out_of_memory(size_t n)
{
    log_error("winnow", "out of memory (%zu bytes more)", n);
    _exit(EXIT_FAILED);
}

int
main(int argc, char **argv)
{
    memory_set_handler(out_of_memory);
    signal(SIGPIPE, SIG_IGN); /* a peer or reader that left is an error code */
    return commands_main(commands, argc, argv);
}
