/* class_word.tbl.h -- CLASS_WORD(name, patterns): what class and id words say
 * of a short text: patterns as in hint.tbl.h.  They are no features of blocks.
 */
CLASS_WORD(AUTHOR,
           "author byline by_line autor auteur forfatter skribent writer "
           "contributor creator journalist verfasser redacteur "
           "reporter _by_ written_by posted_by username")
CLASS_WORD(DATE, "date time publish posted datum fecha _data_ pubdate dateline "
                 "timestamp posted_on created")
CLASS_WORD(PUBLISHED,
           "published publish_date publishdate pubdate posted_on post_date "
           "postdate entry_date article_date publication_date release_date")
CLASS_WORD(UPDATED, "updated modified update changed")
CLASS_WORD(TITLE, "headline entry_title post_title article_title article_name "
                  "title_article page_title news_title story_title "
                  "product_title product_name _title_ _heading_")
CLASS_WORD(EVENT, "event countdown expire deadline due_")
