"""A session with the app without a browser: it is spoken to as Streamlit's own page speaks to it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol


@contextmanager
def session(address: str) -> Iterator[ClientConnection]:
    """Open a session with the app at ``address``."""
    stream = address.replace("http://", "ws://") + "/_stcore/stream"
    with connect(stream, subprotocols=[Subprotocol("streamlit")], max_size=None) as opened:
        yield opened


def rerun_ms(opened: ClientConnection, page: str) -> float:
    """Ask for a run of ``page`` and wait for its end: milliseconds."""
    ask = BackMsg()
    ask.rerun_script.page_name = page
    start = time.perf_counter()
    opened.send(ask.SerializeToString())
    while True:
        told = ForwardMsg.FromString(opened.recv(timeout=60, decode=False))
        if told.WhichOneof("type") == "script_finished":
            assert told.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
            return (time.perf_counter() - start) * 1_000
