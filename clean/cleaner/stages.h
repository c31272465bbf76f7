/* stages.h -- the stages, by name. */
#ifndef CLEAN_STAGES_H
#define CLEAN_STAGES_H

#include "base/options/stage.tbl.h"
#include "clean/chain/stage.h"

#define STAGE(name, help) extern const struct stage stage_##name;
CLEAN_STAGES(STAGE, STAGE)
#undef STAGE

#endif
