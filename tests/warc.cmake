external(brotlienc libbrotlienc) # to make samples
unit_test(warc USES mod_warc)
unit_test(warc_faults USES mod_warc)
unit_test(http_payload USES mod_warc ext_brotlienc)
fuzz_target(warc USES mod_warc)
fuzz_target(arc USES mod_warc)
fuzz_target(payload USES mod_warc)
