/* feature.tbl.h -- what the model knows of a candidate, behind a 0 or 1 for
 * each source.  META_FEATURE(id). */
META_FEATURE(SOURCES_N) /* different sources */
META_FEATURE(MENTIONS)  /* places */
META_FEATURE(DISTANCE)  /* blocks behind the heading; 999: not in the page */
META_FEATURE(PLACE)     /* 0 first block .. 1 last; -1: not in the page */
META_FEATURE(ORDER)     /* candidates of the field that stand before it */
META_FEATURE(RIVALS)    /* candidates of the field */
META_FEATURE(IN_MAIN)
META_FEATURE(IN_NAV)
META_FEATURE(IN_HEADER)
META_FEATURE(IN_FOOTER)
META_FEATURE(IN_ASIDE)
META_FEATURE(IN_ITEM)
META_FEATURE(IN_COMMENT)
META_FEATURE(HIDDEN)
META_FEATURE(CLASS_AUTHOR)
META_FEATURE(CLASS_DATE)
META_FEATURE(CLASS_UPDATED)
META_FEATURE(CLASS_TITLE)
META_FEATURE(CLASS_EVENT)
META_FEATURE(SAID_PUBLISHED) /* words before a date */
META_FEATURE(SAID_UPDATED)
META_FEATURE(SAID_EVENT)
META_FEATURE(THING) /* enum thing that says so */
META_FEATURE(PERSON)
META_FEATURE(WORDS)
META_FEATURE(CHARS)
META_FEATURE(CAPITALS) /* share of words that begin with one */
META_FEATURE(IS_SITE)  /* it is the site's name */
META_FEATURE(CUT_FRONT)
META_FEATURE(CUT_BACK)
META_FEATURE(CUT_SITE)
META_FEATURE(CUT_SHORT)
META_FEATURE(CUT_COLON)
META_FEATURE(IN_TITLE)    /* share of <title> that it is, if it stands there */
META_FEATURE(SLUG)        /* share of its words that the URL has */
META_FEATURE(NAMES)       /* of authors */
META_FEATURE(AGE)         /* days before the latest candidate */
META_FEATURE(YOUTH)       /* days after the earliest one */
META_FEATURE(TIME)        /* it has a time of day */
META_FEATURE(MODIFIED)    /* a source says the page was modified that day */
META_FEATURE(BLOCK_CHARS) /* of the block it stands in */
META_FEATURE(BLOCK_LINKS)
META_FEATURE(PAGE_THING)  /* what the page says it is */
META_FEATURE(PAGE_LIST)   /* JSON-LD lists many articles */
META_FEATURE(PAGE_OG)     /* og:type: 0 none, 1 website, 2 article, 3 other */
META_FEATURE(PAGE_DEPTH)  /* steps of the URL's path */
META_FEATURE(PAGE_SLUG)   /* words in the last of them */
META_FEATURE(PAGE_TEXT)   /* characters in blocks that are sentences */
META_FEATURE(PAGE_LINKS)  /* share of characters that are links */
META_FEATURE(PAGE_TIMES)  /* <time> elements */
META_FEATURE(HAS_LD)      /* JSON-LD says some value of the field */
META_FEATURE(HAS_META)    /* another machine-readable source does */
META_FEATURE(COMMENTS)    /* blocks in comments */
META_FEATURE(PAGE_URL)    /* words of the URL: 1 news or blog, 2 documentation,
                             3 forum, 4 goods and services */
META_FEATURE(PAGE_DATED)  /* blocks with a date */
META_FEATURE(PAGE_PRICES) /* blocks with a price */
META_FEATURE(PAGE_FORUM)  /* blocks in elements named like a forum's */
META_FEATURE(PAGE_HEADINGS)
META_FEATURE(AUTHOR_SOURCES) /* most sources of an author; of authors: of a date
                                near the heading */
META_FEATURE(AUTHOR_NEAR) /* sources of an author near the heading; of authors:
                             dates near it */
META_FEATURE(CLASS_PUBLISHED)
META_FEATURE(ALIKE)       /* candidates from the same sources, under the same
                             class words */
META_FEATURE(TO_AUTHOR)   /* blocks to the nearest author; 99: none */
META_FEATURE(WIDER)       /* another candidate has its names and more */
META_FEATURE(NARROWER)    /* another one has a part of its names */
META_FEATURE(AUTHORS)     /* of dates: candidates of the author ... */
META_FEATURE(TITLES)      /* ... and of the title */
META_FEATURE(IMAGE_MONTHS) /* of dates: from the upload of the page's picture to
                              it; -999: not known */
META_FEATURE(PAGE_CODE)    /* of dates: blocks of code */
META_FEATURE(PAGE_FACTS)   /* of dates: <meta> with an article's section, tags
                              and authors */
META_FEATURE(PAGE_MINUTES) /* of dates: near the heading it says how long the
                              page takes to read */
