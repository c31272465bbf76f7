/* opt_alias.c -- see opt_alias.h: the rows of opt_alias.tbl.h. */
#include "opt_alias.h"

struct alias {
    const char *section, *key, *old, *now; /* key: NULL for a key's own name */
};

static const struct alias table[] = {
#define KEY(section, old, now) {#section, NULL, #old, #now},
#define WORD(section, key, old, now) {#section, #key, #old, #now},
#include "opt_alias.tbl.h"
#undef KEY
#undef WORD
};

#define TABLE_N (sizeof table / sizeof *table)

struct str
opt_alias_key(struct str section, struct str key)
{
    for (size_t i = 0; i < TABLE_N; i++)
        if (table[i].key == NULL && str_eq(section, str_c(table[i].section)) &&
            str_eq(key, str_c(table[i].old)))
            return str_c(table[i].now);
    return key;
}

struct str
opt_alias_word(const struct opt *row, struct str word)
{
    for (size_t i = 0; i < TABLE_N; i++)
        if (table[i].key != NULL &&
            strcmp(row->section, table[i].section) == 0 &&
            strcmp(row->key, table[i].key) == 0 &&
            str_eq(word, str_c(table[i].old)))
            return str_c(table[i].now);
    return word;
}
