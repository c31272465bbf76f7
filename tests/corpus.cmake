# What is made of documents after the crawl.
unit_test(corpus_sort USES mod_corpus_sort)
unit_test(shingle_line USES mod_tender)
fuzz_target(shingle_line USES mod_tender)
fuzz_target(records USES mod_corpus_records)
unit_test(corpus_jobs USES mod_job_lines)
unit_test(corpus_sentences USES mod_job_lines)
unit_test(corpus_filters USES mod_job_lines)
unit_test(job_examples USES mod_job_lines)
unit_test(vertical USES mod_job_lines)
unit_test(bad_rows USES mod_job_lines)
unit_test(job_refuses USES mod_job_lines)
unit_test(abbreviations USES mod_job_lines)
unit_test(association USES mod_job_lines)
fuzz_target(job_lines USES mod_job_lines)
fuzz_target(document_read USES mod_job_lines)
unit_test(line_sort USES mod_corpus_sort)
unit_test(ngram_runs USES mod_run)
unit_test(block_turns USES mod_run)
fuzz_target(ngram_runs USES mod_run)
unit_test(pipeline USES mod_run)
fuzz_target(pipeline USES mod_run)

find_program(PYTHON3 python3 REQUIRED)
# Each job, filter and example of the systems before this one has its test.
add_test(NAME lint_corpus_facts
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/corpus_facts.py ${PROJECT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/../shared/corpus-facts.md)
add_test(NAME lint_corpus_facts_planted
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/corpus_facts.py --planted)
add_test(NAME scenario_tender
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/tender.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_tender PROPERTIES LABELS scenario TIMEOUT 240)
add_test(NAME scenario_tecl
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/tecl.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_tecl PROPERTIES LABELS scenario TIMEOUT 120)
add_test(NAME scenario_jobs
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/jobs.py
    $<TARGET_FILE:winnow> local
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_jobs PROPERTIES LABELS scenario TIMEOUT 120)
add_test(NAME scenario_spark
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/jobs.py
    $<TARGET_FILE:winnow> spark
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_spark PROPERTIES LABELS scenario TIMEOUT 600
  SKIP_RETURN_CODE 77)
add_test(NAME scenario_run
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/run.py
    $<TARGET_FILE:winnow> local
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_run PROPERTIES LABELS scenario TIMEOUT 300)
add_test(NAME scenario_run_input
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/run_input.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_run_input PROPERTIES LABELS scenario TIMEOUT 120)
add_test(NAME scenario_run_spark
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/run.py
    $<TARGET_FILE:winnow> spark
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_run_spark PROPERTIES LABELS scenario TIMEOUT 600
  SKIP_RETURN_CODE 77)
add_test(NAME scenario_corpus
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/corpus.py
    $<TARGET_FILE:winnow>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_corpus PROPERTIES LABELS scenario TIMEOUT 300
  SKIP_RETURN_CODE 77)
# Parquet by pyarrow of PyPI; skipped where no registry answers.
add_test(NAME scenario_tables
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/tables.py
    $<TARGET_FILE:winnow> ${PROJECT_BINARY_DIR}/consumers
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_tables PROPERTIES LABELS scenario TIMEOUT 1200
  SKIP_RETURN_CODE 77)
# Taggers of PyPI behind job annotate; skipped where no registry answers.
add_test(NAME scenario_annotate
  COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tests/scenario/annotate.py
    $<TARGET_FILE:winnow> ${PROJECT_BINARY_DIR}/consumers
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(scenario_annotate PROPERTIES LABELS scenario TIMEOUT 1200
  SKIP_RETURN_CODE 77)
