"""Systems, factors and eigenvalues in `pyasc.linalg`: residuals, exact shapes and dtypes, NumPy's errors."""

import functools
import os
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
from helpers import CHIP, device_twin, layouts
from linalg_checks import (
    BATCHES,
    TYPES,
    eps,
    like_numpy,
    near,
    same_error,
    unit,
    values,
    well_conditioned,
)
from pyasc._core.call import has_operator

import pyasc
from pyasc.linalg import decompositions, eigen, solving

pytestmark = pytest.mark.usefixtures("without_the_host")
ORDERS = [1, 2, 3, 4, 5, 8, 9, 20]
SHAPES = [(1, 1), (4, 4), (5, 3), (3, 5), (9, 2), (0, 3), (3, 0), (0, 0)]
NAMES = [n for n in pyasc.linalg.__all__ if n != "LinAlgError"]


# ---- the module


def test_every_name_of_numpy_is_there():
    public = {n for n in dir(np.linalg) if not n.startswith("_") and n not in ("linalg", "test")}
    assert public == set(pyasc.linalg.__all__)
    assert pyasc.linalg.LinAlgError is np.linalg.LinAlgError


@pytest.mark.parametrize("name", NAMES)
def test_numpys_function_reaches_ours(name, monkeypatch):
    from pyasc import _dispatch

    assert _dispatch.FUNCTIONS[getattr(np.linalg, name)] is getattr(pyasc.linalg, name)


def test_import_of_the_package_does_not_import_the_module():
    code = (
        "import sys, numpy as np, pyasc\n"
        "assert 'pyasc.linalg' not in sys.modules\n"
        "assert type(np.linalg.inv(pyasc.eye(2))) is pyasc.ndarray\n"
        "assert sys.modules['pyasc.linalg'] is pyasc.linalg\n"
        "import pyasc.nonsense"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "No module named 'pyasc.nonsense'" in done.stderr
    with pytest.raises(AttributeError, match="module 'pyasc' has no attribute 'nonsense'"):
        _ = pyasc.nonsense


def test_operators_beside_canns_are_found_by_name():
    assert has_operator("aclnnAdd")
    assert not has_operator("pyascFlyToTheMoon")
    code = """
import numpy as np, pyasc
from pyasc._core.call import call, has_operator
a = pyasc.array([[4.0, 1], [2, 3]])
print(has_operator("pyascLinalgDet"), float(np.linalg.det(a)), np.linalg.solve(a, a[0]).numpy().tolist())
call("pyascLinalgDet", a, pyasc.zeros(()))
"""
    for soc, there in (("", "True"), ("Ascend910B", "False")):
        environment = {**os.environ, "PYASC_EMBEDDED_SOC": soc}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=environment
        )
        words = done.stdout.replace("[", "").replace(",", "").replace("]", "").split()
        assert words[0] == there
        np.testing.assert_allclose([float(w) for w in words[1:]], [10, 1.1, -0.4], rtol=1e-6)
        assert ("pyascLinalgDet: Ascend910B does not have this operator" in done.stderr) == bool(
            soc
        )


