"""Forms that write down a past investment or a resolved bug, for a new record or for a correction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import streamlit as st

from memory.money import Money, parse_money
from memory.records import SEVERITIES, BugFacts, Facts, InvestmentFacts, Kind, Outcome
from ui.language import _, paragraph
from ui.messages import N_
from ui.plain import as_markdown
from ui.said import said

Shape = Literal["line", "text", "code", "year", "money", "outcome", "severity"]
Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form. ``row`` groups fields that stand side by side."""

    name: str
    label: str
    shape: Shape
    row: int
    hint: str = ""


INVESTMENT_FIELDS = (
    Field("company", N_("Company *"), "line", 0),
    Field("sector", N_("Sector"), "line", 0, N_("Payments, logistics, health")),
    Field("summary", N_("What it was *"), "text", 1, N_("What it did, for whom, and how it was to earn money")),
    Field("year", N_("Year you invested"), "year", 2),
    Field("year_end", N_("Year it ended"), "year", 2),
    Field("outcome", N_("Outcome"), "outcome", 2),
    Field("invested", N_("Invested"), "money", 3, "₹50,000 or $1.2M"),
    Field("returned", N_("Returned"), "money", 3, N_("0 where nothing came back")),
    Field("cause", N_("Why it ended so"), "text", 4),
    Field("lesson", N_("Lesson"), "text", 5, N_("What you would look at next time")),
)
BUG_FIELDS = (
    Field("title", N_("Bug *"), "line", 0, N_("SQL injection in the login query")),
    Field("language", N_("Language"), "line", 1, "python"),
    Field("cwe", N_("CWE"), "line", 1, "CWE-89"),
    Field("severity", N_("Severity"), "severity", 1),
    Field("year", N_("Year"), "year", 2),
    Field("outcome", N_("Outcome"), "outcome", 2),
    Field("loss", N_("What it cost"), "money", 2, "€12,000"),
    Field("symptom", N_("How it showed *"), "text", 3),
    Field("root_cause", N_("Root cause"), "text", 4),
    Field("faulty_code", N_("Faulty code"), "code", 5),
    Field("fixed_code", N_("Repaired code"), "code", 5),
    Field("fix", N_("The fix"), "text", 6, N_("What repaired it")),
    Field("impact", N_("Impact"), "line", 7, N_("Whom it hit, and for how long")),
)
_INVESTMENT_OUTCOMES = (
    Outcome.UNKNOWN, Outcome.WRITTEN_OFF, Outcome.SHUT_DOWN, Outcome.SOLD_AT_A_LOSS, Outcome.ACQUIRED,
    Outcome.WENT_PUBLIC, Outcome.EXITED, Outcome.OPERATING, Outcome.PASSED,
)  # fmt: skip
_BUG_OUTCOMES = (Outcome.FIXED, Outcome.FIX_FAILED, Outcome.OPEN, Outcome.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a form of one kind asks and how its answers become facts. ``required`` names the fields that must be set.

    ``plural`` names several such records, ``add`` the way to the form.
    """

    plural: str
    add: str
    fields: tuple[Field, ...]
    outcomes: tuple[Outcome, ...]
    required: tuple[str, ...]
    build: Callable[..., Facts]


SHEETS: Mapping[Kind, Sheet] = MappingProxyType(
    {
        Kind.INVESTMENT: Sheet(
            N_("investments"),
            N_("Add an investment"),
            INVESTMENT_FIELDS,
            _INVESTMENT_OUTCOMES,
            ("company", "summary"),
            InvestmentFacts,
        ),
        Kind.BUG: Sheet(N_("bugs"), N_("Add a bug"), BUG_FIELDS, _BUG_OUTCOMES, ("title", "symptom"), BugFacts),
    }
)


def record_form(kind: Kind, key: str, label: str, current: Facts | None = None) -> Facts | None:
    """Show the form of ``kind`` and return the facts once it is sent and complete.

    What is missing or is no amount is said above the form, and all that was typed stays.
    """
    sheet = SHEETS[kind]
    message = st.empty()
    with st.form(key, enter_to_submit=False):
        values: dict[str, object] = {}
        for row in sorted({field.row for field in sheet.fields}):
            fields = [field for field in sheet.fields if field.row == row]
            for column, field in zip(st.columns(len(fields)), fields, strict=True):
                with column:
                    values[field.name] = _ask(field, sheet, f"{key}-{field.name}", current)
        with st.container(horizontal=True, vertical_alignment="center"):
            sent = st.form_submit_button(label, type="primary", icon=":material/save:")
            st.caption(as_markdown(_("* is needed; what you do not know may stay empty.")), width="content")
    if not sent:
        return None
    try:
        return facts_from(kind, values)
    except ValueError as error:
        message.warning(paragraph(as_markdown(str(error)), _("Nothing was saved yet.")), icon=":material/info:")
        return None


def facts_from(kind: Kind, values: Values) -> Facts:
    """Build facts from what was typed; an amount may be one already.

    Raises ValueError, naming the field, for what is missing or is no amount.
    """
    sheet = SHEETS[kind]
    typed = {name: value.strip() if type(value) is str else value for name, value in values.items()}
    labels = {field.name: _(field.label).rstrip(" *") for field in sheet.fields}
    missing = [labels[name] for name in sheet.required if not typed.get(name)]
    if missing:
        raise ValueError(_("Still needed: {fields}.", fields=_(", ").join(missing)))
    for field in sheet.fields:
        told = typed.get(field.name)
        if field.shape == "money" and not isinstance(told, Money):
            typed[field.name] = _money(labels[field.name], str(told), typed) if told else None
    return sheet.build(**typed)


def _money(label: str, text: str, typed: Values) -> object:
    other = typed.get("invested")
    currency = getattr(other, "currency", "")
    try:
        return parse_money(text, currency)
    except ValueError as error:
        why = said(str(error))
        raise ValueError(_("{field}: {why}.", field=label, why=why)) from error


def _ask(field: Field, sheet: Sheet, key: str, current: Facts | None) -> object:
    now = getattr(current, field.name, None)
    label, hint = _(field.label), _(field.hint)
    match field.shape:
        case "line" | "money":
            text = st.text_input(label, value=str(now or ""), key=key, placeholder=hint)
            return now if isinstance(now, Money) and text == str(now) else text
        case "text" | "code":
            return st.text_area(label, value=str(now or ""), key=key, placeholder=hint, height=96)
        case "year":
            return st.number_input(
                label, min_value=1900, max_value=2100, value=now, step=1, format="%d", key=key, placeholder="2022"
            )
        case "outcome":
            labels = {it.label: it for it in sheet.outcomes}
            index = sheet.outcomes.index(now) if now in sheet.outcomes else 0
            return labels[st.selectbox(label, list(labels), index=index, format_func=said, key=key)]
        case "severity":
            index = SEVERITIES.index(now) if now in SEVERITIES else SEVERITIES.index("medium")
            return st.selectbox(label, SEVERITIES, index=index, format_func=said, key=key)
