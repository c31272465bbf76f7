/* class_mark.tbl.h -- CLASS_MARK(word, what): words of a class, whole or (with
 * a * behind them) the beginning, and what they say of the element. */
/* numbers of lines of code, in it or in a column beside it */
CLASS_MARK("linenos", NUMBER)
CLASS_MARK("lineno", NUMBER)
CLASS_MARK("linenodiv", NUMBER)
CLASS_MARK("linenr", NUMBER)
CLASS_MARK("linenumber", NUMBER)
CLASS_MARK("linenumbers", NUMBER)
CLASS_MARK("line-numbers-rows", NUMBER)
CLASS_MARK("line-numbers-wrapper", NUMBER)
CLASS_MARK("lnt", NUMBER)
CLASS_MARK("blob-num", NUMBER)
CLASS_MARK("source-line-no", NUMBER)
CLASS_MARK("sourceLineNo", NUMBER)
CLASS_MARK("src-line-numbers", NUMBER)
CLASS_MARK("line-num", NUMBER)
CLASS_MARK("crayon-num", NUMBER)
CLASS_MARK("hljs-ln-numbers", NUMBER)
CLASS_MARK("ltx_tag_listingline", NUMBER)
/* with another meaning around code, or far from any */
CLASS_MARK("ln", NUMBER_IN_CODE)
CLASS_MARK("line-number", NUMBER_IN_CODE)
CLASS_MARK("line-numbers", NUMBER_IN_CODE)
CLASS_MARK("gutter", NUMBER_COLUMN)
/* code without a <pre>, and its lines: Doxygen, LaTeXML */
CLASS_MARK("fragment", FRAGMENT)
CLASS_MARK("line", FRAGMENT_LINE)
CLASS_MARK("ltx_listing", LISTING)
CLASS_MARK("ltx_listingline", LISTING_LINE)
/* the language of code (strip_code_language.c) */
CLASS_MARK("language-*", LANGUAGE)
CLASS_MARK("lang-*", LANGUAGE)
CLASS_MARK("highlight-*", LANGUAGE)
CLASS_MARK("sourceCode", LANGUAGE)
CLASS_MARK("brush:", LANGUAGE)
/* controls: MediaWiki's, what folds a part in rustdoc; LaTeXML's markers of
 * items (terms have their text in one) and numbers in notes */
CLASS_MARK("mw-editsection*", CONTROL)
CLASS_MARK("mw-jump*", CONTROL)
CLASS_MARK("hideme", CONTROL)
CLASS_MARK("ltx_tag_note", CONTROL)
CLASS_MARK("ltx_tag_item", MARKER)
/* where footnotes stand, and no references */
CLASS_MARK("footnote", FOOTNOTE)
CLASS_MARK("footnotes", FOOTNOTE)
CLASS_MARK("footnote-list", FOOTNOTE)
/* footnotes that stand amid the text, and their marks */
CLASS_MARK("ltx_note_outer", NOTE)
CLASS_MARK("ltx_note_mark", NOTE_MARK)
/* notes, tips and warnings amid the text: Sphinx and MkDocs, Docusaurus,
 * Asciidoctor, GitHub, Quarto, Starlight */
CLASS_MARK("admonition", ADMONITION)
CLASS_MARK("theme-admonition", ADMONITION)
CLASS_MARK("admonitionblock", ADMONITION)
CLASS_MARK("markdown-alert", ADMONITION)
CLASS_MARK("callout-style-*", ADMONITION)
CLASS_MARK("starlight-aside", ADMONITION)
/* a formula as KaTeX draws it */
CLASS_MARK("katex-html", DRAWN)
