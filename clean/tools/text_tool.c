/* text_tool.c -- see text_tool.h.  Memory: a line in, a line out, and the
 * buffers of lines and sink. */
#include "text_tool.h"

#include <errno.h>

#include "base/file.h"
#include "base/log.h"
#include "base/regex.h"
#include "clean/charset/utf8.h"
#include "text_lines.h"
#include "text_sink.h"

struct tool_run {
    const struct text_tool *tool;
    struct text_lines *in;
    struct text_sink *out;
    struct file_place place; /* of the output; no path: standard output */
    struct regex *ignore;
    struct buf made;
    uint64_t not_utf8;
    bool in_line; /* what comes belongs to a line longer than TEXT_LINE_MAX */
};

static void
one(struct tool_run *r, struct str line, bool goes_on)
{
    const struct text_tool *t = r->tool;
    bool piece = goes_on || r->in_line;
    bool good = piece || utf8_valid(line);

    buf_clear(&r->made);
    r->not_utf8 += !good;
    if (piece || !good || (r->ignore != NULL && regex_matches(r->ignore, line)))
        t->copy(t->self, line, &r->made);
    else
        t->line(t->self, line, &r->made);
    if (goes_on)
        r->made.n--; /* without the line end */
    r->in_line = goes_on;
    text_sink_put(r->out, buf_view(&r->made));
}

static enum status
all(struct tool_run *r)
{
    struct str line;
    enum status st;
    bool ended;

    while ((st = text_lines_next(r->in, &line, &ended)) == ST_OK)
        one(r, line, !ended && line.n == TEXT_LINE_MAX);
    if (r->tool->finish != NULL) {
        buf_clear(&r->made);
        r->tool->finish(r->tool->self, &r->made);
        text_sink_put(r->out, buf_view(&r->made));
    }
    return st == ST_NONE ? ST_OK : st;
}

static enum status
open_output(struct tool_run *r, const struct invocation *in)
{
    const char *path = command_out(in, "output");
    bool gzip = invocation_flag(in, "gzip") != NULL;
    bool named = path != NULL && str_ends(str_c(path), S(".gz"));
    struct buf name = {0};

    if (path == NULL)
        return text_sink_open(&r->out, NULL, gzip);
    buf_printf(&name, "%s%s", path, gzip && !named ? ".gz" : "");
    buf_char(&name, '\0');
    file_place_find(&r->place, name.p);
    buf_free(&name);
    return text_sink_open(&r->out, r->place.part, gzip || named);
}

/* The file takes its name when all of the text is in it, or all before damage
 * to the input; one that could not be read or written leaves what was there. */
static enum status
close_output(struct tool_run *r, enum status st)
{
    bool opened = r->out != NULL, good;

    if (text_sink_close(r->out) != ST_OK)
        st = ST_IO;
    good = st == ST_OK || st == ST_INVALID;
    if (opened && r->place.path != NULL && !file_place_end(&r->place, good) &&
        good) {
        log_error("text", "file=%s fault=\"%s\"", r->place.path,
                  strerror(errno));
        st = ST_IO;
    }
    file_place_free(&r->place);
    return st;
}

/* The expression has to match where the line begins. */
static int
open_ignore(const struct invocation *in, struct regex **out)
{
    const char *given = invocation_flag(in, "Ignore");
    struct buf pattern = {0}, why = {0};
    int code = EXIT_DONE;

    *out = NULL;
    if (given == NULL)
        return EXIT_DONE;
    buf_printf(&pattern, "^(?:%s)", given);
    if (regex_open(out, buf_view(&pattern), &why) != ST_OK)
        code =
            command_usage(in, "--Ignore %s: %.*s", given, STRF(buf_view(&why)));
    buf_free(&pattern);
    buf_free(&why);
    return code;
}

FILE *
text_tool_shown(const struct invocation *in, const char *flag)
{
    if (invocation_flag(in, flag) == NULL)
        return NULL;
    return command_out(in, "output") != NULL ? stdout : stderr;
}

int
text_tool_run(const struct invocation *in, const struct text_tool *t)
{
    struct tool_run r = {.tool = t};
    int code = open_ignore(in, &r.ignore);
    enum status st;

    if (code != EXIT_DONE)
        return code;
    st = text_lines_open(&r.in, invocation_flag(in, "input"));
    if (st == ST_OK)
        st = open_output(&r, in);
    if (st == ST_OK)
        st = all(&r);
    st = close_output(&r, st);
    text_lines_close(r.in);
    regex_close(r.ignore);
    buf_free(&r.made);
    if (r.not_utf8 > 0)
        log_warn("text", "lines_copied=%llu reason=\"not UTF-8\"",
                 (unsigned long long)r.not_utf8);
    if (st != ST_OK)
        return EXIT_FAILED;
    return r.not_utf8 > 0 ? EXIT_REJECTED : EXIT_DONE;
}
