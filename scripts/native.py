"""Build the embedded device: libpyasc_cann.so, the libraries with CANN's names, and the prefix around them.

Compiles every ``pyasc/embedded/*/*.cpp`` to an object of its own in a thread pool, again only if it or a header it
includes has changed; ``*.isa.cpp`` once per instruction set. ``python scripts/native.py --help`` shows the switches.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "pyasc" / "embedded"
BUILD = ROOT / "build"
GENERATED = BUILD / "include"

# What each named library of CANN holds; the first pattern that matches a symbol decides.
LIBRARIES = {
    "libhccl.so": r"Hccl\w+",
    "libnnopbase.so": r"aclnn(Init|Finalize)|[aA]cl(Create|Destroy|Get|Set|Init)\w*"
    r"(Tensor|TensorList|Scalar|ScalarList|IntArray|FloatArray|BoolArray|AclOpExecutor|ListSize|ArraySize"
    r"|ViewShape|ViewStrides|ViewOffset|StorageShape|Format|DataType|TensorAddr|Repeatable)|aclDumpOpTensors",
    "libopapi.so": r"acl(nn|Rfft|Stft)\w+",
    "libascendcl.so": r"acl\w+",
    "libacl_op_compiler.so": r"aclop(Compile|Set)\w*",
    "libge_runner.so": r"Ge\w+",
    "libgraph.so": r"aclGraph\w+",
    "libacl_tdt_channel.so": r"acltdt\w+",
}

COMMON = [
    "-std=c++17",
    "-fPIC",
    "-Wall",
    "-Wextra",
    "-Wno-missing-field-initializers",
    "-Wno-psabi",
]
ARITHMETIC = ["-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math"]
# Dense and strided rows are loops of their own in the sources: copies the compiler would make of them are time lost.
KERNEL = ["-O3", "-fno-version-loops-for-strides"]
# The oldest instruction set is there so that the library runs anywhere; half the time to compile it is worth more.
FLOOR = ["-O2"]
# Headers that most sources include, parsed once per set of flags; none of ours, so never out of date.
PRECOMPILED = "".join(
    f"#include <{name}>\n"
    for name in (
        "algorithm", "atomic", "cmath", "condition_variable", "cstdint", "cstdio", "cstdlib", "cstring", "limits",
        "map", "memory", "mutex", "new", "string", "thread", "type_traits", "vector",
    )
) + "#ifdef __AVX2__\n#include <immintrin.h>\n#endif\n"  # fmt: skip
SANITIZERS = {
    "release": [],
    "asan": [
        "-g1",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=undefined",
        "-fno-omit-frame-pointer",
    ],
    "tsan": ["-g1", "-fsanitize=thread", "-fno-omit-frame-pointer"],
}


def instruction_sets() -> dict[str, list[str]]:
    """Instruction sets to build, worst first; PYASC_ISAS=all also builds those this machine cannot run."""
    target = os.environ.get("PYASC_TARGET", platform.machine())
    if target not in ("x86_64", "AMD64"):
        return {"base": []}
    sets = {"v2": ["-march=x86-64-v2"], "v3": ["-march=x86-64-v3"]}
    cpu = Path("/proc/cpuinfo")
    flags = set(re.findall(r"\bavx512(?:f|bw|dq|vl|cd)\b", cpu.read_text() if cpu.exists() else ""))
    if os.environ.get("PYASC_ISAS") == "all" or len(flags) == 5:
        sets["v4"] = ["-march=x86-64-v4", "-mprefer-vector-width=512"]
    return sets


def write_generated() -> None:
    """Operator headers and tables from operators.tsv."""
    sys.path.insert(0, str(ROOT / "scripts"))
    import headers
    import strict

    headers.write(GENERATED)
    strict.write(GENERATED)


class Builder:
    """Objects and libraries of one configuration (release, asan, tsan)."""

    def __init__(self, config: str = "release") -> None:
        self.compiler = shlex.split(os.environ.get("CXX", "g++"))
        target = os.environ.get("PYASC_TARGET")
        self.directory = BUILD / "native" / (f"{config}-{target}" if target else config)
        self.isas = instruction_sets()
        self.flags = [
            *COMMON,
            # thread-local variables of a library that is opened late cost a call otherwise
            *(["-mtls-dialect=gnu2"] if "base" not in self.isas and config == "release" else []),
            *SANITIZERS[config],
            *(f"-I{p}" for p in (ROOT / "include", GENERATED, SOURCES)),
            *(["-DPYASC_WITH_V4"] if "v4" in self.isas else []),
            *shlex.split(os.environ.get("CXXFLAGS", "")),
        ]
        self.optimise = ["-O1"] if config != "release" else []
        self.link_flags = SANITIZERS[config]
        self.syntax_only = False

    def units(self, words: list[str] | None = None) -> list[tuple[Path, Path, list[str]]]:
        """(source, object, flags) of everything to compile; only sources that contain one of ``words``."""
        found = []
        for source in sorted(SOURCES.glob("*/*.cpp")):
            name = str(source.relative_to(SOURCES))
            if words and not any(w in name for w in words):
                continue
            stem = self.directory / name.replace("/", ".").removesuffix(".cpp")
            if not source.name.endswith(".isa.cpp"):
                # what calls LAPACK spends its time there
                plain = source.parent.name != "kernels" or source.name.startswith("blas_")
                optimise = ["-O2"] if plain else [*KERNEL, *ARITHMETIC]
                found.append(
                    (source, stem.with_name(stem.name + ".o"), [*optimise, *self.optimise])
                )
                continue
            for isa, flags in self.isas.items():
                target = stem.with_name(f"{stem.name}.{isa}.o")
                optimise = [*(FLOOR if isa == "v2" else KERNEL), *ARITHMETIC]
                found.append(
                    (source, target, [*optimise, *flags, f"-DPYASC_ISA={isa}", *self.optimise])
                )
        return found

    def shared_header(self, flags: list[str]) -> Path:
        """A header of C++'s own headers, to be precompiled for these flags."""
        key = zlib.crc32(shlex.join([*self.compiler, *self.flags, *flags]).encode())
        return self.directory / f"standard.{key:08x}.h"

    def _precompile(self, flags: list[str]) -> str | None:
        header = self.shared_header(flags)
        with open(header.with_suffix(".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            _write(header, PRECOMPILED)
            made = header.with_name(header.name + ".gch")
            if made.exists():
                return None
            # written beside and renamed: a build that was cut leaves no half of one
            partial = made.with_suffix(".partial")
            command = [*self.compiler, *self.flags, *flags, "-x", "c++-header", str(header)]
            done = subprocess.run([*command, "-o", str(partial)], capture_output=True, text=True)
            if done.returncode:
                return f"{header.name}: the compiler failed\n{done.stderr}"
            partial.replace(made)
        return None

    def compile(self, words: list[str] | None = None) -> list[Path]:
        """Compile what is out of date; raises SystemExit with the compiler's text if something fails."""
        self.directory.mkdir(parents=True, exist_ok=True)
        units = self.units(words)
        # the biggest files first, so that no core waits for a long one at the end
        units.sort(key=lambda u: -u[0].stat().st_size)
        with ThreadPoolExecutor(int(os.environ.get("PYASC_JOBS", os.cpu_count() or 2))) as pool:
            failures = []
            if not self.syntax_only:
                groups = {shlex.join(flags): flags for _, _, flags in units}
                failures = [f for f in pool.map(self._precompile, groups.values()) if f]
            failures = failures or [f for f in pool.map(self._compile_one, units) if f]
        if failures:
            raise SystemExit("\n".join(failures))
        return [u[1] for u in units]

    def _compile_one(self, unit: tuple[Path, Path, list[str]]) -> str | None:
        # several builds may share the objects: whoever comes second finds them made
        with open(unit[1].with_suffix(".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return self._compile_locked(unit)

    def _compile_locked(self, unit: tuple[Path, Path, list[str]]) -> str | None:
        source, target, flags = unit
        kind = (
            ["-fsyntax-only", "-MF", str(target.with_suffix(".d"))]
            if self.syntax_only
            else ["-include", str(self.shared_header(flags)), "-c"]
        )
        command = [
            *self.compiler,
            *self.flags,
            *flags,
            "-MMD",
            *kind,
            str(source),
            "-o",
            str(target),
        ]
        if _current(target, command[len(self.compiler) :]):
            return None
        print(f"c++ {target.name}", flush=True)
        done = subprocess.run(command, capture_output=True, text=True)
        if done.stderr:
            print(done.stderr, file=sys.stderr, flush=True)
        if done.returncode:
            target.unlink(missing_ok=True)
            return f"{source}: the compiler failed"
        if self.syntax_only:
            target.touch()  # so that it is checked again only after a change
        target.with_suffix(".cmd").write_text(shlex.join(command[len(self.compiler) :]))
        return None

    def build(self, prefix: Path, words: list[str] | None = None) -> None:
        """Everything: the libraries under ``prefix/lib64``, the headers under ``prefix/include``."""
        objects = self.compile(words)
        libraries = prefix / "lib64"
        libraries.mkdir(parents=True, exist_ok=True)
        library = libraries / "libpyasc_cann.so"
        script = BUILD / "native" / "exports.map"
        _write(script, "{ global: acl*; Acl*; Hccl*; pyasc*; local: *; };\n")
        if not library.exists() or any(
            o.stat().st_mtime > library.stat().st_mtime for o in objects
        ):
            print(f"link {library.name}", flush=True)
            self._link(
                library, [*map(str, objects), f"-Wl,--version-script={script}", "-ldl", "-lpthread"]
            )
            self._link_named(library)
        copy_openblas(libraries)
        _copy_headers(prefix / "include")
        _copy(ROOT / "include" / "aclnnop" / "operators.tsv", prefix / "operators.tsv")

    def _link(self, library: Path, arguments: list[str]) -> None:
        flags = [
            "-shared",
            f"-Wl,-soname,{library.name}",
            "-Wl,-rpath,$ORIGIN",
            "-Wl,-z,defs",
            "-Wl,-z,nodelete",
        ]
        flags += self.link_flags
        if self.link_flags:
            flags.remove("-Wl,-z,defs")
        # written beside and renamed: a process that has the old one mapped keeps it
        partial = library.with_suffix(".partial")
        done = subprocess.run(
            [*self.compiler, *flags, *arguments, "-o", str(partial)], capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"{library.name}: the linker failed\n{done.stderr}")
        partial.replace(library)

    def _link_named(self, library: Path) -> None:
        """The libraries with CANN's names: ELF filters, so that linking and dlsym reach the one that does the work."""
        table = subprocess.run(
            ["nm", "-D", "--defined-only", str(library)], check=True, capture_output=True, text=True
        ).stdout
        symbols = re.findall(r" [TW] (\w+)$", table, re.MULTILINE)
        held: dict[str, list[str]] = {name: [] for name in LIBRARIES}
        for symbol in symbols:
            for name, pattern in LIBRARIES.items():
                if re.fullmatch(pattern, symbol):
                    held[name].append(symbol)
                    break
        for name, own in held.items():
            stub = self.directory / (name + ".c")
            _write(
                stub,
                "".join(f"void {s}(void) {{}}\n" for s in own) or "typedef int nothing_here;\n",
            )
            self._link(library.with_name(name), ["-x", "c", str(stub), f"-Wl,-F,{library.name}"])


def _current(target: Path, command: list[str]) -> bool:
    """Whether the object is newer than all it was made from, and was made with the same arguments."""
    made_by = target.with_suffix(".cmd")
    if not target.exists() or not made_by.exists() or made_by.read_text() != shlex.join(command):
        return False
    depends = target.with_suffix(".d")
    names = shlex.split(depends.read_text().replace("\\\n", " "))[1:] if depends.exists() else []
    made = target.stat().st_mtime
    return bool(names) and all(Path(n).exists() and Path(n).stat().st_mtime <= made for n in names)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def _copy(source: Path, target: Path) -> None:
    if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)


def copy_openblas(libraries: Path) -> None:
    """OpenBLAS (BSD) from the scipy-openblas32 package, with its licence: LAPACK and some BLAS of the device."""
    import scipy_openblas32 as package

    _copy(
        Path(package.get_lib_dir()) / package.get_library(fullname=True),
        libraries / "libscipy_openblas.so",
    )
    for licence in Path(package.__file__).parent.parent.glob(
        "scipy_openblas32*.dist-info/**/LICENSE*"
    ):
        _copy(licence, libraries / "libscipy_openblas.LICENSE")


def _copy_headers(target: Path) -> None:
    for base in (ROOT / "include", GENERATED):
        for header in base.rglob("*.h"):
            if not header.name.startswith("pyasc_"):
                _copy(header, target / header.relative_to(base))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--config", choices=SANITIZERS, default="release")
    parser.add_argument("--prefix", type=Path, default=ROOT / "pyasc" / "cann")
    parser.add_argument(
        "--objects",
        nargs="+",
        metavar="WORD",
        help="only compile sources whose path contains a word",
    )
    parser.add_argument(
        "--only", nargs="+", metavar="WORD", help="link a library of those sources alone"
    )
    parser.add_argument(
        "--syntax", action="store_true", help="only ask the compiler whether it accepts the sources"
    )
    options = parser.parse_args()
    write_generated()
    builder = Builder(options.config)
    builder.syntax_only = options.syntax
    if options.objects or options.syntax:
        builder.compile(options.objects)
    else:
        builder.build(options.prefix.resolve(), options.only)


if __name__ == "__main__":
    main()
