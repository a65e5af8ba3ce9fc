"""How fast the studio answers: drags, edits, a large file opened, and whether its memory grows.

`kempe bench studio` prints what `measure` reports. Times are those of a page that waits, on the
machine as it is: they are the studio's only where nothing else runs. `--hours` says for how long a
scripted person uses it while its memory is watched; 2 is what the goal is about, without it that is
half a minute of a few machines. Each minute the memory of the server and its workers is told on
standard error.
"""

import json
import math
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, final

from yardsticks.report import Report
from yardsticks.studio_use import Sitting

from kempe.errors import MissingPart
from kempe.extras import extra

LOOPS = {20: 10, 200: 100}  # bodies, nearly, and loops of the chain that has them
DRAGS, EDITS = 300, 30
FRAME = 1.0 / 60.0
SHORT = 30.0  # s of use
DRAG_GOAL, FRAMES_GOAL, OPEN_GOAL, GROWTH_GOAL = 8.0, 95.0, 2.0, 50.0  # ms, %, s, MB


@final
class Page:
    """A studio of its own, and a page of it."""

    def __init__(self, file: Path) -> None:
        client = extra("websockets.sync.client", "studio", "the bench of the studio")
        command = [sys.executable, "-m", "kempe.cli", "studio", str(file), "--no-browser", "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise MissingPart("the studio did not start: run `kempe studio` to see why.")
        base, _, token = json.loads(line)["url"].partition("/?token=")
        port = base.rpartition(":")[2]
        self.connection = client.connect(
            f"{base.replace('http', 'ws')}/ws",
            origin=base,
            additional_headers={"Cookie": f"kempe_{port}={token}"},
            max_size=None,
            compression=None,
            open_timeout=120,
        )
        self.socket = self.connection.__enter__()
        self.count = 0

    def ask(self, word: str, **given: Any) -> tuple[Any, float]:
        """The answer to a request, and how long it took, s."""
        begun = time.perf_counter()
        number = self._send(word, **given)
        message = self._answer(number, 600.0)
        took = time.perf_counter() - begun
        if message["type"] == "error":
            raise MissingPart(f"the studio refused {word}: {message['error']['text']}")
        return message["result"], took

    def tried(self, word: str, patience: float, **given: Any) -> Any:
        """The answer to a request; None where it was refused, or cancelled after so many s."""
        number = self._send(word, **given)
        try:
            message = self._answer(number, patience)
        except TimeoutError:
            self._send("cancel", of=number)
            message = self._answer(number, 600.0)
        return message.get("result")

    def _send(self, word: str, **given: Any) -> int:
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "type": word, **given}))
        return self.count

    def _answer(self, number: int, seconds: float) -> Any:
        """What answers a request; a TimeoutError after so many seconds."""
        end = time.monotonic() + seconds
        while True:
            message = json.loads(self.socket.recv(timeout=max(0.0, end - time.monotonic())))
            if message.get("re") == number and message["type"] in ("done", "error"):
                return message

    def memories(self) -> dict[int, float]:
        """Of the server and of each of its workers, by their ids, MB; none where nothing says."""
        mine = self.process.pid
        try:
            task = Path(f"/proc/{mine}/task/{mine}/children")
            children = [int(word) for word in task.read_text().split()]
            pages = [
                int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in [mine, *children]
            ]
        except OSError:
            return {}
        used = [n * os.sysconf("SC_PAGE_SIZE") / 1e6 for n in pages]
        return dict(zip([mine, *children], used, strict=True))

    def close(self) -> None:
        """End the studio."""
        self.connection.__exit__(None, None, None)
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)


def measure(hours: float | None = None) -> dict[str, list[dict[str, Any]]]:
    """Everything that `kempe bench studio` prints; `hours` of use instead of half a minute."""
    report, watched = Report(), SHORT if hours is None else 3600.0 * hours
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page = Page(_file(folder, 20))
        try:
            _measure_hand(report, page)
            _watch_memory(report, page, watched, is_told=hours is not None)
        finally:
            page.close()
        _measure_opening(report, folder)
    return {"rows": report.rows, "goals": report.goals}


def _file(folder: Path, bodies: int) -> Path:
    from kempe import gallery

    return Path(gallery.four_bar_chain(loops=LOOPS[bodies]).save(folder / f"chain{bodies}.json"))


def _pulled(k: int) -> list[float]:
    """Where the end of the first upright is pulled to: it swings about its start."""
    angle = math.pi / 2 + 0.3 * math.sin(0.05 * k)
    return [0.4 * math.cos(angle), 0.4 * math.sin(angle)]


def _measure_hand(report: Report, page: Page) -> None:
    first = page.ask("hello")[0]["shown"]
    bodies = len(first["scene"]["bodies"])
    point = next(one for one in first["points"] if one["name"] == "upright0.end")
    length = math.hypot(*point["at"])

    def dragged(k: int) -> float:
        x, y = _pulled(k)
        target = [x * length / 0.4, y * length / 0.4]
        return page.ask("drag", point=point["name"], target=target)[1]

    def edited(k: int) -> float:
        operation = {"op": "set", "path": ["name"], "value": f"chain {k}"}
        return page.ask("edit", operations=[operation], merge="bench")[1]

    for k in range(20):
        dragged(k)
    drags = [dragged(k) for k in range(20, 20 + DRAGS)]
    median, late = statistics.median(drags), sorted(drags)[int(0.99 * DRAGS)]
    report.row(f"drag, {bodies} bodies", "median", median, "drag", None)
    report.row(f"drag, {bodies} bodies", "99 of 100", late, "drag", None)
    frames = sum(drag <= FRAME for drag in drags) / DRAGS
    edits = statistics.median([edited(k) for k in range(EDITS)])
    report.row(f"edit, {bodies} bodies", "median", edits, "edit", None)
    report.at_most("a drag of 20 bodies is answered, ms", DRAG_GOAL, 1e3 * median)
    report.at_least("drags answered within a frame of 60 a second, %", FRAMES_GOAL, 100 * frames)


def _measure_opening(report: Report, folder: Path) -> None:
    page = Page(_file(folder, 20))
    try:
        name = _file(folder, 200).name
        found, took = page.ask("open", source="file", name=name)
        bodies = len(found["shown"]["scene"]["bodies"])
    finally:
        page.close()
    report.row(f"open, {bodies} bodies", "first time", took, "file", None)
    report.at_most("a model of 200 bodies is opened, s", OPEN_GOAL, took)


def _watch_memory(report: Report, page: Page, seconds: float, *, is_told: bool) -> None:
    """Use it for as long as asked, and see what that leaves."""
    sitting = Sitting(page, is_brief=not is_told)
    sitting.use(seconds, is_told=is_told)
    words = f"memory grown in {seconds / 3600.0:.3g} h of use ({sitting.rounds} rounds), MB"
    missing = "too short, or the system does not say"
    report.at_most(words, GROWTH_GOAL, sitting.grown(), missing)
