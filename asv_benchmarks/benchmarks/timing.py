"""How all benchmarks measure.

The functions are asv's `track_` kind and time themselves: with `asv run --quick` a `time_` function
runs once, and one call of 50 ns cannot be told from the clock.
"""

import importlib
import statistics
import time
import timeit

LIBRARIES = ["numpy", "pyasc"]
ROUNDS = 9
ROUND_SECONDS = 0.005  # long against the clock and the scheduler's ticks


def load(library):
    """Return the library and a function that waits for what it has been asked to do."""
    module = importlib.import_module(library)
    return module, getattr(module, "synchronize", lambda: None)


def per_call(statement, wait, rounds=ROUNDS, **names):
    """Return the median nanoseconds of a statement, once memory and caches are warm.

    A statement and the names in it, not a function: the call of a function would be measured too.
    """
    timer = timeit.Timer(statement, globals=names)

    def seconds(calls):
        start = time.perf_counter()
        timer.timeit(calls)
        wait()
        return time.perf_counter() - start

    calls = 1
    seconds(calls)
    while seconds(calls) < ROUND_SECONDS and calls < 1_000_000:
        calls *= 2
    return statistics.median(seconds(calls) for _ in range(rounds)) / calls * 1e9
