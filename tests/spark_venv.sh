#!/bin/sh
# spark_venv.sh -- a virtual environment with PySpark, for scenario_spark.  The JRE
# is Debian's (default-jre-headless).  Some 700 MB.
set -eu
venv=${WINNOW_SPARK_VENV:-$HOME/.cache/winnow-venvs/spark}
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -c 'import pyspark' 2>/dev/null || "$venv/bin/pip" install -q 'pyspark<4'
echo "$venv"
