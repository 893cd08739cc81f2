"""Print what pyproject.toml asks for: `requirements.py build`, or the name of an extra, one requirement a line."""

from __future__ import annotations

import sys
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10, where pip always carries it
    from pip._vendor import tomli as tomllib

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def requirements(group: str) -> list[str]:
    """Return the requirements of a group: "build", "run", or an extra."""
    table = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    groups = {
        "build": table["build-system"]["requires"],
        "run": table["project"]["dependencies"],
        **table["project"]["optional-dependencies"],
    }
    if group not in groups:
        raise SystemExit(f"no group {group!r}: there are {', '.join(groups)}")
    return groups[group]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print("\n".join(requirements(name)))
