"""A studio that runs, and a page that talks to it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
httpx = pytest.importorskip("httpx")
client = pytest.importorskip("websockets.sync.client")

FOUR_BAR = """\
# A four-bar.
version: 1
name: four-bar
plane: true
units: {length: mm}
parameters: {a: 30}
bodies:
  crank: {at: [0, 0], length: a}  # the shortest
  coupler: {length: 90, points: {P: [45, 40]}}
  rocker: {at: [100, 0], length: 70}
joints:
  A: {type: revolute, I: ground, J: crank.start}
  B: {type: revolute, I: crank.end, J: coupler.start}
  C: {type: revolute, I: coupler.end, J: rocker.end}
  D: {type: revolute, I: {body: ground, at: [100, 0]}, J: rocker.start}
drives:
  crank.angle: {type: ramp, speed: 60 rpm}
"""
WAIT = 120.0  # s, for a machine that is busy


class Page:
    """What a page does: a socket and requests that are numbered."""

    def __init__(self, studio: "Studio") -> None:
        self._entering = client.connect(
            studio.base.replace("http", "ws") + "/ws",
            origin=studio.base,
            additional_headers={"Cookie": studio.cookie},
            max_size=None,
            open_timeout=WAIT,
        )
        self.socket = self._entering.__enter__()
        self.count = 0
        self.events: list[dict[str, Any]] = []

    def send(self, word: str, **given: Any) -> int:
        """A request that is not waited for."""
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "type": word, **given}))
        return self.count

    def next(self) -> dict[str, Any]:
        """The next message."""
        found: dict[str, Any] = json.loads(self.socket.recv(timeout=WAIT))
        return found

    @staticmethod
    def result_of(message: dict[str, Any]) -> Any:
        """What an answer has to say; a request that was refused fails with its words."""
        assert message["type"] == "done", message
        return message["result"]

    def answer(self, number: int | None) -> dict[str, Any]:
        """The answer to a request; other messages are kept as events."""
        while True:
            message = self.next()
            if message["type"] in ("done", "error") and message["re"] == number:
                return message
            self.events.append(message)

    def ask(self, word: str, **given: Any) -> Any:
        """The result of a request."""
        return self.result_of(self.answer(self.send(word, **given)))

    def refused(self, word: str, **given: Any) -> dict[str, Any]:
        """Why a request has no result."""
        message = self.answer(self.send(word, **given))
        assert message["type"] == "error", message
        found: dict[str, Any] = message["error"]
        return found

    def set(self, *path: str | int, to: Any, merge: str = "") -> Any:
        """Change one value of the document."""
        operation = {"op": "set", "path": list(path), "value": to}
        return self.ask("edit", operations=[operation], merge=merge)


class Studio:
    """A process of `kempe studio`."""

    def __init__(self, target: Path) -> None:
        command = [sys.executable, "-m", "kempe.cli", "studio", str(target)]
        command += ["--no-browser", "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url: str = json.loads(self.process.stdout.readline())["url"]
        self.base = self.url.split("/?")[0]
        self.http = httpx.Client(timeout=WAIT)
        entered = self.http.get(self.url)
        self.cookie = entered.headers["set-cookie"].split(";")[0]
        self.pages: list[Page] = []

    def page(self) -> Page:
        """One more page."""
        page = Page(self)
        self.pages.append(page)
        return page

    def get(self, path: str, **headers: str) -> Any:
        """A GET of the page itself."""
        return self.http.get(self.base + path, headers={"cookie": self.cookie, **headers})

    def post(self, path: str, content: bytes, **headers: str) -> Any:
        """A POST of the page itself."""
        own = {"cookie": self.cookie, "origin": self.base, **headers}
        return self.http.post(self.base + path, content=content, headers=own)

    def end(self, how: int = signal.SIGINT) -> int:
        """End it, and wait for that; the exit code."""
        for page in self.pages:
            with contextlib.suppress(Exception):
                page.socket.close()
        self.http.close()
        os.kill(self.process.pid, how)
        code = self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Studio]]:
    """Starts a studio for a file or folder; ends what a test leaves."""
    begun: list[Studio] = []

    def started(target: Path) -> Studio:
        begun.append(Studio(target))
        return begun[-1]

    yield started
    for studio in begun:
        if studio.process.poll() is None:
            studio.end()


@pytest.fixture(scope="session")
def studio(start: Callable[[Path], Studio], tmp_path_factory: pytest.TempPathFactory) -> Studio:
    """One studio for all tests that do not end it."""
    folder = tmp_path_factory.mktemp("studio")
    (folder / "four_bar.yaml").write_text(FOUR_BAR)
    (tmp_path_factory.getbasetemp() / "secret.yaml").write_text(FOUR_BAR)
    (folder / "link.yaml").symlink_to(tmp_path_factory.getbasetemp() / "secret.yaml")
    return start(folder / "four_bar.yaml")


@pytest.fixture
def page(studio: Studio) -> Iterator[Page]:
    """A page with the four-bar as it was written."""
    page = studio.page()
    page.ask("text", text=FOUR_BAR)
    page.ask("rest")
    yield page
    page.socket.close()
