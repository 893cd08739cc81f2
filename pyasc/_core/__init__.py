"""The only callers of the C ABI: arrays, memory, streams and operator calls, in Cython.

One way only: ``error`` ← ``device`` ← ``memory`` ← ``index`` ← ``element`` ← ``ndarray`` ← ``array`` ← ``call`` ←
``op``.
"""
