# The tools beside the chain: hydra, rofl, tenet; and stages that are off unless
# an option asks for them.
module(tools
  SOURCES cmd_hydra.c cmd_rofl.c hydra.c rofl.c text_lines.c text_sink.c
    text_tool.c unigrams.c
  USES mod_text mod_warc mod_markup mod_regex mod_opt)
target_link_libraries(mod_clean_cli PUBLIC mod_tools)
