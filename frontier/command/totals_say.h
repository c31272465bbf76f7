/* totals_say.h -- the counts of a frontier, for people and for programs. */
#ifndef FRONTIER_COMMAND_TOTALS_SAY_H
#define FRONTIER_COMMAND_TOTALS_SAY_H

#include "base/buf.h"
#include "frontier/features/frontier_types.h"

enum totals_form { TOTALS_TEXT, TOTALS_JSON, TOTALS_PROMETHEUS };

void totals_say(struct buf *out, enum totals_form form,
                const struct frontier_totals *t, const char *scorer);

#endif
