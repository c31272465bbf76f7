/* xml_text.c -- see xml_text.h.  Pure. */
#include "xml_text.h"

#include "base/ascii_run.h"
#include "clean/chain/codepoint.h"

/* What XML 1.0 forbids, and what it advises against as readers of XML 1.1 and
 * of lines stumble over it: all controls, ends of lines and noncharacters. */
static bool
allowed(uint32_t cp)
{
    if (cp < 0x2028)
        return cp >= 0x20 && (cp < 0x7f || cp > 0x9f);
    return cp > 0x2029 && (cp < 0xd800 || cp >= 0xe000) &&
           (cp < 0xfdd0 || cp > 0xfdef) && (cp & 0xfffe) != 0xfffe &&
           cp <= 0x10ffff;
}

static const char *
escape_of(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&apos;";
    default: return NULL;
    }
}

static void
add(struct buf *out, struct str s, bool references)
{
    static const char stops[5] = {'&', '<', '>', '"', '\''};
    size_t from = 0;

    for (size_t at = 0; (at = ascii_run(s, at, stops)) < s.n;) {
        size_t here = at;
        const char *escaped = references ? escape_of(s.p[at]) : NULL;
        uint32_t cp = codepoint_next(s, &at);

        if (escaped == NULL && allowed(cp))
            continue;
        buf_add(out, s.p + from, here - from);
        buf_c(out, escaped ? escaped : " ");
        from = at;
    }
    buf_add(out, s.p + from, s.n - from);
}

/* Behind a tag it would make one character with the '>' of it, for whoever
 * brings the whole file into form C. */
static bool
composes(const struct buf *out, struct str s)
{
    return out->n > 0 && out->p[out->n - 1] == '>' &&
           str_starts(s, S("\xcc\xb8"));
}

void
xml_text(struct buf *out, struct str s)
{
    if (composes(out, s)) {
        buf_c(out, "&#x338;");
        s = str_sub(s, 2, s.n);
    }
    add(out, s, true);
}

void
xml_bare(struct buf *out, struct str s)
{
    add(out, s, false);
}

void
xml_attribute(struct buf *out, struct str name, struct str value)
{
    buf_char(out, ' ');
    buf_str(out, name);
    buf_c(out, "=\"");
    xml_text(out, value);
    buf_char(out, '"');
}
