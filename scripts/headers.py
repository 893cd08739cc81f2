"""Write the operator headers: CANN's (`aclnnop/aclnn_add.h` ...) from include/aclnnop/operators.tsv, and those of
operators beside CANN's (`pyasc_ext/linalg_solve.h` ...) from include/pyasc_ext.tsv.

Beside the headers it writes `pyasc_operators_all.h`, which includes them all, and
`pyasc_operators.inc`, one `OP(name, "letters", types of phase 1...)` a line, for tables of
functions. The letters say how an argument is passed:

    T const aclTensor*       o aclTensor*        S aclScalar*      s char*     d aclDataType
    L const aclTensorList*   O aclTensorList*    l aclScalarList*  b bool      p anything else
    I aclIntArray*           F aclFloatArray*    B aclBoolArray*   i integer   f double or float
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "include" / "aclnnop" / "operators.tsv"
EXTENSIONS = ROOT / "include" / "pyasc_ext.tsv"

LETTERS = {
    "const aclTensor*": "T",
    "aclTensor*": "o",
    "const aclTensorList*": "L",
    "aclTensorList*": "O",
    "aclScalar*": "S",
    "aclScalarList*": "l",
    "aclIntArray*": "I",
    "aclFloatArray*": "F",
    "aclBoolArray*": "B",
    "char*": "s",
    "bool": "b",
    "double": "f",
    "float": "f",
    "aclDataType": "d",
    "int": "i",
    "int8_t": "i",
    "int32_t": "i",
    "int64_t": "i",
    "uint32_t": "i",
    "uint64_t": "i",
}


class Argument(NamedTuple):
    """One argument of phase 1: its C type as CANN writes it, and its name."""

    type: str
    name: str

    @property
    def plain_type(self) -> str:
        """The type without a `const` that only concerns the callee."""
        return self.type if self.type.endswith("*") else self.type.removeprefix("const ")

    @property
    def letter(self) -> str:
        plain = self.plain_type
        return LETTERS.get(plain) or LETTERS.get(plain.removeprefix("const "), "p")


class Operator(NamedTuple):
    """A line of operators.tsv."""

    name: str
    header: str
    since: str
    arguments: list[Argument]
    dtypes: dict[
        str, list[str]
    ]  # argument -> dtype codes on Ascend 910B; empty where the facts say nothing
    fast: dict[str, list[str]]  # kernel -> dtype codes that have it on the AI Core
    flags: set[str]


def _groups(text: str) -> dict[str, list[str]]:
    groups = {}
    for group in [] if text == "-" else text.split("; "):
        names, codes = group.split(": ")
        groups.update({name: codes.split() for name in names.split(",")})
    return groups


def parse(line: str) -> Operator:
    name, header, since, arguments, dtypes, fast, flags = line.rstrip("\n").split("\t")
    pairs = [Argument(*a.rsplit(" ", 1)) for a in arguments.split(", ") if a]
    return Operator(
        name, header, since, pairs, _groups(dtypes), _groups(fast), set(flags.split()) - {"-"}
    )


def read(table: Path = TABLE) -> list[Operator]:
    """Return the operators of the table, in its order."""
    lines = table.read_text(encoding="utf-8").splitlines()
    return [parse(line) for line in lines if line and not line.startswith("#")]


def _wrap(head: str, parts: list[str], tail: str, width: int = 120) -> str:
    """Put the parts of a declaration behind `head`, in lines of at most `width`."""
    text = head
    column = len(head)
    for i, part in enumerate(parts):
        piece = part + (tail if i == len(parts) - 1 else ",")
        if i and column + 1 + len(piece) > width:
            text += "\n    " + piece
            column = 4 + len(piece)
        else:
            text += (" " if i else "") + piece
            column += bool(i) + len(piece)
    return text


def declarations(operator: Operator) -> str:
    phase1 = [f"{a.type} {a.name}" for a in operator.arguments]
    phase1 += ["uint64_t* workspaceSize", "aclOpExecutor** executor"]
    phase2 = [
        "void* workspace",
        "uint64_t workspaceSize",
        "aclOpExecutor* executor",
        "aclrtStream stream",
    ]
    note = "" if operator.since in ("8.1", "-") else f"// Since CANN {operator.since}.\n"
    return (
        note
        + _wrap(f"aclnnStatus {operator.name}GetWorkspaceSize(", phase1, ");")
        + "\n"
        + _wrap(f"aclnnStatus {operator.name}(", phase2, ");")
    )


def header_text(path: str, operators: list[Operator]) -> str:
    """The text of a header, `path` being what programs include."""
    source = EXTENSIONS if path.startswith("pyasc_ext/") else TABLE
    guard = "PYASC_" + re.sub(r"\W", "_", path.removeprefix("pyasc_")).upper()
    body = "\n\n".join(declarations(o) for o in operators)
    return f"""\
// Written by scripts/headers.py from {source.relative_to(ROOT)}.
#ifndef {guard}
#define {guard}

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {{
#endif

{body}

#ifdef __cplusplus
}}
#endif

#endif
"""


def op_line(operator: Operator) -> str:
    letters = "".join(a.letter for a in operator.arguments)
    types = "".join(f", {a.plain_type}" for a in operator.arguments)
    return f'OP({operator.name}, "{letters}"{types})\n'


def _write_if_changed(path: Path, text: str) -> bool:
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return True


def write(output_dir: Path | str, table: Path = TABLE, extensions: Path = EXTENSIONS) -> int:
    """Write everything below `output_dir`, drop stale headers, return how many files changed."""
    output = Path(output_dir)
    by_header: dict[str, list[Operator]] = {}
    for folder, source in (("aclnnop", table), ("pyasc_ext", extensions)):
        for operator in read(source):
            by_header.setdefault(f"{folder}/{operator.header}", []).append(operator)
    files = {output / path: header_text(path, group) for path, group in by_header.items()}
    files[output / "pyasc_operators_all.h"] = (
        "// Written by scripts/headers.py: every operator header.\n#pragma once\n\n"
        + "".join(f'#include "{path}"\n' for path in sorted(by_header))
    )
    files[output / "pyasc_operators.inc"] = (
        "// Written by scripts/headers.py: OP(name, letters, types of phase 1 but the last two).\n"
        + "".join(op_line(o) for o in [*read(table), *read(extensions)])
    )
    headers = [*output.glob("aclnnop/*.h"), *output.glob("pyasc_ext/*.h")]
    for stale in set(headers) - set(files):
        stale.unlink()
    return sum(_write_if_changed(path, text) for path, text in files.items())


def main() -> None:
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "include"
    print(f"{output}: {write(output)} files changed")


if __name__ == "__main__":
    main()
