"""What is written is true: the code on the pages runs, links lead somewhere, public names are documented."""

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pyasc

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    "README.md",
    "README.zh-CN.md",
    *(f"docs/guide/{p.name}" for p in sorted((ROOT / "docs" / "guide").glob("*.md"))),
]
ALL_PAGES = [
    *PAGES,
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/design.md",
    "docs/index.md",
    "docs/adding_an_operator.md",
]
SLOW = pytest.mark.skipif(
    os.environ.get("PYASC_SLOW_TESTS") != "1",
    reason="builds a copy of the tree, minutes; PYASC_SLOW_TESTS=1 runs it",
)


def read(page):
    """Return the text of a page."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page, language="python"):
    """Return the code blocks of a page."""
    return re.findall(rf"^```{language}\n(.*?)^```", read(page), re.M | re.S)


def promised(code):
    """Return what the comments behind `print(...)` say that it prints, in the order of the lines."""
    lines = code.splitlines()
    prints = [
        n
        for n in ast.walk(ast.parse(code))
        if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "print"
    ]
    ends = sorted({n.end_lineno for n in prints})
    comments = [lines[end - 1].partition("  # ")[2] for end in ends]
    return comments if all(comments) else None


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p)])
def test_code_on_the_page_runs_and_prints_what_it_says(page, capsys):
    names = {"__name__": "page"}
    try:
        for code in blocks(page):
            exec(compile(code, page, "exec"), names)
            printed = capsys.readouterr().out.splitlines()
            if promised(code):
                assert printed == promised(code), code
    finally:
        pyasc.set_default_dtype("float32")


def test_the_first_example_says_what_was_promised():
    assert promised(blocks("README.md")[0]) == ["2097152.0"]


def test_both_readmes_show_the_same_code():
    assert blocks("README.md") == blocks("README.zh-CN.md")
    commands = [re.findall(r"^(?:make|pip|python) [^#\n]*", read(p), re.M) for p in PAGES[:2]]
    assert [c.strip() for c in commands[0]] == [c.strip() for c in commands[1]]


@pytest.mark.parametrize("page", ALL_PAGES)
def test_links_lead_to_files(page):
    folder = (ROOT / page).parent
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", read(page)):
        if not target.startswith(("http", "../operators/", "operators/")):
            assert (folder / target).exists(), f"{page} links to {target}"


def test_make_targets_that_are_mentioned_exist():
    makefile = read("Makefile")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
    for page in ALL_PAGES:
        for target in re.findall(r"(?:^|`)make ([a-z][a-z-]*)", read(page), re.M):
            assert target in targets, f"{page} mentions make {target}"
    shown = subprocess.run(
        ["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert set(re.findall(r"make ([a-z-]+)", shown)) >= targets - {"cross"}


def test_environment_variables_are_on_their_page():
    page = "docs/guide/environment_variables.md"
    sources = [
        p
        for p in (ROOT / "pyasc").rglob("*")
        if p.suffix in {".py", ".pyx", ".cpp", ".h"} and "cann" not in p.parts
    ]
    sources += [ROOT / "setup.py", ROOT / "scripts" / "native.py"]
    asked = re.compile(
        r"""(?:getenv\(|variable\(|environ(?:\.get\(|\[))\s*["'](PYASC_\w+|ASCEND_\w+)["']"""
    )
    used = {name for p in sources for name in asked.findall(p.read_text(encoding="utf-8"))}
    named = set(re.findall(r"`(PYASC_\w+|ASCEND_\w+)`", read(page)))
    assert used, "the search finds nothing"
    assert used - named == set(), "read, but not on the page"
    assert {n for n in named if n.startswith("PYASC_")} - used == set(), (
        "on the page, but never read"
    )


def module_of(value):
    """Return the name of the module that an object comes from."""
    return getattr(value, "__module__", None) or type(value).__module__


def undocumented():
    """Return the public names of pyasc's own, and of its classes, that say nothing."""
    for name in (n for n in dir(pyasc) if not n.startswith("_")):
        value = getattr(pyasc, name)
        if not callable(value) or not module_of(value).startswith("pyasc"):
            continue
        if not (value.__doc__ or "").strip():
            yield name
        if not isinstance(value, type):
            continue
        for part, member in vars(value).items():
            # an attribute may be explained in its class's "Attributes" instead
            said = (getattr(member, "__doc__", None) or "").strip()
            in_class = not callable(member) and re.search(rf"\b{part}\b", value.__doc__ or "")
            if not part.startswith("_") and not said and not in_class:
                yield f"{name}.{part}"


def test_public_names_are_documented():
    assert not list(undocumented())


def extension():
    """Return the Sphinx extension that writes the operators' pages."""
    spec = importlib.util.spec_from_file_location(
        "operators_page", ROOT / "docs" / "_ext" / "operators.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_operators_page_has_every_row():
    from pyasc.table import TABLE

    page = extension().operators_page()
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert len(rows) == len(TABLE)
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 6 for line in rows)
    for row in TABLE:
        assert f"| `{row.name}`" in page
        assert row.doc, f"{row.name} has no sentence of documentation"


def test_reference_page_has_every_function():
    page = extension().reference_page()
    for name in ("ndarray", "add", "concatenate", "device", "transfers"):
        assert f"| `{name}` | " in page


def test_coverage_page_has_every_name():
    page = extension().coverage_page()
    for name, how in (("add", "device"), ("pi", "numpy"), ("busday_count", "left out: dates")):
        assert f"| `{name}` | {how}" in page
    assert "missing" not in page


def test_design_stays_short():
    assert len(read("docs/design.md").splitlines()) <= 200


def run(*arguments, **keywords):
    """Run a program and return what it printed."""
    done = subprocess.run(
        arguments, capture_output=True, text=True, timeout=280, check=False, **keywords
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_command_line():
    assert run(sys.executable, "-m", "pyasc", "--version").strip() == pyasc.__version__
    home = Path(run(sys.executable, "-m", "pyasc", "--cann-home").strip())
    assert (home / "lib64" / "libascendcl.so").exists()
    assert (home / "include" / "acl" / "acl.h").exists()
    report = run(sys.executable, "-m", "pyasc", "--doctor")
    for word in (pyasc.__version__, "NumPy", "library", "npu:0", "chip"):
        assert word in report


def test_doctor_says_why_there_is_no_device():
    environment = {**os.environ, "PYASC_BACKEND": "nonsense"}
    command = [sys.executable, "-m", "pyasc", "--doctor"]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "PYASC_BACKEND" in done.stdout
    assert "nonsense" in done.stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to compile a C program with")
@pytest.mark.skipif(
    os.environ.get("PYASC_BUILD", "release") != "release",
    reason="a program must be built like the library",
)
def test_the_c_program_of_the_guide_runs(tmp_path):
    home = run(sys.executable, "-m", "pyasc", "--cann-home").strip()
    commands = blocks("docs/guide/cann_home.md", "sh")[1]
    for name in ("-lascendcl", "-lnnopbase", "-lopapi"):
        assert name in commands
    program = tmp_path / "add"
    run(
        "gcc", "-Wall", "-Werror", str(ROOT / "docs" / "examples" / "add.c"), f"-I{home}/include", f"-L{home}/lib64",
        f"-Wl,-rpath,{home}/lib64", "-lascendcl", "-lnnopbase", "-lopapi", "-o", str(program),
    )  # fmt: skip
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYASC_", "LD_PRELOAD"))
    }
    assert run(str(program), env=environment) == "11 22 33 44 on Ascend910B1\n"
    assert "prints `11 22 33 44 on Ascend910B1`" in read("docs/guide/cann_home.md")


def apply_steps(page, tree):
    """Do what "In `file`, after `text`:" and the block below it say."""
    steps = re.findall(
        r"^In `([^`]+)`, (after|before) `([^`]+)`:\n\n```\w+\n(.*?)^```", read(page), re.M | re.S
    )
    for name, where, anchor, code in steps:
        lines = (tree / name).read_text(encoding="utf-8").splitlines(keepends=True)
        at = [i for i, line in enumerate(lines) if anchor in line]
        assert at, f"{name} has no line with {anchor!r}; the page is out of date"
        lines.insert(at[0] + (where == "after"), code)
        (tree / name).write_text("".join(lines), encoding="utf-8")
    return len(steps)


def copy_tree(target):
    """Copy the sources."""
    run(sys.executable, str(ROOT / "scripts" / "mirror.py"), str(target))


def test_steps_of_adding_an_operator_still_fit(tmp_path):
    copy_tree(tmp_path)
    assert apply_steps("docs/adding_an_operator.md", tmp_path) == 6
    compile((tmp_path / "pyasc" / "table.py").read_text(encoding="utf-8"), "table.py", "exec")


@SLOW
@pytest.mark.timeout(1200)
def test_adding_an_operator(tmp_path):
    copy_tree(tmp_path)
    apply_steps("docs/adding_an_operator.md", tmp_path)
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=1000)
    code = blocks("docs/adding_an_operator.md")[-1]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    assert (
        run(sys.executable, "-c", code, cwd=tmp_path, env=environment)
        == "Square of the larger of x and 0.\n"
    )
