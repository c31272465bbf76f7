/* jobs.tbl.h -- the jobs: JOB(id) is `const struct corpus_job job_id`. */
JOB(shingle_pairs)
JOB(pair_count)
JOB(near_stars)
