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
 *   OF_BLOCKS the same for divisions, which have other facts
 *   META      0: the facts of the argument are not known
 *   WITH      1: the argument becomes part of the list target
 *   WITHOUT   0: the argument is taken out of the list target
 *   USE       0: the section named by the argument does not count
 *   INPUT     a file that is read, OUTPUT one that is written
 *   STARTING  a regular expression that matches at the start
 *   HOSTS     a regular expression that matches all of a host's name
 *   GEO       a file of the geolocator, not looked for when that is off
 *   ITEM      the argument and the value become part of the list target; 0: no
 *   NETWORK   a network for texrex's features
 *   BLOCKED   a regular expression that matches all of a URL's file name
 *   STATS     the name of a job: its log of statistics
 *   DEAD_END  0: a dead end is the end, unless another key says where to go
 *   OTHER     read together with another key (target)
 *   WALKER    the class of a walker: scorer walk
 *   READER    the class of a reader: which archives are read
 *   UNLESS    0: target = the argument
 *   NOTHING   has no meaning any more; the argument says why (threads and
 *             queues)
 * absent: the value when the key is not there (texrex's own preset, where ours
 * differs); off: when its section does not count.  Rows take effect in their
 * order.  Section and key are compared without case, as texrex does. */

/* What no key says: texrex judges by profiles alone, and obeys no robots. */
TEXREX("", "", SAME, "clean.language_margin", "", "1000", "")
TEXREX("", "", SAME, "clean.noindex", "", "off", "")
TEXREX("", "", SAME, "clean.badness", "", "published", "")

#define HOLDS_ONE "at most one page a thread is in memory"
#define TAKES_WORK "every thread takes the next page when it is ready"
TEXREX("TTrApplication", "JobName", STATS, "log.stats_file", "", "", "")
TEXREX("TTrApplication", "Comment", SAME, "log.comment", "", "", "")
TEXREX("TTrApplication", "Silent", CHOICE, "log.progress", "on off", "", "")
TEXREX("TTrApplication", "InQSize", NOTHING, "", HOLDS_ONE, "", "")
TEXREX("TTrApplication", "OutQSize", NOTHING, "", HOLDS_ONE, "", "")
TEXREX("TTrApplication", "WorkerManagement", NOTHING, "", TAKES_WORK, "", "")
TEXREX("TTrApplication", "ManagementInterval", NOTHING, "", TAKES_WORK, "", "")
TEXREX("TTrApplication", "MangementInterval", NOTHING, "", TAKES_WORK, "", "")
TEXREX("TTrApplication", "PreferedInQueueQuartile", NOTHING, "", TAKES_WORK, "",
       "")
TEXREX("TTrApplication", "PreferredInQueueQuartile", NOTHING, "", TAKES_WORK,
       "", "")
TEXREX("TTrApplication", "StatsInterval", NUMBER, "log.stats_seconds", "", "",
       "")
TEXREX("TTrApplication", "Debug", CHOICE, "log.level", "info debug", "", "")

TEXREX("TTrReaderPool", "ReaderClass", READER, "input.format", "", "", "")
TEXREX("TTrReaderPool", "ExternalGzipPath", INPUT, "input.gzip", "", "", "")
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
/* Its texts that are no UTF-8 are ours with U+FFFD. */
TEXREX("TTrWorkerPool", "UseUtf8validator", CHOICE, "clean.damaged",
       "keep drop", "", "")
TEXREX("TTrWorkerPool", "UseDeboilerplater", USE, "", "TTrDeboilerplater", "0",
       "")
TEXREX("TTrWorkerPool", "UseTextAssessment", USE, "", "TTrTextAssessment", "0",
       "")
TEXREX("TTrWorkerPool", "UseTextAssessmentMulti", USE, "",
       "TTrTextAssessmentMulti", "0", "")
TEXREX("TTrWorkerPool", "UseNormalizer", USE, "", "TTrNormalizer", "0", "")
TEXREX("TTrWorkerPool", "UseNfcNormalizer", WITHOUT, "clean.normalise", "nfc",
       "", "")
TEXREX("TTrWorkerPool", "UseDivDeduplicator", WITHOUT, "clean.chain",
       "duplicates", "0", "")
