"""How long an import takes in a new process: NumPy's, and pyasc's on top of it."""

import statistics
import subprocess
import sys

from .timing import LIBRARIES

PROGRAM = """
import time
start = time.perf_counter()
import numpy
numpy_done = time.perf_counter()
if {library!r} != "numpy":
    import {library}
    print(time.perf_counter() - numpy_done)
else:
    print(numpy_done - start)
"""


class Import:
    """Milliseconds of an import, the median of seven processes."""

    params = [LIBRARIES]
    param_names = ["library"]
    unit = "ms"

    def track_import(self, library):
        """`numpy`: from nothing; `pyasc`: with NumPy already there."""
        command = [sys.executable, "-c", PROGRAM.format(library=library)]
        runs = [
            subprocess.run(command, check=True, capture_output=True, text=True).stdout
            for _ in range(7)
        ]
        return statistics.median(map(float, runs)) * 1e3
