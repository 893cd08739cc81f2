"""Copy the sources to another folder, so that a build of another kind leaves this one's alone.

`mirror.py build/asan` copies what has changed, and removes what is gone; what was built there stays.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMES = (
    "asv_benchmarks", "docs", "include", "pyasc", "scripts", "tests",
    "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "MANIFEST.in", "NOTICE",
    "README.md", "README.zh-CN.md", "pyproject.toml", "setup.py", ".clang-format", ".ci",
)  # fmt: skip
BUILT = {".so", ".pyc", ".o", ".partial"}
BUILT_FOLDERS = {"__pycache__", "cann", "_build", "operators"}


def sources(root: Path) -> set[str]:
    """Return the files below ``root`` that are not written by a build."""
    found = set()
    for name in NAMES:
        top = root / name
        for path in [top] if top.is_file() else top.rglob("*"):
            inside = path.relative_to(root)
            if (
                path.is_file()
                and path.suffix not in BUILT
                and not BUILT_FOLDERS & set(inside.parts)
            ):
                found.add(inside.as_posix())
    return found


def mirror(target: Path) -> None:
    """Make the sources below ``target`` those of this checkout."""
    wanted = sources(ROOT)
    for name in sources(target) - wanted:
        (target / name).unlink()
    for name in wanted:
        source, copy = ROOT / name, target / name
        if not copy.exists() or copy.stat().st_mtime != source.stat().st_mtime:
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: mirror.py FOLDER")
    mirror(Path(sys.argv[1]).resolve())
