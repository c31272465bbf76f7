/* slice.c -- has a transaction come so far that what can wait should? */
#include "base/clock.h"
#include "intake_inside.h"

bool
intake_slice_over(const struct intake *in)
{
    return in->slice.until_ms > 0 &&
           (tables_changes(in->db->tables) >= in->slice.rows ||
            clock_steady_ms() >= in->slice.until_ms);
}
