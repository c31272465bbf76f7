/* rtf.c -- RTF (1.9.1): groups, control words, text.
 *
 * Our own reader, since Debian's unrtf loses words: of "na\u239?ve" it leaves
 * "na", and all of its paragraphs are <br>.  The grammar is small: a group is
 * { }, what it says holds until its end; a control word is letters and a
 * number; what a reader does not know it leaves out, and whole groups that
 * begin with \*.
 *
 * Headers, footers, pictures, indices and a field's instruction are not text;
 * the result of a field is, but for a table of contents.  Notes come behind
 * their paragraph.  Groups over DEPTH_MAX deep are read as if they were one. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "html_write.h"
#include "reader.h"
#include "rtf_text.h"

#define DEPTH_MAX 256
#define HEADING_MAX 120 /* bytes of a bold paragraph that is one */
#define PROPERTY_MAX 1024u

enum into {
    INTO_TEXT,
    INTO_NOTHING,
    INTO_FONTS,
    INTO_TITLE,
    INTO_AUTHOR,
    INTO_CREATED,
    INTO_NOTE,
    INTO_FIELD
};

struct rtf_group {
    enum into into;
    unsigned skip_n; /* characters behind \u for readers without Unicode */
    int font;
    bool bold, hidden, in_table, list;
    bool contents;    /* the field's result is a table of contents */
    unsigned outline; /* 1 .. 6; 0: none */
};

struct rtf {
    struct str in;
    size_t at;
    struct rtf_group stack[DEPTH_MAX];
    size_t depth, too_deep;
    bool star;     /* \* was just read */
    unsigned skip; /* characters that are skipped still */
    uint32_t high; /* first half of a character beyond 16 bits */
    struct html_writer html;
    struct rtf_text text;
    struct buf note, field, title, author;
    long year, month, day;
    size_t bold_n; /* bytes of the paragraph that are bold */
    bool row_is_over;
};

enum rtf_meaning {
#define WORD(what) WORD_##what
    WORD(NONE),
    WORD(PARAGRAPH),
    WORD(BREAK),
    WORD(PLAIN_PARAGRAPH),
    WORD(PLAIN_TEXT),
    WORD(CELL),
    WORD(ROW),
    WORD(IN_TABLE),
    WORD(BOLD),
    WORD(OUTLINE),
    WORD(LIST),
    WORD(CHARACTER),
    WORD(UNICODE),
    WORD(UNICODE_SKIP),
    WORD(BINARY),
    WORD(CODE_PAGE),
    WORD(FONT),
    WORD(FONT_CHARSET),
    WORD(HIDDEN),
    WORD(INTO),
    WORD(FIELD_RESULT),
    WORD(LIST_TEXT),
    WORD(YEAR),
    WORD(MONTH),
    WORD(DAY)
#undef WORD
};

static const struct rtf_word {
    struct str name;
    enum rtf_meaning what;
    uint32_t argument;
} rtf_words[] = {
#define RTF_WORD(name, what, argument) {STR(name), WORD_##what, argument},
#include "rtf_word.tbl.h"
#undef RTF_WORD
};

static struct rtf_group *
top(struct rtf *r)
{
    return &r->stack[r->depth];
}

/* ---- where text goes ---- */

/* A table begins with the first text in it, and ends with the first behind. */
static void
sync_table(struct rtf *r)
{
    bool in = top(r)->in_table;

    if (in && r->html.tables == 0) {
        html_table_begin(&r->html);
        r->row_is_over = true;
    } else if (!in && r->html.tables > 0) {
        html_table_end(&r->html);
    }
    if (!in)
        return;
    if (r->row_is_over)
        html_row_begin(&r->html);
    r->row_is_over = false;
    if (!r->html.in_cell)
        html_cell_begin(&r->html);
}

static void
add_property(struct buf *b, struct str s)
{
    if (b->n < PROPERTY_MAX)
        buf_str(b, s);
}

static void
put(struct rtf *r, struct str s)
{
    const struct rtf_group *g = top(r);
    size_t before;

    if (g->hidden || s.n == 0)
        return;
    switch (g->into) {
    case INTO_TITLE: add_property(&r->title, s); return;
    case INTO_AUTHOR: add_property(&r->author, s); return;
    case INTO_FIELD: add_property(&r->field, s); return;
    case INTO_NOTE: buf_str(&r->note, s); return;
    case INTO_TEXT: break;
    case INTO_NOTHING:
    case INTO_FONTS:
    case INTO_CREATED: return;
    }
    if (r->html.text.n == 0)
        sync_table(r);
    before = r->html.text.n;
    html_text(&r->html, s);
    if (g->bold)
        r->bold_n += r->html.text.n - before;
}

/* What was collected of the bytes of a code page. */
static void
flush(struct rtf *r)
{
    put(r, rtf_text_take(&r->text));
}

static void
put_character(struct rtf *r, uint32_t c)
{
    struct buf one = {0};

    flush(r);
    buf_utf8(&one, c);
    put(r, buf_view(&one));
    buf_free(&one);
}

