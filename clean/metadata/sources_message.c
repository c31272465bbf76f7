/* sources_message.c -- the head of a mail or post, as archives show it: "From:
 * Jane Doe <jane@a.example>", "Date: Mon, 20 Nov 2023 09:51:33 +0000",
 * "Subject: ...", each in a block, or its name in one and its value in the
 * next; or of a commit, a comment: "Author" and "Date".
 *
 * Such fields beside each other are the machine's own words, so they need no
 * model.  The first head near the heading is the page's: a thread begins with
 * its first message.  A page that says for machines who wrote it, or when, only
 * quotes a message; and beside another author, those without an hour may be a
 * book's. */
#include "candidates.h"

#define BEFORE 16u    /* blocks before the heading where a head may begin */
#define BEHIND 3u     /* ... and behind it, where others are quoted */
#define BEHIND_ALL 8u /* ... of one that says "Author" */
#define HEAD_MAX 12u  /* blocks of a head */
#define DATE_MAX 60u  /* bytes of a date and no more */
#define NAME_MAX 120u /* bytes of who wrote it */

enum message_field {
    FIELD_FROM,
    FIELD_DATE,
    FIELD_SUBJECT,
    FIELD_TO,
    FIELD_AUTHOR,
    FIELDS_N
};

static const struct {
    struct str name;
    enum message_field field;
} names[] = {
    {STR("From"), FIELD_FROM},       {STR("Von"), FIELD_FROM},
    {STR("De"), FIELD_FROM},         {STR("Da"), FIELD_FROM},
    {STR("Van"), FIELD_FROM},        {STR("Från"), FIELD_FROM},
    {STR("Fra"), FIELD_FROM},        {STR("Od"), FIELD_FROM},
    {STR("От"), FIELD_FROM},         {STR("Date"), FIELD_DATE},
    {STR("Datum"), FIELD_DATE},      {STR("Data"), FIELD_DATE},
    {STR("Fecha"), FIELD_DATE},      {STR("Dato"), FIELD_DATE},
    {STR("Дата"), FIELD_DATE},       {STR("Sent"), FIELD_DATE},
    {STR("Subject"), FIELD_SUBJECT}, {STR("Betreff"), FIELD_SUBJECT},
    {STR("Objet"), FIELD_SUBJECT},   {STR("Sujet"), FIELD_SUBJECT},
    {STR("Oggetto"), FIELD_SUBJECT}, {STR("Asunto"), FIELD_SUBJECT},
    {STR("Assunto"), FIELD_SUBJECT}, {STR("Onderwerp"), FIELD_SUBJECT},
    {STR("Ämne"), FIELD_SUBJECT},    {STR("Emne"), FIELD_SUBJECT},
    {STR("Temat"), FIELD_SUBJECT},   {STR("Тема"), FIELD_SUBJECT},
    {STR("To"), FIELD_TO},           {STR("An"), FIELD_TO},
    {STR("Para"), FIELD_TO},         {STR("Aan"), FIELD_TO},
    {STR("Till"), FIELD_TO},         {STR("Til"), FIELD_TO},
    {STR("Do"), FIELD_TO},           {STR("Кому"), FIELD_TO},
    {STR("Author"), FIELD_AUTHOR},   {STR("Autor"), FIELD_AUTHOR},
    {STR("Auteur"), FIELD_AUTHOR},   {STR("Autore"), FIELD_AUTHOR},
};

struct message_head {
    struct str value[FIELDS_N]; /* "": it has none */
    uint32_t at[FIELDS_N];      /* the blocks of the values */
};

/* Is block i, of a name alone, the name of what stands in the next one?  Heads
 * of columns are none, in a table or not. */
static bool
names_next(const struct document *d, uint32_t i, bool colon)
{
    const struct block *b = &d->blocks[i];
    enum tag tag = b->counts->tag;

    if (i + 1 >= d->blocks_n ||
        !(colon || tag == TAG_TH || tag == TAG_TD || tag == TAG_DT))
        return false;
    return !(b->form.header && b[1].form.header &&
             b->form.table == b[1].form.table);
}

/* "Name: value", or "Name" or "Name:" before a block with the value. */
static bool
is_field(const struct document *d, uint32_t i, struct str name, uint32_t *at,
         struct str *value)
{
    struct str text = d->blocks[i].text;

