unit_test(endpoint USES mod_proto)
