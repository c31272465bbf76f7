/* ini.c -- see ini.h and the syntax in opt.h.
 *
 * One line at a time: LF or CR LF, a byte order mark is skipped.  A double
 * quote inside a quoted value is written twice: no backslash has a meaning, so
 * regular expressions are written as they are. */
#include "ini.h"

#include "base/buf.h"

static bool
comment(struct str line)
{
    return line.n == 0 || line.p[0] == '#' || line.p[0] == ';';
}

/* `text` starts after the opening quote. */
static const char *
quoted(struct str text, struct arena *a, struct str *value)
{
    char *out = arena_raw(a, text.n);
    size_t n = 0, i;

    for (i = 0; i < text.n; i++) {
        if (text.p[i] == '"') {
            if (i + 1 == text.n || text.p[i + 1] != '"')
                break;
            i++;
        }
        out[n++] = text.p[i];
    }
    if (i == text.n)
        return "the closing double quote is missing";
    if (!comment(str_trim(str_sub(text, i + 1, text.n))))
        return "text after the closing double quote (a double quote inside "
               "quotes is written twice)";
    *value = str_n(out, n);
    return NULL;
}

/* Without a comment: " # ..." at its end. */
static struct str
unquoted(struct str text)
{
    for (size_t i = 1; i < text.n; i++)
        if (text.p[i] == '#' && ascii_space(text.p[i - 1]))
            return str_trim(str_sub(text, 0, i));
    return comment(text) && text.n > 0 && text.p[0] == '#' ? S("") : text;
}

static const char *
section(struct ini *r, struct str line, struct ini_entry *e)
{
    size_t end = str_find(line, ']', 0);

    r->lost = true;
    if (end == line.n)
        return "the closing ] of the section is missing";
    if (!comment(str_trim(str_sub(line, end + 1, line.n))))
        return "text after the section's ]";
    e->kind = INI_SECTION;
    e->section = r->section = str_trim(str_sub(line, 1, end));
    r->lost = r->section.n == 0;
    return r->lost ? "the section has no name" : NULL;
}

static const char *
entry(struct ini *r, struct str line, struct arena *a, struct ini_entry *e)
{
    size_t at = str_find(line, '=', 0);
    struct str value;

    for (size_t i = 0; i < line.n; i++)
        if (((unsigned char)line.p[i] < 32 && line.p[i] != '\t') ||
            line.p[i] == 127)
            return "a control character: is this a text file?";
    if (line.p[0] == '[')
        return section(r, line, e);
    if (at == line.n)
        return "neither [section] nor key = value";
    e->kind = INI_VALUE;
    e->key = str_trim(str_sub(line, 0, at));
    if (e->key.n == 0)
        return "there is no key before =";
    if (r->section.n == 0)
        return "a key before the first [section]";
    value = str_trim(str_sub(line, at + 1, line.n));
    if (value.n > 0 && value.p[0] == '"')
        return quoted(str_sub(value, 1, value.n), a, &e->value);
    e->value = unquoted(value);
    return NULL;
}

bool
ini_next(struct ini *r, struct arena *a, struct ini_entry *e)
{
    struct str line;

    if (r->line == 0 && str_starts(r->rest, S("\xef\xbb\xbf")))
        r->rest = str_sub(r->rest, 3, r->rest.n);
    while (str_cut(&r->rest, '\n', &line)) {
        r->line++;
        line = str_trim(line);
        if (comment(line) || (r->lost && line.p[0] != '['))
            continue;
        *e = (struct ini_entry){.line = r->line, .section = r->section};
        if ((e->fault = entry(r, line, a, e)) != NULL)
            e->kind = INI_FAULT;
        return true;
    }
    return false;
}

void
ini_show(struct str value, struct buf *out)
{
    bool quotes =
        value.n > 0 &&
        (value.p[0] == '"' || value.p[0] == '#' || value.p[0] == ';' ||
         !str_eq(str_trim(value), value) || !str_eq(unquoted(value), value));

    if (!quotes) {
        buf_str(out, value);
        return;
    }
    buf_char(out, '"');
    for (size_t i = 0; i < value.n; i++) {
        if (value.p[i] == '"')
            buf_char(out, '"');
        buf_char(out, value.p[i]);
    }
    buf_char(out, '"');
}
