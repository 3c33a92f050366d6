"""A real browser without a window: its contents, its errors and its network requests."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar, final

import pytest
from axe_core_python.selenium import Axe
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

__all__ = ["INSTALL", "Browser", "Scheme", "launched"]

_R = TypeVar("_R")

Scheme: TypeAlias = Literal["light", "dark"]

INSTALL: Final = "apt-get install chromium chromium-driver"

_FLAGS: Final = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--force-prefers-reduced-motion",
    "--hide-scrollbars",
)  # fmt: skip
_LOCAL: Final = ("file:", "data:", "blob:", "about:", "chrome:", "chrome-untrusted:")


@final
class Browser:
    """Chromium, for one page at a time."""

    def __init__(self, driver: Chrome) -> None:
        """Wrap a driver that logs the console and the network."""
        self.driver = driver

    def open(self, page: Path | str, *, width: int = 1400, height: int = 900, scheme: Scheme = "light") -> None:
        """Open a file or a URL in a window of this size, and clear the logs."""
        self.resize(width, height)
        self.prefer(scheme)
        self.errors()
        self.requests()
        self.driver.get(page.as_uri() if isinstance(page, Path) else page)

    def resize(self, width: int, height: int, ratio: float = 1) -> None:
        """Set the size of the window in CSS pixels, each `ratio` pixels of the device wide."""
        size = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def prefer(self, scheme: Scheme) -> None:
        """Set the preferred colour scheme, light or dark."""
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def run(self, script: str, *arguments: Any) -> Any:
        """Run JavaScript and return its result."""
        return self.driver.execute_script(script, *arguments)

    def press(self, key: str) -> None:
        """Press a key, by its name in JavaScript, in the focused element."""
        event: dict[str, object] = {"key": key, "code": key, "windowsVirtualKeyCode": _KEY_CODES.get(key, 0)}
        if len(key) == 1:
            event["text"] = key
        elif key == "Enter":
            event["text"] = "\r"
        self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyDown", **event})
        self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", **event})

    def type(self, text: str) -> None:
        """Type a text into the focused element."""
        self.driver.execute_cdp_cmd("Input.insertText", {"text": text})

    def mouse(self, kind: str, x: float, y: float, **more: object) -> None:
        """Send a mouse event to a point of the window: "mousePressed", "mouseMoved", "mouseReleased", "mouseWheel"."""
        button = {"button": "left", "clickCount": 1} if kind != "mouseWheel" else {}
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **button, **more})

    def click(self, x: float, y: float) -> None:
        """Click at a point of the window."""
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)

    def wait(self, read: Callable[[], _R], seconds: float = 10) -> _R:
        """Wait until `read` returns a true value, and return it."""
        end = time.monotonic() + seconds
        while not (value := read()):
            if time.monotonic() > end:
                raise AssertionError(f"after {seconds} s still {value!r}")
            time.sleep(0.02)
        return value

    def settle(self) -> None:
        """Wait until the page is painted."""
        script = (
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)));"
        )
        self.driver.execute_async_script(script)

    def screenshot(self, path: Path) -> None:
        """Save what the window shows as a PNG file."""
        self.driver.save_screenshot(str(path))

    def errors(self) -> list[str]:
        """The errors and warnings in the console since the last call, except warnings about reading pixels."""
        messages = [str(entry["message"]) for entry in self._log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        return [message for message in messages if "willReadFrequently" not in message]

    def requests(self) -> list[str]:
        """The requested addresses since the last call, without this machine's files."""
        messages = [json.loads(entry["message"])["message"] for entry in self._log("performance")]
        sent = [message for message in messages if message["method"] == "Network.requestWillBeSent"]
        urls = [str(message["params"]["request"]["url"]) for message in sent]
        return [url for url in urls if not url.startswith(_LOCAL)]

    def _log(self, kind: str) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.driver.execute("getLog", {"type": kind})["value"]
        return entries

    def accessibility_problems(self, within: str = "") -> list[str]:
        """The accessibility rules that the page, or the element of a CSS selector, violates according to axe, one line
        each.
        """
        violations = Axe().run(self.driver, within or None, {"resultTypes": ["violations"]})
        return [
            f"{rule['id']}: {rule['help']}: {node['html'][:200]}"
            for rule in violations["violations"]
            for node in rule["nodes"]
        ]


_KEY_CODES: Final = {
    "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
}  # fmt: skip


def launched() -> Iterator[Browser]:
    """A browser that is closed afterwards. If none is installed, the test is skipped; in continuous integration it
    fails.
    """
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    chromedriver = shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        missing = f"no Chromium with chromedriver is installed; to test in a browser: {INSTALL}"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ChromeOptions()
        options.binary_location = chromium
        for flag in (*_FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = Chrome(options=options, service=Service(chromedriver))
        try:
            yield Browser(driver)
        finally:
            driver.quit()
