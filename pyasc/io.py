"""Files, buffers and text: read or parsed whole on the host by NumPy, then copied to the device once.

Nothing is half-loaded: an array reaches the device only after NumPy has read all of it.
"""

from collections.abc import Mapping

import numpy as np

from pyasc import _printing
from pyasc._config import lower
from pyasc._core import array as _array
from pyasc._core.array import ndarray
from pyasc._core.memory import supported_dtypes
from pyasc._dispatch import implements, same_signature
from pyasc._promotion import BFLOAT16

__all__ = [
    "array2string", "array_repr", "array_str", "frombuffer", "fromfile", "fromiter", "fromstring", "genfromtxt",
    "get_printoptions", "load", "loadtxt", "printoptions", "save", "savetxt", "savez", "savez_compressed",
    "set_printoptions",
]  # fmt: skip

get_printoptions = np.get_printoptions
printoptions = np.printoptions
set_printoptions = np.set_printoptions


def _host(x):
    return x.numpy() if isinstance(x, ndarray) else np.asanyarray(x)


def _to_device(host, source, dtype=None):
    """A device array of what was read; ``dtype``: what the default-float rule makes of it."""
    if not isinstance(host, np.ndarray):
        return host
    if host.dtype == np.dtype("V2"):
        host = host.view(BFLOAT16)  # the format has no name for it
    kind = host.dtype.newbyteorder("=")
    if kind not in supported_dtypes():
        raise TypeError(
            f"{source} holds elements of type {host.dtype}; device arrays hold bool, integers, floats "
            "and complex numbers"
        )
    return _array.from_numpy(host.astype(kind if dtype is None else dtype, copy=False))


# ---- binary files


@implements("save")
def save(file, arr, allow_pickle=True):
    """Write an array to a ``.npy`` file.

    Parameters
    ----------
    file : str, path or file object
    arr : array_like
    """
    np.save(file, _host(arr), allow_pickle=allow_pickle)


def _save_all(function, file, args, allow_pickle, kwds):
    words = {k: _host(v) for k, v in kwds.items()}
    if not allow_pickle:  # a word that NumPy 2.0 would take for the name of an array
        words["allow_pickle"] = False
    function(file, *map(_host, args), **words)


@implements("savez")
def savez(file, *args, allow_pickle=True, **kwds):
    """Write several arrays to an ``.npz`` file, named ``arr_0`` ... or as the keywords."""
    _save_all(np.savez, file, args, allow_pickle, kwds)


@implements("savez_compressed")
def savez_compressed(file, *args, allow_pickle=True, **kwds):
    """As `savez`, compressed."""
    _save_all(np.savez_compressed, file, args, allow_pickle, kwds)


class NpzFile(Mapping):
    """An open ``.npz`` file: names to device arrays, each read when it is asked for.

    Attributes
    ----------
    files : list of str
        The names.
    """

    def __init__(self, host, source):
        self._host, self._source = host, source

    @property
    def files(self):
        return self._host.files

    def __getitem__(self, name):
        return _to_device(self._host[name], f"{self._source}[{name!r}]")

    def __iter__(self):
        return iter(self._host)

    def __len__(self):
        return len(self._host)

    def __contains__(self, name):
        return name in self._host

    def __repr__(self):
        return f"NpzFile {self._source!r} with keys: {', '.join(self.files)}"

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.close()

    def close(self):
        """Close the file."""
        self._host.close()


def load(
    file,
    mmap_mode=None,
    allow_pickle=False,
    fix_imports=True,
    encoding="ASCII",
    *,
    max_header_size=10000,
):
    """Read a ``.npy`` or ``.npz`` file (or, with ``allow_pickle``, a pickle).

    Parameters
    ----------
    file : str, path or file object
    mmap_mode : {None, "r", "c"}, optional
        Read the file through a memory map, so that the host needs no memory for all of it.
    allow_pickle : bool, optional
        Pickles can run any code: only for files you trust.

    Returns
    -------
    ndarray or NpzFile

    Raises
    ------
    ValueError, EOFError, OSError
        As NumPy, if the file is damaged or cut short; nothing is kept then.
    TypeError
        If its elements are not numbers.
    """
    found = np.load(
        file, mmap_mode, allow_pickle, fix_imports, encoding, max_header_size=max_header_size
    )
    source = str(getattr(file, "name", file))
    if isinstance(found, np.lib.npyio.NpzFile):
        return NpzFile(found, source)
    return _to_device(found, source)


