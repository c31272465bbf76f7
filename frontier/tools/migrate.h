/* migrate.h -- a store of any older version becomes one of today. */
#ifndef FRONTIER_MIGRATE_H
#define FRONTIER_MIGRATE_H

#include "frontier/store/tables.h"

/* As tables_open(); a store of which the rows cannot be read any more (schema 1
 * to 3) is written anew first.  A process that is killed meanwhile leaves it as
 * it was. */
enum status migrate_open(struct tables **out, const char *dir,
                         const struct tables_config *config);

#endif
