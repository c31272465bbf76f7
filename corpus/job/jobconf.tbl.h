/* jobconf.tbl.h -- keys of webcorpus' jobconf.txt.
 *
 * JOBCONF(key, how, argument)
 *   SAME     the option `argument` = value
 *   FLAG     the option `argument` = 0 or 1, of true or false
 *   BITS, HASHES  the Bloom filter of webcorpus; the remark says what it was
 *            good for
 *   NOTHING  has no meaning here; the argument says why */
JOBCONF("dedupTestLength", SAME, "test-length")
JOBCONF("maximumUnknownLanguageLength", SAME, "unknown-max")
JOBCONF("dropFilteredItems", FLAG, "drop")
JOBCONF("keySeparator", SAME, "mark")
JOBCONF("sentenceSeparator", SAME, "separator")
JOBCONF("dedupBloomVectorSize", BITS, "")
JOBCONF("dedupBloomNbHash", HASHES, "")
JOBCONF("dedupBloomHashFunction", NOTHING, "duplicates are found exactly")
JOBCONF("useCompression", NOTHING, "files between stages are always compressed")
JOBCONF("queueName", NOTHING,
        "a queue is the cluster's (winnow run --engine hadoop)")
JOBCONF("numberOfMapTasks", NOTHING, "--threads says how many work at once")
JOBCONF("numberOfReduceTasks", NOTHING, "--threads says how many work at once")
JOBCONF("tokenizerOptions", NOTHING, "the tokeniser follows the language")
JOBCONF("webcorpus.common.io.warcinputformat.filter-mimetypes", NOTHING,
        "content-types says which are let in")
JOBCONF("webcorpus.documentjob.content-type-whitelist", SAME, "content-types")
