unit_test(fingerprint USES mod_fingerprint)
unit_test(chain USES mod_document)
unit_test(tokens USES mod_text)