static void
put_byte(struct rtf *r, unsigned char c)
{
    if (r->skip > 0) {
        r->skip--;
        return;
    }
    if (top(r)->into == INTO_NOTHING || top(r)->into == INTO_FONTS)
        return;
    if (rtf_text_add(&r->text, top(r)->font, c))
        flush(r);
}

static void
end_paragraph(struct rtf *r)
{
    size_t n;
    unsigned level = top(r)->outline;

    flush(r);
    if (top(r)->into == INTO_NOTE) {
        buf_c(&r->note, " ");
        return;
    }
    if (top(r)->into != INTO_TEXT)
        return;
    n = str_trim(buf_view(&r->html.text)).n;
    if (level == 0 && n > 0 && n <= HEADING_MAX && r->bold_n >= n &&
        r->html.tables == 0)
        level = 2;
    r->bold_n = 0;
    if (top(r)->list && level == 0)
        html_item(&r->html);
    else
        html_paragraph(&r->html, level);
    if (r->note.n == 0)
        return;
    html_text(&r->html, buf_view(&r->note));
    html_paragraph(&r->html, 0);
    buf_clear(&r->note);
}

/* ---- groups ---- */

static void
begin_group(struct rtf *r)
{
    flush(r);
    r->skip = 0;
    if (r->depth + 1 == DEPTH_MAX) {
        r->too_deep++;
        return;
    }
    r->stack[r->depth + 1] = r->stack[r->depth];
    r->depth++;
    top(r)->contents = false;
}

static void
end_group(struct rtf *r)
{
    const struct rtf_group *g = top(r);

    flush(r);
    r->skip = 0;
    if (r->too_deep > 0) {
        r->too_deep--;
        return;
    }
    if (r->depth == 0)
        return;
    r->depth--;
    if (g->into == INTO_FIELD && top(r)->into != INTO_FIELD) {
        struct str said = str_trim(buf_view(&r->field));

        top(r)->contents =
            str_starts(said, S("TOC")) || str_starts(said, S("INDEX"));
        buf_clear(&r->field);
    }
}

/* ---- control words ---- */

static void
unicode(struct rtf *r, long value)
{
    uint32_t c = (uint32_t)(value < 0 ? value + 65536 : value) & 0x1fffff;

    if (c >= 0xd800 && c < 0xdc00) {
        r->high = c;
    } else if (c >= 0xdc00 && c < 0xe000 && r->high != 0) {
        put_character(r, 0x10000 + ((r->high - 0xd800) << 10) + (c - 0xdc00));
        r->high = 0;
    } else {
        put_character(r, c);
        r->high = 0;
    }
    r->skip = top(r)->skip_n;
}

static void
into(struct rtf *r, enum into what)
{
    struct rtf_group *g = top(r);
    bool property =
        what == INTO_TITLE || what == INTO_AUTHOR || what == INTO_CREATED;

    /* Only in \info, of which nothing else is wanted. */
    if (property ? g->into == INTO_NOTHING : g->into == INTO_TEXT)
        g->into = what;
}

static void
cell(struct rtf *r)
{
    end_paragraph(r);
    top(r)->in_table = true;
    sync_table(r);
    html_cell_end(&r->html);
}

static void
set_date(struct rtf *r, enum rtf_meaning what, long value)
{
    if (top(r)->into != INTO_CREATED)
        return;
    if (what == WORD_YEAR)
        r->year = value;
    else if (what == WORD_MONTH)
        r->month = value;
    else
        r->day = value;
}

/* Words about the look of text, as far as it says what the text is. */
static void
property(struct rtf *r, enum rtf_meaning what, bool has_value, long value)
{
    struct rtf_group *g = top(r);

    switch (what) {
    case WORD_PLAIN_PARAGRAPH:
        g->in_table = g->list = false;
        g->outline = 0;
        break;
    case WORD_PLAIN_TEXT: g->bold = g->hidden = false; break;
    case WORD_IN_TABLE: g->in_table = true; break;
    case WORD_BOLD: g->bold = !has_value || value != 0; break;
    case WORD_HIDDEN: g->hidden = !has_value || value != 0; break;
    case WORD_LIST: g->list = true; break;
    case WORD_OUTLINE:
        g->outline = value >= 0 && value < 6 ? (unsigned)value + 1 : 0;
        break;
    case WORD_LIST_TEXT: /* its number or bullet */
        g->into = INTO_NOTHING;
        if (r->depth > 0)
            r->stack[r->depth - 1].list = true;
        break;
    case WORD_FIELD_RESULT:
        if (r->depth > 0 && r->stack[r->depth - 1].contents)
            g->into = INTO_NOTHING;
        break;
    default: break;
    }
}

