"""The demo and the benchmarks do what they say; both run on NumPy alone and on pyasc."""

import importlib
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

import pyasc

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "docs" / "examples"


@pytest.fixture(scope="module")
def digits():
    """The images, their labels, and digits.py on NumPy."""
    data = pytest.importorskip(
        "sklearn.datasets", reason="the images come with scikit-learn"
    ).load_digits()
    module = runpy.run_path(str(EXAMPLES / "digits.py"))
    return data.data.astype(np.float32), data.target.astype(np.int64), module


def test_digits_on_numpy_agree_with_float64(digits):
    images, labels, module = digits
    starts = np.arange(0, 400, 40)
    found = module["analyse"](images, labels, 1347, starts)
    exact = module["analyse"](images.astype(np.float64), labels, 1347, starts)
    assert found["accuracy"] > 0.85
    assert found["purity"] > 0.6
    assert found["centres"].dtype == np.float32
    np.testing.assert_allclose(found["explained"], exact["explained"], rtol=1e-4)
    assert np.mean(found["guesses"] == exact["guesses"]) > 0.99
    assert np.mean(found["clusters"] == exact["clusters"]) > 0.99


def test_principal_components_are_the_eigenvectors(digits):
    images, _, module = digits
    x, _ = module["standardise"](images.astype(np.float64), images.astype(np.float64))
    axes, variances = module["principal_components"](x, 3, rounds=2000)
    values, vectors = np.linalg.eigh(x.T @ x / len(x))
    np.testing.assert_allclose(variances, values[::-1][:3], rtol=1e-8)
    np.testing.assert_allclose(np.abs(np.sum(axes * vectors[:, ::-1][:, :3], axis=0)), 1, atol=1e-6)


@pytest.fixture
def restored_policy():
    """Put `config.host_path` back."""
    before = pyasc.config.host_path
    yield
    pyasc.config.host_path = before


def run_demo():
    """Run the demo in this process and return its exit status."""
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(EXAMPLES / "run_digits.py"), run_name="__main__")
    return ended.value.code


@pytest.mark.usefixtures("digits", "restored_policy")
def test_demo_succeeds_without_an_implicit_transfer(capsys):
    assert run_demo() == 0
    printed = capsys.readouterr().out
    assert "implicit transfers: 0" in printed
    assert printed.count("accuracy") == 3
    assert "npu:0" in printed


@pytest.mark.usefixtures("digits", "restored_policy")
def test_demo_fails_when_something_goes_to_the_host_unasked(monkeypatch, capsys):
    whole = pyasc.synchronize

    def leak():
        np.asarray(pyasc.ones(3))  # what a careless library would do
        whole()

    monkeypatch.setattr(pyasc, "synchronize", leak)
    assert run_demo() == 1
    assert "unasked" in capsys.readouterr().err


def benchmarks():
    """Return (class, method name) of every benchmark."""
    sys.path.insert(0, str(ROOT / "asv_benchmarks"))
    try:
        names = [p.stem for p in (ROOT / "asv_benchmarks" / "benchmarks").glob("bench_*.py")]
        modules = [importlib.import_module(f"benchmarks.{n}") for n in sorted(names)]
    finally:
        sys.path.pop(0)
    classes = [
        c
        for m in modules
        for c in vars(m).values()
        if isinstance(c, type) and c.__module__ == m.__name__
    ]
    return [(c, name) for c in classes for name in dir(c) if name.startswith("track_")]


@pytest.mark.parametrize("library", ["numpy", "pyasc"])
@pytest.mark.parametrize(("case", "name"), benchmarks(), ids=lambda v: getattr(v, "__name__", v))
def test_benchmarks_run(case, name, library, monkeypatch):
    timing = importlib.import_module("benchmarks.timing")
    monkeypatch.setattr(timing, "ROUND_SECONDS", 0)
    assert case.params[0] == ["numpy", "pyasc"]
    benchmark = case()
    others = [values[0] for values in case.params[1:]]
    if hasattr(benchmark, "setup"):
        benchmark.setup(library, *others)
    assert 0 < getattr(benchmark, name)(library, *others) < 1e9
