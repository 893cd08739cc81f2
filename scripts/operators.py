"""Rewrite include/aclnnop/operators.tsv, the table of operators, from the facts about CANN's ABI.

    python scripts/operators.py --facts DIR                    # refresh the rows that are there
    python scripts/operators.py --facts DIR --add aclnnFoo ... # and take up more operators

The table is its own list: an operator is in it because pyasc calls it or the embedded device
implements it. An operator that the facts do not have cannot be added.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

TABLE = Path(__file__).resolve().parent.parent / "include" / "aclnnop" / "operators.tsv"

HEADING = """\
# One operator a line, columns parted by tabs: name, header, first release of CANN,
# arguments of phase 1 (without workspaceSize and executor),
# dtypes that each argument takes on Ascend 910B ("-": not known),
# dtypes that have a fast AI Core kernel there, by kernel ("8.1": as registered in CANN 8.1), flags.
# dtypes: b1 bool, i1 i2 i4 i8 and u1 u2 u4 u8 integers by bytes, f2 f4 f8 floats, bf bfloat16,
#   c4 c8 c16 complex, i0 int4, and by name what only quantised operators take.
# flags: deterministic; switchable (deterministic when the option asks for it); broadcast;
#   strided (views as arguments); no-a2 (not on the 910B); unstated-a2 (not known whether it is).
"""

DTYPES = {
    "BOOL": "b1",
    "INT8": "i1",
    "INT16": "i2",
    "INT32": "i4",
    "INT64": "i8",
    "UINT8": "u1",
    "UINT16": "u2",
    "UINT32": "u4",
    "UINT64": "u8",
    "FLOAT16": "f2",
    "FLOAT": "f4",
    "DOUBLE": "f8",
    "BFLOAT16": "bf",
    "COMPLEX32": "c4",
    "COMPLEX64": "c8",
    "COMPLEX128": "c16",
    "INT4": "i0",
}

# Arguments whose documentation has another name for them than their header.
SPELLINGS = {
    ("aclnnConvTbc", "out"): "output",
    ("aclnnMaxN", "self"): "tensors",
    ("aclnnScaledMaskedSoftmax", "fixTriuMask"): "fixedTriuMask",
}


def dtype_codes(names: list[str]) -> str:
    """Return dtypes as codes, in one fixed order."""
    order = list(DTYPES)
    known = sorted((n for n in set(names) if n in DTYPES), key=order.index)
    other = sorted(n.lower() for n in set(names) if n not in DTYPES)
    return " ".join([DTYPES[n] for n in known] + other)


def argument_type(text: str) -> str:
    """Return a C type in one spelling: `const aclTensor*`. One fact has lost a first letter."""
    text = re.sub(r"\s*\*\s*", "*", text.strip())
    return "c" + text if text.startswith("onst ") else text


def usable(fact: dict) -> bool:
    """Whether the facts know both phases in their usual form, and the header."""
    return bool(fact.get("header") and fact.get("execute") and len(fact["execute"]) == 4)


def group_by_dtypes(name: str, fact: dict) -> str:
    """Return what dtypes the arguments take; what is said of none of them is left out."""
    arguments = {n.casefold(): n for _, n in fact["get_workspace"]}
    groups: dict[str, list[str]] = {}
    for documented, names in (fact.get("dtypes") or {}).items():
        argument = arguments.get(SPELLINGS.get((name, documented), documented).casefold())
        if names and argument:
            groups.setdefault(dtype_codes(names), []).append(argument)
    return "; ".join(f"{','.join(group)}: {codes}" for codes, group in groups.items())


def fast_dtypes(name: str, fact: dict, registry: dict) -> str:
    """Return what has an AI Core kernel: by its source, else by the registry of CANN 8.1."""
    found = {k: v["aicore"] for k, v in (fact.get("kernels") or {}).items() if v.get("aicore")}
    if not found:
        spelling = {"float": "FLOAT", "bfloat16": "BFLOAT16"}
        kernel = registry.get(name.removeprefix("aclnn").removeprefix("Inplace")) or {}
        first = next((names for slot, names in kernel.items() if slot.startswith("in:")), [])
        if first:
            found = {"8.1": [spelling.get(n, n.upper().replace("FLOAT32", "FLOAT")) for n in first]}
    return "; ".join(f"{kernel}: {dtype_codes(names)}" for kernel, names in found.items()) or "-"


def flags(fact: dict) -> str:
    determinism = fact.get("determinism") or ""
    supported = fact.get("a2_supported")
    marks = {
        "deterministic": determinism == "deterministic",
        "switchable": "switchable" in determinism,
        "broadcast": fact.get("broadcast") is True,
        "strided": fact.get("noncontiguous") is True,
        "unstated-a2": supported is None,
        "no-a2": supported is False,
    }
    return " ".join(mark for mark, on in marks.items() if on) or "-"


def row(name: str, fact: dict, registry: dict) -> str:
    arguments = ", ".join(f"{argument_type(t)} {n}" for t, n in fact["get_workspace"][:-2])
    since = "8.1" if fact["in_cann_8_1_rc1"] else "8.5"
    dtypes = group_by_dtypes(name, fact) or "-"
    fast = fast_dtypes(name, fact, registry)
    return "\t".join([name, fact["header"], since, arguments, dtypes, fast, flags(fact)])


def names_in(table: str) -> list[str]:
    return [
        line.split("\t", 1)[0] for line in table.splitlines() if line and not line.startswith("#")
    ]


def render(facts: Path, names: list[str]) -> str:
    """Return the table's text for `names`; raise KeyError for one that the facts do not have."""
    operators = json.loads((facts / "aclnn.json").read_text())
    registry = json.loads((facts / "kernels_910b_8_1.json").read_text())["aicore"]
    for name in names:
        if name not in operators:
            raise KeyError(
                f"{name} is not an operator of CANN as far as {facts / 'aclnn.json'} knows"
            )
        if not usable(operators[name]):
            raise KeyError(
                f"{name}: the facts lack its header or its second phase, so it cannot be declared"
            )
    return HEADING + "".join(row(n, operators[n], registry) + "\n" for n in sorted(set(names)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--facts", type=Path, required=True, help="directory with aclnn.json")
    parser.add_argument("--add", nargs="*", default=[], metavar="NAME", help="operators to take up")
    parser.add_argument("--remove", nargs="*", default=[], metavar="NAME", help="operators to drop")
    options = parser.parse_args()
    names = names_in(TABLE.read_text()) if TABLE.exists() else []
    names = [n for n in [*names, *options.add] if n not in options.remove]
    text = render(options.facts, names)
    TABLE.write_text(text)
    print(f"{TABLE}: {len(names_in(text))} operators")


if __name__ == "__main__":
    main()
