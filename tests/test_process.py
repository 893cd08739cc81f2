"""What concerns the whole process: threads, fork, memory, import, layers, the two phases, programs of others."""

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest

import pyasc

PACKAGE = Path(pyasc.__file__).parent
PREFIX = PACKAGE / "cann"
ROOT = PACKAGE.parent


def run_python(code, *arguments, **environment):
    """Run code in a fresh interpreter; returns the finished process."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env.update(environment)
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        capture_output=True, text=True, timeout=120, env=env, cwd=ROOT,
    )  # fmt: skip


def succeeds(code, **environment):
    done = run_python(code, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# ---- import


def test_import_is_quick_and_touches_no_device():
    code = "import sys, numpy; import pyasc; from pyasc._core import error; print(error.is_open(), *sys.modules)"
    opened, *modules = succeeds(code).split()
    assert opened == "False"
    slow = {
        "subprocess",
        "logging.config",
        "importlib.metadata",
        "sklearn",
        "scipy",
        "asyncio",
        "multiprocessing",
    }
    assert not slow & set(modules)


def test_layers():
    """include ← embedded; include ← _core; _core ← ops ← everything else; table imports nothing of pyasc."""
    lower = {"_config", "_promotion", "_ufunc", "_dispatch", "_views", "_backend", "ops", "table"}
    for path in [*PACKAGE.glob("*.py"), *(PACKAGE / "_core").glob("*.pyx")]:
        text = path.read_text()
        names = set(re.findall(r"^(?:from|cimport|import) pyasc(?:\.(\w+))?", text, re.MULTILINE))
        if path.suffix == ".pyx":
            assert names <= {"_core", ""}, f"{path.name} imports {names}"
        elif path.stem == "table":
            assert not names
        elif path.stem in lower:
            assert names <= lower | {"_core", "table", ""}, f"{path.name} imports {names}"
    order = ["error", "device", "memory", "index", "element", "ndarray", "array", "call", "op"]
    for i, name in enumerate(order):
        text = (
            (PACKAGE / "_core" / f"{name}.pyx").read_text()
            + (PACKAGE / "_core" / f"{name}.pxd").read_text()
            if (PACKAGE / "_core" / f"{name}.pxd").exists()
            else (PACKAGE / "_core" / f"{name}.pyx").read_text()
        )
        used = set(re.findall(r"from pyasc\._core\.(\w+) c?import", text)) | set(
            re.findall(r"from pyasc\._core cimport (\w+)", text)
        )
        assert used <= {"acl", name, *order[:i]}, f"{name} uses {used}"
    for path in (PACKAGE / "embedded").rglob("*.[ch]*"):
        assert "Python.h" not in path.read_text(), path


def test_nothing_above_asks_which_library_it_is():
    for path in PACKAGE.glob("*.py"):
        names = {n.id for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Name)} | {
            n.attr for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Attribute)
        }
        if path.stem not in ("__init__", "_doctor"):  # which only say so
            assert "is_embedded" not in names, path


# ---- threads and fork


def test_many_threads_with_their_own_streams():
    failures = []

    def work(seed):
        try:
            x = np.random.default_rng(seed).random((50, 60)).astype(np.float32)
            with pyasc.device(seed % 2), pyasc.Stream():
                for _ in range(30):
                    d = pyasc.from_numpy(x)
                    found = ((d @ d.T) * 2 + d.sum(axis=1))[1:, ::2]
                    expected = ((x @ x.T) * 2 + x.sum(axis=1))[1:, ::2]
                    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-4)
                    with pytest.raises(ValueError):
                        d + pyasc.ones(7)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures, failures[0]


def test_arrays_may_be_used_on_another_stream():
    producer, consumer = pyasc.Stream(), pyasc.Stream()
    total = 0.0
    for i in range(200):
        with producer:
            x = pyasc.full((300, 300), float(i)) + 1
        consumer.wait_stream(producer)
        with consumer:
            y = x * 2
        del x  # its memory must not be given away before `consumer` has read it
        with producer:
            pyasc.full((300, 300), -1.0) + 0
        consumer.synchronize()
        total = float(y[5, 5])
        assert total == 2 * (i + 1)


FORK = """
    import os, sys, numpy as np, pyasc
    before = sys.argv[1:] == ["before"]
    if before:
        assert float(pyasc.ones(3).sum()) == 3
    pid = os.fork()
    if pid == 0:
        try:
            value = float(pyasc.ones(1000).sum())
        except Exception as error:
            print("child:", type(error).__name__, error, flush=True)
            os._exit(3)
        os._exit(0 if value == 1000 else 4)
    _, status = os.waitpid(pid, 0)
    assert float((pyasc.ones((600, 600)) @ pyasc.ones((600, 600)))[0, 0]) == 600
    print("status", os.waitstatus_to_exitcode(status))
