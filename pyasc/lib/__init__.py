"""Parts of NumPy's ``lib`` that work on device arrays."""

from pyasc.lib import scimath, stride_tricks

__all__ = ["scimath", "stride_tricks"]
