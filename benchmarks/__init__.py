"""Measurements of the product, each beside the bare operation it is compared with.

Every script prints a table, or one JSON document with ``--json``. They are not tests: a figure
is read, not asserted.
"""

import os

# As in the program itself. Read when numpy loads, which a script may do before the program does.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