TEXREX("TTrWorkerPool", "UseMetaExtractor", USE, "", "TTrMetaExtractor", "0",
       "")
TEXREX("TTrWorkerPool", "UseGeolocator", WITHOUT, "clean.chain", "geo", "0", "")
TEXREX("TTrWorkerPool", "GeoBlocksFile", GEO, "clean.geo", "", "", "")
TEXREX("TTrWorkerPool", "GeoLocationsFile", GEO, "clean.geo_places", "", "", "")
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

TEXREX("TTrWriterPool", "", SAME, "output.format", "", "xml", "")
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
TEXREX("TTrWriterPool", "WriteDivMeta", OF_BLOCKS, "output.xml_block_meta", "",
       "", "")
TEXREX("TTrWriterPool", "WriteDivAttr", OF_BLOCKS,
       "output.xml_block_attributes", "", "", "")
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
TEXREX("TTrWriterPool", "StrictXml", FLAG, "output.xml_entities", "", "", "")
TEXREX("TTrWriterPool", "XmlHeader", FLAG, "output.xml_header", "", "0", "")
TEXREX("TTrWriterPool", "WriteShingles", WITH, "output.format", "tender", "",
       "")
TEXREX("TTrWriterPool", "WriteLinks", WITH, "output.format", "links", "", "")
TEXREX("TTrWriterPool", "WriteTokens", WITH, "output.format", "tokens", "", "")
TEXREX("TTrWriterPool", "WriteTarc", WITH, "output.format", "tarc", "", "")
/* Without a shingler there are none to write. */
TEXREX("TTrWorkerPool", "UseShingler", WITHOUT, "output.format", "tender", "0",
       "")
TEXREX("TTrWriterPool", "WriteMaxTokens", NUMBER, "output.tokens_max", "",
       "100", "")
TEXREX("TTrWriterPool", "SplitSizeXml", ITEM, "output.split_formats",
       "xml=", "", "")
TEXREX("TTrWriterPool", "SplitSizeShingles", ITEM, "output.split_formats",
       "tender=", "", "")
TEXREX("TTrWriterPool", "SplitSizeLinks", ITEM, "output.split_formats",
       "links=", "", "")
TEXREX("TTrWriterPool", "SplitSizeTokens", ITEM, "output.split_formats",
       "tokens=", "", "")
TEXREX("TTrWriterPool", "SplitSizeTarc", ITEM, "output.split_formats",
       "tarc=", "", "")
TEXREX("TTrWriterPool", "GzipXml", WITH, "output.compress_formats", "xml=gzip",
       "", "")
TEXREX("TTrWriterPool", "GzipShingles", WITH, "output.compress_formats",
       "tender=gzip", "", "")
TEXREX("TTrWriterPool", "GzipLinks", WITH, "output.compress_formats",
       "links=gzip", "", "")
TEXREX("TTrWriterPool", "GzipTokens", WITH, "output.compress_formats",
       "tokens=gzip", "", "")
TEXREX("TTrWriterPool", "GzipTarc", WITH, "output.compress_formats",
       "tarc=gzip", "", "")

TEXREX("TTrDuplicateDetector", "FingerprintSize", NUMBER,
       "clean.duplicates_bytes", "", "", "")

TEXREX("TTrHtmlStripper", "DebugParse", FLAG, "log.parse", "", "", "")
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

TEXREX("TTrCharsetConverter", "Iso88591IsWin1252", CHOICE, "clean.latin1",
       "iso-8859-1 windows-1252", "", "")

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
/* Of what is trained later, too. */
TEXREX("TTrDeboilerplater", "", SAME, "clean.features", "", "", "texrex")
TEXREX("TTrDeboilerplater", "FannFile", NETWORK, "clean.network", "", "", "")
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

TEXREX("TTrNormalizer", "SweepCodepoints", WITHOUT, "clean.normalise", "sweep",
       "", "")
TEXREX("TTrNormalizer", "ReplacementFile", INPUT, "clean.replacements", "", "",
       "")

TEXREX("TTrDivDeduplicator", "CharacterThreshold", NUMBER,
       "clean.duplicate_bytes_min", "", "3", "")

