"""Checks on secrets: literals that look like one, and randomness that has to be one."""

from __future__ import annotations

import itertools
import re

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.taint import Taint

_SECRET_NAME = re.compile(
    r"(?i)(passw(or)?d|passwd|\bpwd|_pwd|pass_?phrase|secret|api_?key|access_?key|auth_?token|access_?token|private_?key|encryption_?key"
    r"|client_?secret|signing_?key|jwt_?(key|secret)|^token$|_token$|^pass$|^pw$|db_?pass|secret_?key|credential)"
)
_NO_SECRET_NAME = re.compile(
    r"(?i)(_?(url|uri|path|file|field|name|label|hint|regex|pattern|param|header|prefix|type|id|input|error|message|msg|env|length|len|min|max|column|policy|expir\w*|placeholder"
    r"|endpoint|scope|format|selector|template|title|text|status|algorithm|version|store|service|manager|provider|reset|help|confirm\w*|encoder|validator|class|key_?name|var|property|attr|count|limit|prompt|question))$"
    r"|^(get|set|is|has|validate|check|hash|encrypt|reset|forgot)_?|csrf|xsrf|public_?key|foreign|primary_?key|next_?token|page_?token|placeholder|test_"
)
_PLACEHOLDER = re.compile(
    r"(?i)^(x+|\*+|\.+|-+|<.*>|\$\{.*|\{\{.*|%\w*%|your[-_ ].*|change[-_ ]?me|example.*|dummy.*"
    r"|placeholder|none|null|nil|undefined|true|false|todo.*|redacted|n/?a|test|string|password"
    r"|secret|token|pass|passwd"
    r"|user|username|key|value|enter .*|invalid.*|missing.*|required|.*\bos\.environ.*|process\.env.*"
    r"|.*_env$|api[-_ ]?key|bearer|basic|hidden|text|email|access[-_ ]?token|refresh[-_ ]?token"
    r"|authorization|x-.*|[a-z]+_(password|secret|token|key))$"
)
_KNOWN_SHAPE = re.compile(
    r"^((Bearer|Basic|Token) (?=\S*\d)[\w.~+/=-]{12,}$"
    r"|AKIA[0-9A-Z]{16}|gh[pousr]_\w{30,}|sk_(live|test)_\w{16,}|sk-[\w-]{20,}|xox[abp]-[\w-]{20,}"
    r"|AIza[\w-]{30,}|glpat-[\w-]{18,}|eyJ[\w-]{10,}\.[\w-]{10,}\..*|-----BEGIN (RSA |EC |OPENSSH "
    r"|)PRIVATE KEY-----.*)",
    re.DOTALL,
)
_SECRET_USE = re.compile(
    r"(?i)token|passw|secret|session_?id|nonce|\bsalt|\botp\b|csrf|api_?key|reset_?code|verification_?code|captcha|(new|create|start|open|issue)_?session|credential|private_?key|(generate|new|make|create|random)_?key|encrypt|\bauth|activation_?code|one_?time_?(code|pass|pin)|coupon|voucher|invite_?code|cookie"
)


