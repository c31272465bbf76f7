/* opt.h -- options: declared once in opt.tbl.h, parsed and checked here.
 *
 * Precedence: flags (--set section.key=value) over environment
 * (WINNOW_SECTION_KEY) over the INI file over the presets.
 *
 * INI: `[section]`, `key = value`, # or ; starts a comment line, blank and #
 * a comment after a value, blanks round keys and values are dropped, a value
 * may stand in double quotes ("" inside is one quote).  Unknown sections, keys
 * and values out of range are refused with file:line, the key, the allowed
 * range and the nearest known name; so is a key given twice in a file.
 * Relative paths in a file are relative to the folder of that file, other
 * paths to the working folder; both become absolute.
 *
 * Job files of another program are read, too, once it has a translator
 * (base/options/opt_translator.h; of texrex: base/texrex); its keys without a
 * meaning here are named on `faults` with the reason, and are no faults.
 *
 * A struct opts is filled at start and read-only after; its strings live in
 * its own memory until opts_free(). */
#ifndef BASE_OPT_H
#define BASE_OPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "base/str.h"

struct arena;

struct opt_list {
    struct str *item;
    size_t n;
};
/* Is the word in it, letter by letter? */
bool opt_list_has(const struct opt_list *list, struct str word);

/* C types behind the type names of the table. */
typedef struct str opt_text;       /* any text */
typedef struct str opt_path;       /* resolved as described above */
typedef struct str opt_regex;      /* checked to compile (PCRE2) */
typedef struct str opt_words;      /* one of the listed words */
typedef struct str opt_data;       /* bare name in clean.data; with /: a path */
typedef struct opt_list opt_list;  /* words separated by blanks or commas */
typedef struct opt_list opt_allow; /* a list; "yes": all, no or empty: none */
typedef struct opt_list opt_hosts; /* a list of names of hosts */
typedef struct opt_list opt_delays; /* a list of HOST=TIME */
typedef struct opt_list opt_paths;  /* PATH, NAME=PATH or 'A PATH', resolved */
typedef uint64_t opt_num;
typedef uint64_t opt_ms;    /* 1500, 1500ms, 1.5s, 2min */
typedef uint64_t opt_bytes; /* 4194304, 4MiB, 4M, 64k */
typedef double opt_real;
typedef bool opt_flag; /* on off yes no true false 1 0 */

struct opts {
#define OPT(section, key, type, ...) opt_##type section##_##key;
#include "base/options/opt.tbl.h"
#undef OPT
    struct opts_memory *memory;
    FILE *faults; /* where faults are reported; NULL: stderr */
};

/* Whether a crawl goes on with another value: see opt.tbl.h. */
enum opt_change { OPT_FREE, OPT_CORPUS, OPT_ASIDE };

struct opt {
    const char *section, *key, *type, *preset;
    enum opt_change change;
    double low, high;
    const char *unit, *help;
    size_t offset; /* in struct opts */
};

extern const struct opt opt_table[];
extern const size_t opt_table_n;

/* The two of an item of opt_delays: the host as it is in URLs, in `a`, .NAME
 * for all under it.  False: it is no such item. */
bool opt_delay(struct str item, struct arena *a, struct str *host,
               uint64_t *ms);
/* The least and the longest delay that the job has for any host. */
struct opt_delay_range {
    uint64_t least_ms, most_ms;
};
struct opt_delay_range opt_delay_range(const struct opts *o);

/* All presets; always succeeds (a test checks every preset). */
void opts_init(struct opts *o);
void opts_free(struct opts *o); /* the texts and lists that were set */

/* Read an INI file / text.  Every fault is reported on stderr (all of them,
 * not only the first); ST_USAGE if there was one, ST_IO if unreadable. */
enum status opts_read_file(struct opts *o, const char *path);
enum status opts_read_text(struct opts *o, const char *name, struct str text);

/* WINNOW_SECTION_KEY of the environment; faults as of a file. */
enum status opts_read_env(struct opts *o);

/* "section.key=value". `where` names the source in messages ("--set").
 * ST_USAGE: reported, *o is unchanged. */
enum status opts_set(struct opts *o, const char *where, struct str assignment);

/* Whether the file, the environment or a flag has set an option, to whatever
 * value; it must exist. */
bool opts_given(const struct opts *o, const char *section, const char *key);

/* One option's present value as INI text into `out` (no line end). */
struct buf;
void opts_show(const struct opts *o, const struct opt *row, struct buf *out);
/* An item of a list of paths as the list's text has it: in apostrophes when it
 * has blanks or commas; and the next item of such a text. */
void opt_list_item(struct str item, struct buf *out);
bool opt_list_next(struct str *rest, struct str *item);
/* SECTION.KEY=VALUE, as opts_set() takes it. */
void opts_show_assignment(const struct opts *o, const struct opt *row,
                          struct buf *out);
/* A line SECTION.KEY = VALUE, as in base/facts.h. */
void opts_show_line(const struct opts *o, const struct opt *row,
                    struct buf *out);

/* A JSON object "SECTION.KEY": value as text, of those that differ from their
 * presets and are part of a job (OPT_ASIDE is not): of one section, or, with
 * `others`, of all sections but this one.  "" is no section. */
struct json;
void opts_json(const struct opts *o, const char *section, bool others,
               struct json *j);
/* Its row in opt_table, by its present name or an old one; NULL: there is no
 * such option. */
const struct opt *opt_find(struct str section, struct str key);
/* Does it decide what a corpus is (OPT_CORPUS), and is its value the same on
 * every machine?  Of files it is not: what they hold counts, by digests. */
bool opt_is_fact(const struct opt *row);
/* As facts_compare(), but an option that one of them does not name, as its
 * version had it not yet, has its preset. */
void opts_compare_facts(struct str was, struct str is, struct buf *out);
bool opts_equal(const struct opts *a, const struct opts *b); /* every value */
/* Have both the same value of this one? */
bool opts_same(const struct opts *a, const struct opts *b,
               const struct opt *row);

/* Set one option to INI text without its quotes, paths absolute; faults as
 * opts_set(). */
enum status opts_assign(struct opts *o, const char *where,
                        const struct opt *row, struct str value);
/* Let `to` have the value that `from` has; it does not count as given. */
void opts_copy(struct opts *to, const struct opts *from, const struct opt *row);

/* What a row accepts, for people: "0 to 3600000 ms". */
void opt_range(const struct opt *row, struct buf *out);

/* A whole INI file with every option, its help and value. */
void opts_dump(const struct opts *o, FILE *to);
/* The table: section.key, type, range, preset, help. */
void opts_list(FILE *to);          /* for people */
void opts_list_markdown(FILE *to); /* for the manual */
void opts_list_json(FILE *to);     /* an array of objects, one a row */

#endif