@implements("fromfile")
def fromfile(file, dtype=float, count=-1, sep="", offset=0, *, like=None):
    """Read a binary or text file.

    Parameters
    ----------
    file : str, path or file object
    dtype : dtype, optional
        Of the elements in the file; float64 by default, as NumPy, because that is a layout and not a choice.
    count : int, optional
        How many; all by default.
    sep : str, optional
        Between the numbers of a text file; empty for a binary file.
    offset : int, optional
        Bytes to skip.

    Returns
    -------
    ndarray
    """
    return _to_device(np.fromfile(file, dtype, count, sep, offset), str(file))


@implements("frombuffer")
def frombuffer(buffer, dtype=float, count=-1, offset=0, *, like=None):
    """A copy on the device of an object with a buffer, such as bytes; the arguments are those of `fromfile`."""
    return _to_device(np.frombuffer(buffer, dtype, count, offset), "the buffer")


@implements("fromiter")
def fromiter(iter, dtype, count=-1, *, like=None):
    """An array of what an iterable yields."""
    return _to_device(np.fromiter(iter, dtype, count), "the iterable")


@implements("fromstring")
def fromstring(string, dtype=float, count=-1, *, sep, like=None):
    """An array of the numbers in a text.

    Parameters
    ----------
    string : str
    dtype : dtype, optional
        The default float by default.
    count : int, optional
    sep : str
        Between the numbers.
    """
    host = np.fromstring(string, dtype, count, sep=sep)
    return _to_device(host, "the string", lower(host.dtype) if dtype is float else None)


# ---- text files


@implements("loadtxt")
@same_signature(np.loadtxt)
def loadtxt(fname, dtype=float, *args, like=None, **kwargs):
    """Read a text file of numbers; the arguments are those of `numpy.loadtxt`.

    The dtype is the default float unless one is given. Structured dtypes are refused.

    Returns
    -------
    ndarray, or a list of them for ``unpack=True``
    """
    return _parsed(np.loadtxt(fname, dtype, *args, **kwargs), fname, dtype is float)


@implements("genfromtxt")
@same_signature(np.genfromtxt)
def genfromtxt(fname, dtype=float, *args, like=None, **kwargs):
    """Read a text file with missing values; the arguments are those of `numpy.genfromtxt`.

    The dtype is the default float unless one is given. Structured dtypes are refused.

    Returns
    -------
    ndarray
    """
    return _parsed(np.genfromtxt(fname, dtype, *args, **kwargs), fname, dtype is float)


def _parsed(host, source, default):
    if isinstance(host, list):
        return [_parsed(h, source, default) for h in host]
    return _to_device(host, str(source), lower(host.dtype) if default else None)


@implements("savetxt")
@same_signature(np.savetxt)
def savetxt(fname, X, *args, **kwargs):
    """Write one or two dimensions of numbers as text; the arguments are those of `numpy.savetxt`."""
    np.savetxt(fname, _host(X), *args, **kwargs)


# ---- text of arrays


@implements("array2string")
@same_signature(np.array2string)
def array2string(a, *args, **kwargs):
    """Text of an array; arguments as `numpy.array2string`. Of a large one only what is shown is copied."""
    if not isinstance(a, ndarray):
        return np.array2string(a, *args, **kwargs)
    limits = {k: kwargs[k] for k in ("threshold", "edgeitems") if kwargs.get(k) is not None}
    with np.printoptions(**limits):
        host, threshold = _printing._shown(a)
    if threshold is not None:
        kwargs["threshold"] = threshold
    return np.array2string(host, *args, **kwargs)


@implements("array_str")
def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    """Text of the elements of an array."""
    return _printing._text(a, lambda h: np.array_str(h, max_line_width, precision, suppress_small))


@implements("array_repr")
def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """Text of an array with its type."""
    return _printing.whole_shape(
        arr,
        _printing._text(arr, lambda h: np.array_repr(h, max_line_width, precision, suppress_small)),
    )
