"""Names: the form of a company does not tell it from another; any other word does."""

from __future__ import annotations

import pytest

from memory.company_names import names_alike, names_near


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Acme", "Acme Inc"),
        ("Acme", "ACME, INC."),
        ("Acme", "The Acme Company"),
        ("Acme", "Acme Pvt. Ltd."),
        ("Acme", "Acme Private Limited"),
        ("Acme", "Acme L.L.C."),
        ("Acme", "Acme S.A."),
        ("Acme", "Acme S.p.A."),
        ("Acme", "Acme A/S"),
        ("Acme", "Acme GmbH & Co. KG"),
        ("Acme", "Acme sp. z o.o."),
        ("Acme", "Acme Pty Ltd"),
        ("Acme", "Acme Holdings"),
        ("Acme Robotics", "Acme Robotics Group plc"),
        ("Meals Nimbus", "Nimbus Meals Ltd"),
        ("青云", "青云有限公司"),
        ("青云", "青云股份有限公司"),
        ("トヨタ", "株式会社トヨタ"),
        ("PaisaLoop", "Paisa-Loop"),
        ("PaisaLoop", "PаisaLoop"),
        ("PaisaLoop", "Pa1saL00p"),
        ("PaisaLoop", "PaisaIoop"),
        ("Modern Lamps", "Modem Lamps"),
        ("Smart Cars", "Sm@rt Cars"),
    ],
)
def test_names_that_differ_in_form_or_dress_alone_are_one(one: str, other: str) -> None:
    assert names_alike(one, other)
    assert names_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Acme", "Acme Labs Inc"),
        ("Acme", "Acme Robotics"),
        ("Acme", "Acme India Pvt Ltd"),
        ("Acme 2", "Acme 3"),
        ("Fund I", "Fund II"),
        ("Lotus", "Lotus Spa"),
        ("Group", "Company"),
        ("Inc", "Ltd"),
        ("青云科技", "青云"),
        ("", ""),
        ("Ltd", ""),
    ],
)
def test_names_that_differ_in_any_other_word_are_two(one: str, other: str) -> None:
    assert not names_alike(one, other)


@pytest.mark.parametrize(("other", "near"), [("Acme Labs", True), ("Acmee", True), ("Zenith", False), ("", False)])
def test_an_added_word_or_a_slip_of_the_pen_makes_names_near(other: str, near: bool) -> None:
    assert names_near("Acme", other) is near
    assert not names_alike("Acme", other)
