"""What ``memory.pgvector_index`` says to Postgres."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import TextClause, text

from memory.embed import Vectors

# What pgvector can put under an HNSW index: 2,000 numbers of four bytes each, 4,000 of two.
_MOST_WHOLE, _MOST_HALF = 2_000, 4_000

# The names are such that no other table on the search path can be meant.
TABLES = (
    """
    CREATE TABLE IF NOT EXISTS precedent_state (
        id INTEGER PRIMARY KEY, position BIGINT NOT NULL, timeline TEXT NOT NULL
    )
    """,
    "INSERT INTO precedent_state VALUES (1, 0, '') ON CONFLICT DO NOTHING",
    """
    CREATE TABLE IF NOT EXISTS precedent_collections (
        workspace TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, dimension INTEGER NOT NULL,
        PRIMARY KEY (workspace, kind)
    )
    """,
)

STATE = "SELECT position, timeline FROM precedent_state"

NEW = """
    CREATE TABLE {name} (
        record_id TEXT NOT NULL, facet TEXT NOT NULL, passage INTEGER NOT NULL, vector {type}({dimension}) NOT NULL,
        PRIMARY KEY (record_id, facet, passage)
    )
"""

ADD = """
    INSERT INTO {name} (record_id, facet, passage, vector)
    SELECT one.record_id, one.facet, one.passage, CAST(one.vector AS {type})
    FROM unnest(CAST(:ids AS text[]), CAST(:facets AS text[]), CAST(:passages AS integer[]), CAST(:vectors AS text[]))
        AS one (record_id, facet, passage, vector)
    ON CONFLICT (record_id, facet, passage) DO UPDATE SET vector = excluded.vector
"""

# What is asked is read once, not once for each row that it is compared with.
FIND = """
    WITH asked AS MATERIALIZED (
        SELECT place, CAST(written AS {type}({dimension})) AS vector
        FROM unnest(CAST(:vectors AS text[])) WITH ORDINALITY AS one (written, place)
    )
    SELECT
        asked.place, held.record_id, held.facet, held.passage, held.far,
        (SELECT position FROM precedent_state) AS position
    FROM asked CROSS JOIN LATERAL (
        SELECT record_id, facet, passage, vector <=> asked.vector AS far FROM {name} ORDER BY far LIMIT :limit
    ) AS held
    ORDER BY asked.place, held.far
"""

COUNT = "SELECT count(*) FROM (SELECT FROM {name} LIMIT :most) AS first"
INDEXED = "SELECT tablename FROM pg_indexes WHERE schemaname = current_schema() AND indexdef LIKE '%USING hnsw%'"

# A graph that does not fit in memory is built many times more slowly. It takes four bytes a number and some 500 bytes a
# vector; more than half of what the server takes for its cache is not asked for. One process builds it: several would
# share memory of a kind that containers have little of.
BUILD = (
    """
    SELECT set_config('maintenance_work_mem', greatest(524288, least(
        (SELECT count(*) FROM {name}) * ({dimension} * 4 + 500) / 1024,
        (SELECT setting::bigint * 8 / 2 FROM pg_settings WHERE name = 'effective_cache_size')
    )) || 'kB', true)
    """,
    "SET LOCAL max_parallel_maintenance_workers = 0",
    "CREATE INDEX ON {name} USING hnsw (vector {type}_cosine_ops)",
)


@dataclass(frozen=True, slots=True)
class Table:
    """The table of one workspace and kind. Its name is never used again, so a stale one finds nothing."""

    name: str
    dimension: int

    @property
    def type(self) -> str:
        return "halfvec" if _MOST_WHOLE < self.dimension <= _MOST_HALF else "vector"

    @property
    def indexable(self) -> bool:
        return self.dimension <= _MOST_HALF

    def sql(self, statement: str) -> TextClause:
        """Fill the table's name, which is our own, and the type of its vectors into a statement."""
        return text(statement.format(name=self.name, type=self.type, dimension=self.dimension))


def as_text(vector: Vectors) -> str:
    """Write a vector as pgvector reads it."""
    return f"[{','.join(map(str, vector.tolist()))}]"
