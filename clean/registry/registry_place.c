/* registry_place.c -- see registry_place.h. */
#include "registry_place.h"

#define ENCODE_FLAGS " -xsB" /* what cwb-encode is told first behind paths */

/* By how they begin.  An ENCODE line begins as comments do. */
static const char *const begin[] = {
    [REGISTRY_VERTICAL] = "VERTICAL ", [REGISTRY_PATH] = "PATH ",
    [REGISTRY_HOME] = "HOME ",         [REGISTRY_MKDIR] = "## mkdir -p ",
    [REGISTRY_ENCODE] = "## ",
};

/* cwb-encode takes -d only before what it declares. */
static void
add_encode(struct buf *out, const struct registry_place *at)
{
    bool piped = str_starts(at->text, S("| "));

    if (piped)
        buf_printf(out, "%.*s | ", STRF(str_sub(at->text, 2, at->text.n)));
    buf_c(out, "cwb-encode -d ");
    buf_shell(out, at->folder);
    if (!piped) {
        buf_c(out, " -f ");
        buf_shell(out, at->text);
    }
    buf_c(out, ENCODE_FLAGS);
}

void
registry_line(struct buf *out, enum registry_line line,
              const struct registry_place *at)
{
    buf_c(out, begin[line]);
    switch (line) {
    case REGISTRY_VERTICAL: buf_quoted(out, at->text); break;
    case REGISTRY_PATH:
    case REGISTRY_HOME: buf_quoted(out, at->folder); break;
    case REGISTRY_MKDIR: buf_shell(out, at->folder); break;
    case REGISTRY_ENCODE: add_encode(out, at); break;
    }
}

void
registry_lowercase(struct buf *out, const char *name, const char *of)
{
    buf_printf(out,
               "ATTRIBUTE %s {\n"
               "\tLABEL \"%s (lowercase)\"\n"
               "\tDYNAMIC utf8lowercase\n"
               "\tDYNLIB internal\n"
               "\tARG1 \"C\"\n"
               "\tFUNTYPE s\n"
               "\tFROMATTR %s\n"
               "\tTYPE index\n"
               "\tTRANSQUERY yes\n"
               "}\n",
               name, of, of);
}

/* Where the flags end that add_encode() has written; 0: it is no such line.
 * The last ones count: a path may have the same letters. */
static size_t
encode_end(struct str line)
{
    struct str flags = S(ENCODE_FLAGS);

    for (size_t i = line.n; i >= flags.n; i--)
        if (str_eq(str_sub(line, i - flags.n, i), flags))
            return i;
    return 0;
}

static void
add_moved(struct buf *out, struct str line, const struct registry_place *at)
{
    for (enum registry_line i = 0; i <= REGISTRY_ENCODE; i++) {
        size_t kept = i == REGISTRY_ENCODE ? encode_end(line) : line.n;

        if (!str_starts(line, str_c(begin[i])) || kept == 0)
            continue;
        registry_line(out, i, at);
        buf_str(out, str_sub(line, kept, line.n));
        return;
    }
    buf_str(out, line);
}

void
registry_moved(struct buf *out, struct str registry,
               const struct registry_place *at)
{
    struct str line;

    while (str_cut(&registry, '\n', &line)) {
        add_moved(out, line, at);
        buf_char(out, '\n');
    }
}
