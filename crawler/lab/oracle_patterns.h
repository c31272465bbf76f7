/* oracle_patterns.h -- of oracle.h's table: what the yields of hosts and kinds
 * of URLs could teach at most. */
#ifndef LAB_ORACLE_PATTERNS_H
#define LAB_ORACLE_PATTERNS_H

#include "oracle.h"

void oracle_patterns(float *worth, const struct oracle_view *v);

#endif
