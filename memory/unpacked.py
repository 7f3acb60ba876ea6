"""Arrays kept in a file that is mapped into memory: what takes long to unpack is unpacked once for a machine.

The file is known by its hash and can be thrown away: where it is missing, cut off, altered or unreadable the arrays are
made again. It is written beside and moved into place, so two processes at once each see a whole file or none. What is
mapped changes with the file, so only the owner of its folder, or root, may own it.
"""

from __future__ import annotations

import json
import logging
import mmap
from collections.abc import Callable, Mapping
from hashlib import file_digest
from os import fstat
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]

log = logging.getLogger(__name__)

_ALIGNED = 64
_HEAD_BYTES = 8
_UNFINISHED = ".part"
_LEFT_AFTER_S = 600


def unpacked(file: Path | None, sha256: str, make: Callable[[], Arrays]) -> Arrays:
    """Give the arrays that ``file`` holds if its hash is ``sha256``, mapped and read-only; else make and keep them.

    A place that cannot be written to, or None, keeps nothing. Raises what ``make`` does.
    """
    if file is None:
        return make()
    try:
        if (found := _mapped(file, sha256)) is not None:
            return found
    except OSError as error:
        log.info("%s cannot be read, so it is unpacked again: %s", file, error)
    made = make()
    try:
        _keep(file, made)
    except OSError as error:
        log.info("%s cannot be kept, so the next start unpacks again: %s", file, error)
    return made


def _mapped(file: Path, sha256: str) -> Arrays | None:
    """Map a file; None where there is none, or another one than wanted. It is hashed as it is opened, then mapped."""
    if not file.is_file():  # a pipe or a device would be read for ever
        return None
    with file.open("rb") as opened:
        if fstat(opened.fileno()).st_uid not in {0, file.parent.stat().st_uid}:
            return None
        if file_digest(opened, "sha256").hexdigest() != sha256:
            return None
        held = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    start = int.from_bytes(held[:_HEAD_BYTES], "little")
    head: dict[str, tuple[str, list[int], int]] = json.loads(held[_HEAD_BYTES:start].rstrip())
    return {
        name: np.frombuffer(held, dtype, int(np.prod(shape)), start + at).reshape(shape)
        for name, (dtype, shape, at) in head.items()
    }


def _keep(file: Path, arrays: Arrays) -> None:
    """Write the length of the head, the head (type, shape and place of each array), and the arrays."""
    head: dict[str, tuple[str, list[int], int]] = {}
    at = 0
    for name, array in arrays.items():
        head[name] = array.dtype.str, list(array.shape), at
        at += _padded(array.nbytes)
    told = json.dumps(head).encode()
    start = _padded(_HEAD_BYTES + len(told))
    file.parent.mkdir(parents=True, exist_ok=True)
    for left in file.parent.glob(f"{file.name}*{_UNFINISHED}"):
        if left.stat().st_mtime < time() - _LEFT_AFTER_S:  # whoever wrote it was killed
            left.unlink(missing_ok=True)
    with NamedTemporaryFile(dir=file.parent, prefix=file.name, suffix=_UNFINISHED, delete=False) as opened:
        try:
            opened.write(start.to_bytes(_HEAD_BYTES, "little") + told.ljust(start - _HEAD_BYTES))
            for array in arrays.values():
                opened.write(np.ascontiguousarray(array).data)
                opened.write(bytes(_padded(array.nbytes) - array.nbytes))
            opened.flush()
            Path(opened.name).chmod(0o644)
            Path(opened.name).replace(file)
        except BaseException:
            Path(opened.name).unlink(missing_ok=True)
            raise


def _padded(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED
