#!/bin/sh
# Finds a Python that is new enough and lets it prepare .venv: setup.sh runtime | dev | lock
# PYTHON=/path/to/python chooses one.
set -eu

for python in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        exec "$python" "$(dirname -- "$0")/environment.py" "$@"
    fi
done
echo "Tallyho needs Python 3.11 or newer, and found none on the PATH:" \
    "install one (on Debian: apt-get install python3 python3-venv) or name it with PYTHON=." >&2
exit 1
