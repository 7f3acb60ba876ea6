"""Patterns in the user's own records: what was seen, how likely it is by chance, and the records behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pandas as pd
import streamlit as st

from memory.patterns import ALPHA, ENOUGH, Form, Pattern, Patterns, TooFew, Trait
from memory.records import Kind, Record
from ui.components.panel import show_panel
from ui.components.precedents import show_outcome
from ui.components.record_link import link_record
from ui.formats import month, number, percent
from ui.language import _
from ui.looks import PLURALS
from ui.messages import N_
from ui.plain import as_html, as_markdown, quiet, shorten
from ui.said import said

MOST_LINKED = 12

INTRO = N_(
    "What repeats in your own records. These are observations, worked out anew from your records each time: they are "
    "never stored, never a precedent, and no audit sees them."
)
NONE_HOLD = N_("Nothing here is more than chance would do.")
NONE_HOLD_MORE = N_(
    "Looked for in {records} records. What repeats there could well be luck, so none of it is shown as a pattern."
)
TOO_FEW = N_("Too few to say")
TOO_FEW_MORE = N_(
    "It takes {needed} records that tell the same thing, or luck looks like a pattern. The more you record, the more "
    "can be looked for."
)
NO_FACTS = N_("No records yet")
NO_FACTS_MORE = N_("Patterns are looked for once your memory holds past investments or bugs.")
OTHERS = N_("Looked at, and could well be chance ({count})")
OTHERS_MORE = N_(
    "The more patterns one looks at, the more of them luck makes. The last column is the chance after that is counted "
    "in; a pattern is shown above from {alpha} down."
)
HOW = N_("How this is worked out")
HOW_MORE = N_("""
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
""")
BEHIND = N_("The records behind it ({count})")
BEHIND_MORE = N_("{count} more are not listed.")
CHANCE = N_("By chance: {chance}, and {corrected} after all {looks} looks are counted in.")
DERIVED = N_("observation, derived")

_TOO_FEW = {
    Form.ENDINGS: N_("Which kinds end badly: {have} of your {noun} have a known ending."),
    Form.REPEATS: N_("Which causes repeat: {have} of your {noun} say why it went wrong."),
    Form.STREAKS: N_("Whether endings come in streaks: {have} of your {noun} have a year and an ending."),
    Form.SEASONS: N_("Whether there are seasons: {have} of your {noun} name a month in words."),
}
_TRAITS = {
    Trait.SECTOR: N_("sector"),
    Trait.WEAKNESS: N_("weakness"),
    Trait.LANGUAGE: N_("language"),
    Trait.CAUSE: N_("cause"),
    Trait.ORDER: N_("order of endings"),
    Trait.MONTH: N_("time of year"),
}
_SAID: Mapping[tuple[Kind, Form], tuple[str, str]] = MappingProxyType(
    {
        (Kind.INVESTMENT, Form.ENDINGS): (
            N_("**{name}** ended badly more often than the rest: {count} of {of}, where {expected} would be expected."),
            N_("**{name}** ended badly less often than the rest: {count} of {of}, where {expected} would be expected."),
        ),
        (Kind.BUG, Form.ENDINGS): (
            N_(
                "Bugs of **{name}** were serious more often than the rest: {count} of {of}, where {expected} would be "
                "expected."
            ),
            N_(
                "Bugs of **{name}** were serious less often than the rest: {count} of {of}, where {expected} would be "
                "expected."
            ),
        ),
        (Kind.BUG, Form.REPEATS): (
            N_(
                "**{name}** comes back: {count} of {of} bugs; evenly spread over all that you recorded it would be "
                "{expected}."
            ),
        )
        * 2,
        (Kind.INVESTMENT, Form.STREAKS): (
            N_("Endings come in streaks: {count} bad ones in a row, of {of}, where a run of {expected} is usual."),
            N_("Endings come in streaks: {count} good ones in a row, of {of}, where a run of {expected} is usual."),
        ),
        (Kind.BUG, Form.STREAKS): (
            N_("Bugs come in streaks: {count} serious ones in a row, of {of}, where a run of {expected} is usual."),
            N_("Bugs come in streaks: {count} lesser ones in a row, of {of}, where a run of {expected} is usual."),
        ),
        (Kind.INVESTMENT, Form.SEASONS): (
            N_(
                "Bad endings gather around **{month}**: {count} of {of} within a month of it, where {expected} would "
                "be "
                "expected."
            ),
        )
        * 2,
        (Kind.BUG, Form.SEASONS): (
            N_(
                "Bugs gather around **{month}**: {count} of {of} within a month of it, where {expected} would be "
                "expected."
            ),
        )
        * 2,
    }
)
_CAUSES = {
    Kind.INVESTMENT: N_(
        "One cause comes back, in the words “{name}”: {count} of {of} bad endings; evenly spread over "
        "your causes it would be {expected}."
    ),
    Kind.BUG: N_(
        "One cause comes back, in the words “{name}”: {count} of {of} bugs; evenly spread over your causes it "
        "would be {expected}."
    ),
}


def show_patterns(patterns: Patterns, records: Sequence[Record]) -> None:
    """Show the patterns that hold with their records, then what was looked at and why there is no more to say."""
    st.markdown(quiet(_(INTRO)))
    if not records:
        show_panel(_(NO_FACTS), _(NO_FACTS_MORE), live=True)
        return
    known = {it.id: it for it in records}
    holding = [it for it in patterns.found if it.holds]
    for at, it in enumerate(holding):
        _show_pattern(it, len(patterns.found), known, at)
    if patterns.found and not holding:
        show_panel(_(NONE_HOLD), _(NONE_HOLD_MORE, records=number(len(records))), live=True)
    if patterns.too_few:
        if not patterns.found:
            show_panel(_(TOO_FEW), _(TOO_FEW_MORE, needed=number(ENOUGH)), live=True)
        _show_too_few(patterns.too_few)
    others = [it for it in patterns.found if not it.holds]
    if others:
        with st.expander(_(OTHERS, count=number(len(others))), icon=":material/casino:"):
            st.markdown(quiet(_(OTHERS_MORE, alpha=percent(ALPHA))))
            _show_table(others)
    with st.expander(_(HOW), icon=":material/function:"):
        st.markdown(_(HOW_MORE))


def pattern_sentence(it: Pattern) -> str:
    """Say a pattern in one sentence, in Markdown."""
    worse, better = (_CAUSES[it.kind],) * 2 if it.trait is Trait.CAUSE else _SAID[it.kind, it.form]
    return _(
        worse if it.worse else better,
        name=as_markdown(shorten(it.name, 80)),
        month=month(int(it.name)) if it.form is Form.SEASONS else "",
        count=number(it.count),
        of=number(it.of),
        expected=number(it.expected, 1),
    )


def too_few_sentence(it: TooFew) -> str:
    """Say what could not be looked at, and how many records there are for it."""
    return _(_TOO_FEW[it.form], have=number(it.have), noun=said(PLURALS[it.kind]))


def _show_too_few(these: Sequence[TooFew]) -> None:
    """List what could not be looked at, with how far there is to go."""
    rows = "".join(
        f'<div class="p-item p-few"><span class="p-points">{number(it.have)} / {number(ENOUGH)}</span>'
        f"<span>{as_html(too_few_sentence(it))}</span></div>"
        for it in these
    )
    head = as_html(_("Not looked at yet: it takes {needed} of each", needed=number(ENOUGH)))
    st.html(f'<div class="p-list"><div class="p-list-head">{head}</div>{rows}</div>')


def chance_words(chance: float) -> str:
    """Write a chance in per cent, with as many digits as it takes to tell it from nothing."""
    if chance < 0.0001:
        return _("under {share}", share=percent(0.0001, 2))
    return percent(chance, 2 if chance < 0.01 else 1 if chance < 0.1 else 0)


def _show_pattern(it: Pattern, looks: int, known: Mapping[str, Record], at: int) -> None:
    with st.container(border=True, key=f"pattern-{at}"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="top"):
            st.markdown(pattern_sentence(it), width="stretch")
            st.badge(_(DERIVED), icon=":material/visibility:", color="gray")
        corrected = chance_words(it.corrected)
        st.caption(_(CHANCE, chance=chance_words(it.chance), corrected=corrected, looks=number(looks)))
        with st.expander(_(BEHIND, count=number(len(it.records))), icon=":material/inventory_2:", type="compact"):
            for record_id in it.records[:MOST_LINKED]:
                _link(known[record_id])
            if len(it.records) > MOST_LINKED:
                st.caption(_(BEHIND_MORE, count=number(len(it.records) - MOST_LINKED)))


def _link(record: Record) -> None:
    year = f" · {record.year}" if record.year else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        link_record(record.id, f"{as_markdown(shorten(record.title, 60))}{year}", ":material/open_in_new:")
        show_outcome(record)


def _show_table(others: Sequence[Pattern]) -> None:
    st.dataframe(
        pd.DataFrame(
            [
                {
                    _("Of"): said(PLURALS[it.kind]),
                    _("What was looked at"): _(_TRAITS[it.trait]),
                    _("Which"): month(int(it.name)) if it.form is Form.SEASONS else it.name,
                    _("Seen"): it.count,
                    _("Of how many"): it.of,
                    _("Expected"): it.expected,
                    _("Chance"): 100 * it.chance,
                    _("All looks counted"): 100 * it.corrected,
                }
                for it in others
            ]
        ),
        hide_index=True,
        placeholder="",
        alt=_("Patterns that could well be chance"),
        column_config={
            _("Expected"): st.column_config.NumberColumn(format="%.1f"),
            _("Chance"): st.column_config.NumberColumn(format="%.1f%%"),
            _("All looks counted"): st.column_config.NumberColumn(format="%.0f%%"),
        },
    )
