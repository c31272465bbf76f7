/* hint.tbl.h -- HINT(name, patterns): what class and id words say of an
 * element.  Patterns are separated by blanks and found anywhere in the
 * lower-cased "class id"; '_' stands for a separator ('-', '_', blank, or an
 * end). */
HINT(COMMENT, "comment disqus reply respond discuss")
HINT(SHARE, "share social facebook twitter addthis follow")
HINT(NAV, "nav menu topbar toolbar tabs")
HINT(SIDEBAR, "side widget rail column_right columnright right_col rightcol "
              "leftcol left_col")
HINT(RELATED, "relat recommend more_ popular trending most_read mostread also "
              "similar outbrain taboola teaser latest recent")
HINT(FOOTER, "foot bottom colophon")
HINT(HEADER, "header masthead top banner logo")
HINT(CONTENT, "content main inhalt contenu konten tresc contenido inhoud")
HINT(ARTICLE, "article post entry story blog news artikel hentry artic")
HINT(BODY, "body text copy paragraph richtext prose wysiwyg description detail "
           "markdown")
HINT(COOKIE, "cookie consent gdpr privacy")
HINT(PROMO, "promo advert _ad_ _ads_ sponsor banner cta offer")
HINT(CRUMB, "breadcrumb crumb pagin pager path")
HINT(META, "meta byline author date time publish info dateline")
HINT(TAGS, "tag categor keyword topic label")
HINT(CAPTION, "caption credit image photo gallery figure media")
HINT(TITLE, "title headline heading subject")
HINT(LOGIN, "login signup sign_up register subscri newsletter search form "
            "account cart")
HINT(POPUP, "popup modal overlay lightbox tooltip dropdown hidden hide sr_only "
            "collapse toggle")
HINT(LEGAL, "copyright legal disclaimer terms impressum")
HINT(PRODUCT, "product price review rating listing item card grid")
HINT(LEAD, "lead intro summary abstract excerpt standfirst deck teaser "
           "subtitle")
HINT(FORUM, "message thread topic bbp answer question post_body postbody "
            "bbcode")
