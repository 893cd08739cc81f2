"""What a chip's operators take: the table ``operators.tsv``, which the build copies beside the libraries."""

import functools
from typing import NamedTuple

import ml_dtypes
import numpy as np

from pyasc._backend import PREFIX

_CODES = {
    "b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "l", "u1": "B", "u2": "H", "u4": "I", "u8": "L",
    "f2": "e", "f4": "f", "f8": "d", "c8": "F", "c16": "D",
}  # fmt: skip
DTYPES = {code: np.dtype(char) for code, char in _CODES.items()}
DTYPES["bf"] = np.dtype(ml_dtypes.bfloat16)
CHIPS = ("Ascend910B",)  # the chips the table knows


class Parameter(NamedTuple):
    """One argument of phase 1."""

    name: str
    tensor: bool
    output: bool
    dtypes: frozenset | None  # None: not known, taken to be any


class Facts(NamedTuple):
    """One operator, as one chip has it."""

    name: str
    release: str
    present: bool
    parameters: tuple


def _parameter(text, dtypes):
    kind, name = text.rsplit(" ", 1)
    tensor = kind.removeprefix("const ") in ("aclTensor*", "aclTensorList*")
    # some outputs are declared const
    output = kind == "aclTensor*" or name == "out" or name.endswith("Out")
    return Parameter(name, tensor, tensor and output, dtypes.get(name))


def _dtypes(text):
    """Dtypes by argument of a column such as ``self,out: f2 f4; dim: i8``."""
    found = {}
    for part in text.split("; "):
        names, _, codes = part.partition(": ")
        known = frozenset(DTYPES[c] for c in codes.split() if c in DTYPES)
        found.update(dict.fromkeys(names.split(","), known))
    return found


@functools.cache
def operators():
    """Facts by operator, of an Ascend 910B."""
    found = {}
    for line in (PREFIX / "operators.tsv").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        name, _, release, arguments, dtypes, *_, flags = line.split("\t")
        known = {} if dtypes == "-" else _dtypes(dtypes)
        parameters = tuple(_parameter(a, known) for a in arguments.split(", "))
        found[name] = Facts(name, release, "no-a2" not in flags.split(), parameters)
    return found


def refused(name, dtypes):
    """Places of the arguments of operator ``name`` whose dtype the chip refuses.

    Parameters
    ----------
    dtypes : sequence
        The dtype of each argument, None for what is no tensor.
    """
    facts = operators().get(name)
    if facts is None or not facts.present:
        return tuple(range(len(dtypes)))
    return tuple(
        i
        for i, (p, t) in enumerate(zip(facts.parameters, dtypes, strict=True))
        if p.tensor and t is not None and p.dtypes is not None and t not in p.dtypes
    )