TEXREX("TTrMetaExtractor", "ExtractTitle", META, "", "title", "1", "0")
TEXREX("TTrMetaExtractor", "ExtractKeywords", META, "", "keywords", "1", "0")
TEXREX("TTrMetaExtractor", "ExtractAuthor", META, "", "author", "1", "0")
TEXREX("TTrMetaExtractor", "ExtractDescription", META, "", "description", "1",
       "0")
TEXREX("TTrMetaExtractor", "ExtractRobots", META, "", "robots", "1", "0")

TEXREX("TTrGeolocator", "AddCountry", META, "", "country", "1", "")
TEXREX("TTrGeolocator", "AddRegion", META, "", "region", "0", "")
TEXREX("TTrGeolocator", "AddCity", META, "", "city", "0", "")

/* ClaraX, texrex's crawler: a job of winnow crawl. */
TEXREX("TTrClaraxApplication", "JobName", SAME, "output.corpus", "", "", "")
TEXREX("TTrClaraxApplication", "Comment", SAME, "log.comment", "", "", "")
TEXREX("TTrClaraxApplication", "Silent", CHOICE, "log.progress", "on off", "",
       "")
TEXREX("TTrClaraxApplication", "", SAME, "fetch.parallel", "", "1", "")
/* It writes all it has, whatever a job says. */
TEXREX("TTrClaraxApplication", "", SAME, "output.format", "",
       "xml tender links tarc", "")
TEXREX("TTrClaraxApplication", "WalkerClassName", WALKER, "frontier.scorer", "",
       "TTrWalker", "")
TEXREX("TTrWalker", "UserAgent", SAME, "fetch.user_agent", "", "", "")
TEXREX("TTrWalker", "Timeout", NUMBER, "fetch.timeout_ms", "", "", "")
TEXREX("TTrWalker", "MaxSteps", NUMBER, "frontier.walk_steps", "", "", "")
TEXREX("TTrWalker", "SeedsFile", INPUT, "seeds.file", "", "", "")
TEXREX("TTrWalker", "HostScopeRegex", HOSTS, "scope.visit", "", "", "")
TEXREX("TTrWalker", "BlockFileRegex", BLOCKED, "scope.visit", "", "", "")
TEXREX("TTrWalker", "CacheSize", NUMBER, "frontier.walk_cache", "", "", "")
TEXREX("TTrWalker", "RandomJumpProbability", NUMBER, "frontier.walk_jump", "",
       "0", "")
TEXREX("TTrWalker", "JumpOnDeadEnd", CHOICE, "frontier.walk_dead_end",
       "backtrack jump", "", "")
TEXREX("TTrWalker", "BacktrackOnDeadEnd", DEAD_END, "frontier.walk_dead_end",
       "", "", "")
TEXREX("TTrWalker", "AddRandomWaitUpTo", SECONDS, "politeness.random_delay_ms",
       "", "", "")
TEXREX("TTrWalker", "RespectMetaRobotsNoIndex", FLAG, "clean.noindex", "", "",
       "")
TEXREX("TTrWalker", "RespectMetaRobotsNoFollow", FLAG, "clean.nofollow", "", "",
       "")
TEXREX("TTrWalker", "UseSameVirtualHostLinks", WITHOUT, "clean.links",
       "same_host", "", "")
TEXREX("TTrWalker", "UseSameHostLinks", WITHOUT, "clean.links", "same_domain",
       "", "")
TEXREX("TTrWalker", "UseExternalLinks", WITHOUT, "clean.links", "external", "",
       "")
TEXREX("TTrPolitenessManager", "UserAgentPrefix", SAME,
       "politeness.robots_agent", "", "", "")
TEXREX("TTrPolitenessManager", "MinPoliteness", SECONDS, "politeness.delay_ms",
       "", "", "")
/* The longest Crawl-delay that counts; texrex reads both and uses neither. */
TEXREX("TTrPolitenessManager", "MaxPoliteness", SECONDS,
       "politeness.crawl_delay_max_ms", "", "", "")
TEXREX("TTrPolitenessManager", "RespectRobotsCrawlDelay", UNLESS,
       "politeness.crawl_delay_max_ms", "0", "", "")
TEXREX("TTrPolitenessManager", "RespectRobots", FLAG, "politeness.robots", "",
       "", "")
TEXREX("TTrPolitenessManager", "RobotsRefreshInterval", NUMBER,
       "politeness.robots_ttl_seconds", "", "", "")
