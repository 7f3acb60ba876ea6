"""``chroma run`` on a loopback port, that can be killed and started again on the same data."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from pathlib import Path

import httpx

from tests.ports import free_port

CHROMA = Path(sys.executable).with_name("chroma")
UP_WITHIN_S = 60


class Server:
    """A server over ``folder``; ``stop`` kills it as a crash would, ``start`` begins it again on the same port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        with (self.folder / "chroma.log").open("ab") as log:
            self._process = subprocess.Popen(
                [CHROMA, "run", "--path", self.folder / "data", "--host", "127.0.0.1", "--port", str(self.port)],
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        until = time.monotonic() + UP_WITHIN_S
        while time.monotonic() < until:
            assert self._process.poll() is None, (self.folder / "chroma.log").read_text()
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{self.url}/api/v2/heartbeat", timeout=2).is_success:
                    return
            time.sleep(0.05)
        raise AssertionError(f"the Chroma server was not up within {UP_WITHIN_S} s")

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None
