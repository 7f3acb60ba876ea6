"""The parameters of a function, and which of them a caller over the network fills."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.targets import names_of

_PARAMETERS = frozenset(
    ["parameters", "formal_parameters", "parameter_list", "method_parameters", "lambda_parameters", "block_parameters"]
)
_HANDLER = re.compile(
    r"\.(route|get|post|put|delete|patch|api_route|websocket)\(|api_view|\b(Get|Post|Put|Delete|Patch|Request)Mapping\b"
    r"|\[(Http(Get|Post|Put|Delete|Patch)|Route)\b|@(GET|POST|PUT|DELETE|Path)\b"
    r"|\bpublic\b[^(]*\b(I?ActionResult|HttpResponseMessage)\b"
)
_REMOTE_PARAMETER = re.compile(
    r"\b(RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|QueryParam|PathParam|FormParam|HeaderParam"
    r"|FromQuery|FromBody|FromRoute|FromForm|FromHeader)\b|@(Query|Param|Body|Headers)\("
)
_SERVICE_PARAMETER = re.compile(
    r"^(self|cls|request|req|response|res|db|session|conn|ctx|model|cancellationToken)$|Service|Repository"
    r"|(?-i:\b(Http)?(Servlet)?(Request|Response|Session) \w+$"
    r"|\b(Principal|Authentication|BindingResult|Locale|DbContext)\b)",
    re.I,
)


def parameters_of(node: SgNode) -> tuple[dict[str, SgNode], set[str]]:
    """Return the parameters of a function by name, and those that a caller over the network fills."""
    named: dict[str, SgNode] = {}
    filled: set[str] = set()
    holder = node.field("parameters") or next((it for it in node.children() if it.kind() in _PARAMETERS), None)
    if holder is None and (declarator := node.field("declarator")):
        holder = next((it for it in nodes.walk(declarator, 40) if it.kind() == "parameter_list"), None)
    if holder is None:
        single = node.field("parameter")
        found = [single] if single is not None else []
    else:
        found = [it for it in holder.named_children() if it.kind() != "comment"] or (
            [holder] if holder.kind() == "identifier" else []
        )
    before = node.prev_all()[:3] if node.parent() else []
    parent = node.parent()
    header = node.text()[:300].split("{")[0] + "".join(
        it.text()[:200] for it in before if it.kind() in {"decorator", "attribute_list"}
    )
    if parent and parent.kind() == "decorated_definition":
        header += "".join(it.text()[:300] for it in parent.named_children() if it.kind() == "decorator")
    handler = bool(_HANDLER.search(header)) or _is_endpoint(node)
    for parameter in found:
        remote = bool(_REMOTE_PARAMETER.search(parameter.text()[:200]))
        for name in names_of(parameter):
            named[name] = parameter
            if remote or (
                handler and not _SERVICE_PARAMETER.search(parameter.text()[:120]) and "Depends(" not in parameter.text()
            ):
                filled.add(name)
    return named, filled


def _is_endpoint(node: SgNode) -> bool:
    """Say whether a lambda is what a minimal web application runs for a route."""
    call = next((it for it in list(node.ancestors())[:3] if it.kind() == "invocation_expression"), None)
    return call is not None and bool(re.search(r"\.Map(Get|Post|Put|Delete|Patch)$", nodes.callee(call)))
