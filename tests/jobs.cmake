# Switches of the chain, and job files.
unit_test(cleanse USES mod_wanted mod_opt)
unit_test(switches USES mod_clean mod_opt)
