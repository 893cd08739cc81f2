"""Data formats: what the dimensions of an array stand for, and the private layouts of the cube unit.

ND to NDC1HWC0 are the names of ``aclFormat``. A public format is a tag; a private one (NC1HWC0, FRACTAL_Z, FRACTAL_NZ,
NDC1HWC0) is another arrangement of the elements, padded with zeros. C0 is 32 bytes of elements (16 of float16, 8 of
float32).
"""

import math
import weakref

from pyasc.creation import zeros

# Numbers of aclFormat (acl_base.h).
NUMBERS = {
    "ND": 2, "NCHW": 0, "NHWC": 1, "HWCN": 16, "NC1HWC0": 3, "FRACTAL_Z": 4, "FRACTAL_NZ": 29, "NCDHW": 30,
    "NDC1HWC0": 32, "NDHWC": 27,
}  # fmt: skip
NAMES = {number: name for name, number in NUMBERS.items()}
PRIVATE = ("NC1HWC0", "FRACTAL_Z", "FRACTAL_NZ", "NDC1HWC0")
_PUBLIC_OF = {"NC1HWC0": "NCHW", "FRACTAL_Z": "NCHW", "NDC1HWC0": "NCDHW", "FRACTAL_NZ": "ND"}


def number_of(name):
    """The number of a format.

    Raises
    ------
    ValueError
        If there is no such format.
    """
    if name not in NUMBERS:
        raise ValueError(f"format {name!r} is not one of {', '.join(NUMBERS)}")
    return NUMBERS[name]


def set_format(x, name):
    """Tag ``x`` with a public format; its elements stay as they are."""
    if name in PRIVATE:
        raise ValueError(
            f"{name} is a private layout, not a tag: use x.to_format({name!r}) to convert"
        )
    x._format = number_of(name)


def _pad(x, shape):
    """``x`` in the corner of zeros."""
    if x.shape == tuple(shape):
        return x
    out = zeros(shape, x.dtype, device=x.device)
    out[tuple(slice(0, n) for n in x.shape)] = x
    return out


def _blocks(n, size):
    return math.ceil(n / size)


def _to_nc1hwc0(x, c0):
    n, c, *space = x.shape
    c1 = _blocks(c, c0)
    x = _pad(x, (n, c1 * c0, *space)).reshape((n, c1, c0, *space))
    axes = (0, 1, *range(3, x.ndim), 2)
    return x.transpose(axes).copy()


def _from_nc1hwc0(x, shape):
    n, c1, *space, c0 = x.shape
    axes = (0, 1, x.ndim - 1, *range(2, x.ndim - 1))
    return x.transpose(axes).reshape((n, c1 * c0, *space))[:, : shape[1]].copy()


def _to_ndc1hwc0(x, c0):
    n, c, d, h, w = x.shape
    c1 = _blocks(c, c0)
    x = _pad(x, (n, c1 * c0, d, h, w)).reshape((n, c1, c0, d, h, w))
    return x.transpose((0, 3, 1, 4, 5, 2)).copy()


def _from_ndc1hwc0(x, shape):
    n, d, c1, h, w, c0 = x.shape
    return x.transpose((0, 2, 5, 1, 3, 4)).reshape((n, c1 * c0, d, h, w))[:, : shape[1]].copy()


def _to_fractal_z(x, c0):
    n, c, h, w = x.shape
    c1, n1, n0 = _blocks(c, c0), _blocks(n, 16), 16
    x = _pad(x, (n1 * n0, c1 * c0, h, w)).reshape((n1, n0, c1, c0, h, w))
    return x.transpose((2, 4, 5, 0, 1, 3)).reshape((c1 * h * w, n1, n0, c0)).copy()


def _from_fractal_z(x, shape):
    n, c, h, w = shape
    _, n1, n0, c0 = x.shape
    c1 = _blocks(c, c0)
    x = x.reshape((c1, h, w, n1, n0, c0)).transpose((3, 4, 0, 5, 1, 2))
    return x.reshape((n1 * n0, c1 * c0, h, w))[:n, :c].copy()


def _to_fractal_nz(x, c0):
    *batch, m, n = x.shape
    m1, n1 = _blocks(m, 16), _blocks(n, c0)
    x = _pad(x, (*batch, m1 * 16, n1 * c0)).reshape((*batch, m1, 16, n1, c0))
    k = len(batch)
    return x.transpose((*range(k), k + 2, k, k + 1, k + 3)).copy()


