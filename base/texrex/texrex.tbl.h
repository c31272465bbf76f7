/* texrex.tbl.h -- the options of texrex's job files and what they are here.
 *
 * TEXREX(section, key, how, target, argument, absent, off)
 * `how` (texrex_job.c): what becomes of the value.
 *   SAME      target = value
 *   NUMBER    the same, brought into the target's range
 *   KIB       KiB to bytes;  SECONDS  seconds to milliseconds
 *   FLAG      0 or 1 to off or on
 *   CHOICE    0 or 1 to the first or second word of the argument
 *   LIST      a|b|c to a list
 *   FACTS     a|b|c to a list of facts, by our names
 *   WITH      1: the argument becomes part of the list target
 *   WITHOUT   0: the argument is taken out of the list target
 *   USE       0: the section named by the argument does not count
 *   INPUT     a file that is read, OUTPUT one that is written
 *   STARTING  a regular expression that matches at the start
 *   HOSTS     a regular expression that matches all of a host's name
 *   MMDB      a MaxMind DB file; the older CSV files are not read
 *   SPLIT     0: not split
 *   OTHER     read together with another key (target)
 *   WALKER    the class of a walker: scorer walk
 *   NOTHING   has no meaning any more; the argument says why
 * absent: the value when the key is not there (texrex's own preset, where ours
 * differs); off: when its section does not count.  Rows take effect in their
 * order.  Section and key are compared without case, as texrex does. */

/* What no key says: texrex judges by profiles alone, and obeys no robots. */
TEXREX("", "", SAME, "clean.language_margin", "", "1000", "")
TEXREX("", "", SAME, "clean.noindex", "", "off", "")
TEXREX("", "", SAME, "clean.badness", "", "published", "")

#define HOLDS_ONE "at most one page a thread is in memory"
#define TAKES_WORK "every thread takes the next page when it is ready"
TEXREX("TTrApplication", "JobName", NOTHING, "", "the log goes to stderr", "",
       "")
TEXREX("TTrApplication", "Comment", NOTHING, "", "a comment", "", "")
TEXREX("TTrApplication", "Silent", NOTHING, "",
       "progress is shown on terminals only", "", "")
TEXREX("TTrApplication", "InQSize", NOTHING, "", HOLDS_ONE, "", "")
TEXREX("TTrApplication", "OutQSize", NOTHING, "", HOLDS_ONE, "", "")
TEXREX("TTrApplication", "WorkerManagement", NOTHING, "", TAKES_WORK, "", "")
TEXREX("TTrApplication", "ManagementInterval", NOTHING, "", TAKES_WORK, "", "")
TEXREX("TTrApplication", "MangementInterval", NOTHING, "", TAKES_WORK, "", "")
TEXREX("TTrApplication", "PreferedInQueueQuartile", NOTHING, "", TAKES_WORK, "",
       "")
TEXREX("TTrApplication", "PreferredInQueueQuartile", NOTHING, "", TAKES_WORK,
       "", "")
TEXREX("TTrApplication", "StatsInterval", NOTHING, "",
       "the sums come at the end", "", "")
TEXREX("TTrApplication", "Debug", NOTHING, "", "faults are always logged", "",
       "")

TEXREX("TTrReaderPool", "ReaderClass", NOTHING, "",
       "WARC and ARC are known by their content", "", "")
TEXREX("TTrReaderPool", "ExternalGzipPath", NOTHING, "",
       "gzip and zstd are read without another program", "", "")
TEXREX("TTrReaderPool", "FileName", INPUT, "input.path", "", "", "")
TEXREX("TTrReaderPool", "MinDocSize", KIB, "clean.bytes_min", "", "2", "")
TEXREX("TTrReaderPool", "MaxDocSize", KIB, "clean.bytes_max", "", "256", "")
TEXREX("TTrReaderPool", "ReaderNumber", NOTHING, "", TAKES_WORK, "", "")
TEXREX("TTrReaderPool", "DocumentBufferSize", NOTHING, "", HOLDS_ONE, "", "")
TEXREX("TTrReaderPool", "RetryWait", NOTHING, "", "no thread waits and polls",
       "", "")
TEXREX("TTrReaderPool", "CrawlHeaderExtract", OTHER,
       "TTrWriterPool.WriteDocAttr", "", "", "")

TEXREX("TTrWorkerPool", "UseDuplicateDetector", CHOICE, "clean.duplicates",
       "off bytes", "", "")
TEXREX("TTrWorkerPool", "UseSimpleFilter", USE, "", "TTrSimpleDocumentFilter",
       "0", "")
