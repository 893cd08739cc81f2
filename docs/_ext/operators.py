"""Sphinx extension: writes docs/operators/ before the pages are read.

`index.md` comes from `pyasc/table.py` and `include/aclnnop/operators.tsv`, without importing pyasc;
`reference.md` lists the public names with the first sentence of their documentation, `coverage.md` NumPy's names and
how pyasc has them, `routes.md` what each function runs as on a chip.
"""

import importlib
import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OUTPUT = ROOT / "docs" / "operators"
DTYPES = {
    "b1": "bool", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "u1": "uint8", "u2": "uint16",
    "u4": "uint32", "u8": "uint64", "f2": "float16", "f4": "float32", "f8": "float64", "bf": "bfloat16",
    "c8": "complex64", "c16": "complex128",
}  # fmt: skip

HEAD = """# Operators

Written from `pyasc/table.py`, which the call path, the ufunc protocol and the tests read too.
*Runs as* names the CANN operators: for two arrays, and for an array and a scalar where CANN has an
operator for that; "composed" means that the operator is a short formula of others. *On a 910B* are
the dtypes that the first of them takes on an Ascend 910B, as far as CANN's documentation says. The
embedded device takes every dtype. *ULP* is the largest error against the
correctly rounded value that the tests allow.

| Operator | What it is | Runs as | On a 910B | ULP |
|---|---|---|---|---|
"""


def load_table():
    """Load pyasc/table.py by itself: it imports nothing of pyasc, so nothing has to be built."""
    spec = importlib.util.spec_from_file_location("pyasc_table", ROOT / "pyasc" / "table.py")
    table = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(table)
    return table


def dtypes_910b():
    """Return {aclnn function: dtype names of its first tensor on Ascend 910B}, where known."""
    sys.path.insert(0, str(ROOT / "scripts"))
    import headers

    known = {}
    for operator in headers.read(headers.TABLE):
        tensors = [a.name for a in operator.arguments if "aclTensor" in a.type]
        codes = operator.dtypes.get(tensors[0]) if tensors else None
        if "no-a2" in operator.flags:
            known[operator.name] = []
        elif codes:
            known[operator.name] = [DTYPES[c] for c in codes if c in DTYPES]
    return known


def operator_line(row, aliases, known):
    """Return a row's line of the page."""
    calls = [call.split()[0] for call in (row.call, row.right, row.left) if call]
    calls = list(dict.fromkeys(calls))
    names = [f"`{n}`" for n in (row.name, *aliases, *row.torch)]
    takes = known.get(calls[0]) if calls else None
    doc = row.doc.replace("|", r"\|")
    where = "its parts decide" if not calls else "not stated" if takes is None else ", ".join(takes)
    runs = ", ".join(f"`{c}`" for c in calls) or "composed"
    return f"| {', '.join(dict.fromkeys(names))} | {doc} | {runs} | {where or 'absent'} | {row.ulp:g} |\n"


def operators_page():
    """Return the text of index.md."""
    table = load_table()
    known = dtypes_910b()
    lines = []
    for row in table.TABLE:
        aliases = [alias for alias, name in table.ALIASES.items() if name == row.name]
        lines.append(operator_line(row, aliases, known))
    return HEAD + "".join(lines)


def summary(value):
    """Return the first paragraph of a docstring on one line."""
    text = (value.__doc__ or "").strip().split("\n\n")[0]
    return " ".join(text.split()).replace("|", r"\|").replace("``", "`")


def reference_page():
    """Return the text of reference.md."""
    pyasc = importlib.import_module("pyasc")
    groups = {"Classes": [], "Operators": [], "Functions": []}
    for name in sorted(n for n in dir(pyasc) if not n.startswith("_")):
        value = getattr(pyasc, name)
        home = getattr(value, "__module__", None) or type(value).__module__
        if not home.startswith("pyasc"):
            continue
        kind = (
            "Operators"
            if isinstance(value, pyasc.ufunc)
            else "Classes"
            if isinstance(value, type)
            else "Functions"
        )
        if callable(value):
            groups[kind].append(f"| `{name}` | {summary(value)} |\n")
    parts = [
        "# Reference\n\nEvery public name, with the first sentence of its documentation; `help(name)` has the rest.\n"
    ]
    for title, lines in groups.items():
        parts.append(f"\n## {title}\n\n| Name | What it is |\n|---|---|\n" + "".join(lines))
    return "".join(parts)


