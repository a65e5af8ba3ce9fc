"""What a request does: the document is changed, a worker is asked, all pages are told."""

import asyncio
import contextlib
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, final

from kempe.studio.documents.endings import OPENED, exports
from kempe.studio.messages.answers import (
    Cancelled,
    Changed,
    Imported,
    LibraryList,
    Saved,
    Shown,
    Welcome,
    Written,
)
from kempe.studio.messages.base import AbstractMessage
from kempe.studio.messages.edits import KeepPlace, Operation
from kempe.studio.messages.replies import Autosaved, DocumentChanged, Mistake, Progress
from kempe.studio.messages.requests import Adopt, AnyRequest, Edit, Save, Text, Write
from kempe.studio.server.keeping import Keeping
from kempe.studio.server.workers import STARTING, Ended, Refusal, WorkerProcess

QUICK = 20.0  # s that an edit or a drag may take, a first one included
LONG = 600.0  # s that an analysis may take
MOST_EXPORTS = 20  # files that are kept to be fetched
LONGEST_LABEL = 80
HEAVY = frozenset(
    ("check", "sweep", "simulate", "read", "free_body", "centrodes", "vectors", "assemblies")
) | {"motions", "statics", "modes", "design", "refine"}
KEEPING = frozenset(("assemblies", "motions", "refine"))  # cancelled, they answer what there is


class Page(Protocol):
    """A page that is connected: it is told things as JSON."""

    def tell(self, text: str) -> None:
        """Send it a message, soon."""


