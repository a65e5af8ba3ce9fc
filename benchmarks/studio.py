"""How fast the studio answers: drags, edits, a large file opened, and whether its memory grows.

`kempe bench studio` prints what `measure` reports. Times are those of a page that waits, on the
machine as it is: they are the studio's only where nothing else runs. KEMPE_STUDIO_SECONDS says for
how long the memory is watched; 7200 is what the goal is about.
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

from kempe.errors import MissingPart
from kempe.extras import extra

LOOPS = {20: 10, 200: 100}  # bodies, nearly, and loops of the chain that has them
DRAGS, EDITS = 300, 30
FRAME = 1.0 / 60.0
WATCHED = float(os.environ.get("KEMPE_STUDIO_SECONDS", "20"))
WARM = 0.25  # share of that time after which memory should stay as it is
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
        self.count += 1
        text = json.dumps({"id": self.count, "type": word, **given})
        begun = time.perf_counter()
        self.socket.send(text)
        while True:
            told = self.socket.recv(timeout=600)
            took = time.perf_counter() - begun
            message = json.loads(told)
            if message.get("re") == self.count and message["type"] in ("done", "error"):
                break
        if message["type"] == "error":
            raise MissingPart(f"the studio refused {word}: {message['error']['text']}")
        return message["result"], took

    def memory(self) -> float:
        """Of the server and its workers, MB in use; 0 where the system does not say."""
        mine = self.process.pid
        try:
            task = Path(f"/proc/{mine}/task/{mine}/children")
            children = [int(word) for word in task.read_text().split()]
            pages = [
                int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in [mine, *children]
            ]
        except OSError:
            return 0.0
        return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def close(self) -> None:
        """End the studio."""
        self.connection.__exit__(None, None, None)
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)


def measure() -> dict[str, list[dict[str, Any]]]:
    """Everything that `kempe bench studio` prints."""
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page = Page(_file(folder, 20))
        try:
            _measure_hand(report, page)
            _watch_memory(report, page)
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


def _watch_memory(report: Report, page: Page) -> None:
    """Drag, edit, undo and sweep for as long as asked, and see what that leaves."""
    begun, k, warm = time.monotonic(), 0, 0.0
    while (gone := time.monotonic() - begun) < WATCHED:
        k += 1
        for step in range(20):
            page.ask("drag", point="upright0.end", target=_pulled(20 * k + step))
        operation = {"op": "set", "path": ["name"], "value": f"chain {k}"}
        page.ask("edit", operations=[operation])
        if k % 3 == 0:
            page.ask("undo")
        if k % 5 == 0:
            page.ask("sweep", steps=60)
        if not warm and gone > WARM * WATCHED and k > 5:
            warm = page.memory()
    grown = page.memory() - warm if warm else None
    words = f"memory grown in {WATCHED:g} s of use, MB"
    report.at_most(words, GROWTH_GOAL, grown, "too short, or the system does not say")
