/* cleaner_chain.h -- the chain inside a cleaner, for measuring its stages. */
#ifndef CLEAN_CLEANER_CHAIN_H
#define CLEAN_CLEANER_CHAIN_H

#include "clean/chain/chain.h"
#include "cleaner.h"

const struct chain *cleaner_chain(const struct cleaner *c);

#endif
