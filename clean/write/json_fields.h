/* json_fields.h -- the objects of jsonl records with other projects' field
 * names.  Each appends one object, without line end; text: the kept blocks. */
#ifndef CLEAN_JSON_FIELDS_H
#define CLEAN_JSON_FIELDS_H

#include "winnow/document.h"
#include "winnow/json.h"
#include "winnow/opt.h"

void json_fineweb(const struct opts *o, const struct document *d,
                  struct str text, struct json *j);
void json_dolma(const struct opts *o, const struct document *d, struct str text,
                struct json *j);
void json_oscar(const struct opts *o, const struct document *d, struct str text,
                struct json *j);

/* "<urn:uuid:...>": the document's id in the form of a WARC record id. */
void json_urn(struct str url, char out[48]);

/* 0..1, higher is better, for fields where others put a probability:
 * exp(-badness / 10); 0 when there are no words to judge. */
double json_score(const struct document *d, double badness);

#endif
