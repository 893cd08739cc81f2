"""What a call costs before any work is done: arrays of one element, and access to parts of small arrays."""

import numpy

from .timing import LIBRARIES, load, per_call


class OneElement:
    """Operators on arrays of one float32."""

    params = [LIBRARIES]
    param_names = ["library"]
    unit = "ns"

    def setup(self, library):
        """Make two arrays."""
        self.np, self.wait = load(library)
        self.a = self.np.ones(1, dtype=numpy.float32)
        self.b = self.np.ones(1, dtype=numpy.float32)

    def track_add(self, library):
        """The library's function."""
        return per_call("add(a, b)", self.wait, add=self.np.add, a=self.a, b=self.b)

    def track_add_operator(self, library):
        """Python's operator."""
        return per_call("a + b", self.wait, a=self.a, b=self.b)

    def track_multiply_scalar(self, library):
        """An array and a Python number."""
        return per_call("a * 2.0", self.wait, a=self.a)

    def track_sin(self, library):
        """A function of one argument."""
        return per_call("sin(a)", self.wait, sin=self.np.sin, a=self.a)

    def track_numpy_add(self, library):
        """NumPy's own ufunc, which calls pyasc through its hook."""
        return per_call("add(a, b)", self.wait, add=numpy.add, a=self.a, b=self.b)


class Parts:
    """Reading and writing parts of a 4 x 4 float32 array."""

    params = [LIBRARIES]
    param_names = ["library"]
    unit = "ns"

    def setup(self, library):
        """Make an array."""
        self.np, self.wait = load(library)
        self.a = self.np.ones((4, 4), dtype=numpy.float32)

    def track_row(self, library):
        """An integer index."""
        return per_call("a[0]", self.wait, a=self.a)

    def track_slice(self, library):
        """A slice."""
        return per_call("a[1:3]", self.wait, a=self.a)

    def track_element(self, library):
        """As many integers as dimensions."""
        return per_call("a[1, 2]", self.wait, a=self.a)

    def track_set_row(self, library):
        """Assignment of a number to a row."""
        return per_call("a[1] = 2.0", self.wait, a=self.a)

    def track_shape(self, library):
        """The attribute `shape`."""
        return per_call("a.shape", self.wait, a=self.a)

    def track_transpose(self, library):
        """The attribute `T`."""
        return per_call("a.T", self.wait, a=self.a)
