/* cmd_convert.c -- `winnow convert`: what the cleaning chain gets to see of a
 * document that is no HTML; and the process that converts for others. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/log.h"
#include "base/options/command.h"
#include "converter.h"

static bool
read_file(const char *path, struct buf *out)
{
    bool in = strcmp(path, "-") == 0;
    int fd = in ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    ptrdiff_t n = -1;

    if (fd >= 0)
        do {
            buf_reserve(out, 1 << 16);
            if ((n = fd_read(fd, out->p + out->n, 1 << 16)) > 0)
                out->n += (size_t)n;
        } while (n > 0);
    if (n < 0)
        fprintf(stderr, "winnow convert: %s: %s\n", path, strerror(errno));
    if (fd >= 0 && !in)
        close(fd);
    return n == 0;
}

static int
convert_file(struct convert_process *p, unsigned wanted, const char *path)
{
    struct buf bytes = {0}, html = {0};
    struct converted c;
    enum convert_kind k;
    int code = EXIT_REJECTED;

    if (!read_file(path, &bytes)) {
        buf_free(&bytes);
        return EXIT_REJECTED;
    }
    k = convert_kind_of(wanted, S(""), str_c(path), buf_view(&bytes));
    if (k == CONVERT_NONE) {
        fprintf(stderr,
                "winnow convert: %s: none of the documents that "
                "convert.types names\n",
                path);
    } else {
        convert_document(p, k, buf_view(&bytes), false, &html, &c);
        if (c.reject == VERDICT_NONE) {
            fwrite(html.p, 1, html.n, stdout);
            code = EXIT_DONE;
        } else {
            fprintf(stderr, "winnow convert: %s: %s (%s): %.*s\n", path,
                    verdict_name(c.reject), convert_kind_name(k), STRF(c.why));
        }
        log_info("convert", "file=%s type=%s cpu_ms=%.1f", path,
                 convert_kind_name(k), (double)c.cpu_us / 1000);
    }
    buf_free(&bytes);
    buf_free(&html);
    return code;
}

/* All types, where the job names none. */
static enum status
wants_all(struct opts *o)
{
    return o->convert_types.n > 0
               ? ST_OK
               : opts_set(o, "convert",
                          S("convert.types=pdf doc docx odt rtf epub txt"));
}

static int
run(struct invocation *in)
{
    struct converter *c;
    struct convert_process *p;
    enum status st;
    int code = EXIT_DONE;

    if (invocation_flag(in, "service") != NULL)
        return converter_serve(STDIN_FILENO);
    if (in->words_n == 0)
        return command_usage(in, "name a file, or - for standard input");
    if ((st = wants_all(&in->opts)) != ST_OK ||
        (st = converter_open(&c, &in->opts, NULL)) != ST_OK)
        return command_exit(st);
    p = convert_process_open(c, NULL);
    for (size_t i = 0; i < in->words_n; i++) {
        int one = convert_file(p, convert_wanted(&in->opts), in->words[i].p);

        code = one != EXIT_DONE ? one : code;
    }
    convert_process_close(p);
    converter_close(c);
    return code;
}

static const struct flag flags[] = {
    SWITCH("service", "Serve conversions over the socket that is standard "
                      "input; started so by crawl, clean and try."),
    {0},
};

const struct command command_convert = {
    .name = "convert",
    .group = COMMANDS_DOCUMENTS,
    .usage = "FILE...",
    .summary = "Convert PDF, DOC, DOCX, ODT, RTF, EPUB or TXT to HTML.",
    .help =
        "Writes the page that the cleaning chain gets to see of a document, "
        "to\n"
        "standard output.  What a file is, its bytes say; text is known by "
        "its\n"
        "ending .txt.  A crawl, winnow clean and winnow try convert what\n"
        "convert.types names; here it is all types unless that says "
        "otherwise.\n"
        "\n"
        "PDF needs pdftotext (Debian package poppler-utils), DOC antiword or\n"
        "catdoc.  They run in bubblewrap where that works, else with limits\n"
        "and a filter of system calls.\n"
        "\n"
        "Exit: 0 done; 3 a file could not be read or converted.\n"
        "\n"
        "Examples:\n"
        "  winnow convert report.pdf | less\n"
        "  winnow try --set convert.types=pdf report.pdf\n",
    .flags = flags,
    .run = run,
};
