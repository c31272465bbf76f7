/* page_kind.tbl.h -- PAGE_KIND(id, name): kinds of pages that are told apart.
 *
 * A document is what it says in running text (an article), what explains
 * something (documentation), a thing to buy, a service, a thread of a forum, a
 * list of other pages, or a collection of things. */
PAGE_KIND(ARTICLE, "article")
PAGE_KIND(DOCUMENTATION, "documentation")
PAGE_KIND(PRODUCT, "product")
PAGE_KIND(SERVICE, "service")
PAGE_KIND(FORUM, "forum")
PAGE_KIND(LISTING, "listing")
PAGE_KIND(COLLECTION, "collection")