TEXREX("TTrWorkerPool", "UseUtf8validator", NOTHING, "",
       "text is always valid UTF-8", "", "")
TEXREX("TTrWorkerPool", "UseDeboilerplater", USE, "", "TTrDeboilerplater", "0",
       "")
TEXREX("TTrWorkerPool", "UseTextAssessment", USE, "", "TTrTextAssessment", "0",
       "")
TEXREX("TTrWorkerPool", "UseTextAssessmentMulti", USE, "",
       "TTrTextAssessmentMulti", "0", "")
TEXREX("TTrWorkerPool", "UseShingler", NOTHING, "",
       "fingerprints are always made; WriteShingles writes them", "", "")
TEXREX("TTrWorkerPool", "UseNormalizer", USE, "", "TTrNormalizer", "0", "")
TEXREX("TTrWorkerPool", "UseNfcNormalizer", NOTHING, "",
       "text is always in normalization form C", "", "")
TEXREX("TTrWorkerPool", "UseDivDeduplicator", WITHOUT, "clean.chain",
       "duplicates", "0", "")
TEXREX("TTrWorkerPool", "UseMetaExtractor", NOTHING, "",
       "metadata are always read; WriteDocMeta and the like write them", "", "")
TEXREX("TTrWorkerPool", "UseGeolocator", WITHOUT, "clean.chain", "geo", "0", "")
TEXREX("TTrWorkerPool", "GeoBlocksFile", MMDB, "clean.geo", "", "", "")
TEXREX("TTrWorkerPool", "GeoLocationsFile", NOTHING, "",
       "a MaxMind DB file (clean.geo) holds blocks and places", "", "")
TEXREX("TTrWorkerPool", "WorkerNumber", NUMBER, "clean.threads", "", "", "")
TEXREX("TTrWorkerPool", "MaxWorkerNumber", NOTHING, "", TAKES_WORK, "", "")
TEXREX("TTrWorkerPool", "MinWorkerNumber", NOTHING, "", TAKES_WORK, "", "")
TEXREX("TTrWorkerPool", "BufferSize", NOTHING, "", HOLDS_ONE, "", "")
TEXREX("TTrWorkerPool", "PopSleep", NOTHING, "", "no thread waits and polls",
       "", "")
TEXREX("TTrWorkerPool", "PushSleep", NOTHING, "", "no thread waits and polls",
       "", "")
TEXREX("TTrWorkerPool", "PushLimit", NOTHING, "", "no thread waits and polls",
       "", "")
TEXREX("TTrWorkerPool", "BloomErrorRate", NUMBER, "clean.duplicates_error", "",
       "", "")

TEXREX("TTrWriterPool", "WriterNumber", NOTHING, "",
       "each worker writes what it has cleaned", "", "")
TEXREX("TTrWriterPool", "PopSleep", NOTHING, "", "no thread waits and polls",
       "", "")
TEXREX("TTrWriterPool", "BufferSize", NOTHING, "", HOLDS_ONE, "", "")
TEXREX("TTrWriterPool", "Prefix", OUTPUT, "output.prefix", "", "", "")
TEXREX("TTrWriterPool", "WriteDocContainer", FACTS, "output.xml_doc_container",
       "", "", "")
TEXREX("TTrWriterPool", "WriteDocMeta", FACTS, "output.xml_doc_meta", "", "",
       "")
TEXREX("TTrWriterPool", "WriteDocAttr", FACTS, "output.xml_doc_attributes", "",
       "", "")
TEXREX("TTrWriterPool", "WriteDivMeta", NOTHING, "",
       "texrex never had any for divisions", "", "")
TEXREX("TTrWriterPool", "WriteDivAttr", LIST, "output.xml_block_attributes", "",
       "", "")
TEXREX("TTrWriterPool", "WriteText", FLAG, "output.xml_text", "", "", "")
TEXREX("TTrWriterPool", "WriteDups", FLAG, "output.xml_duplicates", "", "0", "")
TEXREX("TTrWriterPool", "DupBlank", SAME, "output.xml_duplicate_text", "",
       "dupblank", "")
TEXREX("TTrWriterPool", "WriteDivMetrics", FLAG, "output.xml_metrics", "", "",
       "")
TEXREX("TTrWriterPool", "WriteBpc", WITHOUT, "output.xml_scores", "bpc", "", "")
TEXREX("TTrWriterPool", "WriteBpv", WITHOUT, "output.xml_scores", "bpv", "", "")
TEXREX("TTrWriterPool", "WriteBdc", WITHOUT, "output.xml_scores", "bdc", "", "")
TEXREX("TTrWriterPool", "WriteBdv", WITHOUT, "output.xml_scores", "bdv", "", "")
TEXREX("TTrWriterPool", "WriteNonBoilerplateDivCount", WITHOUT,
       "output.xml_scores", "nbd", "", "")
