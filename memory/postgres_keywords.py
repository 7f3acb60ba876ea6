"""The full-text index in Postgres: lexemes under a GIN index, found whole or by their beginnings.

Such an index gathers all records of a term before any limit applies, which takes longer the larger a memory is. So the
number of records is kept for each common term, and those are never looked up. A term that is not among them is held by
few, and quick to count. A server keeps 1 MB of lexemes for a record and garbles the rest without an error, so a record
is found by as many of its terms, the first, as have room there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from sqlalchemy import BigInteger, Connection, Select, cast, column, select, table, text
from sqlalchemy.dialects.postgresql import TSQUERY

from memory.schema import COMMON

_ROOM = 1_048_575
_LONGEST_TERM = 300
_NO_ROOM = text("""
    SELECT key, terms FROM keywords WHERE cardinality(terms) > :few AND octet_length(array_to_string(terms, '')) > :room
""")
_CUT = text("UPDATE keywords SET terms = CAST(:terms AS text[]) WHERE key = :key")
_BEGINNINGS = (
    "DROP INDEX keywords_by_term",
    "ALTER TABLE keywords ALTER COLUMN terms TYPE tsvector USING array_to_tsvector(terms)",
    "CREATE INDEX keywords_by_term ON keywords USING gin (terms) WITH (fastupdate = off)",
    r"""
    CREATE FUNCTION lexeme(term text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CAST('''' || replace(replace(term, '\', '\\'), '''', '''''') || '''' AS tsquery)
    """,
    'CREATE TABLE common_terms (term TEXT COLLATE "C" PRIMARY KEY, held BIGINT NOT NULL) WITH (fillfactor = 50)',
    "ALTER TABLE common_terms ALTER COLUMN term SET STATISTICS 0",
)
_COUNT_ALL = text("""
    INSERT INTO common_terms (term, held)
    SELECT term, count(*) FROM keywords CROSS JOIN unnest(tsvector_to_array(terms)) AS one (term)
    GROUP BY term HAVING count(*) > :common
""")
_ADD = text("INSERT INTO keywords (key, terms) VALUES (:key, array_to_tsvector(CAST(:terms AS text[])))")
_COUNT_MORE = text("""
    WITH said AS MATERIALIZED (
        SELECT term, count(*) AS records FROM unnest(CAST(:terms AS text[])) AS one (term) GROUP BY term
    ), more AS (
        UPDATE common_terms AS it SET held = it.held + said.records FROM said WHERE it.term = said.term
    )
    INSERT INTO common_terms (term, held)
    SELECT said.term, counted.held FROM said
    CROSS JOIN LATERAL (SELECT count(*) AS held FROM keywords WHERE terms @@ lexeme(said.term)) AS counted
    WHERE NOT EXISTS (SELECT FROM common_terms AS it WHERE it.term = said.term) AND counted.held > :common
""")
_COUNT_LESS = text("""
    WITH said AS (
        SELECT term, count(*) AS records FROM unnest(CAST(:terms AS text[])) AS one (term) GROUP BY term
    )
    UPDATE common_terms AS it SET held = it.held - said.records FROM said WHERE it.term = said.term
""")
_NO_LONGER_COMMON = text("DELETE FROM common_terms WHERE held <= :common")
_FIND = text("""
    WITH asked AS MATERIALIZED (
        SELECT scope.records, said.term, scope.id || ':' || said.term AS marked
        FROM scopes AS scope CROSS JOIN unnest(CAST(:terms AS text[])) AS said (term)
        WHERE scope.workspace = :workspace AND scope.kind = :kind
            AND NOT EXISTS (SELECT FROM common_terms AS it WHERE it.term = scope.id || ':' || said.term)
    )
    SELECT asked.records, asked.term, held.keys
    FROM asked CROSS JOIN LATERAL (
        SELECT array_agg(key) AS keys FROM keywords WHERE terms @@ lexeme(asked.marked)
    ) AS held
    WHERE held.keys IS NOT NULL
""")


def index_beginnings(tx: Connection) -> None:
    """Let the full-text index of an older version find words by their beginnings, and know which are common."""
    for key, terms in tx.execute(_NO_ROOM, {"few": _ROOM // _LONGEST_TERM, "room": _ROOM}).all():
        tx.execute(_CUT, {"key": key, "terms": _with_room(terms)})
    for statement in _BEGINNINGS:
        tx.exec_driver_sql(statement)
    tx.execute(_COUNT_ALL, {"common": COMMON})


def add_keywords(tx: Connection, rows: Sequence[tuple[int, str, str]]) -> None:
    """Index rows of (key, mark, words)."""
    if rows:
        tx.execute(_ADD, [{"key": key, "terms": _marked(mark, words)} for key, mark, words in rows])
        tx.execute(_COUNT_MORE, {"terms": _all_terms(rows), "common": COMMON})


def remove_keywords(tx: Connection, rows: Sequence[tuple[int, str, str]]) -> None:
    """Remove rows of (key, mark, words); the last two must be what was indexed."""
    if rows:
        tx.execute(text("DELETE FROM keywords WHERE key = ANY(:keys)"), {"keys": [key for key, _, _ in rows]})
        if tx.execute(_COUNT_LESS, {"terms": _all_terms(rows)}).rowcount:
            tx.execute(_NO_LONGER_COMMON, {"common": COMMON})


def find_keys(
    connection: Connection, workspace: str, kind: str, terms: Sequence[str]
) -> tuple[int, dict[str, list[int]]]:
    """Find for each term the keys of the active records that hold it; one that is ``schema.COMMON`` is left out.

    The number is that of all active records of the workspace and kind; 0 where no term is found.
    """
    rows = connection.execute(_FIND, {"workspace": workspace, "kind": kind, "terms": list(terms)}).all()
    return (rows[0].records if rows else 0), {row.term: row.keys for row in rows}


def beginning(marks: Sequence[str], terms: Sequence[str]) -> Select[int]:
    """Select the keys of records under ``marks`` with words that begin with all of ``terms``."""
    sought = [" & ".join(f"{_lexeme(f'{mark}:{term}')}:*" for term in terms) for mark in marks]
    asked = cast(" | ".join(f"({it})" for it in sought), TSQUERY)
    return select(column("key", BigInteger)).select_from(table("keywords")).where(column("terms").op("@@")(asked))


def _marked(mark: str, words: str) -> list[str]:
    return _with_room(f"{mark}:{word}" for word in dict.fromkeys(words.split()))


def _with_room(terms: Iterable[str]) -> list[str]:
    kept = list(terms)
    ends = accumulate(len(term.encode()) for term in kept)
    return kept[: sum(end <= _ROOM for end in ends)]


def _all_terms(rows: Sequence[tuple[int, str, str]]) -> list[str]:
    return [term for _, mark, words in rows for term in _marked(mark, words)]


def _lexeme(term: str) -> str:
    doubled = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"
