"""Other libraries on pyasc arrays, each with the real package; `make test-ecosystem` installs them."""

import os
import pickle

import numpy as np
import pytest

import pyasc

pytestmark = pytest.mark.ecosystem


@pytest.fixture
def host(rng):
    return rng.normal(size=(60, 4)).astype(np.float32)


@pytest.fixture
def x(host):
    return pyasc.from_numpy(host)


def package(name):
    return pytest.importorskip(
        name, reason=f"{name} is not installed: make test-ecosystem installs it"
    )


def same(found, expected, tolerance=1e-4):
    assert isinstance(found, pyasc.ndarray), type(found)
    np.testing.assert_allclose(found.numpy(), expected, rtol=tolerance, atol=tolerance)


def test_array_api_compat(x):
    compat = package("array_api_compat")
    assert (
        compat.array_namespace(x) is pyasc
        and compat.device(x) == x.device
        and compat.size(x) == 240
    )
    assert not compat.is_numpy_array(x) and compat.is_array_api_obj(x)


def test_scipy(x, host):
    package("scipy")
    from scipy import fft, integrate, signal, special, stats
    from scipy.cluster import vq

    if not os.environ.get("SCIPY_ARRAY_API"):
        pytest.skip(
            "SciPy takes other arrays only with SCIPY_ARRAY_API=1 in the environment; make test-ecosystem sets it"
        )
    v, w = x[:, 0], host[:, 0]
    same(special.expit(v), special.expit(w))
    same(special.logsumexp(x, axis=0), special.logsumexp(host, axis=0))
    same(special.gammaln(abs(v)), special.gammaln(abs(w)))
    same(special.erf(v), special.erf(w))
    same(abs(fft.fft(v)), abs(fft.fft(w)))
    same(fft.irfft(fft.rfft(v), n=60), w)
    same(stats.zscore(x), stats.zscore(host))
    same(stats.skew(x), stats.skew(host), 1e-3)
    same(stats.ttest_1samp(v, 0.0).statistic, stats.ttest_1samp(w, 0.0).statistic)
    same(signal.detrend(v), signal.detrend(w))
    same(signal.fftconvolve(v, v), signal.fftconvolve(w, w), 1e-3)
    same(integrate.trapezoid(v), integrate.trapezoid(w))
    same(vq.whiten(x), vq.whiten(host))
    same(vq.vq(x, x[:3])[1], vq.vq(host, host[:3])[1])


def test_scikit_learn(x, host):
    sklearn = package("sklearn")
    package("array_api_compat")
    from sklearn.decomposition import PCA
    from sklearn.linear_model import Ridge
    from sklearn.metrics import r2_score
    from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, StandardScaler

    if not os.environ.get("SCIPY_ARRAY_API"):
        pytest.skip(
            "scikit-learn dispatches only with SCIPY_ARRAY_API=1 in the environment; make test-ecosystem sets it"
        )
    expected = [s().fit_transform(host) for s in (StandardScaler, MinMaxScaler, MaxAbsScaler)]
    components = PCA(n_components=2, svd_solver="full").fit(host).explained_variance_
    predicted = Ridge(solver="svd").fit(host, host[:, 0]).predict(host)
    with sklearn.config_context(array_api_dispatch=True):
        for scaler, values in zip(
            (StandardScaler, MinMaxScaler, MaxAbsScaler), expected, strict=True
        ):
            same(scaler().fit_transform(x), values)
        same(PCA(n_components=2, svd_solver="full").fit(x).explained_variance_, components)
        model = Ridge(solver="svd").fit(x, x[:, 0])
        same(model.predict(x), predicted, 1e-3)
        assert r2_score(x[:, 0], model.predict(x)) > 0.99


def test_dask(x, host):
    da = package("dask.array")
    d = da.from_array(x, chunks=(20, 4))
    assert isinstance(d.compute(), pyasc.ndarray)
    same((d + 1).sum(axis=0).compute(), (host + 1).sum(0), 1e-3)
    same(da.exp(d).max(axis=1).compute(), np.exp(host).max(1))
    same((d.T @ d).compute(), host.T @ host, 1e-3)


def test_xarray(x, host):
    xr = package("xarray")
    a = xr.DataArray(x, dims=("time", "channel"))
    same(a.mean("time").data, host.mean(0))
    same((a * 2).isel(time=slice(0, 5)).data, host[:5] * 2)
    same(a.T.data, host.T)


def test_einops(x, host):
    package("einops")
    import einops.array_api as einops

    same(einops.rearrange(x, "(a b) c -> b a c", a=6), host.reshape(6, 10, 4).swapaxes(0, 1))
    same(einops.reduce(x, "a c -> c", "max"), host.max(0))
    same(einops.repeat(x, "a c -> a c r", r=2), np.repeat(host[..., None], 2, -1))


def test_opt_einsum_and_autoray(x, host):
    same(package("opt_einsum").contract("ij,kj->ik", x, x), host @ host.T, 1e-3)
    autoray = package("autoray")
    assert autoray.infer_backend(x) == "pyasc"
    same(autoray.do("sum", x, axis=0), host.sum(0), 1e-3)
    same(autoray.do("linalg.norm", x), np.linalg.norm(host), 1e-3)


def test_pint(x, host):
    quantity = package("pint").UnitRegistry().Quantity(x, "meter")
    area = (quantity * quantity).sum(axis=0)
    assert str(area.units) == "meter ** 2"
    same(area.magnitude, (host**2).sum(0), 1e-3)


def test_pandas(x, host):
    pd = package("pandas")
    np.testing.assert_array_equal(pd.DataFrame(x.numpy()).to_numpy(), host)
    same(pyasc.asarray(pd.DataFrame(host)), host)
    assert pd.Series(x[:, 0]).dtype == np.float32


def test_matplotlib(x, tmp_path):
    matplotlib = package("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3)
    (line,) = axes[0].plot(x[:, 0])
    np.testing.assert_array_equal(line.get_ydata(), x[:, 0].numpy())
    axes[1].imshow(x)
    axes[2].hist(x[:, 1])
    figure.savefig(tmp_path / "figure.png")
    plt.close(figure)
    assert (tmp_path / "figure.png").stat().st_size > 1000


def test_pickles_and_files(x, host, tmp_path):
    same(pickle.loads(package("cloudpickle").dumps(x)), host, 0)
    joblib = package("joblib")
    joblib.dump({"x": x}, tmp_path / "x.joblib")
    same(joblib.load(tmp_path / "x.joblib")["x"], host, 0)
    assert joblib.hash(x) == joblib.hash(x.copy())
    package("safetensors")
    from safetensors.numpy import load, save

    same(pyasc.asarray(load(save({"x": x.numpy()}))["x"]), host, 0)


@pytest.mark.torch
def test_torch_by_dlpack(x, host):
    torch = package("torch")
    t = torch.from_dlpack(np.from_dlpack(x, device="cpu"))
    np.testing.assert_array_equal(t.numpy(), host)
    same(pyasc.from_dlpack(torch.from_numpy(host)), host, 0)
