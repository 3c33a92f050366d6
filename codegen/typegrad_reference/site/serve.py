"""Showing the site in a browser, from this machine only."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.client import HTTP_PORT
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from os import PathLike
from pathlib import Path
from typing import Final

__all__ = ["HOST", "serve", "server"]

HOST: Final = "127.0.0.1"


_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")
"""What this machine is called in addresses that lead to it."""


class _Quiet(SimpleHTTPRequestHandler):
    """Logs no requests, and forbids caching: the site may be rebuilt meanwhile.

    Only requests to this machine's own names are answered: a page from elsewhere whose name leads here (DNS rebinding)
    reads nothing.
    """

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""

    def parse_request(self) -> bool:
        """Refuse a request that is addressed to another host."""
        if not super().parse_request():
            return False
        port = self.connection.getsockname()[1]
        own = {f"{name}:{port}" for name in _NAMES} | (set(_NAMES) if port == HTTP_PORT else set())
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or hosts[0].strip().lower() not in own:
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            return False
        return True

    def list_directory(self, path: str | PathLike[str]) -> None:  # noqa: ARG002
        """A folder without a page of its own is not shown."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def end_headers(self) -> None:
        """Add what every answer says."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()


def server(folder: Path, port: int = 8000) -> ThreadingHTTPServer:
    """A server of the files in a folder, which only this machine can reach; port 0 takes any that is free.

    Raises:
        FileNotFoundError: There is no site in the folder.
        OSError: The port is taken.
    """
    if not (folder / "index.html").is_file():
        raise FileNotFoundError(f"there is no site in {folder}: build one with `typegrad docs build --output {folder}`")
    return ThreadingHTTPServer((HOST, port), partial(_Quiet, directory=str(folder)))


def serve(folder: Path, port: int = 8000, *, ready: Callable[[str], None] = print) -> None:
    """Serve the site in a folder until interrupted; call `ready` with its address. Raises what `server` raises."""
    with server(folder, port) as running, suppress(KeyboardInterrupt):
        ready(f"http://{HOST}:{running.server_port}/")
        running.serve_forever()