static void
obey(struct rtf *r, const struct rtf_word *w, bool has_value, long value)
{
    flush(r);
    switch (w->what) {
    case WORD_PARAGRAPH: end_paragraph(r); break;
    case WORD_BREAK:
        if (top(r)->into == INTO_TEXT)
            html_break(&r->html);
        break;
    case WORD_CELL: cell(r); break;
    case WORD_ROW: r->row_is_over = true; break;
    case WORD_CHARACTER: put_character(r, w->argument); break;
    case WORD_UNICODE: unicode(r, value); break;
    case WORD_UNICODE_SKIP:
        top(r)->skip_n = value >= 0 && value < 16 ? (unsigned)value : 1;
        break;
    case WORD_BINARY:
        if (value > 0)
            r->at = (size_t)value < r->in.n - r->at ? r->at + (size_t)value
                                                    : r->in.n;
        break;
    case WORD_CODE_PAGE:
        rtf_text_code_page(&r->text, has_value ? value : (long)w->argument);
        break;
    case WORD_FONT: top(r)->font = (int)value; break;
    case WORD_FONT_CHARSET:
        if (top(r)->into == INTO_FONTS)
            rtf_text_font(&r->text, top(r)->font, value);
        break;
    case WORD_INTO: into(r, (enum into)w->argument); break;
    case WORD_YEAR:
    case WORD_MONTH:
    case WORD_DAY: set_date(r, w->what, value); break;
    default: property(r, w->what, has_value, value);
    }
}

static void
control_word(struct rtf *r)
{
    size_t from = r->at, value_at;
    struct str name;
    bool minus, has_value, star = r->star;
    long value = 0;

    while (r->at < r->in.n && ascii_alpha(r->in.p[r->at]))
        r->at++;
    name = str_sub(r->in, from, r->at);
    minus = r->at < r->in.n && r->in.p[r->at] == '-';
    r->at += minus;
    value_at = r->at;
    for (; r->at < r->in.n && ascii_digit(r->in.p[r->at]); r->at++)
        if (value < 100000000)
            value = value * 10 + (r->in.p[r->at] - '0');
    has_value = r->at > value_at;
    value = minus ? -value : value;
    if (r->at < r->in.n && r->in.p[r->at] == ' ')
        r->at++;
    r->star = false;
    for (size_t i = 0; i < sizeof rtf_words / sizeof *rtf_words; i++)
        if (str_eq(rtf_words[i].name, name)) {
            obey(r, &rtf_words[i], has_value, value);
            return;
        }
    if (star) {
        flush(r);
        top(r)->into = INTO_NOTHING;
    }
}

static void
control_symbol(struct rtf *r)
{
    char c = r->in.p[r->at++];
    int high, low;

    switch (c) {
    case '\'':
        if (r->at + 2 > r->in.n)
            return;
        high = ascii_hex(r->in.p[r->at]);
        low = ascii_hex(r->in.p[r->at + 1]);
        r->at += 2;
        if (high >= 0 && low >= 0)
            put_byte(r, (unsigned char)(high * 16 + low));
        return;
    case '*': r->star = true; return;
    case '~': put_byte(r, ' '); return;
    case '_': put_byte(r, '-'); return;
    case '\\':
    case '{':
    case '}': put_byte(r, (unsigned char)c); return;
    case '\r':
    case '\n': end_paragraph(r); return;
    default: return; /* \- and what else is not seen */
    }
}

static void
read_all(struct rtf *r)
{
    while (r->at < r->in.n) {
        char c = r->in.p[r->at++];

        if (c == '{') {
            begin_group(r);
        } else if (c == '}') {
            end_group(r);
        } else if (c == '\\' && r->at < r->in.n) {
            if (ascii_alpha(r->in.p[r->at]))
                control_word(r);
            else
                control_symbol(r);
        } else if (c != '\r' && c != '\n' && c != '\0' && c != '\\') {
            put_byte(r, (unsigned char)c);
        }
    }
    r->depth = 0;
    top(r)->into = INTO_TEXT;
    end_paragraph(r);
}

/* The head of the page is written last: what it says of the document may come
 * anywhere. */
static void
write_page(const struct rtf *r, struct str body, struct buf *html)
{
    char day[40] = "";
    struct properties about = {.title = buf_view(&r->title),
                               .author = buf_view(&r->author),
                               .modified = S(""),
                               .language = S(""),
                               .keywords = S(""),
                               .description = S("")};
    struct html_writer w;

    if (r->year > 0 && r->year < 10000 && r->month > 0 && r->month < 13 &&
        r->day > 0 && r->day < 32)
        snprintf(day, sizeof day, "%04ld-%02ld-%02ld", r->year, r->month,
                 r->day);
    about.created = str_c(day);
    html_begin(&w, html, &about);
    buf_str(html, body);
    html_end(&w);
}

enum status
convert_read_rtf(struct str bytes, struct buf *html, const char **why)
{
    struct rtf *r;
    struct buf body = {0};

    if (!str_starts(bytes, S("{\\rtf"))) {
        *why = "it does not begin as RTF";
        return ST_INVALID;
    }
    r = memory_need(calloc(1, sizeof *r));
    r->in = bytes;
    r->stack[0].skip_n = 1;
    r->html.out = &body;
    rtf_text_open(&r->text);
    read_all(r);
    html_close(&r->html);
    write_page(r, buf_view(&body), html);
    rtf_text_close(&r->text);
    buf_free(&r->note);
    buf_free(&r->field);
    buf_free(&r->title);
    buf_free(&r->author);
    buf_free(&body);
    free(r);
    return ST_OK;
}
