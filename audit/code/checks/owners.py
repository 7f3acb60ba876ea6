"""Checks on who asks: objects of others within reach, and addresses that the client writes itself."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.flows import Level
from audit.code.taint import Taint

_SIGNED_IN = re.compile(
    r"login_required|jwt_required|token_required|auth_required|requires_auth|authenticated|IsAuthenticated"
)
_ASKS_WHOSE = re.compile(
    r"(?i)current_user|request\.user|g\.user|(?<!db\.)session|owner|author|user_?id|get_jwt|identity|40[13]|permission|has_perm"
    r"|role|admin|staff|\bcan_|authori[sz]|tenant|belongs|member"
)
# Things of one person; an article or a product is everybody's.
_PERSONAL = (
    r"(invoice|order|account|profile|user|message|document|address|payment|cart|basket|ticket|booking|reservation"
    r"|statement|card|wallet|note|photo|prescription|appointment|subscription|contract|receipt|conversation|policy"
    r"|claim|payslip|loan|letter|timesheet|patient|employee|salary|transaction|transfer|upload|attachment|draft|customer|medical|file)s?"
)


def owner_never_asked(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a signed-in handler that looks up a personal object by a given id and never speaks of a user."""
    function = nodes.function_of(match)
    decorated = function.parent() if function is not None else None
    if function is None or decorated is None or decorated.kind() != "decorated_definition":
        return None
    whole = decorated.text()[:4_000]
    body = whole[whole.find("def ") :]
    given_user = re.search(r"(\w+)\s*(?::[^=,()]+)?=\s*(?:Depends|Security)\(\s*[\w.]*(?:current|auth)\w*\s*\)", body)
    if given_user is not None:
        after = function.field("body")
        if after is None or re.search(rf"\b{given_user.group(1)}\b", after.text()):
            return None
    elif not _SIGNED_IN.search(whole[: whole.find("def ")]) or _ASKS_WHOSE.search(body):
        return None
    called, given = nodes.callee(match), nodes.arguments(match)
    asked = re.search(r"\bquery\((\w+)\)", match.text())
    model = (
        given[0].text()
        if re.search(r"get_object_or_404|\b(db|session)\.get$", called) and given
        else called.split(".")[0]
    )
    model = asked.group(1) if asked else model
    if not re.fullmatch(rf"(?i)\w*{_PERSONAL}", model) or not given:
        return None
    last = given[-1].field("value") or given[-1]
    asked_for = last.text() in taint.scope_of(match).parameters or taint.trace(last).level >= Level.GIVEN
    return match if asked_for else None


