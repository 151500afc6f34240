"""Nothing is traced to anywhere, whatever the environment asks for."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest

import deltabench

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Listener(BaseHTTPRequestHandler):
    requests: list[str] = []  # noqa: RUF012  # shared by the handlers of one test

    def _note(self) -> None:
        self.requests.append(self.path)
        self.send_response(200)
        self.end_headers()

    do_GET = do_POST = do_PATCH = _note  # noqa: N815  # names of the standard library

    def log_message(self, *_: object) -> None:
        """Keep silent."""


@pytest.fixture
def tracing_endpoint() -> Iterator[str]:
    """A server that takes note of whatever is sent to it."""
    _Listener.requests.clear()
    with HTTPServer(("127.0.0.1", 0), _Listener) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_no_request_reaches_a_tracing_server(
    monkeypatch: pytest.MonkeyPatch, tracing_endpoint: str
) -> None:
    """With tracing asked for in every way, a session sends nothing."""
    for prefix in ("LANGSMITH", "LANGCHAIN"):
        monkeypatch.setenv(f"{prefix}_TRACING", "true")
        monkeypatch.setenv(f"{prefix}_TRACING_V2", "true")
        monkeypatch.setenv(f"{prefix}_API_KEY", "not-a-key")
        monkeypatch.setenv(f"{prefix}_ENDPOINT", tracing_endpoint)
    outcome = deltabench.run("A", turns=1, k=2)
    assert outcome.summary.problems == ()
    assert _Listener.requests == []
