/* json_fields.h -- the objects of jsonl records with other projects' field
 * names.  Each appends one object, without line end; text: the kept blocks. */
#ifndef CLEAN_JSON_FIELDS_H
#define CLEAN_JSON_FIELDS_H

#include "base/json.h"
#include "base/options/opt.h"
#include "clean/chain/document.h"

void json_fineweb(const struct opts *o, const struct document *d,
                  struct str text, struct json *j);
void json_dolma(const struct opts *o, const struct document *d, struct str text,
                struct json *j);
void json_oscar(const struct opts *o, const struct document *d, struct str text,
                struct json *j);

/* The id of the record that holds the text of document `id`.  Ids of records
 * are unique (ISO 28500, 5.2), and the response that was fetched has the
 * document's. */
struct document_id json_conversion_id(const struct document_id *id);

/* Keys and values of records.  A date is YYYY-MM-DDTHH:MM:SS.000Z, or "" when
 * it is not known; a day of the metadata has the zone that the page says, or
 * none, and midnight when no time is said; reject is the reason, or "" for what
 * is kept. */
void json_kday(struct json *j, const char *key, struct str day);
void json_kfetched(struct json *j, const char *key, const struct document *d);
void json_kreject(struct json *j, const struct document *d);
void json_klanguages(struct json *j, const struct document *d);
void json_kpage_kinds(struct json *j, const struct document *d);

/* What may be the value of a field, with its sources: an array. */
void json_kcandidates(struct json *j, const struct document *d);

/* metadata_sources, as output.metadata_sources wants it, or nothing: the same
 * array; if there is nothing in it one entry of empty texts. */
void json_ksources(struct json *j, const struct opts *o,
                   const struct document *d);

#endif
