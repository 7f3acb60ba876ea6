"""Checks on handlers that ask nobody who calls, beside others of the same class or file that do."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.taint import Taint

_GUARD = re.compile(
    r"@(PreAuthorize|Secured|RolesAllowed|PostAuthorize)\b|\[Authorize\b|@UseGuards\(|Depends\(\s*[\w.]*(user|auth|admin|token|login)\w*|Security\("
    r"|@(\w+\.)?\w*(login_required|jwt_required|auth_required|requires_auth|permission_required|roles?_required|admin_required|token_required)"
)
_OPEN = re.compile(
    r"(?i)log_?in|log_?out|sign|register|webhook|hook|callback|health|contact|reset|forgot|refresh|[\"'/]public|token|subscribe"
    r"|AllowAnonymous|PermitAll|csp"
)
_EVERYWHERE = re.compile(
    r"dependencies\s*=|before_request|IsAuthenticated|LoginRequiredMixin|RequireAuthorization|anyRequest\(\)"
)
_HANDLERS = frozenset(["method_declaration", "decorated_definition", "method_definition"])


def sibling_method_is_guarded(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a handler that changes something and has no guard, where another of its class or file has one."""
    head = _head(match)
    whole = match.get_root().root().text()[:60_000]
    if _GUARD.search(head) or _OPEN.search(head) or _EVERYWHERE.search(whole):
        return None
    holder = next((it for it in match.ancestors() if it.kind() == "class_declaration"), None)
    if holder is not None and _GUARD.search(_class_head(holder)):
        return None
    around = holder if holder is not None else match.get_root().root()
    others = [
        it for it in nodes.walk(around, 6_000) if it.kind() in _HANDLERS and nodes.start(it) != nodes.start(match)
    ]
    return match if any(_GUARD.search(_head(it)) for it in others) else None


def _head(handler: SgNode) -> str:
    """Return annotations, name and parameters of a handler."""
    body = handler.field("body")
    definition = handler.field("definition")
    if body is None and definition is not None:
        body = definition.field("body")
    before = [it.text()[:300] for it in handler.prev_all()[:3] if it.kind() == "decorator"]
    end = nodes.start(body) - nodes.start(handler) if body is not None else 800
    return " ".join([*before, handler.text()[: min(end, 1_200)]])


def _class_head(holder: SgNode) -> str:
    body = holder.field("body")
    before = [it.text()[:300] for it in holder.prev_all()[:3] if it.kind() == "decorator"]
    return " ".join([*before, holder.text()[: nodes.start(body) - nodes.start(holder) if body is not None else 400]])
