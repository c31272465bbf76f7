/* page_json.h -- all that is known of a page, as fields of one JSON object:
 * verdict and what was asked for it, metadata, blocks with their values, links.
 *
 * It is what `winnow try --json`, format `page` and the Python package give. */
#ifndef CLEAN_PAGE_JSON_H
#define CLEAN_PAGE_JSON_H

#include "base/json.h"
#include "base/options/opt.h"
#include "clean/chain/document.h"

/* Told of each link, inside its object, for further fields. */
typedef void page_json_link(void *self, struct json *j, uint32_t link_i);

/* Append the fields; the caller begins and ends the object.  link: may be NULL;
 * `self` is handed to it. */
void page_json(const struct opts *o, const struct document *d, struct json *j,
               page_json_link *link, void *self);

#endif