COVERAGE_HEAD = """# NumPy's names

Every public name of NumPy {version} and how pyasc has it. *device*: an implementation of pyasc's own. *host*: the
function runs on copies of the arrays on the host, if `pyasc.config.host_path` allows it. *numpy*: the same object as
NumPy's, for names that say nothing about where elements are. Names that are left out have their reason. A function has
NumPy's signature, with `device=` where arrays are made.

{counts}

| Name | How |
|---|---|
"""


def coverage_page():
    """Return the text of coverage.md."""
    pyasc = importlib.import_module("pyasc")
    namespace = importlib.import_module("pyasc._namespace")
    lines, counts = [], {}
    for name in sorted(namespace.public_names()):
        how = namespace.how(name, vars(pyasc)) or "missing"
        kind = how if how in ("device", "host", "numpy", "missing") else "left out"
        counts[kind] = counts.get(kind, 0) + 1
        lines.append(f"| `{name}` | {how if kind != 'left out' else 'left out: ' + how} |\n")
    version = importlib.import_module("numpy").__version__
    text = ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items()))
    return COVERAGE_HEAD.format(version=version, counts=f"{len(lines)} names: {text}.") + "".join(
        lines
    )


ROUTES_HEAD = """# Routes

What each function runs as on an Ascend 910B, by the dtype of its arrays. It is not measured there: each call was run
on a few elements on the embedded device while every operator's dtypes were held against what CANN's documentation says
the chip takes (`pyasc.routes(name, dtype)`; `make test-strict` runs the tests on a device that refuses the rest).

- *n*, native: operators as they are, or no operator at all (a view).
- *c*, cast: in another dtype, with the same result.
- *m*, composed: of several operators.
- *h*, host: by NumPy on copies, counted as a transfer, as `pyasc.config.host_path` allows.
- –: refused for this dtype, mostly by NumPy too, or no arrays are computed.

On the embedded device every dtype is native for every operator; functions are made of the same operators there, and of
those beside CANN's (`include/pyasc_ext.tsv`).

{share}

| Function | {dtypes} |
|---|{rule}|
"""
ROUTE_DTYPES = (
    "bool int8 int32 int64 uint8 uint32 uint64 float16 bfloat16 float32 float64 complex64".split()
)
LETTERS = {"native": "n", "cast": "c", "composed": "m", "host": "h", "none": "–"}


def routed_names(pyasc):
    """Return the functions of NumPy's that compute arrays: ufuncs and functions of the top level, linalg."""
    namespace = importlib.import_module("pyasc._namespace")
    numpy = importlib.import_module("numpy")
    names = [
        n
        for n in namespace.public_names()
        if hasattr(pyasc, n)
        and (
            isinstance(getattr(numpy, n), numpy.ufunc)
            or namespace.is_array_function(getattr(numpy, n))
        )
    ]
    linalg = [f"linalg.{n}" for n in numpy.linalg.__all__ if n != "LinAlgError"]
    return sorted(names) + linalg


def routes_page():
    """Return the text of routes.md."""
    pyasc = importlib.import_module("pyasc")
    ml_dtypes = importlib.import_module("ml_dtypes")
    lines, counts = [], {}
    for name in routed_names(pyasc):
        letters = []
        for text in ROUTE_DTYPES:
            dtype = ml_dtypes.bfloat16 if text == "bfloat16" else text
            route = pyasc.routes(name, dtype).route
            letters.append(LETTERS[route])
            counts.setdefault(text, []).append(route)
        if set(letters) != {"–"}:
            lines.append(f"| `{name}` | {' | '.join(letters)} |\n")
    shares = []
    for text in ("float32", "int32", "int64", "bool"):
        known = [r for r in counts[text] if r != "none"]
        share = 100 * sum(r != "host" for r in known) / len(known)
        shares.append(f"{share:.1f} % of {len(known)} for {text}")
    head = ROUTES_HEAD.format(
        share=f"Without the host run: {', '.join(shares)}.",
        dtypes=" | ".join(ROUTE_DTYPES),
        rule="|".join(["---"] * len(ROUTE_DTYPES)),
    )
    return head + "".join(lines)


def write(app=None):
    """Write the pages, only where their text has changed."""
    OUTPUT.mkdir(exist_ok=True)
    pages = {
        "index.md": operators_page,
        "reference.md": reference_page,
        "coverage.md": coverage_page,
        "routes.md": routes_page,
    }
    for name, page in pages.items():
        text = page()
        path = OUTPUT / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app):
    """Register with Sphinx."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
