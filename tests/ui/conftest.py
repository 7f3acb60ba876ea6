"""The app, run without a browser on a seeded memory of each module's own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ui import runtime

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def seeded_app(tmp_path_factory: pytest.TempPathFactory, seeded_ledger: Path) -> Iterator[None]:
    """Point the app at a fresh copy of a seeded memory, without any model."""
    home = tmp_path_factory.mktemp("home")
    shutil.copy(seeded_ledger, home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRECEDENT_HOME", str(home))
        patch.setenv("PRECEDENT_MODELS", "")
        patch.setenv("GROQ_API_KEY", "")
        patch.setenv("OPENAI_API_KEY", "")
        patch.chdir(ROOT)
        st.cache_resource.clear()
        st.cache_data.clear()
        yield
        runtime.services().close()
        st.cache_resource.clear()
        st.cache_data.clear()


@pytest.fixture
def memory_page(seeded_app: None) -> AppTest:
    """The Memory page in a session of its own."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    runtime.warm_up().join(60)
    return app.switch_page("pages/3_Memory.py").run()
