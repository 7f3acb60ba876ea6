"""What tools accept, field by field. Pydantic at the edge, forbidding what it does not know."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from memory.facts import Json
from memory.records import Kind, Outcome, Severity
from memory.validation import strip_controls

LONGEST_QUERY = 20_000
LONGEST_SUBMISSION = 400_000
LEAST_SAID = 3

Text = Annotated[str, Field(max_length=20_000)]
Short = Annotated[str, Field(max_length=200)]
Year = Annotated[int, Field(ge=1900, le=2100)]
Amount = Annotated[str, Field(max_length=60, description="one amount with its currency: ₹50,000, $1.2M, EUR 300k")]


class _Input(BaseModel):
    model_config = ConfigDict(extra="forbid")


class InvestmentInput(_Input):
    """A past investment, as somebody told it. It is held as unverified until a person confirms it."""

    kind: Literal["investment"]
    company: Annotated[str, Field(min_length=1, max_length=200)]
    sector: Short = ""
    summary: Text = ""
    year: Year | None = None
    year_end: Year | None = None
    outcome: Literal[
        "written_off", "shut_down", "sold_at_a_loss", "acquired", "went_public", "exited", "operating", "passed",
        "unknown",
    ] = "unknown"  # fmt: skip
    invested: Amount | None = None
    returned: Amount | None = None
    cause: Text = ""
    lesson: Text = ""


class BugInput(_Input):
    """A resolved bug, as somebody told it. It is held as unverified until a person confirms it."""

    kind: Literal["bug"]
    title: Annotated[str, Field(min_length=1, max_length=200)]
    language: Annotated[str, Field(max_length=50)] = ""
    cwe: Annotated[str, Field(pattern=r"^(CWE-\d{1,5})?$")] = ""
    severity: Severity = "medium"
    year: Year | None = None
    outcome: Literal["fixed", "fix_failed", "open", "unknown"] = "fixed"
    symptom: Text = ""
    root_cause: Text = ""
    faulty_code: Text = ""
    fixed_code: Text = ""
    fix: Text = ""
    loss: Amount | None = None
    impact: Text = ""


class NoteInput(_Input):
    """An observation or a preference. It shapes advice and is never history."""

    kind: Literal["observation", "preference"]
    title: Annotated[str, Field(min_length=1, max_length=200)]
    text: Annotated[str, Field(min_length=12, max_length=20_000)]
    year: Year | None = None


RecordInput = Annotated[InvestmentInput | BugInput | NoteInput, Field(discriminator="kind")]


def facts_json(record: InvestmentInput | BugInput | NoteInput) -> tuple[Kind, Json]:
    """Give the kind and the facts of an input as the memory reads them."""
    data = record.model_dump(exclude={"kind"}, exclude_none=True)
    kind = Kind(record.kind)
    if isinstance(record, NoteInput):
        data["label"] = f"{record.kind.capitalize()}, not a fact"
    return kind, data


def said(text: str) -> str:
    """Give a text on one line, without marks that nobody sees. Raises ValueError where little is left."""
    told = " ".join(strip_controls(text).split())
    if len(told) < LEAST_SAID:
        raise ValueError(f"needs at least {LEAST_SAID} characters that can be seen")
    return told


OutcomeFilter = Annotated[Outcome | None, Field(description="only records that ended so")]
