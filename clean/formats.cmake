# Corpus formats: one file a format.
module(writers
  SOURCES facts.c json_fields.c vertical_words.c writer.c writer_jsonl.c
    writer_links.c writer_metrics.c writer_shingles.c writer_text.c
    writer_tokens.c writer_vertical.c writer_wet.c writer_xml.c xml_text.c
  USES mod_document mod_blocks mod_url mod_base ext_icu m)

# Their files.
external(libdeflate libdeflate)
external(zstd libzstd)
module(outputs SOURCES corpus_out.c outputs.c pack.c registry.c
  USES mod_writers mod_opt mod_base ext_libdeflate ext_zstd)
