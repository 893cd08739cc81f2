"""Run digits.py three times: on NumPy arrays, on pyasc arrays, and with `import pyasc as np`.

Fails if the results disagree, if a function had to run on the host, or if one array went between
host and device without being asked to by name.
"""

import statistics
import sys
import time
import types
from pathlib import Path

import numpy
from sklearn.datasets import load_digits

import pyasc

SOURCE = Path(__file__).with_name("digits.py")
TRAINING = 1347  # three quarters of 1,797
REPEATS = 3
AGREE = 0.99  # float32 rounds differently in a different order; a few images lie on a border


def load(library):
    """Return digits.py as a module whose `np` is the library named."""
    text = SOURCE.read_text(encoding="utf-8")
    changed = text.replace("import numpy as np", f"import {library} as np")
    module = types.ModuleType(f"digits_on_{library}")
    exec(compile(changed, str(SOURCE), "exec"), module.__dict__)
    return module


def timed(analyse, arguments, wait):
    """Return what `analyse` returns, and the median of its seconds."""
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        result = analyse(*arguments)
        wait()
        seconds.append(time.perf_counter() - start)
    return result, statistics.median(seconds)


def report(name, result, seconds):
    """Print one run's figures."""
    print(
        f"{name:22} accuracy {float(result['accuracy']):.4f}   purity {float(result['purity']):.4f}   "
        f"variance explained {float(result['explained']):.4f}   {seconds * 1000:8.1f} ms"
    )


def agreement(name, result, reference):
    """Print how far a run agrees with NumPy's; return whether it is far enough."""
    same = {}
    for key in ("guesses", "clusters"):
        same[key] = float(numpy.mean(pyasc.to_numpy(result[key]) == reference[key]))
    away = float(numpy.max(numpy.abs(pyasc.to_numpy(result["weights"]) - reference["weights"])))
    print(
        f"{name:22} same digit {same['guesses']:.2%}   same cluster {same['clusters']:.2%}   "
        f"largest difference of a weight {away:.1e}"
    )
    return min(same.values()) >= AGREE


def main():
    """Run the three, print, and return the exit status."""
    digits = load_digits()
    images = digits.data.astype(numpy.float32)
    labels = digits.target.astype(numpy.int64)
    starts = numpy.arange(0, 400, 40)  # rows that k-means starts from

    pyasc.config.host_path = "error"
    print(f"{len(images)} images of 8 x 8 pixels, float32; {TRAINING} to learn from")
    host = load("numpy").analyse
    reference, seconds = timed(host, (images, labels, TRAINING, starts), lambda: None)
    report("NumPy", reference, seconds)

    before = pyasc.transfers()
    device = (pyasc.asarray(images), pyasc.asarray(labels), TRAINING, pyasc.asarray(starts))
    good = True
    for name, analyse in (
        ("pyasc arrays, np.*", host),
        ("import pyasc as np", load("pyasc").analyse),
    ):
        result, seconds = timed(analyse, device, pyasc.synchronize)
        if not all(isinstance(value, pyasc.ndarray) for value in result.values()):
            print(f"{name}: a result is not a pyasc array", file=sys.stderr)
            good = False
        report(name, result, seconds)
        good = agreement("", result, reference) and good
    print(f"device: {device[0].device!r}")
    implicit = pyasc.transfers().implicit - before.implicit
    print(f"implicit transfers: {implicit}")
    if implicit:
        print(f"{implicit} arrays went between host and device unasked", file=sys.stderr)
    if not good:
        print("the runs disagree", file=sys.stderr)
    return 0 if good and not implicit else 1


if __name__ == "__main__":
    sys.exit(main())
