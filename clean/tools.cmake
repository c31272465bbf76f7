# The tools beside the chain: hydra, rofl, tenet; and stages that are off unless
# an option asks for them.
module(fann_text SOURCES fann_text.c perceptron.c USES mod_base m)
target_link_libraries(mod_blocks PUBLIC mod_fann_text)
module(tools
  SOURCES cmd_hydra.c cmd_rofl.c cmd_tenet.c hydra.c rofl.c tenet.c
    tenet_data.c text_lines.c text_sink.c text_tool.c unigrams.c
  USES mod_fann_text mod_text mod_warc mod_markup mod_regex mod_opt ext_fann m)
target_link_libraries(mod_clean_cli PUBLIC mod_tools)

external(maxminddb libmaxminddb)
module(wanted
  SOURCES block_edit.c bloom.c cleanse.c furniture.c geo.c mojibake.c
    pipe_filter.c replacer.c spelling.c st_cleanse.c st_furniture.c st_geo.c
    st_links.c st_mojibake.c st_override.c st_pipe.c st_replace.c st_seen.c
    st_size.c st_spelling.c st_title.c st_type.c title.c
  USES mod_text mod_document mod_markup mod_regex mod_base ext_maxminddb m)
target_link_libraries(mod_clean PUBLIC mod_wanted)
