"""Hold files to a size that can be read: prints the ten longest, fails above 800 lines, warns above 600 of C++."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("pyasc", "include", "scripts", "tests", "docs", "asv_benchmarks")
CPP = {".h", ".cpp", ".c"}
KINDS = CPP | {".py", ".pyi", ".pyx", ".pxd", ".md", ".sh"}
GENERATED = ("pyasc/cann/", "docs/operators/", "docs/_build/")  # written by the build
LIMIT = 800
CPP_LIMIT = 600


def lengths() -> list[tuple[int, str]]:
    """Return (lines, path) of every source, longest first."""
    paths = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*") if p.suffix in KINDS]
    paths += [p for p in ROOT.iterdir() if p.suffix in KINDS]
    found = []
    for path in paths:
        name = path.relative_to(ROOT).as_posix()
        if path.is_file() and not name.startswith(GENERATED):
            found.append((len(path.read_text(encoding="utf-8").splitlines()), name))
    return sorted(found, reverse=True)


def main() -> int:
    """Command line."""
    found = lengths()
    print(f"{sum(n for n, _ in found)} lines in {len(found)} files; the longest:")
    for lines, name in found[:10]:
        print(f"{lines:6} {name}")
    for lines, name in found:
        if CPP_LIMIT < lines <= LIMIT and Path(name).suffix in CPP:
            print(f"warning: {name} has {lines} lines; split it before it reaches {LIMIT}")
    long = [f"{name} has {lines} lines" for lines, name in found if lines > LIMIT]
    for text in long:
        print(f"error: {text}; the limit is {LIMIT}", file=sys.stderr)
    return bool(long)


if __name__ == "__main__":
    raise SystemExit(main())
