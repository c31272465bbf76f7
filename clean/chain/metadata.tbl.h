/* metadata.tbl.h -- what is known of a page as a whole, and where from.
 *
 * META_FIELD(id, name): a field, under the name that sources are listed with.
 * META_SOURCE(id, name): a source, best ones first; where two say the same, the
 * first is named.  Model tables follow these orders (clean/metadata/model.h):
 * after a change, tests/real/metadata.py --train. */
#ifdef META_FIELD
META_FIELD(TITLE, "title")
META_FIELD(AUTHOR, "author")
META_FIELD(PUBLISHED, "date")
META_FIELD(MODIFIED, "date_modified")
META_FIELD(SITE, "site")
META_FIELD(DESCRIPTION, "description")
META_FIELD(KEYWORDS, "keywords")
META_FIELD(CANONICAL, "canonical")
META_FIELD(LICENCE, "licence")
META_FIELD(SECTION, "section")
META_FIELD(IMAGE, "image")
META_FIELD(LANGUAGE, "language_declared")
META_FIELD(TYPE, "page_type")
#endif

#ifdef META_SOURCE
META_SOURCE(JSON_LD, "json-ld")            /* of the page's main thing */
META_SOURCE(OPEN_GRAPH, "open-graph")      /* og:title, article:author ... */
META_SOURCE(CITATION, "citation")          /* citation_title ... */
META_SOURCE(DUBLIN_CORE, "dublin-core")    /* dc.title, dcterms.created ... */
META_SOURCE(PARSELY, "parsely")            /* parsely-author ..., sailthru */
META_SOURCE(META, "meta")                  /* <meta name=author> ... */
META_SOURCE(MICRODATA, "microdata")        /* itemprop */
META_SOURCE(RDFA, "rdfa")                  /* property, in the body */
META_SOURCE(JSON_LD_OTHER, "json-ld-other") /* of other things */
META_SOURCE(TWITTER, "twitter")
META_SOURCE(H1, "h1")
META_SOURCE(TITLE, "title")                /* <title> as it stands */
META_SOURCE(TITLE_PART, "title-part")      /* <title> without a site's name */
META_SOURCE(REL, "rel")                    /* rel=author, canonical, license */
META_SOURCE(BYLINE, "byline")              /* "By ...", near the heading */
META_SOURCE(CLASS, "class")                /* class=byline, entry-title ... */
META_SOURCE(TIME, "time")                  /* <time>, datetime */
META_SOURCE(TEXT, "text")                  /* a date or a name, as text */
META_SOURCE(HEADING, "heading")            /* h2, h3 */
META_SOURCE(LINK, "link")                  /* a link to a licence */
META_SOURCE(URL, "url")                    /* /2024/03/17/ */
META_SOURCE(SITEMAP, "sitemap")            /* lastmod */
META_SOURCE(HTTP, "http")                  /* Last-Modified */
META_SOURCE(HTML, "html")                  /* <html lang> */
#endif