"""


def test_fork_after_the_device_was_used():
    done = run_python(FORK, "before")
    assert done.returncode == 0, done.stderr
    assert "status 3" in done.stdout and "fork" in done.stdout


def test_fork_before_the_device_was_used():
    done = run_python(FORK)
    assert done.returncode == 0, done.stderr
    assert "status 0" in done.stdout


# ---- memory


def test_memory_comes_back():
    code = """
        import pyasc
        pyasc.synchronize(); x = pyasc.ones((100, 100)); pyasc.empty_cache()
        before = pyasc.memory_stats()["allocated"], pyasc.memory_info()[0]
        for i in range(10_000):
            y = ((x + i) * 2.0 - x)[1:, ::2].sum()
            if i % 1000 == 0:
                z = pyasc.ones((1 + i % 7, 1000)) @ pyasc.ones((1000, 5))
        del y, z
        pyasc.empty_cache()
        after = pyasc.memory_stats()["allocated"], pyasc.memory_info()[0]
        assert before == after, (before, after)
        stats = pyasc.memory_stats()
        assert stats["peak_allocated"] >= stats["allocated"] and stats["reserved"] >= stats["allocated"]
        pyasc.reset_peak_memory_stats()
        assert pyasc.memory_stats()["peak_allocated"] == stats["allocated"]
    """
    succeeds(code)


def test_out_of_memory_is_an_error_and_no_end():
    code = """
        import numpy as np, pyasc
        x = pyasc.ones(1000)
        held = []
        for make in (lambda: pyasc.zeros(80 << 20), lambda: pyasc.from_numpy(np.zeros(80 << 20, np.float32)),
                     lambda: pyasc.zeros((9000, 9000)) @ pyasc.zeros((9000, 9000))):
            try:
                make()
            except MemoryError as error:
                assert "PYASC_EMBEDDED_MEMORY" in str(error), error
            else:
                raise SystemExit("no error")
            assert float(x.sum()) == 1000
        while True:
            try:
                held.append(pyasc.zeros(1 << 20))
            except MemoryError:
                break
        assert 40 < len(held) < 64
        held.clear()
        assert float(pyasc.ones(40 << 20)[-1]) == 1   # the cache was given back to make room
    """
    succeeds(code, PYASC_EMBEDDED_MEMORY="256M")


# ---- the library


def test_backends_are_chosen_and_refused():
    assert "embedded" in succeeds("import pyasc; print(pyasc.cann_version())", PYASC_BACKEND="")
    done = run_python("import pyasc; pyasc.ones(1)", PYASC_BACKEND="nonsense")
    assert "must be 'cann', 'embedded' or unset" in done.stderr
    done = run_python("import pyasc; pyasc.ones(1)", PYASC_BACKEND="cann")
    assert "no device library could be opened" in done.stderr and "libascendcl" in done.stderr
    assert (
        succeeds(
            "import pyasc; print(pyasc.get_device_count())", PYASC_EMBEDDED_DEVICES="3"
        ).strip()
        == "3"
    )


needs_compiler = pytest.mark.skipif(
    not shutil.which("g++"), reason="no g++ to compile a C program with"
)


@needs_compiler
def test_a_strangers_c_program(tmp_path):
    """Compiled by gcc against the prefix, linked with CANN's names, run without Python."""
    source = ROOT / "docs" / "examples" / "add.c"
    prefix = succeeds(
        "import runpy, sys; sys.argv = ['pyasc', '--cann-home']; runpy.run_module('pyasc', run_name='__main__')"
    ).strip()
    assert Path(prefix) == PREFIX
    program = tmp_path / "add"
    subprocess.run(
        ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", str(source), f"-I{prefix}/include", f"-L{prefix}/lib64",
         "-lascendcl", "-lnnopbase", "-lopapi", f"-Wl,-rpath,{prefix}/lib64", "-lm", "-o", str(program)],
        check=True,
    )  # fmt: skip
    needed = subprocess.run(
        ["readelf", "-d", str(program)], capture_output=True, text=True, check=True
    ).stdout
    assert "libascendcl.so" in needed and "libpyasc_cann" not in needed
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


