"""How many threads numpy's linear algebra may use."""

from __future__ import annotations

from functools import cache

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]


@cache
def use_one_blas_thread() -> None:
    """Keep linear algebra on the calling thread, for the rest of the process.

    The products here take under a millisecond; a pool of threads that spins between them costs ten times as much.
    """
    threadpool_limits(limits=1, user_api="blas")
