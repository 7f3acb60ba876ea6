"""The composition root: settings in, working parts out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from audit.archive import Archive
from audit.decisions import Decisions
from audit.feedback import Feedback
from audit.llm.chain import Chain, parse_models
from audit.llm.endpoints import Endpoint, connect
from audit.llm.learnt import FileShelf, Learnt
from memory.chroma_index import ChromaIndex
from memory.chroma_server_index import ChromaServerIndex
from memory.embed import Embedder, MiniLmEmbedder
from memory.hindsight_bank import HindsightBank
from memory.index import VectorIndex
from memory.intake import Intake
from memory.ledger import Ledger
from memory.lifecycle import Lifecycle
from memory.pgvector_index import PgvectorIndex
from memory.recall import Recaller
from memory.review import Review
from memory.saved_views import SavedViews
from memory.trust import Trust
from seeds.load import load_seeds
from settings import Settings

CALIBRATION = "calibration.json"
"""The gate fitted on the user's own feedback, in the data folder."""


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of a running product, sharing one ledger and one index. Close them when done."""

    settings: Settings
    ledger: Ledger
    index: VectorIndex
    embedder: Embedder
    recaller: Recaller
    intake: Intake
    archive: Archive
    decisions: Decisions
    feedback: Feedback
    chain: Chain
    trust: Trust
    review: Review
    lifecycle: Lifecycle
    saved_views: SavedViews
    bank: HindsightBank | None = None

    @property
    def workspace(self) -> str:
        return self.settings.workspace

    @property
    def deadline_s(self) -> float:
        return self.settings.audit_deadline_s

    def close(self) -> None:
        """Release the models' connections, the index and the database."""
        self.chain.close()
        if self.bank is not None:
            self.bank.close()
        self.index.close()
        self.ledger.close()


@cache
def _minilm(threads: int) -> MiniLmEmbedder:
    """One model in memory, however many data folders a process opens."""
    return MiniLmEmbedder(threads)


def _embedder(settings: Settings, threads: int) -> Embedder:
    match settings.embedder:
        case "minilm":
            return _minilm(threads)
        case "openai":
            # Imported where it is needed: the SDK takes half a second to load.
            from memory.openai_embed import OpenAiEmbedder

            return OpenAiEmbedder(
                settings.embedding_model,
                settings.embedding_dimension,
                settings.openai_api_key,
                settings.openai_base_url,
            )


def ledger_url(settings: Settings) -> str:
    """Give the address of the ledger: a file in the data folder where no other is set."""
    return settings.ledger_url or f"sqlite:///{settings.home.resolve() / 'ledger.db'}"


def open_index(settings: Settings, ledger: Ledger, name: str = "index") -> VectorIndex:
    """Open the index called ``name`` where the settings say: in the data folder, or on a server.

    Raises IndexUnavailable, and LedgerUnavailable.
    """
    match settings.index.partition("://")[0]:
        case "postgresql" | "postgresql+psycopg":
            return PgvectorIndex(settings.index, ledger.identity(), name)
        case "http" | "https":
            return ChromaServerIndex(settings.index, name, ledger.identity())
        case _:
            return ChromaIndex(settings.home / name)


def places(settings: Settings) -> tuple[str, str]:
    """Say where the ledger and the index live, without the passwords of their servers."""
    index = str(settings.home.resolve() / "index") if settings.index == "embedded" else _shown(settings.index)
    return _shown(ledger_url(settings)), index


def _shown(url: str) -> str:
    try:
        return make_url(url).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        return ""


def open_bank(settings: Settings) -> HindsightBank | None:
    """Give the Hindsight bank that the settings name; it belongs to the workspace they name."""
    if not settings.hindsight_url or not settings.hindsight_bank:
        return None
    return HindsightBank(
        settings.hindsight_url, settings.hindsight_bank, settings.hindsight_api_key, settings.workspace
    )


def build_services(settings: Settings, *, threads: int = 2) -> Services:
    """Open the data folder, seed it on its first start, and connect the models that have a key or an address.

    ``threads`` is how many the embedding model may use.
    Raises StoreError where the data folder cannot be used.
    """
    ledger = Ledger.open(ledger_url(settings))
    embedder = _embedder(settings, threads)
    intake = Intake(ledger, embedder, secrets=settings.secrets)
    index = open_index(settings, ledger)
    load_seeds(ledger, intake, settings.workspace, datetime.now(UTC))
    clients, absent = connect(
        (
            Endpoint("groq", settings.groq_base_url, settings.groq_api_key),
            Endpoint("openai", settings.openai_base_url, settings.openai_api_key),
            Endpoint("local", settings.local_base_url, settings.local_api_key),
        )
    )
    bank = open_bank(settings)
    archive = Archive(ledger)
    learnt = Learnt(FileShelf(settings.home / "models.json"), lambda: datetime.now(UTC))
    return Services(
        settings=settings,
        ledger=ledger,
        index=index,
        embedder=embedder,
        recaller=Recaller(
            ledger,
            index,
            embedder,
            lambda: open_index(settings, ledger, "index-multilingual"),
            settings.home / CALIBRATION,
            bank.asked if bank else None,
        ),
        bank=bank,
        intake=intake,
        archive=archive,
        decisions=Decisions(ledger, intake, archive),
        feedback=Feedback(ledger, archive),
        chain=Chain(parse_models(settings.models), clients, learnt, absent=absent),
        trust=Trust(ledger),
        review=Review(ledger, intake),
        lifecycle=Lifecycle(ledger, index),
        saved_views=SavedViews(ledger),
    )
