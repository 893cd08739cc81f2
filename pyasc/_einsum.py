"""Reading the equations of `einsum`; looks at shapes, never at elements."""

import functools
import operator

from pyasc._views import drop_axes

_SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"  # 0 to 51, in this order
_DOTS = "..."


def equation(operands):
    """(equation, operands) of either form of arguments."""
    if not operands:
        raise ValueError(
            "must specify the einstein sum subscripts string and at least one operand, or at least one operand and its "
            "corresponding subscripts list"
        )
    if isinstance(operands[0], (str, bytes)):
        equation = operands[0] if isinstance(operands[0], str) else operands[0].decode("ascii")
        if len(operands) == 1:
            raise ValueError(
                "must specify the einstein sum subscripts string and at least one operand, or at least one operand and "
                "its corresponding subscripts list"
            )
        return equation, operands[1:]
    if len(operands) < 2:
        raise ValueError("must provide at least an operand and a subscripts list to einsum")
    pairs = len(operands) // 2
    terms = ",".join(_subscripts(operands[2 * i + 1]) for i in range(pairs))
    if len(operands) % 2:
        terms += "->" + _subscripts(operands[-1])
    return terms, operands[: 2 * pairs : 2]


def _subscripts(numbers):
    found = ""
    for number in numbers:
        if number is Ellipsis:
            found += _DOTS
            continue
        try:
            number = operator.index(number)
        except TypeError:
            raise TypeError("each subscript must be either an integer or an ellipsis") from None
        if not 0 <= number < len(_SYMBOLS):
            raise ValueError(f"subscript is not within the valid range [0, {len(_SYMBOLS)})")
        found += _SYMBOLS[number]
    return found


def _split(term, where):
    """Letters before the ellipsis, those behind it, and whether there is one."""
    before, dots, behind = term.partition(_DOTS)
    if "." in before + behind:
        raise ValueError(
            f"einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...') in {where}"
        )
    for letter in before + behind:
        if letter not in _SYMBOLS:
            raise ValueError(
                f"invalid subscript '{letter}' in einstein sum subscripts string, subscripts must be letters"
            )
    return before, behind, bool(dots)


@functools.lru_cache(maxsize=512)
def labels(equation, shapes):
    """The label of every dimension of every operand, and those of the result.

    Labels are letters, and negative numbers for the dimensions that an ellipsis stands for, -1 the last.

    Raises
    ------
    ValueError
        The equation cannot be read, or does not fit the shapes.
    """
    left, arrow, right = equation.partition("->")
    left, right = left.replace(" ", ""), right.replace(" ", "")
    terms = left.split(",")
    if len(terms) != len(shapes):
        raise ValueError(
            f"the subscripts string {equation!r} is for {len(terms)} operand(s), and {len(shapes)} were given"
        )
    inputs = [_operand_labels(i, *pair) for i, pair in enumerate(zip(terms, shapes, strict=True))]
    lengths = _lengths(inputs, shapes)
    dots = sorted(label for label in lengths if isinstance(label, int))
    if arrow:
        return inputs, _output_labels(right, dots, lengths)
    letters = [label for label in left if label in _SYMBOLS]
    return inputs, dots + sorted(label for label in set(letters) if letters.count(label) == 1)


_NO_DOTS = (
    " has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to broadcast the extra "
    "dimensions."
)


def _operand_labels(i, term, shape):
    before, behind, dots = _split(term, f"operand {i}")
    extra = len(shape) - len(before) - len(behind)
    if extra < 0:
        raise ValueError(
            f"einstein sum subscripts string contains too many subscripts for operand {i}"
        )
    if extra and not dots:
        raise ValueError("operand" + _NO_DOTS)
    found = [*before, *range(-extra, 0), *behind]
    own = {}
    for label, n in zip(found, shape, strict=True):
        if own.setdefault(label, n) != n:
            raise ValueError(
                f"dimensions in operand {i} for collapsing index '{label}' don't match ({own[label]} != {n})"
            )
    return found


def _lengths(inputs, shapes):
    """The length of every label; one of length 1 is stretched."""
    lengths = {}
    for i, (found, shape) in enumerate(zip(inputs, shapes, strict=True)):
        for label, n in zip(found, shape, strict=True):
            before = lengths.get(label, 1)
            if n != before and 1 not in (n, before):
                what = f"'{label}'" if isinstance(label, str) else f"{label} of the ellipsis"
                raise ValueError(
                    f"operands could not be broadcast together: dimension {what} has length {before} and, in operand "
                    f"{i} of shape {tuple(shape)}, {n}"
                )
            lengths[label] = before if n == 1 else n
    return lengths


def _output_labels(term, dots, lengths):
    before, behind, has_dots = _split(term, "output")
    if dots and not has_dots:
        raise ValueError("output" + _NO_DOTS)
    letters = before + behind
    for letter in letters:
        if letters.count(letter) > 1:
            raise ValueError(
                f"einstein sum subscripts string includes output subscript '{letter}' multiple times"
            )
        if letter not in lengths:
            raise ValueError(
                f"einstein sum subscripts string included output subscript '{letter}' which never appeared in an input"
            )
    return [*before, *dots, *behind]


def drop_stretched(terms):
    """The terms (array, labels) without the dimensions of length 1 that are longer in another term."""
    long = {label for x, names in terms for label, n in zip(names, x.shape, strict=True) if n != 1}
    found = []
    for x, names in terms:
        axes = [d for d, label in enumerate(names) if x.shape[d] == 1 and label in long]
        names = [label for d, label in enumerate(names) if d not in axes]
        found.append((drop_axes(x, axes), names))
    return found
