/* json_tree.h -- JSON as pages have it, read tolerantly into a tree.
 *
 * What is no JSON (RFC 8259) but can be understood is: comments, CDATA and HTML
 * comments around it, commas too many or too few, line ends, tabs and quotation
 * marks inside of strings, escapes that there are not, single quotation marks,
 * names without any, several values in a row, an end that is missing.  What
 * cannot be understood is skipped.  The time is linear in the text.
 *
 * Everything lives in the arena; texts of strings point into the input until
 * they are asked for. */
#ifndef CLEAN_JSON_TREE_H
#define CLEAN_JSON_TREE_H

#include "base/arena.h"
#include "base/str.h"

enum json_kind { JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_OTHER };

#define JSON_TREE_NODES_MAX 20000u /* the rest is not read */
#define JSON_TREE_DEPTH_MAX 64u    /* what is nested deeper is skipped */
#define JSON_TREE_NONE UINT32_MAX

struct json_node {
    enum json_kind kind;
    bool escaped;    /* raw has backslashes */
    struct str name; /* in an object: as it stands between the quotes */
    struct str raw;  /* string: between the quotes; other: true, 12.5 ... */
    uint32_t parent, child, next; /* indices or JSON_TREE_NONE */
};

struct json_tree {
    struct json_node *nodes;
    uint32_t n, cap;
    uint32_t first; /* of the values in a row */
    struct arena *arena;
};

/* Read one more text; its values follow those of earlier ones. */
void json_tree_read(struct json_tree *t, struct str text);

/* A member of object i; JSON_TREE_NONE: none, or i is no object. */
uint32_t json_tree_member(const struct json_tree *t, uint32_t i,
                          struct str name);

/* The text of a string or number, escapes and character references decoded,
 * without blanks at its ends; "" for others. */
struct str json_tree_text(struct json_tree *t, uint32_t i);

#endif
