"""The site is served to this machine, under its own names alone, and nothing but its pages."""

from __future__ import annotations

from collections.abc import Generator
from http.client import HTTPConnection
from pathlib import Path
from signal import SIGINT, default_int_handler, raise_signal, signal
from threading import Thread
from urllib.request import urlopen

import pytest

from typegrad_reference.site.serve import serve, server


@pytest.fixture
def port(tmp_path: Path) -> Generator[int]:
    (tmp_path / "index.html").write_text("<p>here", encoding="utf-8")
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "style.css").touch()
    with server(tmp_path, 0) as running:
        assert running.server_address[0] == "127.0.0.1"
        thread = Thread(target=running.serve_forever)
        thread.start()
        yield running.server_port
        running.shutdown()
        thread.join()


def get(port: int, path: str, *hosts: str) -> tuple[int, str]:
    """The status and the text of the answer to a request that is addressed to these hosts."""
    connection = HTTPConnection("127.0.0.1", port)
    connection.putrequest("GET", path, skip_host=True)
    for host in hosts:
        connection.putheader("Host", host)
    connection.endheaders()
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.status, text


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]", "LocalHost"])
def test_this_machine_is_answered(port: int, name: str) -> None:
    assert get(port, "/", f"{name}:{port}") == (200, "<p>here")


@pytest.mark.parametrize(
    "host",
    [
        "",
        "localhost",
        "127.0.0.1",
        "evil.example",
        "evil.example:{port}",
        "localhost.evil.example:{port}",
        "127.0.0.1:1",
    ],
)
@pytest.mark.parametrize("path", ["/", "/gone.html"])
def test_another_name_is_not(port: int, host: str, path: str) -> None:
    """A page from elsewhere whose name leads to this machine would read what is served here."""
    status, text = get(port, path, host.format(port=port))
    assert status == 421 and "<p>here" not in text


def test_a_request_has_one_host(port: int) -> None:
    own = f"localhost:{port}"
    assert [get(port, "/", *hosts)[0] for hosts in ((), (own,), (own, own))] == [421, 200, 421]


def test_the_usual_port_may_be_left_out(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typegrad_reference.site.serve.HTTP_PORT", port)
    assert get(port, "/", "localhost") == (200, "<p>here")


@pytest.mark.parametrize("path", ["/gone.html", "/assets/", "/assets"])
def test_no_folder_is_listed(port: int, path: str) -> None:
    status, text = get(port, path, f"localhost:{port}")
    assert status in (301, 404) and "style.css" not in text


def test_serving_ends_with_an_interrupt(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>here", encoding="utf-8")
    answers: list[bytes] = []

    def ready(address: str) -> None:
        def read() -> None:
            with urlopen(address) as answer:
                answers.append(answer.read())
            raise_signal(SIGINT)

        Thread(target=read).start()

    before = signal(SIGINT, default_int_handler)  # a job in the background starts with interrupts ignored
    try:
        serve(tmp_path, 0, ready=ready)
    finally:
        signal(SIGINT, before)
    assert answers == [b"<p>here"]


def test_a_folder_without_a_site_is_not_served(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no site in .*: build one with `typegrad docs build --output"):
        server(tmp_path, 0)
