/* command.h -- a subcommand of the winnow program: declared, parsed, helped.
 *
 * A folder declares its commands as constants (command_clean ...); the table in
 * crawler/main/main.c lists them.  Usage errors exit with 2 and name the flag
 * and the nearest known one. */
#ifndef BASE_COMMAND_H
#define BASE_COMMAND_H

#include "base/exit_code.h"
#include "base/options/opt.h"
#include "base/status.h"

struct flag {
    const char *name;  /* "dir" for --dir; a second name after a comma: "o" */
    const char *value; /* what the value is ("DIR"), NULL for a switch */
    const char *help;
    bool on_disk; /* never standard input or output: a folder, several files, or
                     one that is not written from its beginning to its end; "-"
                     would be a file of that name, which nobody means */
};

/* For the tables. */
#define FLAG(name, value, help)                                                \
    {                                                                          \
        name, value, help, false                                               \
    }
#define FLAG_ON_DISK(name, value, help)                                        \
    {                                                                          \
        name, value, help, true                                                \
    }
#define SWITCH(name, help)                                                     \
    {                                                                          \
        name, NULL, help, false                                                \
    }

struct invocation;

/* The groups of the overview, in their order. */
#define COMMANDS_CRAWLING "Crawling"
#define COMMANDS_DOCUMENTS "Documents and corpora"
#define COMMANDS_MEASURING "Measuring and training"
#define COMMANDS_JOB_FILES "Job files"

struct command {
    const char *name;
    const char *group;        /* COMMANDS_x */
    const char *usage;        /* "JOB.ini [--dir DIR]" */
    const char *summary;      /* one line */
    const char *help;         /* paragraphs, examples */
    const struct flag *flags; /* ended by {0}; NULL: none */
    bool job_first; /* the first word, if it ends in .ini, is a job file */
    size_t job_at;  /* with job_first: the word after so many others is it */
    bool despite_faults; /* runs when options have faults, too, once they are
                            reported; they have their presets then */
    int (*run)(struct invocation *in); /* returns an exit code */

    /* --help behind words: prints the help of what they name.  False, or NULL:
     * they name nothing, it is the command's. */
    bool (*help_of)(const struct invocation *in);
};

struct invocation {
    const struct command *command;
    struct opts opts;  /* file, environment and every --set applied, checked */
    unsigned faults_n; /* of the options, reported; see despite_faults */
    struct str job;    /* the job file's path, or "" */
    struct str *words; /* the other words, in order */
    size_t words_n;
    const struct invocation_flags *flags;
};

/* The value of --name, NULL if not given ("" for switches given); of a flag
 * that was given several times, the last one.  Belongs to argv. */
const char *invocation_flag(const struct invocation *in, const char *name);

/* Every value of a flag that may be given several times, in order; *n of them.
 * The array lives as long as the invocation. */
const char *const *invocation_flag_all(const struct invocation *in,
                                       const char *name, size_t *n);

/* The file that the value of --name is: NULL, standard output, also for "-". */
const char *command_out(const struct invocation *in, const char *name);

/* Parse argv and run; returns the exit code.  --help, --set section.key=value
 * (repeatable) and --log LEVEL are common to all commands. */
int command_main(const struct command *c, int argc, char **argv);

/* The whole program: `winnow COMMAND ...`, `winnow help [COMMAND]`,
 * `winnow --version`; `COMMAND ...` by a link of that name.  `table` ends
 * with NULL.  Returns the exit code; output that cannot be written makes it
 * EXIT_FAILED. */
int commands_main(const struct command *const *table, int argc, char **argv);

/* The last of standard output is written: `code`, or EXIT_FAILED when it could
 * not be and nothing else has failed.  For a process that does not return from
 * commands_main(). */
int command_flush(int code);

/* --set, --log, --help; and --job of commands with job_first; ended by {0}. */
extern const struct flag command_common_flags[], command_job_flags[];

/* The help of one command. */
void command_help(const struct command *c, FILE *to);

/* Is what was given the address of a service (tcp://...), and no path? */
bool command_is_address(struct str given);

/* Print a usage error ("winnow clean: ...") and return EXIT_USAGE. */
int command_usage(const struct invocation *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