TEXREX("TTrWriterPool", "WriteNonBoilerplateCharCount", WITHOUT,
       "output.xml_scores", "nbc", "", "")
TEXREX("TTrWriterPool", "WriteNonBoilerplateDivProportion", WITHOUT,
       "output.xml_scores", "nbdprop", "", "")
TEXREX("TTrWriterPool", "WriteNonBoilerplateCharProportion", WITHOUT,
       "output.xml_scores", "nbcprop", "", "")
TEXREX("TTrWriterPool", "WriteAverageBoilerplateCharacter", WITHOUT,
       "output.xml_scores", "avgbpc", "", "")
TEXREX("TTrWriterPool", "WriteAverageBoilerplateDiv", WITHOUT,
       "output.xml_scores", "avgbpd", "", "")
TEXREX("TTrWriterPool", "StrictXml", NOTHING, "", "XML is always strict", "",
       "")
TEXREX("TTrWriterPool", "XmlHeader", FLAG, "output.xml_header", "", "0", "")
TEXREX("TTrWriterPool", "WriteShingles", WITH, "output.format", "tender", "",
       "")
TEXREX("TTrWriterPool", "WriteLinks", WITH, "output.format", "links", "", "")
TEXREX("TTrWriterPool", "WriteTokens", WITH, "output.format", "tokens", "", "")
TEXREX("TTrWriterPool", "WriteTarc", WITH, "output.format", "index", "", "")
TEXREX("TTrWriterPool", "WriteMaxTokens", NUMBER, "output.tokens_max", "",
       "100", "")
TEXREX("TTrWriterPool", "SplitSizeXml", SPLIT, "output.split_mib", "", "", "")
#define ONE_SIZE "all files are split by SplitSizeXml"
TEXREX("TTrWriterPool", "SplitSizeShingles", NOTHING, "", ONE_SIZE, "", "")
TEXREX("TTrWriterPool", "SplitSizeLinks", NOTHING, "", ONE_SIZE, "", "")
TEXREX("TTrWriterPool", "SplitSizeTokens", NOTHING, "", ONE_SIZE, "", "")
TEXREX("TTrWriterPool", "SplitSizeTarc", NOTHING, "", ONE_SIZE, "", "")
TEXREX("TTrWriterPool", "GzipXml", CHOICE, "output.compress", "none gzip", "",
       "")
#define ONE_KIND "all files are compressed or not by GzipXml"
TEXREX("TTrWriterPool", "GzipShingles", NOTHING, "", ONE_KIND, "", "")
TEXREX("TTrWriterPool", "GzipLinks", NOTHING, "", ONE_KIND, "", "")
TEXREX("TTrWriterPool", "GzipTokens", NOTHING, "", ONE_KIND, "", "")
TEXREX("TTrWriterPool", "GzipTarc", NOTHING, "", ONE_KIND, "", "")

TEXREX("TTrDuplicateDetector", "FingerprintSize", NOTHING, "",
       "the whole page is compared, not some of its bytes", "", "")

TEXREX("TTrHtmlStripper", "DebugParse", NOTHING, "",
       "winnow clean --all shows all blocks", "", "")
TEXREX("TTrHtmlStripper", "KeepSameVirtualHostLinks", WITHOUT, "clean.links",
       "same_host", "", "")
TEXREX("TTrHtmlStripper", "KeepSameHostLinks", WITHOUT, "clean.links",
       "same_domain", "", "")
TEXREX("TTrHtmlStripper", "KeepExternalLinks", WITHOUT, "clean.links",
       "external", "", "")
TEXREX("TTrHtmlStripper", "ExtractAnchors", WITHOUT, "clean.links",
       "same_host same_domain external", "", "")
TEXREX("TTrHtmlStripper", "MinimalLinkLength", NUMBER, "clean.link_bytes_min",
       "", "16", "")
TEXREX("TTrHtmlStripper", "MaximalLinkLength", NUMBER, "clean.link_bytes_max",
       "", "1024", "")

TEXREX("TTrCharsetConverter", "Iso88591IsWin1252", NOTHING, "",
       "ISO-8859-1 is always read as windows-1252, as browsers do", "", "")

TEXREX("TTrSimpleDocumentFilter", "DivThreshold", NUMBER,
       "clean.blocks_all_min", "", "2", "0")
