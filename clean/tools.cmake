# The tools beside the chain: hydra, rofl, tenet; and stages that are off unless
# an option asks for them.
module(tools
  SOURCES tools/cmd_hydra.c tools/cmd_rofl.c train/cmd_tenet.c tools/hydra.c tools/rofl.c train/tenet.c
    train/tenet_data.c tools/text_lines.c tools/text_sink.c tools/text_tool.c text/unigrams.c
  USES mod_blocks mod_text mod_warc mod_markup mod_regex mod_opt ext_fann m)
target_link_libraries(mod_clean_cli PUBLIC mod_tools)

external(maxminddb libmaxminddb)
module(wanted
  SOURCES blocks/block_edit.c repair/ascii_art.c repair/geo.c repair/mojibake.c
    repair/list.c repair/pipe_filter.c repair/replacer.c repair/spelling.c repair/st_cleanse.c repair/st_ascii_art.c repair/st_geo.c
    blocks/st_links.c repair/st_mojibake.c boilerplate/st_override.c repair/st_pipe.c repair/st_replace.c text/st_seen.c
    text/st_size.c repair/st_spelling.c blocks/st_title.c charset/st_type.c blocks/title.c
  USES mod_text mod_document mod_markup mod_regex mod_base ext_maxminddb m)
target_link_libraries(mod_clean PUBLIC mod_wanted)
