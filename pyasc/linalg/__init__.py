"""Linear algebra: NumPy's ``numpy.linalg``. Leading dimensions are batches of vectors or matrices.

Computed in the type of the operands: float32, float64, complex64, complex128; integers become the default float.
Where the library has an operator beside CANN's for the task it is called; elsewhere the result is composed of CANN's
operators, and eigenvalues, which CANN lacks, are computed on the host (see ``pyasc.config.host_path``).
"""

from numpy.linalg import LinAlgError

from pyasc.linalg.decompositions import cholesky, matrix_rank, pinv, qr, svd, svdvals
from pyasc.linalg.eigen import eig, eigh, eigvals, eigvalsh
from pyasc.linalg.norms import cond, matrix_norm, norm, vector_norm
from pyasc.linalg.products import (
    cross,
    diagonal,
    matmul,
    matrix_power,
    matrix_transpose,
    multi_dot,
    outer,
    tensordot,
    trace,
    vecdot,
)
from pyasc.linalg.solving import det, inv, lstsq, slogdet, solve, tensorinv, tensorsolve

__all__ = [
    "LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq",
    "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer", "pinv",
    "qr", "slogdet", "solve", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot",
    "vector_norm",
]  # fmt: skip
