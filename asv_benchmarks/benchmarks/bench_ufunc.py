"""Element-wise operators on float32 arrays from one element to 512 MiB: a fresh result, and `out=`."""

import numpy

from .timing import LIBRARIES, ROUNDS, load, per_call

SIZES = [1, 1_000, 100_000, 10_000_000, 134_217_728]  # elements; the last is 512 MiB
LARGE_ROUNDS = 3  # of the last, which takes long


class Elementwise:
    """One operator, one size."""

    params = [LIBRARIES, ["add", "maximum", "exp", "tanh"], SIZES]
    param_names = ["library", "operator", "size"]
    unit = "ns"
    timeout = 300

    def setup(self, library, operator, size):
        """Make the operands; their values are ordinary ones, from -2 to 2."""
        np, self.wait = load(library)
        pattern = numpy.linspace(-2, 2, min(size, 4096), dtype=numpy.float32)
        values = np.asarray(numpy.resize(pattern, size))
        self.names = {"f": getattr(np, operator), "a": values}
        self.arguments = "a"
        if operator in ("add", "maximum"):
            self.names["b"] = values.copy()
            self.arguments = "a, b"
        self.rounds = LARGE_ROUNDS if size == SIZES[-1] else ROUNDS

    def track_fresh(self, library, operator, size):
        """The result is a new array every time."""
        return per_call(f"f({self.arguments})", self.wait, self.rounds, **self.names)

    def track_out(self, library, operator, size):
        """The result goes into the same array every time."""
        out = self.names["a"].copy()
        return per_call(f"f({self.arguments}, out=o)", self.wait, self.rounds, o=out, **self.names)