@final
class Session:
    """One document with its pages and workers."""

    def __init__(self, folder: Path, file: str | None = None) -> None:
        self._file = file
        self.keeping = Keeping(folder, file, self._autosaved)
        self.hand = WorkerProcess(folder, "hand")
        self.bench = WorkerProcess(folder, "bench")
        self.pages: set[Page] = set()
        self.exports: dict[str, Path] = {}
        self._folder = Path(tempfile.mkdtemp(prefix="kempe-studio-"))
        self._shown = Shown.model_construct()
        self._q: list[float] = []
        self._editing = asyncio.Lock()
        self._library: LibraryList | None = None

    async def begin(self) -> None:
        """Open the file, or what an earlier run left of it; else an empty document."""
        keeping, file = self.keeping, self._file
        text: str | None = None
        if file is not None:
            content = keeping.read(file)
            is_yaml = Path(file).suffix.lower() in (".yaml", ".yml")
            is_own = is_yaml or file.lower().endswith(".json")
            keeping.file = file if is_own else None
            text = content.decode("utf-8", "replace") if is_yaml else None
            if not (is_own and keeping.recover(text)):
                await self._opened(file, content, f"open {file}")
                keeping.history.steps = [keeping.history.now]
                keeping.history.at = 0
                keeping.saved_text = keeping.text if is_own else None
                return
        elif not keeping.recover(None):
            keeping.saved_text = keeping.text
        await self._load(keep=False)

    async def close(self) -> None:
        """End the workers; keep what is not saved."""
        await self.keeping.close()
        await self.hand.close()
        await self.bench.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    # -- telling pages -----------------------------------------------------------------------

    def _autosaved(self, revision: int) -> None:
        self._broadcast(Autosaved(revision=revision))

    def _broadcast(self, message: AbstractMessage, but: Page | None = None) -> None:
        text = message.model_dump_json(serialize_as_any=True)  # parts of it are plain data
        for page in list(self.pages):
            if page is not but:
                page.tell(text)

    def _change(self, page: Page | None) -> Changed:
        change = Changed(document=self.keeping.told(), shown=self._shown)
        if len(self.pages) > (page in self.pages):
            self._broadcast(DocumentChanged(change=change), page)
        return change

    # -- documents ---------------------------------------------------------------------------

    @property
    def _place(self) -> dict[str, Any]:
        return {"folder": str(self.keeping.home)}

    async def _load(self, *, keep: bool) -> None:
        """Put the document as it stands in the history on the desk of the hand."""
        head = {"revision": self.keeping.revision, "keep": keep, **self._place}
        body = json.dumps(self.keeping.data).encode()
        facts, shown = await self.hand.ask("load", head, body, seconds=STARTING)
        self._took(facts, shown)

    def _took(self, facts: dict[str, Any], shown: bytes) -> None:
        self._q = facts["q"]
        told = json.loads(shown)
        told["revision"] = self.keeping.revision
        self._shown = Shown.model_construct(**told)
        self.hand.revision = self.keeping.revision

    async def _ready(self) -> None:
        """The hand has the document, also after it had to be ended."""
        if self.hand.revision != self.keeping.revision or not self.hand.is_alive:
            q = self._q
            await self._load(keep=False)
            if len(q) == len(self._q) and q != self._q:
                await self.hand.ask("stand", {"q": q}, seconds=QUICK)
                self._q = q

    async def _changed(
        self, word: str, head: dict[str, Any], body: bytes, label: str, merge: str = ""
    ) -> dict[str, Any]:
        """Let the hand change the document, and keep what comes of it as a step."""
        keeping = self.keeping
        known = {"revision": keeping.revision + 1, "keep": True, **self._place, **head}
        facts, shown = await self._handled(word, known, body)
        keeping.add(label[:LONGEST_LABEL], facts["data"], facts["text"], merge)
        self._took(facts, shown)
        return facts

    async def _opened(self, name: str, content: bytes, label: str) -> list[str]:
        head = {"name": name, "keep": False}
        facts = await self._changed("file", head, content, label)
        return [str(line) for line in facts["report"]]

    async def imported(self, name: str, content: bytes) -> Imported:
        """A file that was dropped; the document has no file of its own after that."""
        async with self._editing:
            report = await self._opened(Path(name).name, content, f"open {Path(name).name}")
            self.keeping.file, self.keeping.saved_text = None, None
            return Imported(change=self._change(None), report=report)

    # -- requests ----------------------------------------------------------------------------

    async def answer(
        self, asked: AnyRequest, raw: bytes, page: Page, tell: Callable[[str], None]
    ) -> AbstractMessage | bytes:
        """The answer to a request, as a message or as its JSON; a Refusal where there is none."""
        if asked.type in HEAVY:
            return await self._heavy(asked, raw, tell)
        match asked.type:
            case "hello":
                return await self._welcome()
            case "library":
                return await self._entries()
            case "cancel":
                return Cancelled(was_running=False)  # whom the page's own connection did not find
            case "export":
                return await self._export(asked, raw)
            case "drag" | "drive" | "wiggle" | "rest" | "python" | "adopt":
                return await self._by_hand(asked, raw)
        async with self._editing:
            return await self._edited(asked, raw, page)

    async def _edited(self, asked: AnyRequest, raw: bytes, page: Page) -> AbstractMessage:
        keeping = self.keeping
        match asked.type:
            case "edit":
                await self._edit(asked, raw)
            case "text":
                await self._text(asked)
            case "undo" | "redo":
                await self._go(-asked.steps if asked.type == "undo" else asked.steps)
            case "open" if asked.source == "gallery":
                head = {"name": asked.name, "keep": False}
                await self._changed("gallery", head, b"", f"open {asked.name}")
                keeping.file, keeping.saved_text = None, None
            case "open":
                await self._open(asked.name)
            case "new":
                units = {"length": asked.units, "angle": "deg"}
                data = {"version": 1, "name": asked.name, "plane": asked.plane, "units": units}
                body = json.dumps(data).encode()
                head = {"name": "new.json", "keep": False}
                await self._changed("text", head, body, "new document")
                keeping.file, keeping.saved_text = None, None
            case "take":
                wanted = {"number": asked.number}
                facts, body = await self.bench.ask("candidate", wanted, seconds=QUICK)
                head = {"name": "new.json", "keep": False}
                await self._changed("text", head, body, str(facts["label"]))
                keeping.file, keeping.saved_text = None, None
            case "save":
                return self._save(asked, page)
            case _:
                raise Refusal(Mistake(kind="refused", text=f"nobody answers {asked.type!r} here."))
        return self._change(page)

    def _save(self, asked: Save, page: Page) -> Saved:
        file = self.keeping.save(asked.path)
        self._change(page)
        return Saved(file=file, document=self.keeping.told())

    async def _open(self, name: str) -> None:
        content = self.keeping.read(name)
        await self._opened(name, content, f"open {name}")
        is_own = Path(name).suffix.lower() in (".yaml", ".yml", ".json")
        self.keeping.file = name if is_own else None
        self.keeping.saved_text = self.keeping.text if is_own else None

    async def _edit(self, asked: Edit, raw: bytes) -> None:
        keeping = self.keeping
        if asked.revision is not None and asked.revision != keeping.revision:
            words = "the document has changed since: look at it again, and repeat this."
            raise Refusal(Mistake(kind="mistake", text=words))
        frames = [one.frame for one in asked.operations if isinstance(one, KeepPlace)]
        place = None
        if frames and frames[0] is not None:
            place = await self._position("motion", 1, frames[0])
        label = asked.label or _words(asked.operations[0])
        head = {"text": keeping.text, "place": place}
        await self._changed("edit", head, raw, label, asked.merge)

    async def _text(self, asked: Text) -> None:
        try:
            head = {"name": "text.yaml"}
            body = asked.text.encode("utf-8", "replace")
            await self._changed("text", head, body, "edit the text", asked.merge or "text")
        except Refusal:
            self.keeping.draft = asked.text
            self.keeping.keep()
            raise

    async def _go(self, by: int) -> None:
        history, before = self.keeping.history, self.keeping.history.at
        if (history.undo if by < 0 else history.redo) is None:
            words = f"there is nothing to {'undo' if by < 0 else 'do again'}."
            raise Refusal(Mistake(kind="mistake", text=words))
        history.go(by)
        self.keeping.changed()
        try:
            await self._load(keep=True)
        except Refusal:
            history.at = before
            self.keeping.changed()
            raise

    # -- workers -----------------------------------------------------------------------------

    async def _welcome(self) -> Welcome:
        import kempe

        await self._ready()
        return Welcome(
            version=kempe.__version__,
            folder=str(self.keeping.folder),
            document=self.keeping.told(),
            shown=self._shown,
            recovered=self.keeping.recovered,
            imports=list(OPENED),
            exports=exports(),
        )

    async def _entries(self) -> LibraryList:
        if self._library is None:
            _, body = await self.hand.ask("library", seconds=STARTING)
            self._library = LibraryList.model_validate_json(body)
        files = await asyncio.to_thread(self.keeping.files)
        return LibraryList(entries=[*files, *self._library.entries])

    async def _by_hand(self, asked: AnyRequest, raw: bytes) -> bytes:
        head: dict[str, Any] = {}
        if isinstance(asked, Adopt) and asked.source != "branch":
            head["place"] = await self._position(asked.source, asked.number, asked.sample)
        facts, body = await self._handled(asked.type, head, raw)
        self._q = facts["q"]
        return body

    async def _handled(
        self, word: str, head: dict[str, Any], body: bytes
    ) -> tuple[dict[str, Any], bytes]:
        """What the hand answers; one that was killed is begun anew and asked again, once."""
        try:
            await self._ready()
            return await self.hand.ask(word, head, body, seconds=QUICK)
        except Ended:
            await self._ready()
            return await self.hand.ask(word, head, body, seconds=QUICK)

    async def _position(self, source: str, number: int, sample: int) -> list[float]:
        head = {"source": source, "number": number, "sample": sample}
        facts, _ = await self.bench.ask("position", head, seconds=QUICK)
        q: list[float] = facts["q"]
        return q

    async def _heavy(self, asked: AnyRequest, raw: bytes, tell: Callable[[str], None]) -> bytes:
        def heard(kind: str, facts: dict[str, Any], body: bytes) -> None:
            if kind == "found":
                told = json.dumps({"type": "found", "re": asked.id, **facts})
                tell(f'{told[:-1]},"component":{body.decode()}}}')
            else:
                tell(Progress(re=asked.id, **facts).model_dump_json())

        if self.bench.is_busy:
            words = "waiting for what is computed before it"
            tell(Progress(re=asked.id, part=None, text=words).model_dump_json())
        async with self.bench.queue:
            try:
                await self._stand()
            except Ended:  # was killed while nothing was asked of it
                await self._stand()
            _, body = await self.bench.asked(
                asked.type, {}, raw, seconds=LONG, tell=heard, keeps=asked.type in KEEPING
            )
            return body

    async def _stand(self) -> None:
        """The bench has the document, and the mechanism stands there as in the hand."""
        keeping, bench = self.keeping, self.bench
        if bench.revision != keeping.revision or not bench.is_alive:
            revision = keeping.revision
            head = {"revision": revision, "keep": False, **self._place}
            body = json.dumps(keeping.data).encode()
            await bench.asked("load", head, body, seconds=STARTING)
            bench.revision = revision
        await bench.asked("stand", {"q": self._q}, seconds=QUICK)

    async def _export(self, asked: Write, raw: bytes) -> Written:
        name = "".join(c if c.isalnum() or c in "-_ " else "_" for c in self.keeping.told().name)
        head = {"into": str(self._folder), "name": name.strip()[:60] or "mechanism"}
        async with self.bench.queue:
            await self._stand()
            facts, _ = await self.bench.asked("export", head, raw, seconds=LONG)
        name = str(facts["name"])
        self.exports.pop(name, None)
        self.exports[name] = self._folder / name
        while len(self.exports) > MOST_EXPORTS:
            with contextlib.suppress(OSError):
                self.exports.pop(next(iter(self.exports))).unlink()
        return Written(
            url=f"/api/exports/{name}", name=name, size=facts["size"], report=facts["report"]
        )


def _words(operation: Operation) -> str:
    """What an operation does, for the history."""
    if isinstance(operation, KeepPlace):
        return "keep this position"
    where = ".".join(str(key) for key in operation.path[-2:])
    to = getattr(operation, "to", "")
    return f"{operation.op} {where}{f' to {to}' if to else ''}"
