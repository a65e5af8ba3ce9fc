"""What a worker does with each request: the one table of who answers what."""

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import getdoc
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import FileError, ModelError, UnknownName, nearest_name
from kempe.files.documents.document import document_from
from kempe.files.documents.writer import document_data
from kempe.studio.documents.mirror import mirrored, text_of
from kempe.studio.documents.script import script_of
from kempe.studio.messages.answers import LibraryEntry, LibraryList, MotionComponent, Script
from kempe.studio.messages.base import AbstractMessage
from kempe.studio.messages.edits import Operation
from kempe.studio.messages.requests import REQUEST, AnyRequest
from kempe.studio.worker.configurations import Configurations, Found
from kempe.studio.worker.designs import Designs
from kempe.studio.worker.desk import Data, Desk
from kempe.studio.worker.hand import Hand
from kempe.studio.worker.runs import Runs, Say

FloatArray = NDArray[np.float64]
Tell = Callable[[str, dict[str, Any], bytes], None]
LARGEST_FILE_NAME = 120  # characters


@final
@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back to the server: a few facts for itself, and the answer for the page."""

    facts: dict[str, Any] = field(default_factory=dict)
    body: bytes = b""


@final
class Worker:
    """A desk with all that can be done at it."""

    def __init__(self, folder: Path) -> None:
        self.desk = Desk(folder)
        self.hand, self.runs = Hand(self.desk), Runs(self.desk)
        self.configurations = Configurations(self.desk)
        self.designs = Designs(self.desk)

    def answer(self, word: str, head: dict[str, Any], body: bytes, tell: Tell) -> Reply:
        """Do what the server asks for."""
        if "folder" in head:
            self.desk.folder = Path(head["folder"])
        known: dict[str, Callable[[dict[str, Any], bytes], Reply]] = {
            "load": self._load,
            "edit": self._edit,
            "text": self._text,
            "gallery": self._gallery,
            "file": self._file,
            "position": self._position,
            "candidate": self._candidate,
            "stand": self._stand,
            "export": self._export,
            "library": self._library,
        }
        if word in known:
            return known[word](head, body)
        return self._asked(REQUEST.validate_json(body), head, tell)

    # -- documents ---------------------------------------------------------------------------

    def _load(self, head: dict[str, Any], body: bytes) -> Reply:
        """A document that has been one before."""
        self._put(json.loads(body), int(head["revision"]), keep=bool(head.get("keep")))
        return self._shown(None)

    def _put(self, data: Data, revision: int, *, keep: bool) -> None:
        self.desk.load(data, revision, keep=keep)
        self.hand.let_go()
        self.runs.motion = None

    def _shown(self, document: tuple[Data, str] | None) -> Reply:
        desk = self.desk
        facts: dict[str, Any] = {"q": desk.q.tolist()}
        if document is not None:
            facts |= {"data": document[0], "text": document[1]}
        return Reply(facts, desk.shown().model_dump_json().encode())

    def _edit(self, head: dict[str, Any], body: bytes) -> Reply:
        asked = REQUEST.validate_json(body)
        assert asked.type == "edit"
        operations: list[Operation] = asked.operations
        place = None if head.get("place") is None else np.array(head["place"])
        before, text = self.desk.data, str(head["text"])
        after = self.desk.edited(operations, place)
        self._put(after, int(head["revision"]), keep=True)
        return self._shown((self.desk.data, mirrored(text, before, self.desk.data)))

    def _text(self, head: dict[str, Any], body: bytes) -> Reply:
        """A text by a person; its own data is what later edits change."""
        name = str(head.get("name") or "text.yaml")
        document = document_from(body, name, folder=self.desk.folder)
        _ = document.model  # mistakes are told with their lines
        self._put(dict(document.data), int(head["revision"]), keep=bool(head.get("keep")))
        text = body.decode("utf-8-sig")
        is_yaml = not name.lower().endswith(".json")
        return self._shown((self.desk.data, text if is_yaml else text_of(self.desk.data)))

    def _gallery(self, head: dict[str, Any], _: bytes) -> Reply:
        from kempe.gallery import COURSES, MECHANISMS

        name = str(head["name"])
        if name not in MECHANISMS:
            raise UnknownName(f"the gallery has no {name!r}.{nearest_name(name, MECHANISMS)}")
        mechanism = MECHANISMS[name]()
        data = document_data(mechanism.model)
        if name in COURSES:
            data["run"] = {"analysis": "dynamics", "until": COURSES[name].until}
        self._put(data, int(head["revision"]), keep=False)
        return self._shown((self.desk.data, text_of(self.desk.data)))

    def _library(self, *_: object) -> Reply:
        """The gallery, each entry in a line."""
        from kempe.gallery import MECHANISMS

        entries = [
            LibraryEntry(name=name, source="gallery", words=(getdoc(make) or "").split("\n")[0])
            for name, make in MECHANISMS.items()
        ]
        return Reply({}, LibraryList(entries=entries).model_dump_json().encode())

    def _file(self, head: dict[str, Any], body: bytes) -> Reply:
        """A file that was dropped, of any program that is known."""
        from kempe.foreign.opening import ENDINGS, is_foreign, read_foreign

        name = Path(str(head["name"])).name[-LARGEST_FILE_NAME:]
        ending = Path(name).suffix.lower()
        own = (".yaml", ".yml", ".json")
        if ending not in (*own, *ENDINGS):
            known = ", ".join((*own, *ENDINGS))
            raise FileError(f"the studio opens {known}, not {ending or name!r}.")
        with tempfile.TemporaryDirectory(prefix="kempe-") as folder:
            target = Path(folder) / f"dropped{ending}"
            target.write_bytes(body)
            imported = read_foreign(target) if is_foreign(target) else None
        if imported is None:
            reply = self._text(head | {"name": name}, body)
            return Reply(reply.facts | {"report": []}, reply.body)
        data = document_data(imported.model)
        if imported.run_entry:
            data["run"] = imported.run_entry
        self._put(data, int(head["revision"]), keep=False)
        report = imported.report
        said = [f"left out, {item}" for item in report.left_out]
        said += [f"note, {item}" for item in report.notes]
        reply = self._shown((self.desk.data, text_of(self.desk.data)))
        return Reply(reply.facts | {"report": said}, reply.body)

    # -- positions ---------------------------------------------------------------------------

    def _stand(self, head: dict[str, Any], _: bytes) -> Reply:
        """Stand where the other worker does."""
        q = np.array(head["q"], dtype=np.float64)
        if len(q) == len(self.desk.q):
            self.desk.q = q
        return Reply()

    def _position(self, head: dict[str, Any], _: bytes) -> Reply:
        source, sample = str(head["source"]), int(head["sample"])
        if source == "motion":
            q = self.runs.sample(sample)
        else:
            q = self.configurations.position(source, int(head["number"]), sample)
        return Reply({"q": q.tolist()})

    def _candidate(self, head: dict[str, Any], _: bytes) -> Reply:
        number = int(head["number"])
        data = self.designs.document(number)
        return Reply({"label": f"take linkage {number}"}, json.dumps(data).encode())

    # -- requests ----------------------------------------------------------------------------

    def _export(self, head: dict[str, Any], body: bytes) -> Reply:
        from kempe.studio.worker.exports import write

        asked = REQUEST.validate_json(body)
        assert asked.type == "export"
        folder, name = Path(head["into"]), str(head["name"])
        path, report = write(self.desk, self.runs, asked.ending, folder, name)
        return Reply({"name": path.name, "size": path.stat().st_size, "report": report})

    def _asked(self, asked: AnyRequest, head: dict[str, Any], tell: Tell) -> Reply:
        def say(part: float | None, text: str) -> None:
            tell("progress", {"part": part, "text": text}, b"")

        def component(axes: list[str], units: list[str], one: MotionComponent) -> None:
            tell("found", {"axes": axes, "units": units}, one.model_dump_json().encode())

        found = self._in_hand(asked, head) or self._computed(asked, say, component)
        return Reply({"q": self.desk.q.tolist()}, found.model_dump_json().encode())

    def _in_hand(self, asked: AnyRequest, head: dict[str, Any]) -> AbstractMessage | None:
        hand = self.hand
        match asked.type:
            case "drag":
                return hand.drag(asked.point, list(asked.target))
            case "drive":
                return hand.drive(dict(asked.values))
            case "wiggle":
                return hand.wiggle(asked.freedom)
            case "rest":
                return hand.rest()
            case "adopt":
                is_own = asked.source == "branch"
                q = hand.branch(asked.number) if is_own else np.array(head["place"])
                return hand.adopt(q)
            case "python":
                return Script(text=script_of(self.desk.mechanism.model, self.desk.data))
            case _:
                return None

    def _computed(self, asked: AnyRequest, say: Say, component: Found) -> AbstractMessage:
        runs, configurations = self.runs, self.configurations
        match asked.type:
            case "check":
                return runs.check()
            case "sweep":
                return runs.sweep(asked)
            case "simulate":
                return runs.simulate(asked, say)
            case "read":
                return runs.read(asked)
            case "free_body":
                return runs.free_body(asked)
            case "centrodes":
                return runs.centrodes(asked.body)
            case "vectors":
                return runs.vectors(asked)
            case "assemblies":
                return configurations.assemblies(asked, say)
            case "motions":
                return configurations.motions(asked, say, component)
            case "design":
                return self.designs.find(asked, say)
            case "refine":
                return self.designs.refine(asked, say)
            case "statics":
                return runs.statics()
            case "modes":
                return runs.modes()
            case _:
                raise ModelError(f"a worker does not answer {asked.type!r}.")
