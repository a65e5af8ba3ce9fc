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
from kempe.studio.worker.answering import Worker

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
