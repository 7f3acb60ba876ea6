"""The configurations in the documentation start the server as they stand."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "mcp.md").read_text("utf-8")


def configurations() -> list[dict[str, Any]]:
    found = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]
    return [next(iter((it.get("mcpServers") or it["servers"]).values())) for it in found]


def claude_code() -> dict[str, Any]:
    line = next(line for line in TEXT.splitlines() if line.startswith("claude mcp add"))
    words = shlex.split(line)
    command = words[words.index("--") + 1 :]
    pairs = [words[at + 1].split("=", 1) for at, word in enumerate(words) if word == "--env"]
    return {"command": command[0], "args": command[1:], "env": dict(pairs)}


def test_every_client_is_given_the_same_command_and_it_starts(tmp_path: Path) -> None:
    by_command = [it for it in configurations() if "command" in it] + [claude_code()]
    assert len(by_command) == 3
    ours = {json.dumps({key: it[key] for key in ("command", "args", "env")}, sort_keys=True) for it in by_command}
    assert len(ours) == 1
    config = json.loads(ours.pop())
    assert config["command"] == "/path/to/precedent/.venv/bin/python"
    env = {name: value.replace("/path/to/precedent/data", str(tmp_path)) for name, value in config["env"].items()}
    env = {name: value.replace("/path/to/precedent", str(ROOT)) for name, value in env.items()}

    async def session() -> None:
        command = StdioServerParameters(
            command=sys.executable, args=config["args"], env={"PATH": os.environ["PATH"], **env}, cwd=tmp_path
        )
        async with Client(stdio_client(command), mode="legacy") as client:
            assert "memory_search" in {tool.name for tool in (await client.list_tools()).tools}

    anyio.run(session)
    assert (tmp_path / "ledger.db").exists()


def test_every_tool_is_documented(services: Any) -> None:
    from mcp_server.server import build_server

    async def session() -> None:
        async with Client(build_server(services)) as client:
            for tool in (await client.list_tools()).tools:
                assert f"| `{tool.name}` |" in TEXT
                assert tool.description

    anyio.run(session)


def test_the_documented_address_is_the_default() -> None:
    from mcp_server.server import PATH
    from settings import Settings

    (by_address,) = [it for it in configurations() if "url" in it]
    settings = Settings(_env_file=None)
    assert by_address["url"] == f"http://{settings.mcp_host}:{settings.mcp_port}{PATH}"