    if (!str_starts_nocase(text, name))
        return false;
    text = str_trim(str_sub(text, name.n, text.n));
    *at = i;
    if (text.n > 1 && text.p[0] == ':')
        *value = str_trim(str_sub(text, 1, text.n));
    else if ((text.n == 0 || str_eq(text, S(":"))) &&
             names_next(d, i, text.n > 0))
        *value = d->blocks[*at = i + 1].text;
    else
        return false;
    return value->n > 0;
}

static bool
read_field(struct message_head *m, const struct document *d, uint32_t i)
{
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        enum message_field f = names[k].field;

        if (m->value[f].n == 0 &&
            is_field(d, i, names[k].name, &m->at[f], &m->value[f]))
            return true;
    }
    return false;
}

/* "jane@a.example", "jane at a.example". */
static bool
has_address(struct str s)
{
    return str_find(s, '@', 0) < s.n || str_has(s, S(" at "));
}

/* Who wrote it, without the address: "Jane Doe <jane@a.example>",
 * "jane@a.example (Jane Doe)"; "": it has none. */
static struct str
name_of(struct str from)
{
    size_t open = str_find(from, '(', 0), close = str_find(from, ')', 0),
           end = str_find(from, '<', 0);

    if (open < close && close < from.n && has_address(str_sub(from, 0, open)))
        return str_trim(str_sub(from, open + 1, close));
    from = str_trim(str_sub(from, 0, end));
    if (from.n > 1 && from.p[0] == '"' && from.p[from.n - 1] == '"')
        from = str_sub(from, 1, from.n - 1);
    return has_address(from) ? S("") : from;
}

/* "Author", who, and when without a word before it. */
static bool
is_dated_behind(struct message_head *m, const struct document *d)
{
    uint32_t i = m->at[FIELD_AUTHOR] + 1;

    if (i >= d->blocks_n || !(d->blocks[i].counts->flags & BLOCK_DATE) ||
        d->blocks[i].text.n > DATE_MAX)
        return false;
    m->value[FIELD_DATE] = d->blocks[i].text;
    m->at[FIELD_DATE] = i;
    return true;
}

/* The head that begins with block `from`: its fields stand beside each other.
 */
static bool
read_head(struct message_head *m, const struct document *d, uint32_t from)
{
    *m = (struct message_head){.value = {STR("")}};
    if (!read_field(m, d, from))
        return false;
    for (uint32_t i = from + 1; i < from + HEAD_MAX && i < d->blocks_n; i++)
        (void)read_field(m, d, i);
    if (m->value[FIELD_AUTHOR].n > 0 && m->value[FIELD_FROM].n == 0)
        return m->value[FIELD_DATE].n > 0 || is_dated_behind(m, d);
    return m->value[FIELD_FROM].n > 0 && m->value[FIELD_DATE].n > 0 &&
           (m->value[FIELD_SUBJECT].n > 0 ||
            (m->value[FIELD_TO].n > 0 && has_address(m->value[FIELD_FROM])));
}

static void
take_head(struct guesses *c, const struct message_head *m)
{
    struct guess_at at = {.source = META_FROM_BYLINE};
    enum message_field by =
        m->value[FIELD_FROM].n > 0 ? FIELD_FROM : FIELD_AUTHOR;
    struct str from = m->value[by];
    struct date_found date;
    struct guess *k = NULL;

    if (!date_find(&date, m->value[FIELD_DATE], 0, &c->reading) ||
        (by == FIELD_AUTHOR && !date.at.has_time && c->n[META_AUTHOR] > 0))
        return;
    candidate_place(&at, c->d, m->at[by]);
    if (from.n <= NAME_MAX)
        k = candidate_author(c, name_of(from), &at);
    if (k != NULL)
        k->sure = true;
    else if (by == FIELD_AUTHOR) /* the head of a column */
        return;
    at = (struct guess_at){.source = META_FROM_TEXT};
    candidate_place(&at, c->d, m->at[FIELD_DATE]);
    if ((k = candidate_found(c, META_PUBLISHED, &date, &at)) != NULL)
        k->sure = true;
}

void
sources_message(struct guesses *c, uint32_t heading_i)
{
    uint32_t from = heading_i > BEFORE ? heading_i - BEFORE : 0;
    struct message_head m;

    if (candidate_stated(c, META_AUTHOR) || candidate_stated(c, META_PUBLISHED))
        return;
    for (uint32_t i = from; i <= heading_i + BEHIND_ALL && i < c->d->blocks_n;
         i++)
        if (read_head(&m, c->d, i) &&
            (i <= heading_i + BEHIND || m.value[FIELD_FROM].n == 0)) {
            take_head(c, &m);
            return;
        }
}