def _from_fractal_nz(x, shape):
    *batch, n1, m1, m0, c0 = x.shape
    k = len(batch)
    x = x.transpose((*range(k), k + 1, k + 2, k, k + 3)).reshape((*batch, m1 * m0, n1 * c0))
    return x[(..., slice(0, shape[-2]), slice(0, shape[-1]))].copy()


_TO = {
    "NC1HWC0": _to_nc1hwc0,
    "NDC1HWC0": _to_ndc1hwc0,
    "FRACTAL_Z": _to_fractal_z,
    "FRACTAL_NZ": _to_fractal_nz,
}
_FROM = {
    "NC1HWC0": _from_nc1hwc0, "NDC1HWC0": _from_ndc1hwc0, "FRACTAL_Z": _from_fractal_z, "FRACTAL_NZ": _from_fractal_nz,
}  # fmt: skip
_NDIM = {"NC1HWC0": (4,), "FRACTAL_Z": (4,), "NDC1HWC0": (5,), "FRACTAL_NZ": None}
# Orders of dimensions that public formats of four and five dimensions stand for.
_LETTERS = {"NCHW": "NCHW", "NHWC": "NHWC", "HWCN": "HWCN", "NCDHW": "NCDHW", "NDHWC": "NDHWC"}


# id of an array in a private layout -> (weak reference, its shape without padding): what is needed to go back
_origins = {}


def _remember(x, shape):
    key = id(x)
    _origins[key] = (weakref.ref(x, lambda _: _origins.pop(key, None)), shape)


def _origin(x):
    reference, shape = _origins.get(id(x), (None, None))
    return shape if reference is not None and reference() is x else None


def to_format(x, name, shape=None):
    """The array in another format.

    Parameters
    ----------
    name : str
        One of ND, NCHW, NHWC, HWCN, NC1HWC0, FRACTAL_Z, FRACTAL_NZ, NCDHW, NDHWC, NDC1HWC0.
    shape : tuple of int, optional
        When leaving a private layout: the shape in the public format; that of the array it was made from by default.

    Returns
    -------
    ndarray
        A copy; between public formats of known dimensions the dimensions are permuted.

    Raises
    ------
    ValueError
        Unknown format, or a number of dimensions the format cannot have.
    """
    number = number_of(name)
    have = NAMES[x._format]
    if name == have:
        return x.copy()
    if have in PRIVATE:
        return _leave(x, have, name, shape)
    if name in PRIVATE:
        allowed = _NDIM[name]
        if (allowed and x.ndim not in allowed) or x.ndim < 2:
            raise ValueError(
                f"{name} needs an array of {allowed or 'two or more'} dimensions, this one has shape {x.shape}"
            )
        x = _as_public(x, have, _PUBLIC_OF[name])
        out = _TO[name](x, 32 // x.itemsize)
        _remember(out, x.shape)
    else:
        out = _as_public(x, have, name).copy()
    out._format = number
    return out


def _leave(x, have, name, shape):
    public = _PUBLIC_OF[have]
    if shape is None:
        shape = _origin(x) or _padded_shape(x, have)
    out = _FROM[have](x, tuple(shape))
    out._format = NUMBERS[name if name in (public, "ND") else public]
    return out if name in (public, "ND") else to_format(out, name)


def _padded_shape(x, have):
    if have == "NC1HWC0":
        n, c1, h, w, c0 = x.shape
        return n, c1 * c0, h, w
    if have == "NDC1HWC0":
        n, d, c1, h, w, c0 = x.shape
        return n, c1 * c0, d, h, w
    if have == "FRACTAL_NZ":
        *batch, n1, m1, m0, c0 = x.shape
        return *batch, m1 * m0, n1 * c0
    raise ValueError(
        "FRACTAL_Z does not say how many rows and columns a kernel has: pass shape=(N, C, H, W)"
    )


def _as_public(x, have, want):
    """Permuted from one order of dimensions to another; ND has no order to permute."""
    if have == want or have not in _LETTERS or want not in _LETTERS or x.ndim != len(want):
        return x
    if sorted(have) != sorted(want):
        raise ValueError(f"an array in format {have} has no {want} form")
    return x.transpose([_LETTERS[have].index(c) for c in _LETTERS[want]])


def format_of(x):
    """Name of the array's format."""
    return NAMES[x._format]
