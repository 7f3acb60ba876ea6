"""A server whose errors teach: which argument is wrong, what is allowed, and which names there are."""

from __future__ import annotations

from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import ValidationError

from memory.records import Kind

_MOST = 5
_TAGS = frozenset(Kind)


class TeachingServer(MCPServer):
    """Tells a caller what is wrong with its arguments, and lets none pass that a tool does not have."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. Raises ToolError with a message for the caller."""
        tools = {tool.name: tool.input_schema.get("properties", {}) for tool in await self.list_tools()}
        if name not in tools:
            raise ToolError(f"Unknown tool: {name[:80]}. The tools are {', '.join(tools)}.")
        if unknown := [it for it in arguments if it not in tools[name]]:
            wrong = ", ".join(it[:80] for it in unknown[:_MOST])
            raise ToolError(f"{name} takes no {wrong}; its arguments are {', '.join(tools[name])}.")
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(_taught(error.__cause__)) from error
            raise ToolError(str(error).removeprefix(f"Error executing tool {name}: ")) from error


def _taught(error: ValidationError) -> str:
    """Name each wrong argument and what is allowed, without the value, which is the caller's own."""
    wrong = error.errors(include_url=False, include_input=False, include_context=False)
    said = [f"{'.'.join(str(part) for part in it['loc'] if part not in _TAGS)}: {it['msg']}" for it in wrong[:_MOST]]
    more = f" And {len(wrong) - _MOST} more." if len(wrong) > _MOST else ""
    return f"{'; '.join(said)}.{more}"
