"""The operators of pyasc, one row each; the call path, the ufunc protocol, the documentation and the tests read them.

A ``call`` names the aclnn function and how its phase 1 is called: ``a b c`` the inputs, ``s`` the operand that is a
scalar, ``1`` the number one (the ``alpha`` of additions), ``o`` the output, ``i0`` or ``f0.5`` a constant. This module
imports nothing of pyasc: what a row composes from other operators it reaches through ``F``, filled in by ``ops``.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

F = SimpleNamespace()  # the finished operators, by name


class Op(NamedTuple):
    """One operator."""

    name: str  # NumPy's name, or torch's for what NumPy does not have
    call: str = ""  # with arrays only; empty: composed
    right: str = ""  # with a scalar as second operand
    left: str = ""  # with a scalar as first operand
    compose: Callable | None = None  # from other operators; the inputs have the loop's types
    other: tuple[str, Callable] | None = (
        None  # (type characters, function): loops that go another way
    )
    mixed: Callable | None = None  # the loops whose two inputs differ in type
    domain: tuple[Any, Any] = (-3, 3)  # where tests may sample
    doc: str = ""
    nin: int = 1
    nout: int = 1
    identity: Any = None
    ulp: float = 4  # largest error against the correctly rounded value that tests allow
    torch: tuple[str, ...] = ()  # other names at top level
    same: bool = False  # for names NumPy does not have: integers stay integers


INTS = "bBhHiIqQlL"
REAL = "?" + INTS


def _same(x):
    return x.copy(order="K")


def _false(x):
    return F.fill(x, False, bool)


def _true(x):
    return F.fill(x, True, bool)


def _unary(name, aclnn, doc, **fields):
    return Op(name, f"{aclnn} a o", doc=doc, **fields)


def _binary(name, aclnn, doc, right="", left="", **fields):
    return Op(name, f"{aclnn} a b o", right, left, nin=2, doc=doc, **fields)


def _compare(name, aclnn, mirrored, doc):
    """The scalar form also serves a scalar on the left, mirrored."""
    return _binary(
        name,
        f"{aclnn}Tensor",
        doc,
        f"{aclnn}Scalar a s o",
        f"{mirrored}Scalar b s o",
        mixed=lambda x, y: _compare_signs(name, x, y),
    )


def _compare_signs(name, x, y):
    """int64 with uint64, exactly: as unsigned numbers, but a negative one is smaller than all of them."""
    signed_first = x.dtype.kind == "i"
    negative = F.less(x if signed_first else y, 0)
    alike = getattr(F, name)(x.view("u8"), y.view("u8"))
    below = "less" if signed_first else "greater"  # what holds where the signed one is negative
    if name == "not_equal" or name.startswith(below):
        return F.logical_or(alike, negative)
    return F.logical_and(alike, F.logical_not(negative))


def _cbrt(x):
    # The exponent 1/3 is not exact, and the error grows with log(x): enough more digits, or a Newton step over it.
    size = F.absolute(x)
    if x.dtype.itemsize < 8:
        return F.copysign(F.power(size.astype("f8"), 1 / 3).astype(x.dtype), x)
    tiny = F.less(size, 1e-290)  # whose cubes would lose digits
    size = F.where(tiny, F.multiply(size, 2.0**60), size)
    y = F.power(size, 1 / 3)
    y = F.subtract(
        y,
        F.divide(
            F.subtract(F.multiply(F.multiply(y, y), y), size), F.multiply(F.multiply(y, y), 3)
        ),
    )
    y = F.where(F.logical_and(F.isfinite(y), F.not_equal(size, 0)), y, size)
    return F.copysign(F.where(tiny, F.multiply(y, 2.0**-20), y), x)


def _copysign(x, y):
    return F.where(F.not_equal(F.signbit(x), F.signbit(y)), F.negative(x), x)


def _fmax(x, y):
    return F.where(F.isnan(y), x, F.where(F.isnan(x), y, F.maximum(x, y)))


def _fmin(x, y):
    return F.where(F.isnan(y), x, F.where(F.isnan(x), y, F.minimum(x, y)))


def _hypot(x, y):
    # Scaled by the larger one, so that squares neither overflow nor vanish.
    x, y = F.absolute(x), F.absolute(y)
    big, small = _fmax(x, y), _fmin(x, y)
    ratio = F.divide(small, F.where(F.equal(big, 0), F.fill(big, 1), big))
    length = F.multiply(big, F.sqrt(F.add(F.multiply(ratio, ratio), 1)))
    length = F.where(F.logical_or(F.isnan(x), F.isnan(y)), F.add(x, y), length)
    return F.where(F.isinf(big), big, length)


def _heaviside(x, half):
    one, zero = F.fill(x, 1), F.fill(x, 0)
    step = F.where(F.less(x, 0), zero, F.where(F.equal(x, 0), half, one))
    return F.where(F.isnan(x), x, step)


def _lcm(x, y):
    # NumPy multiplies the absolute values as unsigned numbers, which has its own way to overflow.
    unsigned = f"u{x.dtype.itemsize}"
    a, b = F.absolute(x).view(unsigned), F.absolute(y).view(unsigned)
    g = F.gcd(a, b)
    safe = F.where(F.equal(g, 0), F.fill(g, 1), g)
    return F.multiply(F.floor_divide(a, safe), b).view(x.dtype)


# What bit patterns mean: (integer of that size, bits of the significand, bits of the exponent)
_LAYOUTS = {
    "float16": ("i2", 10, 5),
    "bfloat16": ("i2", 7, 8),
    "float32": ("i4", 23, 8),
    "float64": ("i8", 52, 11),
}


def _wide_enough(function):
    """Half floats go by float32, in which all of this is exact, and round once at the end."""

    def decorated(x, *rest):
        if x.dtype.itemsize > 2:
            return function(x, *rest)
        found = function(x.astype("f4"), *rest)
        if isinstance(found, tuple):
            return (found[0].astype(x.dtype), *found[1:])
        return found.astype(x.dtype)

    return decorated


@_wide_enough
def _frexp(x):
    integer, digits, width = _LAYOUTS[x.dtype.name]
    bias, full = 2 ** (width - 1) - 1, 2**width - 1
    # denormals have no exponent of their own: lift them, and take that off again
    denormal = F.less(F.absolute(x), 2.0 ** (1 - bias))
    bits = F.where(denormal, F.multiply(x, 2.0**digits), x).view(integer)
    exponent = F.bitwise_and(F.right_shift(bits, digits), full)
    half = F.bitwise_or(F.bitwise_and(bits, ~(full << digits)), (bias - 1) << digits).view(x.dtype)
    special = F.logical_or(F.equal(x, 0), F.logical_not(F.isfinite(x)))
    found = F.subtract(
        exponent, F.where(denormal, F.fill(bits, bias - 1 + digits), F.fill(bits, bias - 1))
    )
    return F.where(special, x, half), F.where(special, F.fill(bits, 0), found).astype("i4")


@_wide_enough
def _ldexp(x, n):
    # In steps of exact factors, as musl's scalbn: on the way down a step leaves the significand's digits above the
    # denormals, so that only the last product rounds.
    integer, digits, width = _LAYOUTS[x.dtype.name]
    bias = 2 ** (width - 1) - 1
    top, bottom = bias, bias - 1 - digits - 1
    n = F.maximum(F.minimum(n, 4 * bias), -4 * bias).astype(integer)
    for _ in range(2):
        high, low = F.greater(n, top), F.less(n, 1 - bias)
        x = F.where(high, F.multiply(x, 2.0**top), F.where(low, F.multiply(x, 2.0**-bottom), x))
        n = F.where(high, F.subtract(n, top), F.where(low, F.add(n, bottom), n))
    n = F.maximum(F.minimum(n, top), 1 - bias)
    return F.multiply(x, F.left_shift(F.add(n, bias), digits).view(x.dtype))


def _nextafter(x, y):
    # Neighbours of one sign are neighbours as integers; a step away from zero is a larger integer.
    bits = x.view(_LAYOUTS[x.dtype.name][0])
    away = F.equal(F.greater(y, x), F.greater(x, 0))
    step = F.where(away, F.add(bits, 1), F.subtract(bits, 1)).view(x.dtype)
    smallest = F.copysign(F.fill(bits, 1).view(x.dtype), y)
    found = F.where(F.equal(x, 0), smallest, step)
    found = F.where(
        F.equal(x, y), x if x.dtype == "f2" else y, found
    )  # of two zeros NumPy keeps the half's first
    return F.where(F.logical_or(F.isnan(x), F.isnan(y)), F.add(x, y), found)


def _spacing(x):
    infinity = F.fill(x, float("inf"))
    # NumPy measures float16 upwards and the others away from zero, with the sign of the number
    towards = (
        infinity if x.dtype.itemsize == 2 else F.where(F.less(x, 0), F.negative(infinity), infinity)
    )
    found = F.subtract(_nextafter(x, towards), x)
    return F.where(F.isinf(x), F.fill(x, float("nan")), found)


def _bitwise_count(x):
    # Sums of neighbouring groups of 1, 2, 4, ... bits. The masks clear what an arithmetic shift brings in.
    bits = 8 * x.dtype.itemsize
    if x.dtype.kind == "i":
        x = F.absolute(x)
    x = x.view(f"i{x.dtype.itemsize}")

    def mask(width):
        return sum(((1 << width) - 1) << at for at in range(0, bits, 2 * width))

    x = F.subtract(x, F.bitwise_and(F.right_shift(x, 1), mask(1)))
    x = F.add(F.bitwise_and(x, mask(2)), F.bitwise_and(F.right_shift(x, 2), mask(2)))
    x = F.bitwise_and(F.add(x, F.right_shift(x, 4)), mask(4))
    width = 8
    while width < bits:
        x = F.add(x, F.right_shift(x, width))
        width *= 2
    return F.bitwise_and(x, 127).astype("u1")


def _conjugate(x):
    return F.conjugate_complex(x)


def _divmod(x, y):
    return F.floor_divide(x, y), F.remainder(x, y)


def _modf(x):
    whole = F.trunc(x)
    part = F.where(F.isinf(x), F.fill(x, 0), F.subtract(x, whole))
    return F.copysign(part, x), whole


# fmt: off
TABLE = [
    # arithmetic
    Op("add", "aclnnAdd a b 1 o", "aclnnAdds a s 1 o", "aclnnAdds b s 1 o", nin=2, identity=0,
       doc="Sum of two arrays."),
    Op("subtract", "aclnnSub a b 1 o", "aclnnSubs a s 1 o", "aclnnRsubs b s 1 o", nin=2,
       doc="Difference of two arrays.", torch=("sub",)),
    _binary("multiply", "aclnnMul", "Product of two arrays.", "aclnnMuls a s o", "aclnnMuls b s o",
            identity=1, torch=("mul",)),
    _binary("divide", "aclnnDiv", "Quotient of two arrays.", "aclnnDivs a s o", torch=("div",)),
    _binary("floor_divide", "aclnnFloorDivide", "Largest integer not above the quotient.", "aclnnFloorDivides a s o"),
    _binary("remainder", "aclnnRemainderTensorTensor", "Remainder with the sign of the divisor.",
            "aclnnRemainderTensorScalar a s o", "aclnnRemainderScalarTensor s b o"),
    _binary("fmod", "aclnnFmodTensor", "Remainder with the sign of the dividend.", "aclnnFmodScalar a s o"),
    Op("divmod", compose=_divmod, nin=2, nout=2, doc="Floor quotient and remainder."),
    _binary("power", "aclnnPowTensorTensor",
            "First array to the power of the second. Integers to an array of signed integer powers wait for the "
            "device: a negative power is a ValueError, as in NumPy.",
            "aclnnPowTensorScalar a s o", "aclnnPowScalarTensor s b o", domain=(0.1, 3)),
    Op("float_power", "aclnnPowTensorTensor a b o", "aclnnPowTensorScalar a s o", "aclnnPowScalarTensor s b o", nin=2,
       domain=(0.1, 3), doc="First array to the power of the second, in floating point."),
    _unary("negative", "aclnnNeg", "Numerical negative.", torch=("neg",)),
    Op("positive", compose=lambda x: x.copy(order="K"), doc="A copy."),
    _unary("absolute", "aclnnAbs", "Absolute value."),
    _unary("fabs", "aclnnAbs", "Absolute value, of real numbers."),
    _unary("sign", "aclnnSign", "Sign: -1, 0 or 1; z/|z| of complex numbers."),
    _unary("signbit", "aclnnSignbit", "Whether the sign bit is set."),
    Op("copysign", compose=_copysign, nin=2, doc="First array with the signs of the second."),
    Op("square", "aclnnMul a a o", doc="Square."),
    _unary("sqrt", "aclnnSqrt", "Non-negative square root.", domain=(0, 9)),
    Op("cbrt", compose=_cbrt, doc="Cube root."),
    _unary("reciprocal", "aclnnReciprocal", "One divided by the array.", domain=(0.1, 9)),
    _binary("maximum", "aclnnMaximum", "Larger of two values; nan if either is."),
    _binary("minimum", "aclnnMinimum", "Smaller of two values; nan if either is."),
    Op("fmax", compose=_fmax, nin=2, doc="Larger of two values, ignoring nan."),
    Op("fmin", compose=_fmin, nin=2, doc="Smaller of two values, ignoring nan."),
    Op("hypot", compose=_hypot, nin=2, doc="Length of the hypotenuse.", identity=0),
    Op("heaviside", compose=_heaviside, nin=2, doc="Step function; the second array is its value at 0."),
    _binary("gcd", "aclnnGcd", "Greatest common divisor.", identity=0),
    Op("lcm", compose=_lcm, nin=2, doc="Least common multiple."),
    Op("conjugate", compose=_conjugate, other=(REAL + "efdE", _same), doc="Complex conjugate."),
    # exponentials and logarithms
    _unary("exp", "aclnnExp", "Exponential."),
    _unary("exp2", "aclnnExp2", "Two to the power of the array."),
    _unary("expm1", "aclnnExpm1", "exp(x) - 1, exact near 0."),
    _unary("log", "aclnnLog", "Natural logarithm.", domain=(0.01, 9)),
    _unary("log2", "aclnnLog2", "Logarithm to base 2.", domain=(0.01, 9)),
    _unary("log10", "aclnnLog10", "Logarithm to base 10.", domain=(0.01, 9)),
    _unary("log1p", "aclnnLog1p", "log(1 + x), exact near 0.", domain=(-0.9, 9)),
    _binary("logaddexp", "aclnnLogAddExp", "log(exp(x) + exp(y)).", identity=float("-inf")),
    _binary("logaddexp2", "aclnnLogAddExp2", "log2(2**x + 2**y).", identity=float("-inf")),
    # trigonometry
    _unary("sin", "aclnnSin", "Sine of radians."),
    _unary("cos", "aclnnCos", "Cosine of radians."),
    _unary("tan", "aclnnTan", "Tangent of radians.", domain=(-1, 1)),
    _unary("arcsin", "aclnnAsin", "Inverse sine, in radians.", domain=(-1, 1), torch=("asin",)),
    _unary("arccos", "aclnnAcos", "Inverse cosine, in radians.", domain=(-1, 1), torch=("acos",)),
    _unary("arctan", "aclnnAtan", "Inverse tangent, in radians.", torch=("atan",)),
    _binary("arctan2", "aclnnAtan2", "Angle of the point (second, first), in radians.", torch=("atan2",)),
    _unary("sinh", "aclnnSinh", "Hyperbolic sine."),
    _unary("cosh", "aclnnCosh", "Hyperbolic cosine."),
    _unary("tanh", "aclnnTanh", "Hyperbolic tangent."),
    _unary("arcsinh", "aclnnAsinh", "Inverse hyperbolic sine.", torch=("asinh",)),
    _unary("arccosh", "aclnnAcosh", "Inverse hyperbolic cosine.", domain=(1, 9), torch=("acosh",)),
    _unary("arctanh", "aclnnAtanh", "Inverse hyperbolic tangent.", domain=(-0.9, 0.9), torch=("atanh",)),
    Op("deg2rad", compose=lambda x: F.multiply(x, 0.017453292519943295), doc="Degrees to radians."),
    Op("radians", compose=lambda x: F.multiply(x, 0.017453292519943295), doc="Degrees to radians."),
    Op("rad2deg", compose=lambda x: F.multiply(x, 57.29577951308232), doc="Radians to degrees."),
    Op("degrees", compose=lambda x: F.multiply(x, 57.29577951308232), doc="Radians to degrees."),
    # rounding
    _unary("floor", "aclnnFloor", "Largest integer not above.", other=(REAL, _same)),
    _unary("ceil", "aclnnCeil", "Smallest integer not below.", other=(REAL, _same)),
    _unary("trunc", "aclnnTrunc", "Integer towards zero.", other=(REAL, _same)),
    _unary("rint", "aclnnRound", "Nearest integer; halves to the even one.",
           other=(REAL + "FD", lambda x: F.round_complex(x))),
    Op("modf", compose=_modf, nout=2, doc="Fractional and integral part."),
    # what floats are made of
    Op("frexp", compose=_frexp, nout=2, doc="Significand in [0.5, 1) and exponent of 2."),
    Op("ldexp", compose=_ldexp, nin=2, doc="First array times 2 to the power of the second, rounded once."),
    Op("nextafter", compose=_nextafter, nin=2, doc="Next number after the first towards the second."),
    Op("spacing", compose=_spacing, doc="Distance to the next number."),
    # tests
    Op("isnan", "aclnnNeTensor a a o", other=(REAL, _false), doc="Whether nan."),
    _unary("isinf", "aclnnIsInf", "Whether infinite.", other=(REAL, _false)),
    _unary("isfinite", "aclnnIsFinite", "Whether neither infinite nor nan.", other=(REAL, _true)),
    # comparison
    _compare("equal", "aclnnEq", "aclnnEq", "Whether equal."),
    _compare("not_equal", "aclnnNe", "aclnnNe", "Whether different."),
    _compare("less", "aclnnLt", "aclnnGt", "Whether less."),
    _compare("less_equal", "aclnnLe", "aclnnGe", "Whether less or equal."),
    _compare("greater", "aclnnGt", "aclnnLt", "Whether greater."),
    _compare("greater_equal", "aclnnGe", "aclnnLe", "Whether greater or equal."),
    # logic and bits
    _binary("logical_and", "aclnnLogicalAnd", "Whether both are true.", identity=True),
    _binary("logical_or", "aclnnLogicalOr", "Whether either is true.", identity=False),
    _binary("logical_xor", "aclnnLogicalXor", "Whether exactly one is true.", identity=False),
    _unary("logical_not", "aclnnLogicalNot", "Whether false."),
    _binary("bitwise_and", "aclnnBitwiseAndTensor", "Bits set in both.", "aclnnBitwiseAndScalar a s o",
            "aclnnBitwiseAndScalar b s o", identity=-1),
    _binary("bitwise_or", "aclnnBitwiseOrTensor", "Bits set in either.", "aclnnBitwiseOrScalar a s o",
            "aclnnBitwiseOrScalar b s o", identity=0),
    _binary("bitwise_xor", "aclnnBitwiseXorTensor", "Bits set in exactly one.", "aclnnBitwiseXorScalar a s o",
            "aclnnBitwiseXorScalar b s o", identity=0),
    _unary("invert", "aclnnBitwiseNot", "Bits inverted.", torch=("bitwise_not",)),
    _binary("left_shift", "aclnnLeftShift", "Bits shifted to the left."),
    _binary("right_shift", "aclnnRightShift", "Bits shifted to the right."),
    Op("bitwise_count", compose=_bitwise_count, doc="Number of ones in the binary absolute value."),
    # functions NumPy does not have, by torch's names
    _unary("relu", "aclnnRelu", "The larger of x and 0.", same=True),
    _unary("sigmoid", "aclnnSigmoid", "1 / (1 + exp(-x))."),
    Op("gelu", "aclnnGeluV2 a i0 o", doc="x times the normal distribution function of x."),
    _unary("silu", "aclnnSilu", "x * sigmoid(x)."),
    Op("softplus", compose=lambda x: F.launch("aclnnSoftplus", x, 1.0, 20.0),
       doc="log(1 + exp(x)); x itself above 20."),
    Op("leaky_relu", compose=lambda x: F.launch("aclnnLeakyRelu", x, 0.01), doc="x, or 0.01 x where negative."),
    Op("elu", compose=lambda x: F.launch("aclnnElu", x, 1.0, 1.0, 1.0), doc="x, or exp(x) - 1 where negative."),
    _unary("hardswish", "aclnnHardswish", "x * min(max(x + 3, 0), 6) / 6."),
    _unary("mish", "aclnnMish", "x * tanh(softplus(x))."),
    _unary("erf", "aclnnErf", "Error function."),
    _unary("erfc", "aclnnErfc", "1 - erf(x), exact for large x."),
    _unary("erfinv", "aclnnErfinv", "Inverse of the error function.", domain=(-0.99, 0.99)),
    _unary("rsqrt", "aclnnRsqrt", "1 / sqrt(x).", domain=(0.1, 9)),
    _unary("sinc", "aclnnSinc", "sin(pi x) / (pi x), 1 at 0."),
    _unary("digamma", "aclnnDigamma", "Logarithmic derivative of the gamma function.", domain=(0.5, 9)),
    _unary("lgamma", "aclnnLgamma", "Logarithm of the absolute value of the gamma function.", domain=(0.5, 9)),
]
# fmt: on

# Names NumPy gives to the same function a second time.
ALIASES = {
    "true_divide": "divide", "mod": "remainder", "pow": "power", "abs": "absolute", "conj": "conjugate",
    "acos": "arccos", "asin": "arcsin", "atan": "arctan", "atan2": "arctan2", "acosh": "arccosh", "asinh": "arcsinh",
    "atanh": "arctanh", "bitwise_not": "invert", "bitwise_invert": "invert", "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift",
}  # fmt: skip
