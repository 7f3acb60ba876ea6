"""A plan as the command line prints it: JSON data with every row, or lines of text. Pure."""

from __future__ import annotations

from typing import Any

from memory.facts import Json, to_json
from memory.importers.plan import ImportPlan, PlannedRow
from memory.importers.remembered import mapping_json
from memory.importers.tables import counted


def plan_json(plan: ImportPlan) -> Json:
    """Write a plan as JSON data."""
    return {
        "file": plan.table.source,
        "format": plan.table.format,
        "shape": plan.table.shape,
        "kind": plan.mapping.kind.value,
        "rows": len(plan.table.rows),
        "mapping": mapping_json(plan.table, plan.mapping),
        "accepted": [_row_json(row) for row in plan.accepted],
        "set_aside": [
            {
                "line": it.line,
                "column": it.column,
                "reason": it.reason,
                "value": it.value,
                "choosable": it.row is not None,
            }
            for it in plan.set_aside
        ],
        "questions": [
            {"key": it.key, "text": it.text, "choices": [value for value, _ in it.choices]} for it in plan.questions
        ],
        "unread": list(plan.unread),
        "traps": list(plan.traps),
    }


def _row_json(row: PlannedRow) -> dict[str, Any]:
    return {
        "line": row.line,
        "source": row.source,
        "facts": to_json(row.facts),
        "dates": dict(row.dates),
        "remarks": list(row.remarks),
    }


def plan_text(plan: ImportPlan) -> str:
    """Write a plan as lines of text: its columns, remarks and questions, and up to fifty rows set aside."""
    lines = [
        f"{plan.table.source} ({plan.table.format}): {counted(len(plan.table.rows), 'row')}, "
        f"{len(plan.accepted)} accepted, {len(plan.set_aside)} set aside."
    ]
    columns = mapping_json(plan.table, plan.mapping)["columns"]
    lines += [f"  {field} <- {', '.join(names)}" for field, names in columns.items()]
    lines += [f"  note: {trap}" for trap in plan.traps]
    if plan.unread:
        named = f"{', '.join(plan.unread[:50])}{_more(len(plan.unread) - 50)}"
        lines.append(f"  note: Columns that become nothing: {named}. Name them with --map to keep them.")
    lines += [f"  question {it.key}: {it.text}" for it in plan.questions]
    lines += [f"  line {it.line}, {it.column}: {it.reason} ({it.value})" for it in plan.set_aside[:50]]
    if len(plan.set_aside) > 50:
        lines.append(f"  and {len(plan.set_aside) - 50} more set aside; --json lists them all.")
    return "\n".join(lines)


def _more(left: int) -> str:
    return f" and {left:,} more" if left > 0 else ""
