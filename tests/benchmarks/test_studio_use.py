"""The scripted person of the bench of the studio, and how growth is told from what is loaded."""

import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


class Told:
    """A page that answers at once, and whose memory is as listed."""

    def __init__(self, memories: list[float]) -> None:
        self.left = iter(memories)
        self.words: list[str] = []

    def ask(self, word: str, **_: Any) -> tuple[Any, float]:
        self.words.append(word)
        names = ["four_bar", "slider_crank", "double_pendulum"]
        points = [{"name": "crank.end", "at": [0.0, 1.0]}]
        document = {"data": {"bodies": {"crank": {}}}, "text": ""}
        return {
            "entries": [{"name": name, "source": "gallery"} for name in names],
            "document": document,
            "shown": {"points": points, "drives": [1]},
        }, 0.0

    def tried(self, word: str, patience: float, **_: Any) -> Any:
        self.words.append(word)
        return {"names": ["t"]} if word in ("sweep", "simulate") else None

    def memories(self) -> dict[int, float]:
        return {1: next(self.left)}


def sitting(memories: list[float], monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Told]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    from yardsticks.studio_use import Sitting

    page = Told(memories)
    made = Sitting(page, is_brief=False)
    monkeypatch.setattr(sys.modules["yardsticks.studio_use"].time, "sleep", lambda _: None)
    for _ in memories:
        made.use(0.0, is_told=False)
    return made, page


def test_what_the_first_turn_loads_is_no_growth_and_what_comes_after_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, page = sitting([100, 200, 300, 301, 302, 303, 330, 331, 332], monkeypatch)
    assert made.grown() == pytest.approx(29)  # 331 after 302
    assert made.rounds == 9
    used = {"drag", "edit", "undo", "redo", "sweep", "simulate", "read", "vectors", "free_body"}
    used |= {"centrodes", "assemblies", "motions", "export", "python", "save", "text", "check"}
    assert used <= set(page.words)


def test_of_less_than_two_turns_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    made, _ = sitting([100.0, 200.0, 300.0, 301.0, 302.0], monkeypatch)
    assert made.grown() is None
