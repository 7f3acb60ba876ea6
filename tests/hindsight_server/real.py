"""Hindsight itself: ``hindsight-api`` on a loopback port, on a Postgres of its own kind and on the models of ours.

It is not among the requirements of the tests: where it is not installed, what needs it is skipped and says how to get
it. Its migrations need ``pg_trgm``, which the Postgres of the other tests does not carry, so it runs on ``pg0``, which
comes with it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.ports import free_port

HOME = Path(__file__).parents[2] / ".venv-soak"
INSTALL = f"python3 -m venv {HOME.name} && {HOME.name}/bin/python -m pip install -r requirements-soak.txt"
KEY = "hs-key"
UP_WITHIN_S = 300


def executable() -> Path | None:
    """Find ``hindsight-api``, or None where it is not installed."""
    found = HOME / "bin" / "hindsight-api"
    return found if found.exists() else None


@contextmanager
def real_hindsight(models: str) -> Iterator[str]:
    """Run the server, which wants ``KEY`` and asks the models at the address ``models``; give its address.

    Whatever it would ask of the network goes to a port where nothing listens.
    """
    api = executable()
    assert api is not None
    with tempfile.TemporaryDirectory(prefix="precedent-hs-") as name, postgres(Path(name)) as database:
        port, folder = free_port(), Path(name)
        log = folder / "hindsight.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [api], cwd=folder, env=_environment(folder, port, database, models), stdout=out, stderr=out
            )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(url, process, log)
            yield url
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """Run Hindsight's own Postgres below ``folder``; give the address of its database. Root runs it as ``nobody``."""
    (packaged,) = HOME.glob("lib/python3*/site-packages/pg0/bin/pg0")
    place = folder / "pg0"
    place.mkdir()
    program = Path(shutil.copy2(packaged, place))
    program.chmod(0o755)
    user: dict[str, Any] = {}
    if os.geteuid() == 0:
        user = {"user": "nobody", "group": "nogroup", "extra_groups": []}
        folder.chmod(0o711)
        for it in (place, program):
            shutil.chown(it, "nobody", "nogroup")
    environment = {"HOME": str(place), "PATH": "/usr/bin:/bin", **_NO_NETWORK}

    def run(*words: str) -> None:
        done = subprocess.run([program, *words], env=environment, cwd=place, capture_output=True, timeout=120, **user)
        assert done.returncode == 0, done.stderr.decode()

    port = free_port()
    run("start", "--name", "soak", "--port", str(port), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off")
    try:
        yield f"postgresql://postgres:postgres@127.0.0.1:{port}/postgres"
    finally:
        run("stop", "--name", "soak")


_NO_NETWORK = {
    "HTTP_PROXY": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1,localhost",
    "HF_HUB_OFFLINE": "1",
}  # fmt: skip


def _environment(folder: Path, port: int, database: str, models: str) -> dict[str, str]:
    set_to = {
        "HOST": "127.0.0.1", "PORT": str(port), "DATABASE_URL": database, "MCP_ENABLED": "false",
        "TENANT_EXTENSION": "hindsight_api.extensions.builtin.tenant:ApiKeyTenantExtension", "TENANT_API_KEY": KEY,
        "LLM_PROVIDER": "openai", "LLM_API_KEY": "none", "LLM_MODEL": "scripted", "LLM_BASE_URL": models,
        "EMBEDDINGS_PROVIDER": "openai", "EMBEDDINGS_OPENAI_API_KEY": "none",
        "EMBEDDINGS_OPENAI_MODEL": "minilm", "EMBEDDINGS_OPENAI_BASE_URL": models,
        "RERANKER_PROVIDER": "cohere", "RERANKER_COHERE_API_KEY": "none",
        "RERANKER_COHERE_BASE_URL": f"{models}/rerank",
    }  # fmt: skip
    return {
        "PATH": "/usr/bin:/bin", "HOME": str(folder), **_NO_NETWORK,
        **{f"HINDSIGHT_API_{name}": value for name, value in set_to.items()},
    }  # fmt: skip


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + UP_WITHIN_S
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()[-4_000:]
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"{url}/health", timeout=2).is_success:
                return
        time.sleep(0.1)
    raise AssertionError(f"hindsight-api was not up within {UP_WITHIN_S} s: {log.read_text()[-4_000:]}")