# ---- systems, inverses, determinants


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_inverse_solution_determinant(dtype, batch, rng, linalg_route):
    for n in [0, *ORDERS]:
        host = well_conditioned(rng, (*batch, n, n), dtype)
        a = pyasc.from_numpy(host)
        inverse = np.linalg.inv(a)
        like_numpy(inverse, np.linalg.inv(host))
        near(host @ inverse.numpy(), np.broadcast_to(np.eye(n), host.shape))
        for shape in ((n,), (*batch, n, 1), (*batch, n, 3), (*batch, n, 0), (n, 11)):
            b = values(rng, shape, dtype)
            x = np.linalg.solve(a, pyasc.from_numpy(b))
            expected = np.linalg.solve(host, b)
            like_numpy(x, expected)
            near(x, expected)
        det, expected = (
            np.linalg.det(a),
            np.linalg.det(host.astype(np.result_type(dtype, np.float64))),
        )
        like_numpy(det, np.linalg.det(host) if batch else np.asarray(np.linalg.det(host)))
        np.testing.assert_allclose(det.numpy(), expected, rtol=200 * (n + 1) * eps(dtype))
        sign, log = np.linalg.slogdet(a)
        assert type(sign) is type(log) is pyasc.ndarray
        assert log.dtype == host.real.dtype
        wide = np.linalg.slogdet(host.astype(np.result_type(dtype, np.float64)))
        np.testing.assert_allclose(sign.numpy(), wide.sign, atol=200 * (n + 1) * eps(dtype))
        np.testing.assert_allclose(
            log.numpy(), wide.logabsdet, atol=200 * (n + 1) * eps(dtype), rtol=eps(dtype) * 10
        )


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_layouts_and_pivots(dtype, rng, linalg_route):
    """Matrices that need their rows exchanged, in every memory order."""
    for n in (3, 8, 12):
        host = values(rng, (4, n, n), dtype)
        host[:, 0, 0] = 0
        host[1] = np.eye(n, dtype=dtype)[::-1]
        for name, view in layouts(host):
            scale = np.linalg.cond(np.asarray(view, np.complex128)).max()
            inverse = np.linalg.inv(device_twin(view)).numpy()
            near(view @ inverse, np.broadcast_to(np.eye(n), view.shape), scale)
            b = values(rng, (4, n, 2), dtype)
            for _, rhs in layouts(b):
                near(
                    view @ np.linalg.solve(device_twin(view), device_twin(rhs)).numpy(), rhs, scale
                )
            expected = np.linalg.det(np.asarray(view, np.complex128))
            np.testing.assert_allclose(np.linalg.det(device_twin(view)).numpy(), expected,
                                       rtol=100 * n * eps(dtype) * scale, err_msg=name)  # fmt: skip


