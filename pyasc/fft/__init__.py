"""Discrete Fourier transforms: NumPy's ``numpy.fft``, of any length and along any axes.

Computed in the precision of the operand: float16, bfloat16, float32 and complex64 give complex64, float64 and
complex128 give complex128, integers and bools the default type. CANN's transform takes real float32 rows of some
lengths only, so all are composed of matrix products.
"""

from pyasc.fft.helpers import fftfreq, fftshift, ifftshift, rfftfreq
from pyasc.fft.transforms import (
    fft,
    fft2,
    fftn,
    hfft,
    ifft,
    ifft2,
    ifftn,
    ihfft,
    irfft,
    irfft2,
    irfftn,
    rfft,
    rfft2,
    rfftn,
)

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft",
    "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip
