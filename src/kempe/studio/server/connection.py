"""One page that is connected: reads its messages, answers each, and never dies of one."""

import asyncio
import contextlib
from typing import final

from pydantic import ValidationError
from pydantic_core import from_json
from starlette.websockets import WebSocket, WebSocketDisconnect

from kempe.errors import KempeError
from kempe.studio.messages.answers import Cancelled, Stance
from kempe.studio.messages.base import AbstractMessage
from kempe.studio.messages.replies import Done, Failed, Mistake
from kempe.studio.messages.requests import REQUEST, AnyRequest, Cancel, Drag
from kempe.studio.server.session import Session
from kempe.studio.server.workers import Refusal

MOST_UNDERWAY = 64  # requests of one page
MOST_UNSENT = 256  # messages that a page has not taken yet: then it is gone
PATIENCE = 30.0  # s that a page may take to take one
LONGEST_WORDS = 400
SKIPPED = Stance(poses=[], outcome="Done", skipped=True)


@final
class Connection:
    """A WebSocket from its beginning to its end."""

    def __init__(self, session: Session, socket: WebSocket) -> None:
        self.session, self.socket = session, socket
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._out: asyncio.Queue[str] = asyncio.Queue(MOST_UNSENT)
        self._drag: tuple[Drag, bytes] | None = None
        self._is_dragging = False
        self._gone = asyncio.Event()

    async def run(self) -> None:
        """Until the page leaves."""
        await self.socket.accept()
        self.session.pages.add(self)
        sending = asyncio.create_task(self._send())
        receiving = asyncio.create_task(self._receive())
        leaving = asyncio.create_task(self._gone.wait())
        first = [sending, receiving, leaving]
        try:
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.session.pages.discard(self)
            tasks = [*first, *self._tasks.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await self.socket.close()

    def tell(self, text: str) -> None:
        """Send a message soon; a page that takes none is not waited for."""
        try:
            self._out.put_nowait(text)
        except asyncio.QueueFull:
            self._gone.set()

    async def _send(self) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError, OSError):
            while True:
                text = await self._out.get()
                async with asyncio.timeout(PATIENCE):
                    await self.socket.send_text(text)

    async def _receive(self) -> None:
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            if text is None:
                self._refuse(None, "messages are text, not bytes.")
                continue
            await self._take(text.encode("utf-8", "replace"))

    async def _take(self, raw: bytes) -> None:
        try:
            asked = REQUEST.validate_json(raw)
        except ValidationError as flaws:
            self._refuse(_id_of(raw), _said(flaws))
            return
        if isinstance(asked, Cancel):
            self._cancel(asked)
        elif asked.id in self._tasks:
            self._refuse(asked.id, f"request {asked.id} is under way: take another number.")
        elif isinstance(asked, Drag):
            self._pull(asked, raw)
        elif len(self._tasks) >= MOST_UNDERWAY:
            words = f"at most {MOST_UNDERWAY} requests can be under way: wait for some."
            self._fail(asked.id, Mistake(kind="limit", text=words))
        else:
            self._begin(asked, raw)
        await asyncio.sleep(0)

    def _begin(self, asked: AnyRequest, raw: bytes) -> None:
        task = asyncio.create_task(self._answer(asked, raw))
        self._tasks[asked.id] = task
        task.add_done_callback(lambda _: self._tasks.pop(asked.id, None))

    def _pull(self, asked: Drag, raw: bytes) -> None:
        """Of drags that wait only the newest is computed."""
        if self._drag is not None:
            self._done(self._drag[0].id, SKIPPED)
        self._drag = asked, raw
        if not self._is_dragging:
            self._is_dragging = True
            task = asyncio.create_task(self._drags())
            self._tasks[-1] = task
            task.add_done_callback(lambda _: self._tasks.pop(-1, None))

    async def _drags(self) -> None:
        try:
            while self._drag is not None:
                (asked, raw), self._drag = self._drag, None
                await self._answer(asked, raw)
        finally:
            self._is_dragging = False

    async def _answer(self, asked: AnyRequest, raw: bytes) -> None:
        try:
            found = await self.session.answer(asked, raw, self, self.tell)
            self._done(asked.id, found)
        except Refusal as refusal:
            self._fail(asked.id, refusal.mistake)
        except KempeError as mistake:
            self._fail(asked.id, Mistake(kind="mistake", text=str(mistake)))
        except asyncio.CancelledError:
            self._fail(asked.id, Mistake(kind="cancelled", text="Stopped as asked."))
            raise
        except Exception as fault:
            what = " ".join(f"{type(fault).__name__}: {fault}".split())[:LONGEST_WORDS]
            self._fail(asked.id, Mistake(kind="fault", text=f"kempe failed ({what})."))

    def _cancel(self, asked: Cancel) -> None:
        task = self._tasks.get(asked.of)
        if task is not None:
            task.cancel()
        self._done(asked.id, Cancelled(was_running=task is not None))

    # -- what is said ------------------------------------------------------------------------

    def _done(self, number: int, found: AbstractMessage | bytes) -> None:
        if isinstance(found, bytes):
            self.tell(f'{{"type":"done","re":{number},"result":{found.decode()}}}')
        else:
            self.tell(Done(re=number, result=found).model_dump_json(serialize_as_any=True))

    def _fail(self, number: int | None, mistake: Mistake) -> None:
        self.tell(Failed(re=number, error=mistake).model_dump_json())

    def _refuse(self, number: int | None, text: str) -> None:
        self._fail(number, Mistake(kind="refused", text=text))


def _id_of(raw: bytes) -> int | None:
    """The id of a message that is none otherwise, where it has one."""
    try:
        found = from_json(raw)
    except ValueError:
        return None
    number = found.get("id") if isinstance(found, dict) else None
    if not isinstance(number, int) or isinstance(number, bool):
        return None
    return number if 0 <= number <= 2**53 else None


def _said(flaws: ValidationError) -> str:
    """What is wrong with a message, in one sentence."""
    first = flaws.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])[:LONGEST_WORDS]
    return f"this is no message of the studio: {where + ': ' if where else ''}{first['msg']}."