def session_never_compared(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a statement run for the id in a request, where a session is asked for and its user is not."""
    text = (nodes.function_of(match) or match.get_root().root()).text()[:6_000]
    whole = match.get_root().root().text()[:20_000]
    request = r"\$_(?:GET|POST|REQUEST)\[\s*['\"](?:\w*id|user|account|email|login|username)['\"]\s*\]"
    held = re.findall(rf"(\$\w+)\s*=\s*(?:\(int\)\s*|intval\(\s*)?{request}", text)
    named = re.search("|".join([request, *(rf"{re.escape(it)}\b" for it in held)]), match.text())
    if named is None or "$_SESSION" not in whole:
        return None
    statement = re.search(
        rf"(?i)\b(update|delete\s+from|select\b[^;]*?\bfrom)\s+`?{_PERSONAL}`?\b[^;]*\bwhere\s+`?(\w*id|email|login|username)`?\s*=",
        text,
    )
    asked = re.search(
        r"\$_SESSION\[[^\]]+\]\s*[!=]==?|[!=]==?\s*\$_SESSION|\(\s*\$_SESSION\[|,\s*\$_SESSION\[|=\s*\$_SESSION\[|token|old_pass|current_pass|password_verify|admin",
        re.sub(r"(isset|empty)\s*\([^)]*\)", "", whole),
    )
    return match if statement and not asked else None


def header_decides(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a header with the client's address where it, or the name it is given, is compared or looked up."""
    function = nodes.function_of(match) or match.get_root().root()
    read = re.escape(match.text())
    text = function.text()[:20_000]
    held = re.search(rf"(\w+)\s*=\s*[^=;\n]*{read}", text)
    for it in (read, rf"\b{held.group(1)}\b") if held else (read,):
        compared = rf"{it}[^=;\n]{{0,40}}[!=]==?(?!=)|[!=]==?\s*{it}|{it}[^;\n]{{0,20}}\s(not\s+)?in\s+[\w(\[{{]"
        asked = rf"\b(includes|has|contains|equals)\w*\s*\(\s*{it}|{it}\)?\.(starts_?[wW]ith|equals|includes)\("
        if re.search(f"{compared}|{asked}", text):
            return match
    return None


_ADMITS = (
    r"(?i)\b(require|ensure|check|verify|protect|guard|is)?_?"
    r"(auth\w*|login\w*|signed_?in|role\w*|admin\w*|jwt\w*|user)\b"
)
_OPEN_TO_ALL = re.compile(
    r"(?i)log_?in|log_?out|sign|register|webhook|hook|callback|health|contact|reset|forgot|refresh|public|token"
)


def sibling_is_guarded(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a route that changes something for anybody, where two others of its router ask who calls."""
    given = nodes.arguments(match)
    path = nodes.string_text(given[0]) if given else None
    router = nodes.callee(match).split(".")[0]
    if len(given) != 2 or path is None or _OPEN_TO_ALL.search(path):
        return None
    if not given[1].kind().endswith("function"):
        return None
    whole, own = match.get_root().root().text()[:60_000], given[1].text()[:4_000]
    guarded = re.findall(
        rf"{re.escape(router)}\.(?:get|post|put|patch|delete)\(\s*[\"'`][^\"'`]*[\"'`]\s*,\s*([\w.]+)", whole
    )
    asked = [it for it in guarded if re.search(_ADMITS, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", it))]
    everywhere = re.search(rf"{re.escape(router)}\.use\(\s*[\w.]*{_ADMITS[4:]}", whole, re.IGNORECASE)
    return match if len(asked) >= 2 and not everywhere and not _ASKS_WHOSE.search(own) else None


_ASKED_TO_SIGN_IN = re.compile(
    r"\[(\w+(\([^)\]]*\))?,\s*)*Authorize\s*[,\]]|middleware\(\s*\[?['\"]auth|authenticate_user!|require_login|@PreAuthorize\(\"isAuthenticated|IsGranted\('ROLE_USER'"
)
_OWN_ROLE = re.compile(r"Roles\s*=|Policy\s*=|hasRole|hasAuthority|require_admin|ROLE_ADMIN|can:")
_ASKS_WHOSE_ELSEWHERE = re.compile(
    r"(?i)\buser\b\s*[.(\[-]|current_?user|owner|author|user_?id|principal|identity|claim|forbid|40[13]\b|permission|role|gate|policy"
    r"|\bcan\b|tenant|belongs|member|auth(::|\(\)|->)|session"
)


def object_of_any_owner(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a lookup of a personal object by a given id where who calls is asked to sign in and nothing else."""
    function = nodes.function_of(match)
    around = next(
        (
            it
            for it in match.ancestors()
            if it.kind() in {"call_expression", "call"}
            and function is not None
            and it.range().start.index < function.range().start.index
        ),
        None,
    )
    if function is None:
        return None
    whole, body = match.get_root().root().text()[:20_000], _ASKED_TO_SIGN_IN.sub("", function.text()[:4_000])
    if around is not None and match.kind() == "call_expression":
        route = around.text()[: nodes.start(function) - nodes.start(around)]
        signed_in = (
            bool(re.search(_ADMITS, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", route))) and "admin" not in route.lower()
        )
    else:
        signed_in = bool(_ASKED_TO_SIGN_IN.search(whole)) and not _OWN_ROLE.search(whole)
    called = re.sub(r"\.(Include|ThenInclude|AsNoTracking)\([^()]*\)", "", nodes.callee(match))
    model = re.search(r"(\w+?)s?(?:\.query)?(?:\.|::)\w+\(?$", called)
    given = nodes.arguments(match)
    if (
        not signed_in
        or model is None
        or not given
        or _ASKS_WHOSE_ELSEWHERE.search(re.sub(r"req(uest)?\.params", "", body))
    ):
        return None
    personal = re.fullmatch(rf"(?i)\w*{_PERSONAL}", model.group(1))
    numbered = re.search(r"(?i)\bid\b|_id\b|[a-z]Id\b", given[0].text()) or given[0].text() in {"id", "$id"}
    return match if personal and numbered else None