def test_batches_are_broadcast(rng, linalg_route):
    a, b = well_conditioned(rng, (5, 1, 4, 4), TYPES[1]), values(rng, (3, 4, 2), TYPES[1])
    x = np.linalg.solve(pyasc.from_numpy(a), pyasc.from_numpy(b))
    assert x.shape == (5, 3, 4, 2)
    near(x, np.linalg.solve(a, b))
    one = np.linalg.solve(pyasc.from_numpy(a[0, 0]), pyasc.from_numpy(b))
    near(one, np.linalg.solve(a[0, 0], b))


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_determinants_that_overflow_on_the_way(dtype):
    """The product of the first pivots is out of range, the determinant is not."""
    big = float(np.finfo(dtype).max) ** 0.4
    for n in (6, 12):
        d = np.array([big] * (n // 2) + [1 / big] * (n // 2))
        a = pyasc.from_numpy(np.diag(d).astype(dtype))
        np.testing.assert_allclose(np.linalg.det(a).numpy(), 1, rtol=1e-5)
    huge = pyasc.from_numpy(np.diag(np.full(12, big)).astype(dtype))
    assert np.isinf(np.linalg.det(huge).numpy().real)


SINGULAR = {
    "zero": np.zeros((3, 3)),
    "dependent": np.array([[1.0, 2], [2, 4]]),
    "one of many": np.stack([np.eye(3), np.ones((3, 3)), np.eye(3)]),
    "large": np.diag([1.0] * 11 + [0.0]),
}


@pytest.mark.parametrize("name", SINGULAR)
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_singular_matrices(name, dtype, linalg_route):
    host = SINGULAR[name].astype(dtype)
    a = pyasc.from_numpy(host)
    for function in (
        np.linalg.inv,
        lambda x: np.linalg.solve(x, x),
        lambda x: np.linalg.solve(x, x[..., 0]),
    ):
        if function is not np.linalg.inv and host.ndim > 2:
            function = lambda x: np.linalg.solve(x, pyasc.ones(3))  # noqa: E731
        with pytest.raises(np.linalg.LinAlgError, match="^Singular matrix$"):
            function(a)
    np.testing.assert_array_equal(np.linalg.det(a).numpy(), np.linalg.det(host))
    sign, log = np.linalg.slogdet(a)
    np.testing.assert_array_equal(sign.numpy(), np.linalg.slogdet(host).sign)
    np.testing.assert_array_equal(log.numpy(), np.linalg.slogdet(host).logabsdet)
    near(np.linalg.inv(pyasc.eye(2)), np.eye(2))  # the device goes on


def test_nan_is_not_singular(linalg_route):
    host = np.array([[1.0, np.nan], [2.0, 3.0]])
    a = pyasc.from_numpy(host)
    assert np.isnan(np.linalg.inv(a).numpy()).any()
    assert np.isnan(np.linalg.solve(a, a[0]).numpy()).any()
    assert np.isnan(np.linalg.det(a).numpy())


def test_tensor_systems(rng, linalg_route):
    a = values(rng, (2, 3, 6), TYPES[1])
    b = values(rng, (2, 3), TYPES[1])
    near(
        np.linalg.tensorsolve(pyasc.from_numpy(a), pyasc.from_numpy(b)),
        np.linalg.tensorsolve(a, b),
        1e3,
    )
    c = values(rng, (6, 2, 3), TYPES[1])
    near(np.linalg.tensorsolve(pyasc.from_numpy(c), pyasc.from_numpy(b), axes=(0,)),
         np.linalg.tensorsolve(c, b, axes=(0,)), 1e3)  # fmt: skip
    near(np.linalg.tensorinv(pyasc.from_numpy(a)), np.linalg.tensorinv(a), 1e3)
    near(np.linalg.tensorinv(pyasc.from_numpy(c), ind=1), np.linalg.tensorinv(c, ind=1), 1e3)
    with pytest.raises(np.linalg.LinAlgError, match="requirement"):
        np.linalg.tensorsolve(pyasc.ones((2, 3, 5)), pyasc.ones((2, 3)))
    with pytest.raises(ValueError, match="Invalid ind argument"):
        np.linalg.tensorinv(pyasc.ones((2, 2)), ind=0)


# ---- factors


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_qr(dtype, shape, rng, linalg_route):
    for batch in BATCHES:
        host = values(rng, (*batch, *shape), dtype)
        a = pyasc.from_numpy(host)
        for mode in ("reduced", "complete"):
            q, r = np.linalg.qr(a, mode)
            expected = np.linalg.qr(host, mode)
            like_numpy(q, expected.Q)
            like_numpy(r, expected.R)
            near(q.numpy() @ r.numpy(), host)
            unit(q)
            assert (np.tril(r.numpy(), -1) == 0).all()
        result = np.linalg.qr(a)
        assert (result.Q.shape, result.R.shape) == (
            np.linalg.qr(host).Q.shape,
            np.linalg.qr(host).R.shape,
        )
        r = np.linalg.qr(a, mode="r")
        like_numpy(r, np.linalg.qr(host, "r"))
        near(r.mT.conj().numpy() @ r.numpy(), host.mT.conj() @ host, 10)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("shape", SHAPES[1:5], ids=str)
def test_raw_qr(dtype, shape, rng):
    host = values(rng, (2, *shape), dtype)
    for found, expected in zip(
        np.linalg.qr(pyasc.from_numpy(host), "raw"), np.linalg.qr(host, "raw"), strict=True
    ):
        like_numpy(found, expected)
        near(found, expected)
    with pytest.deprecated_call():
        near(np.linalg.qr(pyasc.from_numpy(host), "economic").mT, np.linalg.qr(host, "raw")[0])
    with pytest.deprecated_call():
        assert np.linalg.qr(pyasc.from_numpy(host), "full").Q.shape == np.linalg.qr(host).Q.shape


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_svd(dtype, shape, rng, linalg_route):
    k = min(shape)
    for batch in BATCHES:
        host = values(rng, (*batch, *shape), dtype)
        a = pyasc.from_numpy(host)
        for full in (True, False):
            u, s, vh = np.linalg.svd(a, full_matrices=full)
            for found, expected in zip(
                (u, s, vh), np.linalg.svd(host, full_matrices=full), strict=True
            ):
                like_numpy(found, expected)
            near((u.numpy()[..., :k] * s.numpy()[..., None, :]) @ vh.numpy()[..., :k, :], host)
            unit(u)
            unit(vh.mT)
        assert np.linalg.svd(a)._fields == ("U", "S", "Vh")
        expected = np.linalg.svd(host, compute_uv=False)
        for found in (np.linalg.svd(a, compute_uv=False), np.linalg.svdvals(a), s):
            like_numpy(found, expected)
            near(found, expected)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_svd_of_hermitian_matrices(dtype, rng):
    for batch in ((), (3,), (0,)):
        host = values(rng, (*batch, 5, 5), dtype)
        host = host + host.mT.conj()
        a = pyasc.from_numpy(host)
        u, s, vh = np.linalg.svd(a, hermitian=True)
        near((u.numpy() * s.numpy()[..., None, :]) @ vh.numpy(), host)
        unit(u)
        unit(vh.mT)
        expected = np.linalg.svd(host, compute_uv=False, hermitian=True)
        like_numpy(s, expected)
        near(s, expected)
        near(np.linalg.svd(a, compute_uv=False, hermitian=True), expected)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_cholesky(dtype, rng, linalg_route):
    for batch in BATCHES:
        for n in (0, 1, 4, 12):
            host = values(rng, (*batch, n, n), dtype)
            host = host @ host.mT.conj() + np.eye(n, dtype=dtype)
            for name, view in layouts(host):
                if name == "broadcast" and not batch:
                    continue  # not the same matrix
                a = device_twin(view)
                low, high = np.linalg.cholesky(a), np.linalg.cholesky(a, upper=True)
                like_numpy(low, np.linalg.cholesky(view))
                near(low.numpy() @ low.mT.conj().numpy(), view, 10 * n)
                near(high.mT.conj().numpy() @ high.numpy(), view, 10 * n)
                assert (np.triu(low.numpy(), 1) == 0).all()
                assert (np.tril(high.numpy(), -1) == 0).all()
    half = np.tril(host) + np.triu(np.full_like(host, np.nan), 1)
    near(np.linalg.cholesky(pyasc.from_numpy(half)), np.linalg.cholesky(host), 10)


def test_what_has_no_cholesky_factor(linalg_route):
    for bad in ([[1.0, 2], [2, 1]], [[0.0]], [[[1.0]], [[-1.0]]]):
        with pytest.raises(np.linalg.LinAlgError, match="^Matrix is not positive definite$"):
            np.linalg.cholesky(pyasc.array(bad))


def test_numbers_that_are_not_finite_go_through():
    """LAPACK finds no fault with them, as in NumPy."""
    if CHIP:
        pytest.skip(
            "CANN's Cholesky factor reports failure by nan, which nan in the matrix looks like"
        )
    nan, inf = np.array([[1.0, np.nan], [np.nan, 2.0]]), np.array([[1.0, 0.0], [0.0, np.inf]])
    np.testing.assert_array_equal(
        np.linalg.cholesky(pyasc.from_numpy(nan)).numpy(), np.linalg.cholesky(nan)
    )
    np.testing.assert_array_equal(
        np.linalg.svdvals(pyasc.from_numpy(inf)).numpy(), np.linalg.svdvals(inf)
    )
    for dtype in (np.float64, np.complex128):
        found, expected = (
            np.linalg.inv(pyasc.from_numpy(inf.astype(dtype))),
            np.linalg.inv(inf.astype(dtype)),
        )
        np.testing.assert_array_equal(found.numpy(), expected)


# ---- eigenvalues


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_eigenvalues(dtype, rng):
    for batch in BATCHES:
        for n in (0, 1, 4, 12):
            host = values(rng, (*batch, n, n), dtype)
            a = pyasc.from_numpy(host)
            w, v = result = np.linalg.eig(a)
            assert result._fields == ("eigenvalues", "eigenvectors")
            expected = np.linalg.eig(host)
            like_numpy(w, expected.eigenvalues)
            like_numpy(v, expected.eigenvectors)
            near(host @ v.numpy(), v.numpy() * w.numpy()[..., None, :], 10)
            near(np.linalg.norm(v.numpy(), axis=-2), np.ones((*batch, n)))
            found = np.linalg.eigvals(a)
            like_numpy(found, np.linalg.eigvals(host))
            wide = np.linalg.eigvals(host.astype(np.complex128))
            order = functools.partial(np.sort_complex)
            for one, other in (
                zip(found.numpy().reshape(-1, n), wide.reshape(-1, n), strict=True) if n else ()
            ):
                key = np.abs(one[:, None] - other[None, :]).min(axis=1)
                assert (key < 1e4 * n * eps(dtype)).all(), (order(one), order(other))


def test_real_matrices_with_real_eigenvalues_have_real_results(rng):
    a = values(rng, (3, 4, 4), TYPES[0])
    a = pyasc.from_numpy(a + a.mT)
    w, v = np.linalg.eig(a)
    assert w.dtype == v.dtype == np.linalg.eigvals(a).dtype == np.float32
    w, v = np.linalg.eig(pyasc.array([[0.0, 1], [-1, 0]]))
    assert w.dtype == v.dtype == np.complex64
    np.testing.assert_allclose(sorted(w.numpy().imag), [-1, 1])


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_eigenvalues_of_hermitian_matrices(dtype, rng):
    for batch in BATCHES:
        for n in (0, 1, 4, 12):
            host = values(rng, (*batch, n, n), dtype)
            whole = {"L": np.tril(host, -1), "U": np.triu(host, 1)}
            diagonal = np.eye(n) * host.real
            for uplo in ("L", "U", "l", "u"):
                full = (whole[uplo.upper()] + whole[uplo.upper()].mT.conj() + diagonal).astype(
                    dtype
                )
                a = pyasc.from_numpy(whole[uplo.upper()] + diagonal.astype(dtype))
                w, v = result = np.linalg.eigh(a, uplo)
                assert result._fields == ("eigenvalues", "eigenvectors")
                expected = np.linalg.eigh(full)
                like_numpy(w, expected.eigenvalues)
                like_numpy(v, expected.eigenvectors)
                near(w, expected.eigenvalues)
                near(full @ v.numpy(), v.numpy() * w.numpy()[..., None, :])
                unit(v)
                near(np.linalg.eigvalsh(a, UPLO=uplo), expected.eigenvalues)


def test_numbers_that_are_not_finite():
    for bad in (np.nan, np.inf):
        a = pyasc.from_numpy(np.array([[1.0, bad], [bad, 2.0]]))
        for function in (np.linalg.eig, np.linalg.eigvals):
            with pytest.raises(
                np.linalg.LinAlgError, match="^Array must not contain infs or NaNs$"
            ):
                function(a)
    a = pyasc.from_numpy(np.full((3, 3), np.nan))
    for function, text in (
        (np.linalg.svd, "SVD did not converge"),
        (np.linalg.svdvals, "SVD did not converge"),
        (np.linalg.pinv, "SVD did not converge"),
        (lambda x: np.linalg.lstsq(x, x), "SVD did not converge in Linear Least Squares"),
        (np.linalg.eigh, "Eigenvalues did not converge"),
    ):
        with pytest.raises(np.linalg.LinAlgError, match=f"^{text}$"):
            function(a)
        with pytest.raises(np.linalg.LinAlgError, match=f"^{text}$"):
            function(a.numpy())


def test_without_operators_the_host_computes(rng, monkeypatch):
    """The declared path: it is refused while it is forbidden, and gives NumPy's values when it is not."""
    for module in (solving, decompositions, eigen):
        monkeypatch.setattr(module, "has_operator", lambda name: False)
    host = values(rng, (2, 3, 3), TYPES[0])
    host = host @ host.mT + np.eye(3, dtype=np.float32)
    a = pyasc.from_numpy(host)
    for name in (
        "eig",
        "eigvals",
        "eigh",
        "eigvalsh",
        "svd",
        "svdvals",
        "cholesky",
        "matrix_rank",
        "pinv",
    ):
        function = getattr(np.linalg, name)
        pyasc.config.host_path = "error"
        with pytest.raises(RuntimeError, match=r"numpy\.linalg\.\w+ has no route on this device"):
            function(a)
        pyasc.config.host_path = "allow"
        found, expected = function(a), function(host)
        if not isinstance(found, tuple):
            found, expected = (found,), (expected,)
        assert type(found).__module__ != "numpy.linalg"
        for one, other in zip(found, expected, strict=True):
            like_numpy(one, other)
            near(np.abs(one.numpy()), np.abs(other), 100)


# ---- least squares, rank, pseudo-inverse


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_least_squares(dtype, rng, linalg_route):
    for m, n in ((6, 3), (3, 6), (4, 4), (1, 1), (0, 3), (3, 0)):
        host = values(rng, (m, n), dtype)
        for shape in ((m,), (m, 1), (m, 4), (m, 0)):
            b = values(rng, shape, dtype)
            x, rest, rank, s = np.linalg.lstsq(pyasc.from_numpy(host), pyasc.from_numpy(b))
            expected = np.linalg.lstsq(host, b)
            assert int(rank) == expected[2]
            assert rank.dtype == np.int32
            for found, other in ((x, expected[0]), (rest, expected[1]), (s, expected[3])):
                like_numpy(found, other)
                near(found, other, 100)


def test_least_squares_without_full_rank(rng, linalg_route):
    a = values(rng, (6, 2), TYPES[1]) @ values(rng, (2, 4), TYPES[1])
    b = values(rng, (6, 3), TYPES[1])
    for rcond in (None, 1e-10, -1, 0.9):
        found = np.linalg.lstsq(pyasc.from_numpy(a), pyasc.from_numpy(b), rcond=rcond)
        expected = np.linalg.lstsq(a, b, rcond=rcond)
        assert int(found[2]) == expected[2]
        assert found[1].shape == expected[1].shape
        near(found[0], expected[0], 1e2 if expected[2] < 3 else 1e20)
    for bad in (((3, 2), (4,)), ((3,), (3,)), ((3, 3), (3, 2, 2))):
        a, b = (pyasc.ones(shape) for shape in bad)
        with pytest.raises(np.linalg.LinAlgError) as ours:
            np.linalg.lstsq(a, b)
        with pytest.raises(np.linalg.LinAlgError) as numpys:
            np.linalg.lstsq(a.numpy(), b.numpy())
        assert str(ours.value) == str(numpys.value)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_rank_and_pseudo_inverse(dtype, rng):
    for shape in SHAPES[:5]:
        host = values(rng, (3, *shape), dtype)
        host[1, :, -1] = host[1, :, 0]
        host[2] = 0
        a = pyasc.from_numpy(host)
        for words in (
            {},
            {"tol": 0.5},
            {"rtol": 0.3},
            {"rtol": np.array([0.1, 0.9, 0.5])},
            {"tol": np.arange(3.0)},
        ):
            found = np.linalg.matrix_rank(a, **words)
            np.testing.assert_array_equal(found.numpy(), np.linalg.matrix_rank(host, **words))
            assert found.dtype == np.int64
        for words in (
            {},
            {"rcond": 0.2},
            {"rtol": 0.1},
            {"rtol": None},
            {"rcond": np.array([0.1, 0.2, 0.3])},
        ):
            found, expected = np.linalg.pinv(a, **words), np.linalg.pinv(host, **words)
            like_numpy(found, expected)
            near(found, expected, 1000)
    square = host[..., : min(shape), : min(shape)]
    square = square + square.mT.conj()
    a = pyasc.from_numpy(square)
    near(np.linalg.pinv(a, hermitian=True), np.linalg.pinv(square, hermitian=True), 1000)
    np.testing.assert_array_equal(
        np.linalg.matrix_rank(a, hermitian=True).numpy(),
        np.linalg.matrix_rank(square, hermitian=True),
    )
    for few in (np.zeros(3, dtype), np.ones(3, dtype), np.zeros((), dtype), np.ones((), dtype)):
        assert int(np.linalg.matrix_rank(pyasc.from_numpy(few))) == np.linalg.matrix_rank(few)
    assert np.linalg.pinv(pyasc.ones((2, 0, 3), dtype)).shape == (2, 3, 0)
    for function, words in (
        (np.linalg.matrix_rank, ("tol", "rtol")),
        (np.linalg.pinv, ("rcond", "rtol")),
    ):
        with pytest.raises(ValueError, match=f"`{words[0]}`.*can't be both set|can't be both set"):
            function(a, **dict.fromkeys(words, 0.1))


def test_integers_are_cut_at_the_precision_they_are_computed_in():
    found = np.linalg.pinv(pyasc.array([[1, 2], [2, 4]]))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.numpy(), np.linalg.pinv([[1, 2], [2, 4]]), atol=1e-6)


# ---- types and errors

SQUARE = ["cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "slogdet"]


@pytest.mark.parametrize(
    "name", [*SQUARE, "qr", "svd", "svdvals", "pinv", "cond", "matrix_power", "solve"]
)
def test_shapes_that_are_refused(name):
    function = getattr(np.linalg, name)
    rest = {"matrix_power": (2,), "solve": (pyasc.ones(3),)}.get(name, ())
    for shape in ((), (3,)):
        if name == "pinv":  # NumPy's own words are about svd's argument
            with pytest.raises((np.linalg.LinAlgError, IndexError)):
                function(pyasc.ones(shape))
            continue
        same_error(function, pyasc.ones(shape), *rest)
    if name in SQUARE:
        same_error(function, pyasc.ones((2, 3)), *rest)
        same_error(function, pyasc.ones((4, 2, 3)), *rest)


@pytest.mark.parametrize("name", [*SQUARE, "qr", "svd", "svdvals", "pinv", "solve"])
def test_half_precision_is_refused(name):
    function = getattr(np.linalg, name)
    for dtype in (np.float16, ml_dtypes.bfloat16):
        a = pyasc.ones((2, 2), dtype)
        with pytest.raises(
            TypeError, match=f"^array type {np.dtype(dtype).name} is unsupported in linalg$"
        ):
            function(*[a] * (2 if name == "solve" else 1))


def test_right_hand_sides_that_do_not_fit():
    a = pyasc.ones((2, 3, 3)) + pyasc.eye(3)
    for shape in ((), (4,), (2, 4, 1), (4, 3, 1)):
        with pytest.raises(ValueError) as numpys:
            np.linalg.solve(a.numpy(), np.ones(shape))
        with pytest.raises(ValueError) as ours:
            np.linalg.solve(a, pyasc.ones(shape))
        assert str(ours.value).split(",")[0].split(": (")[0] in str(
            numpys.value
        ) or "broadcast" in str(ours.value)


@pytest.mark.parametrize("dtype", [np.dtype(c) for c in "?bBhHiIlL"], ids=str)
def test_integers_count_as_the_default_float(dtype, linalg_route):
    host = np.array([[1, 1], [1, 0]], dtype)
    a = pyasc.from_numpy(host)
    det = np.linalg.det(a)
    assert (
        det.dtype
        == np.linalg.inv(a).dtype
        == np.linalg.solve(a, a).dtype
        == np.linalg.qr(a).Q.dtype
        == np.float32
    )
    np.testing.assert_allclose(det.numpy(), np.linalg.det(host), atol=1e-6)
    assert np.linalg.solve(a, pyasc.ones(2, np.float64)).dtype == np.float64
    assert np.linalg.solve(a, pyasc.ones(2, np.complex64)).dtype == np.complex64
    pyasc.set_default_dtype("float64")
    try:
        assert (
            np.linalg.inv(a).dtype
            == np.linalg.svd(a).S.dtype
            == np.linalg.norm(a).dtype
            == np.float64
        )
    finally:
        pyasc.set_default_dtype("float32")


def test_unknown_words_are_refused():
    a = pyasc.eye(2)
    same_error(np.linalg.qr, a, "nonsense")
    same_error(np.linalg.eigh, a, "X")
    same_error(np.linalg.eigvalsh, a, UPLO="")


def test_lists_and_mixed_operands(rng):
    near(pyasc.linalg.inv([[2.0, 0], [0, 4]]), np.diag([0.5, 0.25]))
    x = np.linalg.solve(np.eye(2, dtype=np.float32) * 2, pyasc.ones(2))
    assert type(x) is pyasc.ndarray
    near(x, [0.5, 0.5])
