"""Write the table of strict mode from include/aclnnop/operators.tsv: what the Ascend 910B takes.

`pyasc_strict.inc` has one `ROW(operator, argument, dtypes)` for each argument whose dtypes are
known and one `ABSENT(operator)` for each operator the chip does not have, sorted by operator.
The operators of include/pyasc_ext.tsv are no chip's.
"""

from __future__ import annotations

import sys
from pathlib import Path

import headers

# The dtypes the embedded device computes on; a tensor of any other is refused before this table is asked.
COMPUTED = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 bf f4 f8 c8 c16".split()


def rows(operator: headers.Operator) -> list[str]:
    if "no-a2" in operator.flags:
        return [f"ABSENT({operator.name})"]
    names = [a.name for a in operator.arguments if a.name in operator.dtypes]
    known = {name: [c for c in COMPUTED if c in operator.dtypes[name]] for name in names}
    return [f"ROW({operator.name}, {name}, {' | '.join(c) or 0})" for name, c in known.items()]


def write(output_dir: Path | str, table: Path = headers.TABLE) -> bool:
    """Write pyasc_strict.inc below `output_dir`; return whether it changed."""
    operators = sorted(headers.read(table), key=lambda o: o.name)
    lines = [line for operator in operators for line in rows(operator)]
    extensions = sorted(o.name for o in headers.read(headers.EXTENSIONS))
    lines += [f"ABSENT({name})" for name in extensions]  # "pyasc" sorts behind "acl"
    text = "// Written by scripts/strict.py from include/aclnnop/operators.tsv.\n"
    text += "".join(line + "\n" for line in lines)
    path = Path(output_dir) / "pyasc_strict.inc"
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return True


def main() -> None:
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else headers.ROOT / "build" / "include"
    print(f"{output}: {'changed' if write(output) else 'up to date'}")


if __name__ == "__main__":
    main()