TEXREX("TTrSimpleDocumentFilter", "SizeThreshold", NUMBER,
       "clean.chars_all_min", "", "2000", "0")

TEXREX("TTrSecondPass", "CleanseTags", WITH, "clean.cleanse", "tags", "", "")
TEXREX("TTrSecondPass", "CleanseEmail", WITH, "clean.cleanse", "emails", "", "")
TEXREX("TTrSecondPass", "CleanseUri", WITH, "clean.cleanse", "uris", "", "")
TEXREX("TTrSecondPass", "CleanseHashtag", WITH, "clean.cleanse", "hashtags", "",
       "")
TEXREX("TTrSecondPass", "EmailReplacer", SAME, "clean.email_replacer", "", "",
       "")
TEXREX("TTrSecondPass", "UriReplacer", SAME, "clean.uri_replacer", "", "", "")
TEXREX("TTrSecondPass", "HashtagReplacer", SAME, "clean.hashtag_replacer", "",
       "", "")
TEXREX("TTrSecondPass", "DoubleWashEntities", WITHOUT, "clean.chain",
       "double_encoding", "", "")

TEXREX("TTrDeboilerplater", "TrainingMode", CHOICE, "clean.network",
       "boilerplate.net none", "", "1")
TEXREX(
    "TTrDeboilerplater", "FannFile", NOTHING, "",
    "ours tells more; clean.features = texrex lets clean.network name theirs",
    "", "")
TEXREX("TTrDeboilerplater", "CustomRegex", STARTING, "clean.boilerplate_regex",
       "", "", "")
TEXREX("TTrDeboilerplater", "Threshold", NUMBER, "clean.boilerplate_max", "",
       "", "")
TEXREX("TTrDeboilerplater", "MinDivsBelowThreshold", NUMBER, "clean.blocks_min",
       "", "1", "0")
TEXREX("TTrDeboilerplater", "MinDivProportionBelowThreshold", NUMBER,
       "clean.blocks_share_min", "", "0.1", "0")
TEXREX("TTrDeboilerplater", "MinCharsBelowThreshold", NUMBER, "clean.chars_min",
       "", "500", "0")
TEXREX("TTrDeboilerplater", "MinCharProportionBelowThreshold", NUMBER,
       "clean.chars_share_min", "", "0.25", "0")
/* The manual's names of the four. */
TEXREX("TTrDeboilerplater", "MinDivsAboveThreshold", NUMBER, "clean.blocks_min",
       "", "", "")
TEXREX("TTrDeboilerplater", "MinDivProportionAboveThreshold", NUMBER,
       "clean.blocks_share_min", "", "", "")
TEXREX("TTrDeboilerplater", "MinCharsAboveThreshold", NUMBER, "clean.chars_min",
       "", "", "")
TEXREX("TTrDeboilerplater", "MinCharProportionAboveThreshold", NUMBER,
       "clean.chars_share_min", "", "", "")

TEXREX("TTrUnicodeLetterRangeTokenizer", "MaxBoilerplate", NUMBER,
       "clean.tokens_boilerplate_max", "", "", "")
TEXREX("TTrUnicodeLetterRangeTokenizer", "MinLength", NUMBER,
       "clean.tokens_chars_min", "", "100", "")

TEXREX("TTrTextAssessment", "Threshold", NUMBER, "clean.badness_max", "", "35",
       "1000")
TEXREX("TTrTextAssessment", "ProfileFile", OTHER, "clean.profiles", "", "", "")
TEXREX("TTrTextAssessment", "LanguageCode", OTHER, "clean.profiles", "", "", "")
TEXREX("TTrTextAssessmentMulti", "MetaThreshold", NUMBER, "clean.badness_max",
       "", "35", "")
TEXREX("TTrTextAssessmentMulti", "BreakThreshold", NUMBER,
       "clean.badness_break", "", "", "")
TEXREX("TTrTextAssessmentMulti", "Profiles", OTHER, "clean.profiles", "", "",
       "")

TEXREX("TTrShingler", "NGramSize", NUMBER, "dedup.shingle_size", "", "", "")
TEXREX("TTrShingler", "HashesNumber", NUMBER, "dedup.values", "", "", "")

TEXREX("TTrNormalizer", "SweepCodepoints", NOTHING, "",
       "control and private characters are always swept", "", "")
TEXREX("TTrNormalizer", "ReplacementFile", INPUT, "clean.replacements", "", "",
       "")

TEXREX("TTrDivDeduplicator", "CharacterThreshold", NUMBER,
       "clean.duplicate_bytes_min", "", "3", "")

