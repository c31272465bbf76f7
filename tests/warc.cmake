unit_test(warc USES mod_warc)
unit_test(warc_faults USES mod_warc)
