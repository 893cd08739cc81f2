"""Builds the embedded device (scripts/native.py) and the Cython extensions; all else is in pyproject.toml."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
try:
    import scipy_openblas32  # noqa: F401
    from Cython.Build import cythonize
    from setuptools import Extension, setup
    from setuptools.command.build_ext import build_ext
except ImportError as missing:
    # pip brings what the build needs; run by hand, this file can only ask for it
    if "install" in sys.argv[1:]:
        raise SystemExit(
            subprocess.call([sys.executable, "-m", "pip", "install", str(ROOT)])
        ) from None
    raise SystemExit(
        f"{missing}: the build needs what pyproject.toml lists under build-system; 'pip install .' brings it"
    ) from None

sys.path.insert(0, str(ROOT / "scripts"))
import native  # noqa: E402

CORE = ("error", "device", "memory", "index", "element", "ndarray", "array", "call", "op")
CONFIG = os.environ.get("PYASC_BUILD", "release")
# Cython writes plain loops and many branches: -O2 is what the call path was measured with.
FLAGS = ["-std=c++17", "-O2", "-Wno-unused-function", *native.SANITIZERS[CONFIG]]


class Build(build_ext):
    """The device first: the extensions include headers that it writes."""

    def finalize_options(self) -> None:
        super().finalize_options()
        if (
            self.inplace
        ):  # pip's editable build would compile into a folder of its own, and all of it every time
            place = f"{self.plat_name}-{sys.implementation.cache_tag}"
            self.build_temp, self.build_lib = f"build/temp.{place}", f"build/lib.{place}"
        self.parallel = self.parallel or os.cpu_count()

    def run(self) -> None:
        package = ROOT if self.inplace else Path(self.build_lib)
        native.Builder(CONFIG).build((package / "pyasc" / "cann").resolve())
        super().run()


def extensions() -> list[Extension]:
    headers = [str(p.relative_to(ROOT)) for p in (ROOT / "pyasc" / "_core").glob("*.h")]
    return [
        Extension(
            f"pyasc._core.{name}",
            [f"pyasc/_core/{name}.pyx", *(["pyasc/_core/library.cpp"] if name == "error" else [])],
            include_dirs=["include", "build/include", "pyasc/_core"],
            depends=[*headers, "build/include/pyasc_operators.inc"],
            extra_compile_args=FLAGS,
            extra_link_args=native.SANITIZERS[CONFIG],
            libraries=["dl"],
            language="c++",
        )
        for name in CORE
    ]


os.chdir(ROOT)
native.write_generated()
setup(
    ext_modules=cythonize(
        extensions(),
        nthreads=os.cpu_count(),
        build_dir="build/cython",
        compiler_directives={"language_level": 3, "freethreading_compatible": False},
    ),
    cmdclass={"build_ext": Build},
)
