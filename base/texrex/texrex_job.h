/* texrex_job.h -- a job file of texrex (or of ClaraX, its crawler) as options
 * of ours, by the table texrex.tbl.h.
 *
 * A job of texrex has sections named TTr...; sections of ours may stand in the
 * same file and win. */
#ifndef BASE_TEXREX_JOB_H
#define BASE_TEXREX_JOB_H

/* Job files of texrex are read, too, from now on: it registers its translator
 * (base/options/opt_translator.h).  Call it once, at the start. */
void texrex_register(void);

#endif
