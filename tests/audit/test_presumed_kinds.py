"""Kinds of a presumed past: counted, picked up, remembered by an institution, pointed at, or told of code's repairs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.modes import BUG, INVESTMENT, Mode
from audit.types import DraftAudit
from tests.audit.guarding import CODE, DECK, grounded

NTH = st.sampled_from(["second", "third", "fifth", "ninth", "nth"])
COUNT = st.sampled_from(["two", "three", "nine", "a dozen", "14"])
THING = st.sampled_from(["unchecked call", "hard-coded key", "open redirect", "stale lock", "unbounded read"])
CASES = st.sampled_from(["decks", "wallet companies", "deals", "payment start-ups", "applications"])
SEEN = st.sampled_from(["screened", "funded", "seen", "turned away", "read", "taken on"])


def shown(text: str, mode: Mode = INVESTMENT, source: str = "") -> tuple[str, ...]:
    source = source or (CODE if mode is BUG else DECK)
    return tuple(it.text for it in grounded(DraftAudit(summary=text), mode=mode, text=source).summary)


@given(NTH, THING)
@settings(max_examples=20, deadline=None)
def test_what_is_counted_beyond_the_pasted_code_is_struck_and_within_it_stands(nth: str, thing: str) -> None:
    assert shown(f"This is the {nth} {thing} found in this repository.", BUG) == ()
    within = f"This is the {nth} {thing} in this function."
    assert shown(within, BUG) == (within,)


@given(COUNT, CASES, SEEN)
@settings(max_examples=20, deadline=None)
def test_a_count_of_cases_to_date_is_struck_whatever_is_counted(count: str, cases: str, seen: str) -> None:
    assert shown(f"Of the {count} {cases} {seen} to date, one still trades.") == ()


@given(st.sampled_from(["earlier audits", "previous memos", "past screenings", "prior assessments"]), st.booleans())
@settings(max_examples=8, deadline=None)
def test_what_earlier_audits_said_is_struck_and_may_be_asked_for(reviews: str, many: bool) -> None:
    assert shown(f"As {'often ' if many else ''}in {reviews}, the fee is missing.") == ()
    asked = f"Ask the founder for {reviews} of the accounts."
    assert shown(asked) == (asked,)


@given(
    st.sampled_from(["ferry-ticket", "coupon-wallet", "school-meals", "remittance-card"]),
    st.sampled_from(["deal", "investment", "bet", "mess", "company", "lender"]),
    st.sampled_from(["went the same way", "began to slide at this point", "had more users"]),
)
@settings(max_examples=20, deadline=None)
def test_a_definite_case_is_struck_unless_the_submission_tells_of_it(apart: str, case: str, fate: str) -> None:
    text = f"The {apart} {case} {fate}."
    assert shown(text) == ()
    assert shown(text, source=f"{DECK}\nAsha left a {apart} {case} whose fate was that it {fate}.") == (text,)


@pytest.mark.parametrize(
    "text",
    [
        "Twice now an app without a fee has come in, and twice it closed.",
        "Were this the first time a single founder did it all, it could pass.",
        "As before, the revenue line is empty.",
        "Let us not walk into that trap once more.",
        "Zippo was turned down a year ago, for the same reason.",
        "The dossier on the remittance app, which folded, makes dull reading.",
        "What did the coupon write-off teach about fees?",
        "Nobody on the committee has forgotten what a free app costs.",
        "The deal that went to nothing had these users too.",
        "The 3x made on the remittance app was luck.",
        "Bitter experience with free apps points the other way.",
        "Tras el fiasco de los cupones, mejor esperar.",
        "Nach dem Debakel mit Gutscheinen ist Vorsicht geboten.",
        "Après le naufrage des coupons, il vaut mieux attendre.",
        "Après la débâcle, mieux vaut attendre.",
        "The partners remember how free apps end.",
        "The last three post-mortems named the missing fee.",
        "Had anyone asked about fees, there would be money left.",
        "A bill-splitting line was funded in 2017 and closed soon after.",
        "Churn looks better than it did at the coupon company.",
        "Three of the app businesses taken on were sold for parts.",
        "Which of the two earlier wallet deals is this closest to?",
        "The users came free, exactly like in the coupon case.",
        "Free apps and this fund do not get along.",
        "The pattern is the one seen at the gift-card shop.",
    ],
)
def test_a_deck_brings_no_past_of_its_reader(text: str) -> None:
    assert shown(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "The query was escaped once before and users were locked out for a day.",
        "The previous patch held for a month.",
        "A regression of a closed defect.",
        "The check was added after the last penetration test.",
        "Incident reports at the company name this query.",
        "Did the rollback after the lockout not bring the escape back?",
        "It took three people a night to restore the rows.",
        "Use the fix that worked in the billing service.",
        "Bind it as in billing, since that one was exploited.",
        "Bei Ihnen wurde diese Abfrage bereits repariert.",
        "Chez vous, cette requête avait déjà été réparée.",
        "En su repositorio ya hubo una inyección así.",
        "贵方的代码里以前出现过这个问题。",
        "Somebody put a quote into this very field last autumn.",
        "Because of this line, passwords were leaked.",
        "The injection is back.",
        "It is known from the lockout incident that this fails.",
        "这个查询去年就被人利用过一次。",
        "A lockout in November came from this very line.",
        "Logs show that the name field was probed for weeks.",
        "The reviewers asked for a bound parameter, in vain.",
        "Would the breach have happened with a bound parameter?",
        "As in the billing script, the name is joined raw.",
    ],
)
def test_code_brings_no_past_of_its_owner(text: str) -> None:
    assert shown(text, BUG) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Rivals have tried this before and gave up.",
        "A bank's free transfer is not the same business, and closed ones say little.",
        "Deleting the waiting list would cost the app its only proof of demand.",
        "Users say that the app was turned down by two banks.",
        "This is not the first app to promise free transfers.",
        "A third market would double the cost.",
        "An earlier warning by two days is promised and not measured.",
        "The whole investment may be lost.",
        "Nothing shows that a user has ever paid in full.",
        "Der Umsatz fehlt, fragen Sie nach dem ersten zahlenden Kunden.",
    ],
)
def test_what_rivals_did_a_denied_likeness_and_advice_stand(text: str) -> None:
    assert shown(text) == (text,)


@pytest.mark.parametrize(
    "text",
    [
        "If the request is sent a second time, the query runs a second time.",
        "Parsing the name before the query does not help.",
        "Log when this happens.",
        "Errors are swallowed until the last attempt, and the earlier ones are lost.",
        "If rows were deleted in between, fetchone returns None.",
        "A bean in Spring would hold this connection.",
        "PDO has supported prepared statements since PHP 5.1.",
        "An uploaded file is stored under the name it came with.",
        "Compare with hash_equals.",
        "MD5 was broken years ago.",
        "The first patch to apply is a bound parameter.",
    ],
)
def test_what_the_code_does_twice_or_says_of_itself_stands(text: str) -> None:
    assert shown(text, BUG) == (text,)


def test_what_a_comment_tells_of_a_repair_may_be_told() -> None:
    text = "The comment says that the earlier workaround was removed."
    assert shown(text, BUG, f"{CODE}# workaround removed in 2.3\n") == (text,)


@given(st.sampled_from(["The fee was raised once before.", "As before, the fee is waived.", "Two deals, two losses."]))
@settings(max_examples=3, deadline=None)
def test_what_the_submission_tells_in_these_forms_may_be_repeated(text: str) -> None:
    assert shown(text) == ()
    assert shown(text, source=f"{DECK}\n{text}") == (text,)
