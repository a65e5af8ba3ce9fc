"""The document of a session: its history, its file, and its autosave."""

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, final

from kempe.disk import below, content_of, replace_file
from kempe.errors import FileError, KempeError
from kempe.studio.documents.endings import OPENED
from kempe.studio.documents.history import History, Step
from kempe.studio.messages.answers import Document, LibraryEntry
from kempe.studio.server.autosave import Autosave, Kept, content

DELAY = 0.2  # s after a change, within which others are kept along with it
LARGEST_FILE = 25_000_000  # bytes
MODEL_FILES = (".yaml", ".yml", ".json")
MOST_FILES, DEEPEST = 300, 3  # of the folder that are listed, and how deep
EMPTY: dict[str, Any] = {"version": 1, "name": "mechanism", "plane": True}


@final
class Keeping:
    """One document that is never lost: every change is a step, and soon on disk."""

    def __init__(self, folder: Path, file: str | None, saved: Callable[[int], None]) -> None:
        self.folder = folder
        self.file = file
        self._autosave = Autosave.of(folder, file)
        self.saved_text: str | None = None
        self.draft: str | None = None
        self.revision = 0
        self.recovered = ""
        self.history = History(Step.of("start", EMPTY, ""))
        self._saved = saved
        self._waiting: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None
        self._is_dirty = False

    # -- the document ------------------------------------------------------------------------

    @property
    def data(self) -> dict[str, Any]:
        """The document's data."""
        return self.history.now.document()[0]

    @property
    def text(self) -> str:
        """The document's text."""
        return self.history.now.document()[1]

    @property
    def home(self) -> Path:
        """The folder of the document's own file: what it brings in lies there or below."""
        return (self.folder / self.file).parent if self.file else self.folder

    def told(self) -> Document:
        """The document as a page takes it."""
        data, text = self.history.now.document()
        return Document(
            revision=self.revision,
            name=str(data.get("name", "mechanism")),
            file=self.file,
            is_saved=text == self.saved_text,
            data=data,
            text=text,
            undo=self.history.undo,
            redo=self.history.redo,
        )

    def add(self, label: str, data: dict[str, Any], text: str, merge: str = "") -> None:
        """A change."""
        self.history.add(Step.of(label, data, text, merge))
        self.changed()

    def changed(self) -> None:
        """The document is another one now; let it be kept."""
        self.revision += 1
        self.draft = None
        self.keep()

    # -- files -------------------------------------------------------------------------------

    def read(self, name: str) -> bytes:
        """The content of a file of the folder."""
        path = below(self.folder, name)
        if path.suffix.lower() not in OPENED:
            raise FileError(f"the studio opens {', '.join(OPENED)}.", path=name)
        return content_of(path, LARGEST_FILE)

    def save(self, name: str | None) -> str:
        """Write the document to its file, or to another one; the name of that."""
        name = name or self.file
        if not name:
            raise FileError("give the file a name, such as mechanism.yaml.")
        path = below(self.folder, name)
        ending = path.suffix.lower()
        if ending not in MODEL_FILES:
            raise FileError(f"a model file ends in {', '.join(MODEL_FILES)}.", path=name)
        data, text = self.history.now.document()
        written = text if ending != ".json" else json.dumps(data, indent=1, ensure_ascii=False)
        replace_file(path, written.encode())
        self.file, self.saved_text = name, text
        self.keep()
        return name

    def files(self) -> list[LibraryEntry]:
        """The model files of the folder and below it, hidden ones and links left out."""
        found = sorted(self._walked())
        return [LibraryEntry(name=name, source="file", words="") for name in found]

    def _walked(self) -> Iterator[str]:
        count = 0
        for root, folders, names in os.walk(self.folder):
            depth = len(Path(root).relative_to(self.folder).parts)
            folders[:] = [f for f in folders if not f.startswith(".") and depth < DEEPEST]
            for name in names:
                path = Path(root) / name
                is_model = path.suffix.lower() in OPENED and not name.startswith(".")
                if is_model and not path.is_symlink():
                    yield path.relative_to(self.folder).as_posix()
                    count += 1
                    if count >= MOST_FILES:
                        return

    # -- the autosave ------------------------------------------------------------------------

    def recover(self, text: str | None) -> bool:
        """Take up what an earlier run of this document left; `text` is that of its file now."""
        kept = self._autosave.read()
        if kept is None:
            return False
        now = kept.history.now.document()[1]
        if text is not None and now == text and kept.draft is None:
            return False
        self.history, self.saved_text, self.draft = kept.history, kept.saved, kept.draft
        self.file = kept.file
        when = time.strftime("%H:%M:%S", time.localtime(self._autosave.path.stat().st_mtime))
        self.recovered = (
            f"The studio ended without saving; what was done until {when} is here again, and can be"
            " undone."
        )
        if text is not None and kept.saved is not None and kept.saved != text:
            self.recovered += f" {self.file} was changed by another program in the meantime."
        return True

    def keep(self) -> None:
        """Write the autosave soon."""
        self._is_dirty = True
        if self._waiting is None:
            loop = asyncio.get_running_loop()
            self._waiting = loop.call_later(DELAY, self._begin)

    def _begin(self) -> None:
        self._waiting = None
        if self._writing is not None and not self._writing.done():
            self.keep()
            return
        self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        revision, place = self.revision, self._autosave
        self._is_dirty = False
        told = content(Kept(self.history, self.file, self.saved_text, self.draft))
        try:
            await asyncio.to_thread(place.write, told)
        except (KempeError, OSError):
            self._is_dirty = True  # the next change tries again
            return
        self._saved(revision)

    async def close(self) -> None:
        """Keep what is not saved; leave nothing behind where all is."""
        if self._waiting is not None:
            self._waiting.cancel()
        if self._writing is not None:
            await asyncio.wait([self._writing])
        if self.text == self.saved_text and self.draft is None:
            self._autosave.remove()
        elif self._is_dirty:
            await self._write()
