/* cmd_wacz.c -- `winnow wacz`: WARC files, or those of a crawl, as one file for
 * viewers of web archives. */
#include <stdio.h>

#include <sys/stat.h>

#include "base/clock.h"
#include "base/folder_glob.h"
#include "base/options/command.h"
#include "clean/archive/wacz.h"

static bool
is_folder(const char *path)
{
    struct stat sb;

    return stat(path, &sb) == 0 && S_ISDIR(sb.st_mode);
}

/* A file, the WARC files in a folder, or those of the crawl in it.  False: a
 * folder cannot be read; it was told. */
static bool
add(glob_t *found, const char *word)
{
    static const char *const below[] = {"*.warc.gz", "warc/*.warc.gz",
                                        "*.warc.zst", "warc/*.warc.zst"};
    bool folder = is_folder(word);
    int flags = found->gl_pathc > 0 ? GLOB_APPEND : 0, rc = 0;

    for (size_t i = 0; folder && i < sizeof below / sizeof *below; i++) {
        rc = folder_glob(word, below[i], flags, found);
        if (rc == GLOB_ABORTED)
            return false;
        if (rc == 0)
            flags = GLOB_APPEND;
    }
    if (!folder)
        rc = word_glob(word, flags | GLOB_NOCHECK, found);
    return rc != GLOB_ABORTED;
}

/* `-o *.warc.gz` is a slip of who meant them all to go into it. */
static bool
is_warc(const char *out)
{
    struct str name = str_c(out);

    return str_ends(name, S(".warc")) || str_ends(name, S(".warc.gz")) ||
           str_ends(name, S(".warc.zst"));
}

static int
run(struct invocation *in)
{
    const char *out = invocation_flag(in, "o");
    const char *title = invocation_flag(in, "title");
    glob_t found = {0};
    enum status st = ST_OK;

    if (out == NULL || in->words_n == 0)
        return command_usage(in, "-o FILE.wacz and what goes into it");
    if (is_warc(out))
        return command_usage(in,
                             "-o %s is called as a WARC file is; what is "
                             "made is a file.wacz",
                             out);
    for (size_t i = 0; i < in->words_n; i++)
        if (!add(&found, in->words[i].p))
            st = ST_IO;
    if (st == ST_IO) {
        globfree(&found);
        return EXIT_FAILED;
    }
    if (found.gl_pathc == 0) {
        fprintf(stderr,
                "winnow wacz: no *.warc.gz in what was named; a crawl writes "
                "them with output.warc = on\n");
        return EXIT_FAILED;
    }
    st = wacz_write(out, (const char *const *)found.gl_pathv, found.gl_pathc,
                    title != NULL ? str_c(title) : in->words[0],
                    clock_wall_ms());
    globfree(&found);
    return st == ST_OK ? EXIT_DONE : EXIT_FAILED;
}

static const struct flag flags[] = {
    FLAG_ON_DISK("o", "OUT.wacz", "The WACZ file."),
    FLAG("title", "TEXT",
         "What the collection is called; else the first word."),
    {0},
};

const struct command command_wacz = {
    .name = "wacz",
    .group = COMMANDS_CRAWLING,
    .usage = "-o OUT.wacz DIR|FILE.warc.gz ...",
    .summary = "Pack the WARC files of a crawl into one file for replay.",
    .help =
        "OUT.wacz holds the WARC files as they are, a sorted index of all of\n"
        "them and a list of pages: ReplayWeb.page, pywb and py-wacz read it,\n"
        "and so does winnow clean.\n"
        "DIR is the folder of a crawl, or of WARC files.  Files that are\n"
        "still being written (.open) are left out; those in zstd (.warc.zst)\n"
        "are refused, since no viewer reads them.\n"
        "\n"
        "Example:\n"
        "  winnow wacz -o crawl.wacz crawl\n",
    .flags = flags,
    .run = run,
};