def secret_literal(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a literal that is assigned to, or compared with, a name that says it is a secret."""
    pair = _name_and_value(match)
    if pair is None:
        return None
    name, value = pair
    text = nodes.string_text(value)
    if text is None or not 3 <= len(text) <= 4000:
        return None
    if _KNOWN_SHAPE.match(text):
        return match
    last = re.split(r"\.|->|::|\[", name.rstrip("])'\""))[-1].strip("'\"$:@ ")
    if not _SECRET_NAME.search(last) or _NO_SECRET_NAME.search(last):
        return None
    if (
        _PLACEHOLDER.match(text)
        or re.fullmatch(r"[A-Z]+(_[A-Z]+)+|[A-Z]{2,5}\d{0,3}", text)
        or text.strip() == ""
        or _reads_as_text(text)
        or text.lower() == last.lower()
    ):
        return None
    return match


_ADDRESS = re.compile(r"\b[a-z][a-z0-9+]{2,}://[\w.-]+:(?P<secret>[^\s:@/{}$%<>]{4,80})@[\w\[]")


def secret_in_address(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an address that holds a password, unless it reads as a sample of one."""
    found = _ADDRESS.search(match.text()[:2_000])
    if found is None or "#{" in found.group() or re.match(r"https?://\w+:\d+@", found.group()):
        return None
    secret = found["secret"]
    return None if _PLACEHOLDER.match(secret) or re.fullmatch(r"(?i)\$?\w*(pass|pwd)\w*|root|guest", secret) else match


def secret_define(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a macro whose name says it is a secret and whose value is a literal."""
    name, value = match.field("name"), match.field("value")
    text = re.fullmatch(r'"([^"]{3,})"', value.text().strip()) if value is not None else None
    if name is None or text is None or not _SECRET_NAME.search(name.text()) or _NO_SECRET_NAME.search(name.text()):
        return None
    return None if _PLACEHOLDER.match(text.group(1)) or _reads_as_text(text.group(1)) else match


def _reads_as_text(text: str) -> bool:
    """Say whether a literal is a sentence, a path, an address or a name rather than a secret."""
    return bool(
        re.search(r"\s\w+\s\w+|[:?]\s*$", text.strip())
        or re.match(r"(?i)(https?|ftp|file|arn|vault|env|ssm|secret)s?:", text)
        or re.match(r"^[./~][\w./-]*$", text)
        or re.match(r"^[\w-]+([./][\w-]+){2,}$", text)
        or re.match(r"^[a-z]+([_.-][a-z]+)+$", text)
        or re.match(r"^[a-z_]+(:[\w,.]+)?(\|[a-z_]+(:[\w,.]+)?)+$", text)
        or re.match(r"^#?[.#\[][\w-]", text)
        or re.search(r"[<>{}]|\(\?|\\[dws]|\[\^?[\w-]+\]|%s|%\(", text)
    )


def _name_and_value(match: SgNode) -> tuple[str, SgNode] | None:
    kind = match.kind()
    left = (
        match.field("left")
        or match.field("name")
        or match.field("key")
        or match.field("declarator")
        or match.field("property")
    )
    right = match.field("right") or match.field("value")
    if kind in {"comparison_operator", "binary_expression", "binary"}:
        sides = [it for it in match.named_children() if it.kind() != "comment"]
        if len(sides) != 2:
            return None
        texts = [nodes.string_text(it) for it in sides]
        if (texts[0] is None) == (texts[1] is None):
            return None
        left, right = (sides[0], sides[1]) if texts[1] is not None else (sides[1], sides[0])
        operator = match.field("operator") or next((it for it in match.children() if not it.is_named()), None)
        if operator is None or operator.text() not in {"==", "===", "!=", "!==", "eq"}:
            return None
        value = nodes.string_text(right)
        return (
            (left.text()[-80:], right)
            if value and left.kind() in {*kinds.NAMES, *kinds.MEMBERS, *kinds.SUBSCRIPTS}
            else None
        )
    children = [it for it in match.named_children() if it.kind() not in {"comment", "type", "modifiers"}]
    if left is None and len(children) >= 2:
        left = children[0]
    if right is None and len(children) >= 2:
        right = children[-1]
    if left is None or right is None:
        return None
    if right.kind() == "equals_value_clause":
        right = right.named_children()[-1]
    if right.kind() == "expression_list" and right.named_children():
        right = right.named_children()[0]
    if right.kind() not in kinds.STRINGS:
        return None
    return left.text()[-80:], right


def _names_around(match: SgNode) -> str:
    """Name the functions around ``match``, and what the outermost of them is bound to."""
    around = [it for it in match.ancestors() if it.is_named() and it.kind() in kinds.FUNCTIONS]
    bound = [it.parent() for it in around]
    named = [it.field("name") for it in (*around, *bound) if it is not None]
    return " ".join(it.text()[:80] for it in named if it is not None)


def secret_argument(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a header, or another named value, whose name says it is a secret and whose value is a literal."""
    given = nodes.arguments(match)
    for name, value in itertools.pairwise(given):
        title, text = nodes.string_text(name), nodes.string_text(value)
        if title is None or text is None or not re.fullmatch(r"[\w-]{3,40}", title):
            continue
        if _KNOWN_SHAPE.match(text):
            return match
        named = re.search(r"(?i)(api|access|auth|secret)[-_]?(key|token)$|^authorization$|passw", title)
        if named and re.fullmatch(r"(?=\S*\d)[\w.~+/=-]{10,}", text) and not _PLACEHOLDER.match(text):
            return match
    return None


_PASSWORD = re.compile(r"(?i)(?:^|[.\[\"'_>$@])\w*(?:password|passwd|pwd)[\"']?\]?(?:\(\))?$")
_STORED = re.compile(r"[.\[>(]|(?i:stored|saved|db_|expected|real_)")


def plain_password(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a stored password that is compared with a given one as it is, with no hash in the function."""
    sides = [it for it in match.named_children() if it.kind() != "comment"][:2]
    if match.kind() in kinds.CALLS:
        owner, given = nodes.receiver(match), nodes.arguments(match)
        sides = [owner, given[0]] if owner is not None and len(given) == 1 else []
    if len(sides) != 2 or not all(it.kind() not in kinds.STRINGS and _PASSWORD.search(it.text()[-60:]) for it in sides):
        return None
    texts = [it.text() for it in sides]
    if not any(_STORED.search(it) for it in texts) or re.search(
        r"(?i)confirm|repeat|again|retype|2\b|old|new", " ".join(texts)
    ):
        return None
    function = nodes.function_of(match)
    around = function.text()[:4_000] if function is not None else match.text()
    return None if re.search(r"(?i)hash|digest|bcrypt|scrypt|argon|pbkdf|crypt\(|verify|encod", around) else match


_KEEPS_SECRETS = re.compile(r"(?i)passw|secret|token(?!i[sz])|otp|nonce|sessions?$")


def secret_context(match: SgNode, taint: Taint) -> SgNode | None:
    """Report weak randomness where the statement or the function around it speaks of a secret."""
    function = nodes.function_of(match)
    name = (function.field("name") if function else None) or None
    statement = next(
        (
            it
            for it in match.ancestors()
            if it.kind().endswith(("statement", "declaration", "assignment", "declarator"))
        ),
        match,
    )
    target = next(
        (
            it
            for it in match.ancestors()
            if it.kind() in {"variable_declarator", "assignment_expression", "pair", "assignment"}
        ),
        None,
    )
    near = " ".join(it.text()[:300] for it in (name, statement, target) if it is not None)
    if _SECRET_USE.search(f"{near} {_names_around(match)}"):
        return match
    holder = next((it for it in match.ancestors() if it.is_named() and it.kind() == "class_declaration"), None)
    title = holder.field("name") if holder is not None else None
    if function is not None and title is not None and _KEEPS_SECRETS.search(title.text()):
        return match
    body = function.text()[:700] if function else _users_of_field(match)
    return match if _SECRET_USE.search(body) else None


def _users_of_field(match: SgNode) -> str:
    """Return the name of the class around a field, and the beginnings of its methods that use the field."""
    declarator = next((it for it in match.ancestors() if it.kind() == "variable_declarator"), None)
    holder = next((it for it in match.ancestors() if it.is_named() and it.kind() == "class_declaration"), None)
    name = declarator.field("name") if declarator is not None else None
    if declarator is None or holder is None:
        return ""
    field = (name or declarator.named_children()[0]).text()
    title = holder.field("name")
    used = [
        it.text()[:700]
        for it in nodes.walk(holder)
        if it.kind() == "method_declaration"
        and re.search(rf"(?<![\w.]){re.escape(field)}\s*\.|this\.{re.escape(field)}\b", it.text())
    ]
    return " ".join([title.text() if title is not None else "", *used])


_PASSWORD_COLUMN = re.compile(
    r"(?is)\b(insert\s+into\s+\w+\s*\([^)]*\b(password|passwd|pwd)\b|update\s+\w+\s+set\b.*\b(password|passwd|pwd)\s*=)"
)
_KEPT_SAFELY = re.compile(r"(?i)hash|digest|bcrypt|scrypt|argon|pbkdf|crypt\(|make_password|encod(e|er)\b|cipher")


def plain_password_stored(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a statement that writes a password column from a value named a password, with no hash in the function."""
    function = nodes.function_of(match)
    around = (function or match.get_root().root()).text()[:4_000]
    if _KEPT_SAFELY.search(around) or not _PASSWORD_COLUMN.search(around):
        return None
    given = nodes.arguments(match)
    text = match.text()
    if not _PASSWORD_COLUMN.search(text) and not re.search(r"(?i)^\$?\w*->execute|execute\(", text):
        return None
    values = [it for one in given for it in (one, *nodes.walk(one, 200))]
    return match if any(it.kind() not in kinds.STRINGS and _PASSWORD.search(it.text()[-60:]) for it in values) else None
