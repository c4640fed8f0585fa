"""What the tests of this room share."""

import sys
from pathlib import Path

# The parts beside this file are imported under their full names.
sys.path.append(str(Path(__file__).parents[2]))
