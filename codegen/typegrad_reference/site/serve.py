"""Showing the site in a browser, from this machine only."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

__all__ = ["HOST", "serve", "server"]

HOST: Final = "127.0.0.1"


class _Quiet(SimpleHTTPRequestHandler):
    """Answers without a line for each request, and lets nothing be kept: the site may be built anew meanwhile."""

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""

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
    """Serve the site in a folder until interrupted; `ready` is told its address. Errors are those of `server`."""
    with server(folder, port) as running, suppress(KeyboardInterrupt):
        ready(f"http://{HOST}:{running.server_port}/")
        running.serve_forever()
