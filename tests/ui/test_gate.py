"""Behind a sign-in each session has the workspace of its person, and without one it has nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.ui.looking import words
from ui import runtime

ROOT = Path(__file__).parents[2]
ANA = {"is_logged_in": True, "sub": "s-1", "email": "ana@example.com", "email_verified": True}
KIM = ANA | {"sub": "s-2", "email": "kim@example.com"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory, seeded_ledger: Path) -> Iterator[None]:
    """Point the app at a seeded memory that belongs to the workspace ``local``, with two people named for others."""
    home = tmp_path_factory.mktemp("home")
    shutil.copy(seeded_ledger, home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRECEDENT_HOME", str(home))
        patch.setenv("PRECEDENT_PEOPLE", "ana@example.com=ana, kim@example.com=local")
        for name in ("PRECEDENT_MODELS", "GROQ_API_KEY", "OPENAI_API_KEY"):
            patch.setenv(name, "")
        patch.chdir(ROOT)
        st.cache_resource.clear()
        yield
        runtime._shared().close()
        st.cache_resource.clear()


def who_am_i() -> None:
    import streamlit as st

    from ui import runtime

    services = runtime.services()
    st.text(
        f"{runtime.author()}, {services.workspace}, {len(services.ledger.find(services.workspace).records)} records"
    )
    st.text(f"{services.ledger is runtime._shared().ledger and services.index is runtime._shared().index}")


@pytest.mark.parametrize(
    ("user", "told"), [(ANA, "ana@example.com, ana, 0 records"), (KIM, "kim@example.com, local, 14 records")]
)
def test_a_session_has_its_persons_workspace_and_name_and_the_one_ledger(
    guarded: None, user: dict[str, object], told: str
) -> None:
    app = AppTest.from_function(who_am_i, default_timeout=60)
    app.user = user
    app.run()
    assert [it.value for it in app.text] == [told, "True"]


@pytest.mark.parametrize("user", [{}, {"is_logged_in": False}, ANA | {"email_verified": False}])
def test_whoever_is_not_let_in_gets_no_services_even_past_the_gate(guarded: None, user: dict[str, object]) -> None:
    app = AppTest.from_function(who_am_i, default_timeout=60)
    app.user = user
    app.run()
    assert not app.text
    assert app.exception


@pytest.mark.parametrize("page", ["app.py", *(str(it.relative_to(ROOT)) for it in (ROOT / "pages").glob("*.py"))])
def test_the_gate_stands_before_every_page(guarded: None, page: str) -> None:
    app = AppTest.from_file(str(ROOT / page), default_timeout=60)
    app.user = {"is_logged_in": False}
    app.query_params["record"] = "seed-bug-login-sql-injection"
    app.run()
    assert not app.exception
    assert [it.label for it in app.button] == ["Sign in"]
    assert "SQL" not in words(app)


def test_upkeep_that_touches_other_workspaces_is_not_offered_to_a_person(guarded: None) -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.user = KIM
    app.run()
    app.switch_page("pages/3_Memory.py").run()
    app.session_state["memory-view"] = "Upkeep"
    app.run()
    assert not app.exception
    assert "Merge near duplicates" in words(app)
    assert not any(it.key in {"backup-do", "restore-do"} for it in app.button)
