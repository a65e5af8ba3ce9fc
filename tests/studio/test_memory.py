"""What a worker keeps of all that it has had on its desk: what is there now, and little else."""

import gc
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic")

from kempe.compile.trace.part_names import MODELS
from kempe.files.documents.writer import document_data
from kempe.gallery import MECHANISMS
from kempe.model import Model
from kempe.studio.worker import memory
from kempe.studio.worker.answering import Worker
from kempe.studio.worker.memory import SLACK, Memory, resident

REVISIONS = 3 * MODELS


def alive() -> int:
    """The models that somebody holds on to."""
    gc.collect()
    return sum(isinstance(one, Model) for one in gc.get_objects())


def test_models_of_earlier_revisions_are_let_go(tmp_path: Path) -> None:
    worker, data = Worker(tmp_path), document_data(MECHANISMS["four_bar"]().model)
    before = alive()

    def asked(word: str, revision: int, **given: Any) -> None:
        body = json.dumps({"id": 1, "type": word, **given}).encode()
        worker.answer(word, {"revision": revision, "text": ""}, body, lambda *_: None)

    worker.answer("load", {"revision": 0}, json.dumps(data).encode(), lambda *_: None)
    for k in range(REVISIONS):
        asked("edit", k, operations=[{"op": "set", "path": ["name"], "value": f"try {k}"}])
        asked("drag", k, point="crank.end", target=[0.0, 0.03])
        asked("sweep", k, steps=4)
        asked("read", k, names=["crank.angle"])
    # Each cache of names keeps its last few, and those of the drive-less twin that `check` makes.
    assert alive() - before <= 2 * MODELS


@pytest.mark.skipif(memory._trim() is None or not resident(), reason="the system keeps what it has")
def test_memory_that_an_answer_needed_is_given_back() -> None:
    mine = Memory()
    mine.tidy()
    before = resident()
    blocks = [b"x" * 60_000 for _ in range(SLACK // 10_000)]  # six times the slack, in pieces
    kept = blocks[::40]  # what lies between holds the rest back
    del blocks
    assert resident() > before + 4 * SLACK
    mine.tidy()
    assert resident() < before + SLACK
    assert len(kept) > 0


def test_less_than_the_slack_is_not_worth_a_tidying(monkeypatch: pytest.MonkeyPatch) -> None:
    used, trimmed = [100_000_000], []
    monkeypatch.setattr(memory, "resident", lambda: used[0])
    mine = Memory()
    mine._trim = trimmed.append  # type: ignore[assignment]
    for used[0] in (100_000_000, 110_000_000, 123_000_000, 125_000_000, 90_000_000, 115_000_000):
        mine.tidy()
    assert len(trimmed) == 3  # at first, and where it had grown by more than the slack
