"""The C++ tests under ``tests/native``: programs that use the embedded device through the C ABI only.

Each is compiled by its own test, again only when something it is made from has changed.
``PYASC_NATIVE_CONFIG=asan`` (or ``tsan``) runs them with that sanitizer against the library which
``python scripts/native.py --config asan --prefix build/asan`` has built.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "tests" / "native").glob("*.cpp"))
BUILD = ROOT / "build" / "tests-native"
CONFIG = os.environ.get("PYASC_NATIVE_CONFIG", "")
SANITIZERS = {
    "": [],
    "asan": ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"],
    "tsan": ["-fsanitize=thread"],
}
COMPILER = shlex.split(os.environ.get("CXX", "g++"))
SECONDS = 60 if not CONFIG else 300


def library_directory() -> Path:
    """Where ``libpyasc_cann.so`` lies: beside the package, or in ``build/``."""
    spec = importlib.util.find_spec("pyasc")
    package = Path(spec.origin).parent if spec and spec.origin else ROOT / "pyasc"
    candidates = [BUILD.parent / CONFIG / "lib64"] if CONFIG else [package / "cann" / "lib64"]
    candidates.append(BUILD.parent / "lib64")
    for directory in candidates:
        if (directory / "libpyasc_cann.so").exists():
            return directory
    pytest.fail(f"libpyasc_cann.so is not in {candidates}; run python scripts/native.py")


@cache
def headers_digest() -> str:
    """One digest of every header a test can include."""
    digest = hashlib.sha256()
    for base in (ROOT / "include", ROOT / "build" / "include", ROOT / "tests" / "native"):
        for header in sorted(base.rglob("*.h")):
            digest.update(str(header.relative_to(base)).encode() + header.read_bytes())
    return digest.hexdigest()


def compile_test(source: Path, libraries: Path) -> Path | str:
    """The program made from ``source``, or what the compiler said."""
    flags = ["-std=c++17", "-O1", "-g", "-Wall", "-Wextra", *SANITIZERS[CONFIG]]
    flags += [
        f"-I{p}" for p in (ROOT / "include", ROOT / "build" / "include", ROOT / "tests" / "native")
    ]
    link = [f"-L{libraries}", "-lpyasc_cann", f"-Wl,-rpath,{libraries}", "-pthread"]
    key = hashlib.sha256(
        "\0".join([*COMPILER, *flags, *link, headers_digest()]).encode() + source.read_bytes()
    ).hexdigest()
    program = BUILD / f"{source.stem}-{key[:16]}"
    if program.exists():
        return program
    for old in BUILD.glob(f"{source.stem}-*"):
        old.unlink(missing_ok=True)
    partial = program.with_name(f"{program.name}.{os.getpid()}")
    done = subprocess.run(
        [*COMPILER, *flags, str(source), "-o", str(partial), *link], capture_output=True, text=True
    )
    if done.returncode:
        return done.stderr
    partial.replace(program)
    return program


@pytest.fixture(scope="session")
def libraries() -> Path:
    """Where the library to test lies."""
    if not shutil.which(COMPILER[0]):
        pytest.skip(f"no C++ compiler: {COMPILER[0]}")
    BUILD.mkdir(parents=True, exist_ok=True)
    return library_directory()


@pytest.mark.parametrize("source", SOURCES, ids=lambda s: s.stem)
def test_native_program_succeeds(source: Path, libraries: Path) -> None:
    """The program ends with 0, which is the number of its failures."""
    program = compile_test(source, libraries)
    if isinstance(program, str):
        pytest.fail(f"{source.name} does not compile:\n{program}", pytrace=False)
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYASC_", "ASCEND_")) or name == "PYASC_NATIVE_CONFIG"
    }
    try:
        done = subprocess.run(
            [str(program)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=SECONDS,
            env=environment,
        )
    except subprocess.TimeoutExpired as late:
        text = (late.stdout or b"").decode(errors="replace")
        pytest.fail(f"{source.name} still ran after {SECONDS} s:\n{text[-8000:]}", pytrace=False)
    if done.returncode:
        pytest.fail(
            f"{source.name} ended with {done.returncode}:\n{done.stdout[-8000:]}", pytrace=False
        )
