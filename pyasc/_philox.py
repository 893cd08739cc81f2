"""Bits by counter: a key and a position say what every number is."""

import operator
import threading

import numpy as np

from pyasc._core.array import ndarray
from pyasc._core.call import call

_JUMP = 1 << 48  # numbers that a jump leaves out


class Philox:
    """Philox4x32-10 (Salmon, Moraes, Dror, Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011).

    The same seed gives the same numbers whatever the number of threads, of devices, and the layout of the arrays.

    Parameters
    ----------
    seed : None, int, array_like of int, or SeedSequence, optional
        None: from the operating system.
    key : int, optional
        The 64 bits of the key themselves, in place of a seed.
    counter : int, optional
        Position to start at.

    Attributes
    ----------
    state : dict
        Name, key and position; may be set to a state of this kind.
    """

    def __init__(self, seed=None, *, counter=0, key=None):
        if seed is not None and key is not None:
            raise ValueError("seed and key cannot be both used")
        self._sequence = seed if hasattr(seed, "generate_state") else None
        self.lock = threading.Lock()
        if key is None:
            if self._sequence is None:
                self._sequence = _sequence(seed)
            key = int(self.seed_seq.generate_state(1, np.uint64)[0])
        self._key, self._position = _word(key, "key"), _word(counter, "counter")

    @property
    def seed_seq(self):
        """The seed sequence behind the key, which children are spawned from."""
        if self._sequence is None:
            self._sequence = _sequence(self._key)
        return self._sequence

    def restart(self, seed):
        """Start again from a seed, as a generator made anew."""
        fresh = Philox(seed)
        self._sequence, self.state = fresh._sequence, fresh.state

    def take(self, count):
        """Key and position of the next ``count`` numbers, which nobody else gets."""
        with self.lock:
            start = self._position
            self._position += -(-count // 4) * 4  # a block of Philox makes four
        return self._key, start & 0xFFFFFFFFFFFFFFFF

    @property
    def state(self):
        return {
            "bit_generator": "Philox",
            "state": {"key": self._key, "counter": self._position},
        }

    @state.setter
    def state(self, value):
        if not isinstance(value, dict):
            raise TypeError("state must be a dict")
        name = value.get("bit_generator")
        if name != "Philox":
            raise ValueError(f"state must be for a Philox generator, not {name!r}")
        inner = value.get("state")
        if not isinstance(inner, dict) or set(inner) != {"key", "counter"}:
            raise ValueError(
                "state['state'] must have 'key' and 'counter', as pyasc's Philox has them"
            )
        self._key, self._position = _word(inner["key"], "key"), _word(inner["counter"], "counter")

    def jumped(self, jumps=1):
        """A generator as if ``jumps`` times 2**48 numbers had been drawn from this one."""
        made = Philox(self.seed_seq, counter=self._position + operator.index(jumps) * _JUMP)
        made._key = self._key
        return made

    def spawn(self, n_children):
        """Independent generators, from the children of the seed sequence."""
        return [Philox(child) for child in self.seed_seq.spawn(n_children)]

    def random_raw(self, size=None):
        """The next 64-bit numbers, as uint64."""
        shape = shape_of(size)
        out = ndarray(shape, np.int64)
        if out.size:
            key, position = self.take(2 * out.size)
            call("aclnnInplaceRandom", out, -(2**63), 2**63 - 1, signed(key), signed(position))
        return out.view(np.uint64)

    def __getstate__(self):
        return {"state": self.state, "seed_seq": self.seed_seq}

    def __setstate__(self, value):
        self.__init__(value["seed_seq"])
        self.state = value["state"]


def _sequence(entropy):
    from numpy.random import SeedSequence  # what most programs do without is not loaded with pyasc

    return SeedSequence(entropy)


def _word(value, name):
    value = operator.index(value)
    if not 0 <= value < 1 << 64:
        raise ValueError(f"{name} must be in [0, 2**64), not {value}")
    return value


def signed(word):
    """The 64 bits as int64, for operators that declare their seed so."""
    return word - (1 << 64) if word >= 1 << 63 else word


def shape_of(size):
    """A ``size`` argument as a shape."""
    if size is None:
        return ()
    if isinstance(size, (tuple, list)):
        shape = tuple(operator.index(n) for n in size)
    else:
        shape = (operator.index(size),)
    if any(n < 0 for n in shape):
        raise ValueError(f"negative dimensions are not allowed: {shape}")
    return shape
