"""An opinion on a precedent, given and taken back on the page of a saved audit."""

from __future__ import annotations

from datetime import datetime

import pytest
from streamlit.testing.v1 import AppTest

from audit.examples import examples
from audit.feedback import Opinion
from audit.modes import INVESTMENT
from audit.service import run_audit
from audit.submission import make_submission
from ui import runtime
from wiring import Services


def test_an_opinion_is_kept_with_one_click_and_taken_back_with_another(
    services: Services, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "services", lambda: services)
    monkeypatch.setattr(runtime, "settings", lambda: services.settings)
    text = examples("investment")[0].text
    done = run_audit(services, INVESTMENT, make_submission(INVESTMENT, text), now=now)

    def page() -> None:
        import streamlit as st

        from ui.components.opinion import show_opinion

        show_opinion(st.session_state["audit_id"], st.session_state["record_id"])

    test = AppTest.from_function(page, default_timeout=20)
    test.session_state["audit_id"] = done.saved_as
    test.session_state["record_id"] = done.audit.precedents[0].record.id
    test.run()
    test.segmented_control[0].set_value(Opinion.USEFUL).run()
    assert not test.exception
    assert [it.opinion for it in services.feedback.of(services.workspace)] == [Opinion.USEFUL]
    test.segmented_control[0].set_value(None).run()
    assert services.feedback.of(services.workspace) == []
