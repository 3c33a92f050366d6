"""Draw the guide's picture of VS Code again: `python tests/record_vscode.py`, with Chromium and code-server installed,
and in it the extension that the guide names: `code-server --install-extension zsol.vscode-glspc`.

VS Code has the guide's settings, and shows the guide's program.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote

from record_neovim import PROGRAM, block
from support.browser import Browser, launched

ROOT: Final = Path(__file__).parents[1]
PICTURE: Final = ROOT / "docs" / "pictures" / "vscode.png"
WIDTH, HEIGHT = 860, 530
_SETTINGS: Final = {
    "editor.hover.above": False,
    "editor.minimap.enabled": False,
    "editor.occurrencesHighlight": "off",
    "editor.scrollbar.vertical": "hidden",
    "breadcrumbs.enabled": False,
    "workbench.activityBar.location": "hidden",
    "workbench.startupEditor": "none",
    "workbench.statusBar.visible": False,
}
"""What makes room in the picture."""
_DEADLINE: Final = 120
_LAST: Final = """
const pieces = [...document.querySelectorAll(".view-line span span")];
const box = pieces.filter(each => each.textContent.trim() === "@").at(-1).getBoundingClientRect();
return [box.x - 1.5 * box.width, box.y + box.height / 2];
"""
"""Where the name before the last @ is."""


def main() -> None:
    """Draw it."""
    assert which("code-server"), "this needs code-server, which is not on the path"
    with TemporaryDirectory() as name:
        folder, data = Path(name, "project"), Path(name, "data")
        _write(folder, data)
        port = _free_port()
        command = ["code-server", "--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--user-data-dir", str(data)]
        with subprocess.Popen([*command, "--disable-workspace-trust", "--disable-telemetry"]) as server:
            try:
                for browser in launched():
                    _draw(browser, port, folder)
            finally:
                server.terminate()


def _write(folder: Path, data: Path) -> None:
    program, settings = block(file=PROGRAM), block(language="json")
    stated: dict[str, Any] = json.loads(settings)
    stated["glspc.server.command"] = str(Path(sys.executable).parent / "typegrad")
    for path, text in (
        (folder / PROGRAM, program),
        (data / "User" / "settings.json", json.dumps(stated | _SETTINGS)),
    ):
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _draw(browser: Browser, port: int, folder: Path) -> None:
    address = f"127.0.0.1:{port}"
    opened = json.dumps([["openFile", f"vscode-remote://{address}{folder / PROGRAM}"]])
    browser.wait(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, _DEADLINE)
    browser.open(f"http://{address}/?folder={folder}&payload={quote(opened)}", width=WIDTH, height=HEIGHT)
    browser.wait(lambda: browser.run('return !!document.querySelector(".squiggly-error")'), _DEADLINE)
    browser.run(
        "document.querySelector(\".action-label.layout-sidebar-left, [aria-label^='Toggle Primary Side Bar']\").click()"
    )
    time.sleep(1)
    x, y = browser.run(_LAST)
    for step in (0, 1):
        browser.mouse("mouseMoved", x + step, y, button="none")
        time.sleep(1)
    browser.screenshot(PICTURE)


if __name__ == "__main__":
    main()
