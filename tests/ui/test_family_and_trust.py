"""A record's family and trust: what stands behind it, what a judgement would touch, done and undone on its page."""

from __future__ import annotations

from datetime import UTC, datetime

from streamlit.testing.v1 import AppTest

from memory.family import Family, Relative
from memory.records import Door, Kind, Note, Record
from tests.ui.looking import click, words
from tests.ui.samples import NASTY, payments
from ui import runtime
from ui.components.family_tree import family_figure, family_rows, family_sentence, places

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def observe(title: str, text: str, *sources: Record) -> Record:
    return runtime.services().intake.remember(
        "local", Kind.OBSERVATION, Note(title, "Observation", text), door=Door.FORM, source="form", author="ana",
        now=runtime.now(), derived_from=[it.id for it in sources],
    )  # fmt: skip


def worth(*records: Record) -> list[float]:
    found = runtime.services().ledger.get("local", [it.id for it in records])
    return [round(found[it.id].confidence, 3) for it in records]


def test_a_branch_is_asked_about_lowered_blocked_and_restored(memory_page: AppTest) -> None:
    root = observe("Kitchens", "Ghost kitchens need a density of orders")
    child = observe("Vouchers", "Orders bought by vouchers do not come back", root)
    memory_page.query_params["record"] = root.id
    page = memory_page.run()
    assert not page.exception
    assert "It was derived from no other record" in words(page)
    assert "It would change no record's trust." in words(page), "what is proposed is what it has now"
    page.slider(key=f"own-{root.id}").set_value(10).run()
    assert "It would touch 2 records. Nothing is done yet." in words(page)
    assert worth(root, child) == [0.5, 0.485]
    click(page, f"do-{root.id}")
    assert worth(root, child) == [0.1, 0.097]
    assert "Done. It touched 2 records." in words(page)
    click(page, f"undo-judge-{root.id}")
    assert worth(root, child) == [0.5, 0.485]
    page.segmented_control(key=f"judge-{root.id}").set_value("Block it").run()
    page.text_input(key=f"because-{root.id}").set_value("forged").run()
    click(page, f"do-{root.id}")
    assert worth(root, child) == [0, 0]
    assert "You have blocked it." in words(page)
    assert "person · trust changed: forged" in words(page)
    page.segmented_control(key=f"judge-{root.id}").set_value("As at first").run()
    click(page, f"do-{root.id}")
    assert worth(root, child) == [0.5, 0.485]


def test_a_record_alone_says_that_it_has_no_family(memory_page: AppTest) -> None:
    [record] = runtime.services().ledger.find("local", search="PaisaLoop").records
    memory_page.query_params["record"] = record.id
    page = memory_page.run()
    assert "It was derived from no other record" in words(page)


def test_the_plot_keeps_generations_apart_and_untrusted_titles_plain() -> None:
    one, source, other, heir = (payments(f"Firm {number}") for number in range(3)), None, None, None
    records = [*one, payments(NASTY)]
    from dataclasses import replace

    source, other, middle, heir = (replace(it, id=f"r{number}") for number, it in enumerate(records))
    middle = replace(middle, provenance=replace(middle.provenance, derived_from=(source.id, other.id)))
    family = Family(
        (Relative(source, -1), Relative(other, -1), Relative(middle, 0), Relative(heir, 1)),
        ((source.id, middle.id), (other.id, middle.id), (middle.id, heir.id)),
        False,
    )
    at = places(family)
    assert [at[it.id][0] for it in (source, other, middle, heir)] == [-1, -1, 0, 1]
    assert len(set(at.values())) == 4
    assert "It was derived from 2 records, 1 was derived from it." in family_sentence(family)
    assert "<img" not in family_figure(family).to_json()
    assert "<script" not in family_figure(family).to_json()
    assert list(family_rows(family)["Place"]) == ["source", "source", "this record", "derived"]
