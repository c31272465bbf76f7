unit_test(endpoint USES mod_proto)
unit_test(index USES mod_dedup)
unit_test(corpus USES mod_dedup)
unit_test(dedup USES mod_dedup)
