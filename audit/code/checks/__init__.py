"""Conditions that a pattern cannot say, by the name that rules call them. Each returns the node to report, or None."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType

from ast_grep_py import SgNode

from audit.code.checks import (
    classes,
    conditions,
    control,
    go,
    injection,
    native,
    objects,
    secrets,
    types,
    values,
    web,
)
from audit.code.taint import Taint

Check = Callable[[SgNode, Taint], SgNode | None]

CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        name: function
        for module in (classes, conditions, control, go, injection, native, objects, secrets, types, values, web)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if list(inspect.signature(function).parameters) == ["match", "taint"] and not name.startswith("_")
    }
)
