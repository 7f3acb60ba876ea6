"""Who may come in, by what a provider verified and the settings name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settings import Settings
from ui.identity import Person, admitted

PEOPLE = Settings(_env_file=None, people="Ana@example.com=ana, 8f2c|x=team,kim@example.com = team").people_by_identity
ANA = {"is_logged_in": True, "sub": "s-1", "email": "ana@EXAMPLE.com", "email_verified": True}


def test_a_verified_address_opens_the_workspace_it_is_named_for_whatever_its_letters_size() -> None:
    assert admitted(ANA, PEOPLE) == Person("ana@example.com", "ana")


def test_a_subject_opens_the_workspace_it_is_named_for_without_any_address() -> None:
    assert admitted({"is_logged_in": True, "sub": "8f2c|x"}, PEOPLE) == Person("8f2c|x", "team")


@pytest.mark.parametrize(
    "change",
    [
        {"is_logged_in": False},
        {"is_logged_in": "true"},
        {"email_verified": False},
        {"email_verified": "true"},
        {"email_verified": None},
        {"email": "eve@example.com"},
        {"email": "ana@example.com "},
        {"email": "ana@example.com=ana"},
        {"email": "\u212aim@example.com"},
        {"email": ["ana@example.com"]},
        {"email": None, "sub": "ana@example.com"},
        {"email": ""},
    ],
    ids=str,
)
def test_anything_less_than_a_verified_named_address_opens_nothing(change: dict[str, object]) -> None:
    assert admitted(ANA | change, PEOPLE) is None


@given(st.dictionaries(st.sampled_from(["sub", "email", "name", "workspace", "preferred_username"]), st.text()))
def test_claims_without_a_finished_sign_in_open_nothing(claims: dict[str, str]) -> None:
    assert admitted(claims, PEOPLE) is None
    assert admitted(claims | {"is_logged_in": False}, PEOPLE) is None


@given(st.text())
def test_no_claim_names_its_own_workspace(text: str) -> None:
    person = admitted(ANA | {"workspace": text, "name": text, "preferred_username": text}, PEOPLE)
    assert person == Person("ana@example.com", "ana")
