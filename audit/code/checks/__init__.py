"""Conditions that a pattern cannot say, by the name that rules call them. Each returns the node to report, or None."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType

from ast_grep_py import SgNode

from audit.code.checks import (
    absent,
    algorithms,
    bare_returns,
    branches,
    collections,
    commands,
    concurrency,
    cookies,
    datagrams,
    dropped,
    endless,
    equality,
    fields,
    formats,
    go,
    hashing,
    injection,
    key_material,
    locks,
    loops,
    members,
    names,
    native,
    native_memory,
    native_sizes,
    nulls,
    numbers,
    operators,
    owners,
    personal_files,
    privileges,
    program_files,
    prototypes,
    resources,
    returns,
    secrets,
    siblings,
    steps,
    test_code,
    timing,
    transport,
    uploads,
    web,
)
from audit.code.taint import Taint

Check = Callable[[SgNode, Taint], SgNode | None]

_MODULES = (
    absent,
    algorithms,
    bare_returns,
    branches,
    collections,
    commands,
    concurrency,
    cookies,
    datagrams,
    dropped,
    endless,
    equality,
    fields,
    formats,
    go,
    hashing,
    injection,
    key_material,
    locks,
    loops,
    members,
    names,
    native,
    native_memory,
    native_sizes,
    nulls,
    numbers,
    operators,
    owners,
    personal_files,
    privileges,
    program_files,
    prototypes,
    resources,
    returns,
    secrets,
    siblings,
    steps,
    test_code,
    timing,
    transport,
    uploads,
    web,
)

CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        name: function
        for module in _MODULES
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
)
