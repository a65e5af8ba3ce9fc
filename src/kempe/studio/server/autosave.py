"""What is kept on disk while one works, so that nothing is lost when the machine is."""

import base64
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from kempe.disk import content_of, replace_file
from kempe.errors import FileError
from kempe.studio.documents.history import History, Step

FOLDER = ".kempe-studio"
VERSION = 1
KEPT_STEPS = 60
KEPT_BYTES = 4_000_000  # of the steps, packed
LARGEST = 16_000_000  # bytes of the file


@final
@dataclass(frozen=True, slots=True)
class Kept:
    """What an earlier run left: history, the document's file, and a text that is not done yet."""

    history: History
    file: str | None  # of the document, below the folder
    saved: str | None  # the text as it was last saved
    draft: str | None


@final
@dataclass(frozen=True, slots=True)
class Autosave:
    """The place of one document's autosave, below the folder of its file."""

    path: Path

    @classmethod
    def of(cls, folder: Path, file: str | None) -> "Autosave":
        """The place for a file of the folder, or for a document without one."""
        stem = re.sub(r"[^\w.\-]", "_", file or "untitled")[-100:]
        return cls(folder / FOLDER / f"{stem}.autosave.json")

    def write(self, content: bytes) -> None:
        """Write it, whole or not at all."""
        self.path.parent.mkdir(exist_ok=True)
        replace_file(self.path, content)

    def read(self) -> Kept | None:
        """What an earlier run left; None where that is nothing, or nothing that can be used."""
        if self.path.is_symlink() or self.path.parent.is_symlink():
            return None
        try:
            kept = json.loads(content_of(self.path, LARGEST))
            if kept["kempe"] != "autosave of the studio" or kept["version"] != VERSION:
                return None
            steps = [Step(str(label), base64.b64decode(packed)) for label, packed in kept["steps"]]
            for step in steps:
                step.document()
            history = History(steps[0])
            history.steps, at = steps, int(kept["at"])
            history.at = max(0, min(at, len(steps) - 1))
            file, saved, draft = kept["file"], kept["saved"], kept["draft"]
        except (FileError, ValueError, KeyError, TypeError, IndexError, RecursionError):
            return None
        except Exception:  # zlib.error of a torn step
            return None
        return Kept(history, file, saved, draft)

    def remove(self) -> None:
        """There is nothing left to recover."""
        self.path.unlink(missing_ok=True)


def content(now: Kept) -> bytes:
    """The bytes of an autosave: the last steps before and after where the document stands."""
    history = now.history
    first = max(0, history.at - KEPT_STEPS)
    steps, at = history.steps[first : history.at + KEPT_STEPS], history.at - first
    while len(steps) > 1 and sum(len(step.packed) for step in steps) > KEPT_BYTES:
        if at > 0:
            steps, at = steps[1:], at - 1
        else:
            steps = steps[:-1]
    told: dict[str, Any] = {
        "kempe": "autosave of the studio",
        "version": VERSION,
        "at": at,
        "file": now.file,
        "saved": now.saved,
        "draft": now.draft,
        "steps": [[step.label, base64.b64encode(step.packed).decode()] for step in steps],
    }
    return json.dumps(told).encode()
