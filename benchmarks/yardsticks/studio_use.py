"""What a person does with the studio in a long sitting, one thing after the other, as a script.

A round opens the next entry of the gallery, drags it, edits it, goes back and forth in its history,
runs what it can run, reads, exports, and ends with a small four-bar: there memory is measured, so
that it is not the last motion that is counted. It grows over the first turn through the entries, as
what each of them needs is imported; what it grows from then on is what use costs.
"""

import itertools
import math
import sys
import time
from collections.abc import Iterator
from typing import Any, Protocol, final

BRIEF = ("four_bar", "slider_crank", "double_pendulum", "rssr", "engine", "bouncing_ball")
ENDINGS = (
    ".py",
    ".json",
    ".csv",
    ".svg",
    ".html",
    ".asmt",
    ".txt",
    ".urdf",
    ".xml",
    ".npz",
    ".glb",
)
PATIENCE = 60.0  # s after which a person gives up, and cancels
FEW, SMALL = 3, 7  # bodies, up to which all motions are looked for, or all assemblies
LONGEST = 1.0  # s that are simulated
MINUTE = 60.0
PAUSE = 0.5  # of the time that a round takes: nobody clicks all the time


class Asking(Protocol):
    """A page of a studio."""

    def ask(self, word: str, **given: Any) -> tuple[Any, float]:
        """The answer, and how long it took, s."""
        ...

    def tried(self, word: str, patience: float, **given: Any) -> Any:
        """The answer; None where it was refused, or cancelled for it took too long."""
        ...

    def memories(self) -> dict[int, float]:
        """Of the server and of each of its workers, by their ids, MB; none where nothing says."""
        ...


@final
class Sitting:
    """Hours of use, and the memory after each round; a brief one twice through few entries."""

    def __init__(self, page: Asking, *, is_brief: bool) -> None:
        self.page, self.least = page, 3 * len(BRIEF) if is_brief else 0
        known = page.ask("library")[0]["entries"]
        everything = [one["name"] for one in known if one["source"] == "gallery"]
        self.entries = list(BRIEF) if is_brief else everything
        self.rounds = 0
        self.memories: list[tuple[float, dict[int, float]]] = []

    def use(self, seconds: float, *, is_told: bool) -> None:
        """Go on for so long; with `is_told`, memory of each minute on standard error."""
        begun, told = time.monotonic(), 0.0
        for name in itertools.cycle(self.entries):
            before = time.monotonic()
            self._round(name)
            now = time.monotonic()
            self.memories.append((now - begun, self.page.memories()))
            if is_told and now - told > MINUTE:
                told = now
                print(self._line(name), file=sys.stderr, flush=True)
            if now - begun > seconds and self.rounds >= self.least:
                return
            time.sleep(PAUSE * (now - before))

    def _line(self, name: str) -> str:
        when, each = self.memories[-1]
        told = " ".join(f"{one:7.1f} ({pid})" for pid, one in each.items())
        used = f"{when / MINUTE:7.1f} min {sum(each.values()):7.1f} MB = {told}"
        return f"{used}, {self.rounds} rounds, {name}"

    @property
    def begun(self) -> int:
        """How many processes there have been: three, if no worker was ended for taking too long."""
        return len({pid for _, each in self.memories for pid in each})

    def grown(self) -> float | None:
        """What the last three rounds need more than the three after a whole turn, MB.

        None where there were not two turns, or nothing says what is needed.
        """
        sums = [sum(each.values()) for _, each in self.memories if each]
        n = len(self.entries)
        if len(sums) < 2 * n:
            return None
        return sum(sums[-3:]) / 3 - sum(sums[n : n + 3]) / 3

    def _round(self, name: str) -> None:
        self.rounds += 1
        page, k = self.page, self.rounds
        page.ask("open", source="gallery", name=name)
        found = page.ask("hello")[0]
        document, shown = found["document"]["data"], found["shown"]
        bodies = list(document.get("bodies") or {})
        points = shown["points"]
        page.tried("check", PATIENCE)
        page.tried("wiggle", PATIENCE, freedom=1)
        for target in _about(points[k % len(points)]["at"], 12):
            page.tried("drag", PATIENCE, point=points[k % len(points)]["name"], target=target)
        page.tried("rest", PATIENCE)
        self._edit(bodies, k)
        self._run(document, shown, k)
        if shown["drives"] and len(bodies) <= SMALL:
            page.tried("assemblies", PATIENCE)
            page.tried("adopt", PATIENCE, source="assembly", number=1)
        if shown["drives"] and len(bodies) <= FEW and k % 3 == 0:
            page.tried("motions", PATIENCE)
        page.tried("export", PATIENCE, ending=ENDINGS[k % len(ENDINGS)])
        page.tried("python", PATIENCE)
        page.tried("save", PATIENCE, path=f"kept{k % 5}.yaml")
        page.ask("open", source="gallery", name="four_bar")
        page.tried("sweep", PATIENCE, steps=24)

    def _edit(self, bodies: list[str], k: int) -> None:
        page = self.page
        for n in range(4):
            operation: dict[str, Any] = {"op": "set", "path": ["name"], "value": f"try {k}.{n}"}
            page.tried("edit", PATIENCE, operations=[operation])
        operation = {"op": "rename", "path": ["bodies", bodies[-1]], "to": f"part {k}"}
        page.tried("edit", PATIENCE, operations=[operation])
        text = page.ask("hello")[0]["document"]["text"]
        page.tried("text", PATIENCE, text=f"# round {k}\n{text}")
        page.tried("text", PATIENCE, text=f"{text}\nnonsense: {k}")
        page.ask("undo", steps=2)
        page.ask("redo", steps=1)
        page.ask("undo", steps=1)

    def _run(self, document: dict[str, Any], shown: dict[str, Any], k: int) -> None:
        page, played = self.page, None
        bodies = list(document.get("bodies") or {})
        if shown["drives"]:
            played = page.tried("sweep", PATIENCE, steps=60)
        else:
            page.tried("statics", PATIENCE)
            page.tried("modes", PATIENCE)
        until = min(LONGEST, float((document.get("run") or {}).get("until", LONGEST)))
        if k % 2 or not shown["drives"]:
            played = page.tried("simulate", PATIENCE, until=until, steps=60) or played
        if not played:
            return
        page.tried("read", PATIENCE, names=played["names"][:4])
        page.tried("vectors", PATIENCE, points=[shown["points"][0]["name"]])
        page.tried("free_body", PATIENCE, body=bodies[0], sample=k % 20)
        page.tried("centrodes", PATIENCE, body=bodies[0])


def _about(at: list[float], count: int) -> Iterator[list[float]]:
    """Places about a place, as a hand would pull it."""
    reach = 0.2 * (math.hypot(*at) or 0.1)
    for n in range(count):
        angle = 2.0 * math.pi * n / count
        yield [at[0] + reach * math.cos(angle), at[1] + reach * math.sin(angle), *at[2:]]
