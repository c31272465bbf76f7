# Documents that are no HTML.
unit_test(convert USES mod_convert_read)
unit_test(convert_pdf USES mod_convert_read)
unit_test(awake_deadline USES mod_base)
unit_test(confine USES mod_convert)
foreach(kind pdf docx odt epub rtf txt)
  fuzz_target(convert_${kind} USES mod_convert_read)
endforeach()
