"""Patterns in the user's own records: what was seen, how likely it is by chance, and the records behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pandas as pd
import streamlit as st

from memory.patterns import ALPHA, ENOUGH, Form, Pattern, Patterns, TooFew, Trait
from memory.records import Kind, Record
from ui.components.precedents import show_outcome
from ui.plain import as_markdown, shorten
from ui.shell import MEMORY
from ui.state import RECORD

MOST_LINKED = 12

INTRO = (
    "What repeats in your own records. These are observations, worked out anew from your records each time: they are "
    "never stored, never a precedent, and no audit sees them."
)
NONE_HOLD = "Nothing here is more than chance would do."
NONE_HOLD_MORE = (
    "{count} patterns were looked at in {records} records. Each of them could well be luck, so none is shown as one."
)
NO_FACTS = "No records yet"
NO_FACTS_MORE = "Patterns are looked for once your memory holds past investments or bugs."
OTHERS = "Looked at, and could well be chance ({count})"
OTHERS_MORE = (
    "The more patterns one looks at, the more of them luck makes. The last column is the chance after that is counted "
    "in; a pattern is shown above from {alpha} down."
)
HOW = "How this is worked out"
HOW_MORE = """
- **Endings**: of a sector, a weakness or a language with three records or more, whether more or fewer of them ended
  badly than of the others (Fisher's exact test). An investment ended badly where it was lost or lost money; a bug where
  it was critical or high, or its fix failed. What is still open is left out.
- **Repeats**: whether a cause or a weakness came more often than if all that you recorded came equally often (binomial
  tail). Causes are grouped by how alike their wording is.
- **Streaks**: whether good and bad endings follow each other in longer runs than in a blind order (exact runs test).
  Records of one year stand in the order in which they were recorded.
- **Seasons**: whether the months that your records name gather around one time of the year (simulated 4,999 times).
- Every chance is raised by the number of patterns looked at (Holm's method), so that even after many looks luck is
  called a pattern at most once in twenty times. Under ten records there are too few to say.
"""
BEHIND = "The records behind it ({count})"
BEHIND_MORE = "{count} more are not listed."
CHANCE = "By chance: {chance}, and {corrected} after all {looks} looks are counted in."
DERIVED = "observation, derived"

_TOO_FEW = {
    Form.ENDINGS: "Too few to say which kinds end badly: {have} of at least {needed} {noun} have a known ending.",
    Form.REPEATS: "Too few to say which causes repeat: {have} of at least {needed} {noun} say why it went wrong.",
    Form.STREAKS: "Too few to say anything of streaks: {have} of at least {needed} {noun} have a year and an ending.",
    Form.SEASONS: "Too few to say anything of seasons: {have} of at least {needed} {noun} name a month in words.",
}
_NOUNS = {Kind.INVESTMENT: "past investments", Kind.BUG: "past bugs"}
_TRAITS = {
    Trait.SECTOR: "sector",
    Trait.WEAKNESS: "weakness",
    Trait.LANGUAGE: "language",
    Trait.CAUSE: "cause",
    Trait.ORDER: "order of endings",
    Trait.MONTH: "time of year",
}
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_SAID: Mapping[tuple[Kind, Form], tuple[str, str]] = MappingProxyType(
    {
        (Kind.INVESTMENT, Form.ENDINGS): (
            "**{name}** ended badly more often than the rest: {count} of {of}, where {expected} would be expected.",
            "**{name}** ended badly less often than the rest: {count} of {of}, where {expected} would be expected.",
        ),
        (Kind.BUG, Form.ENDINGS): (
            "Bugs of **{name}** were serious more often than the rest: {count} of {of}, where {expected} would be "
            "expected.",
            "Bugs of **{name}** were serious less often than the rest: {count} of {of}, where {expected} would be "
            "expected.",
        ),
        (Kind.BUG, Form.REPEATS): (
            "**{name}** comes back: {count} of {of} bugs; evenly spread over all that you recorded it would be "
            "{expected}.",
        )
        * 2,
        (Kind.INVESTMENT, Form.STREAKS): (
            "Endings come in streaks: {count} bad ones in a row, of {of}, where a run of {expected} is usual.",
            "Endings come in streaks: {count} good ones in a row, of {of}, where a run of {expected} is usual.",
        ),
        (Kind.BUG, Form.STREAKS): (
            "Bugs come in streaks: {count} serious ones in a row, of {of}, where a run of {expected} is usual.",
            "Bugs come in streaks: {count} lesser ones in a row, of {of}, where a run of {expected} is usual.",
        ),
        (Kind.INVESTMENT, Form.SEASONS): (
            "Bad endings gather around **{month}**: {count} of {of} within a month of it, where {expected} would be "
            "expected.",
        )
        * 2,
        (Kind.BUG, Form.SEASONS): (
            "Bugs gather around **{month}**: {count} of {of} within a month of it, where {expected} would be expected.",
        )
        * 2,
    }
)
_CAUSES = {
    Kind.INVESTMENT: "One cause comes back, in the words “{name}”: {count} of {of} bad endings; evenly spread over "
    "your causes it would be {expected}.",
    Kind.BUG: "One cause comes back, in the words “{name}”: {count} of {of} bugs; evenly spread over your causes it "
    "would be {expected}.",
}


def show_patterns(patterns: Patterns, records: Sequence[Record]) -> None:
    """Show the patterns that hold with their records, then what was looked at and why there is no more to say."""
    st.markdown(f":gray[{INTRO}]")
    if not records:
        _state(NO_FACTS, NO_FACTS_MORE)
        return
    known = {it.id: it for it in records}
    holding = [it for it in patterns.found if it.holds]
    for number, it in enumerate(holding):
        _show_pattern(it, len(patterns.found), known, number)
    if patterns.found and not holding:
        _state(NONE_HOLD, NONE_HOLD_MORE.format(count=len(patterns.found), records=len(records)))
    for few in patterns.too_few:
        st.markdown(f":material/hourglass_empty: :gray[{too_few_sentence(few)}]")
    others = [it for it in patterns.found if not it.holds]
    if others:
        with st.expander(OTHERS.format(count=len(others)), icon=":material/casino:"):
            st.markdown(f":gray[{OTHERS_MORE.format(alpha=f'{ALPHA:.0%}')}]")
            _show_table(others)
    with st.expander(HOW, icon=":material/function:"):
        st.markdown(HOW_MORE)


def pattern_sentence(it: Pattern) -> str:
    """Say a pattern in one sentence, in Markdown."""
    worse, better = (_CAUSES[it.kind],) * 2 if it.trait is Trait.CAUSE else _SAID[it.kind, it.form]
    month = _MONTHS[int(it.name) - 1] if it.form is Form.SEASONS else ""
    return (worse if it.worse else better).format(
        name=as_markdown(shorten(it.name, 80)), month=month, count=it.count, of=it.of, expected=f"{it.expected:.1f}"
    )


def too_few_sentence(it: TooFew) -> str:
    """Say what could not be looked at, and how many records it takes."""
    return _TOO_FEW[it.form].format(have=it.have, needed=ENOUGH, noun=_NOUNS[it.kind])


def chance_words(chance: float) -> str:
    """Write a chance in per cent, with as many digits as it takes to tell it from nothing."""
    if chance < 0.0001:
        return "under 0.01%"
    return f"{chance:.2%}" if chance < 0.01 else f"{chance:.1%}" if chance < 0.1 else f"{chance:.0%}"


def _show_pattern(it: Pattern, looks: int, known: Mapping[str, Record], number: int) -> None:
    with st.container(border=True, key=f"pattern-{number}"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="top"):
            st.markdown(pattern_sentence(it), width="stretch")
            st.badge(DERIVED, icon=":material/visibility:", color="gray")
        corrected = chance_words(it.corrected)
        st.caption(CHANCE.format(chance=chance_words(it.chance), corrected=corrected, looks=looks))
        with st.expander(BEHIND.format(count=len(it.records)), icon=":material/inventory_2:", type="compact"):
            for record_id in it.records[:MOST_LINKED]:
                _link(known[record_id])
            if len(it.records) > MOST_LINKED:
                st.caption(BEHIND_MORE.format(count=len(it.records) - MOST_LINKED))


def _link(record: Record) -> None:
    year = f" · {record.year}" if record.year else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link(
            MEMORY.path,
            label=f"{as_markdown(shorten(record.title, 60))}{year}",
            icon=":material/open_in_new:",
            query_params={RECORD: record.id},
        )
        show_outcome(record)


def _show_table(others: Sequence[Pattern]) -> None:
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Of": _NOUNS[it.kind],
                    "What": _TRAITS[it.trait],
                    "Which": _MONTHS[int(it.name) - 1] if it.form is Form.SEASONS else it.name,
                    "Seen": it.count,
                    "Of how many": it.of,
                    "Expected": it.expected,
                    "Chance": 100 * it.chance,
                    "All looks counted": 100 * it.corrected,
                }
                for it in others
            ]
        ),
        hide_index=True,
        alt="Patterns that could well be chance",
        column_config={
            "Expected": st.column_config.NumberColumn(format="%.1f"),
            "Chance": st.column_config.NumberColumn(format="%.1f%%"),
            "All looks counted": st.column_config.NumberColumn(format="%.0f%%"),
        },
    )


def _state(head: str, body: str) -> None:
    st.html(
        f'<div class="p-state" role="status"><div class="p-head">{head}</div><div class="p-body">{body}</div></div>'
    )