#define METADATA_ALWAYS "all metadata are read; the Write lists choose"
TEXREX("TTrMetaExtractor", "ExtractTitle", NOTHING, "", METADATA_ALWAYS, "", "")
TEXREX("TTrMetaExtractor", "ExtractKeywords", NOTHING, "", METADATA_ALWAYS, "",
       "")
TEXREX("TTrMetaExtractor", "ExtractAuthor", NOTHING, "", METADATA_ALWAYS, "",
       "")
TEXREX("TTrMetaExtractor", "ExtractDescription", NOTHING, "", METADATA_ALWAYS,
       "", "")
TEXREX("TTrMetaExtractor", "ExtractRobots", NOTHING, "", METADATA_ALWAYS, "",
       "")

TEXREX("TTrGeolocator", "AddCountry", NOTHING, "", METADATA_ALWAYS, "", "")
TEXREX("TTrGeolocator", "AddRegion", NOTHING, "", METADATA_ALWAYS, "", "")
TEXREX("TTrGeolocator", "AddCity", NOTHING, "", METADATA_ALWAYS, "", "")

/* ClaraX, texrex's crawler: a job of winnow crawl. */
#define NO_WALK "a walk fetches no page twice"
TEXREX("TTrClaraxApplication", "JobName", NOTHING, "", "--dir names the folder",
       "", "")
TEXREX("TTrClaraxApplication", "Comment", NOTHING, "", "a comment", "", "")
TEXREX("TTrClaraxApplication", "Silent", NOTHING, "",
       "progress is shown on terminals only", "", "")
TEXREX("TTrClaraxApplication", "", SAME, "fetch.parallel", "", "1", "")
TEXREX("TTrClaraxApplication", "WalkerClassName", WALKER, "frontier.scorer", "",
       "TTrWalker", "")
TEXREX("TTrWalker", "UserAgent", SAME, "fetch.user_agent", "", "", "")
TEXREX("TTrWalker", "Timeout", NUMBER, "fetch.timeout_ms", "", "", "")
TEXREX("TTrWalker", "MaxSteps", NUMBER, "limits.pages", "", "", "")
TEXREX("TTrWalker", "SeedsFile", INPUT, "seeds.file", "", "", "")
TEXREX("TTrWalker", "HostScopeRegex", HOSTS, "scope.visit", "", "", "")
TEXREX("TTrWalker", "BlockFileRegex", NOTHING, "",
       "say it in scope.visit, with (?!...)", "", "")
TEXREX("TTrWalker", "CacheSize", NOTHING, "", NO_WALK, "", "")
TEXREX("TTrWalker", "RandomJumpProbability", NUMBER, "frontier.walk_jump", "",
       "0", "")
TEXREX("TTrWalker", "JumpOnDeadEnd", CHOICE, "frontier.walk_dead_end",
       "backtrack jump", "", "")
TEXREX("TTrWalker", "BacktrackOnDeadEnd", NOTHING, "",
       "without JumpOnDeadEnd a walk goes back", "", "")
TEXREX("TTrWalker", "AddRandomWaitUpTo", NOTHING, "",
       "politeness.delay_ms is the wait", "", "")
TEXREX("TTrWalker", "RespectMetaRobotsNoIndex", FLAG, "clean.noindex", "", "",
       "")
TEXREX("TTrWalker", "RespectMetaRobotsNoFollow", NOTHING, "",
       "nofollow is always respected", "", "")
TEXREX("TTrWalker", "UseSameVirtualHostLinks", WITHOUT, "clean.links",
       "same_host", "", "")
TEXREX("TTrWalker", "UseSameHostLinks", WITHOUT, "clean.links", "same_domain",
       "", "")
TEXREX("TTrWalker", "UseExternalLinks", WITHOUT, "clean.links", "external", "",
       "")
TEXREX("TTrPolitenessManager", "UserAgentPrefix", NOTHING, "",
       "the name before the / of the user agent is looked for in robots.txt",
       "", "")
TEXREX("TTrPolitenessManager", "MinPoliteness", SECONDS, "politeness.delay_ms",
       "", "", "")
TEXREX("TTrPolitenessManager", "MaxPoliteness", NOTHING, "",
       "texrex does not use it either", "", "")
TEXREX("TTrPolitenessManager", "RespectRobots", FLAG, "politeness.robots", "",
       "", "")
TEXREX("TTrPolitenessManager", "RobotsRefreshInterval", NUMBER,
       "politeness.robots_ttl_seconds", "", "", "")
TEXREX("TTrPolitenessManager", "RespectRobotsCrawlDelay", NOTHING, "",
       "a Crawl-delay counts up to politeness.crawl_delay_max_ms", "", "")