COUNTER = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
/* Stands between pyasc and the library: counts both phases of aclnnAdd and passes everything on. */
static void* under(void) { static void* h; if (!h) h = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL); return h; }
static uint64_t plans, runs;
uint64_t count_plans(void) { return plans; }
uint64_t count_runs(void) { return runs; }
int32_t aclnnAddGetWorkspaceSize(const void* a, const void* b, const void* c, void* o, uint64_t* n, void** e) {
    ++plans;
    int32_t (*f)(const void*, const void*, const void*, void*, uint64_t*, void**) =
        dlsym(under(), "aclnnAddGetWorkspaceSize");
    return f(a, b, c, o, n, e);
}
int32_t aclnnAdd(void* w, uint64_t n, void* e, void* s) {
    ++runs;
    int32_t (*f)(void*, uint64_t, void*, void*) = dlsym(under(), "aclnnAdd");
    return f(w, n, e, s);
}
"""


@needs_compiler
def test_every_call_goes_through_both_phases(tmp_path):
    (tmp_path / "count.c").write_text(COUNTER)
    library = tmp_path / "libcount.so"
    subprocess.run(
        ["gcc", "-shared", "-fPIC", f'-DLIBRARY="{PREFIX}/lib64/libpyasc_cann.so"', str(tmp_path / "count.c"), "-ldl",
         "-o", str(library)], check=True,
    )  # fmt: skip
    code = f"""
        import ctypes, numpy as np
        from pyasc import _backend
        under = {str(PREFIX / "lib64" / "libpyasc_cann.so")!r}
        _backend.libraries = lambda: [[{str(library)!r}, under]]
        import pyasc
        count = ctypes.CDLL({str(library)!r})
        seen = lambda: (count.count_plans(), count.count_runs())
        for n in (1, 1000, 1_000_000):
            a, b = pyasc.ones(n), pyasc.ones(n)
            for call in (lambda: pyasc.add(a, b), lambda: a + b, lambda: np.add(a, b)):
                before = seen()
                assert float(call()[0]) == 2
                after = seen()
                assert (after[0] - before[0], after[1] - before[1]) == (1, 1), (n, before, after)
    """
    succeeds(code)


def test_named_libraries_reach_the_same_functions():
    code = f"""
        import ctypes
        whole = ctypes.CDLL({str(PREFIX / "lib64" / "libpyasc_cann.so")!r})
        for name, symbol in (("libascendcl.so", "aclrtMalloc"), ("libnnopbase.so", "aclCreateTensor"),
                             ("libopapi.so", "aclnnAdd")):
            library = ctypes.CDLL({str(PREFIX / "lib64")!r} + "/" + name)
            of = lambda l: ctypes.cast(getattr(l, symbol), ctypes.c_void_p).value
            assert of(library) == of(whole), name
    """
    succeeds(code)


def test_the_build_is_for_this_python():
    assert any((PACKAGE / "_core").glob(f"array*{sysconfig.get_config_var('EXT_SUFFIX')}"))
