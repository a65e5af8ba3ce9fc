"""How long a connection may take to say what it wants, and how many may be open.

Who connects and says nothing for so many seconds is sent away. Beyond `MOST` connections the one
that has been silent longest makes room, so that however many are held open, who asks is answered.
"""

import asyncio
import contextlib
import signal
import threading
from collections.abc import Generator
from typing import Any, final

from uvicorn import Server
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 256  # connections


@final
class Lobby:
    """The connections of one server that have not said yet what they want, oldest first."""

    def __init__(self, *, seconds: float, most: int = MOST) -> None:
        self.most, self.seconds = most, seconds
        self.waiting: dict[asyncio.Protocol, asyncio.TimerHandle] = {}
        self.sent_away: set[asyncio.Protocol] = set()  # the loop has not told them yet

    def protocol(self) -> type[asyncio.Protocol]:
        """The protocol of HTTP whose connections wait here."""
        lobby = self

        class PatientProtocol(H11Protocol):
            """HTTP whose silent connections are closed."""

            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)  # type: ignore[arg-type]
                if lobby.makes_room(len(self.connections)):
                    lobby.enter(self, self.transport)
                else:
                    lobby.send_away(self, self.transport)

            def connection_lost(self, exc: Exception | None) -> None:
                lobby.leave(self)
                lobby.sent_away.discard(self)
                super().connection_lost(exc)

            def data_received(self, data: bytes) -> None:
                super().data_received(data)
                cycle: Any = self.cycle
                is_socket = self not in self.connections  # another protocol goes on with it
                if is_socket or (cycle is not None and not cycle.response_complete):
                    lobby.leave(self)

            def on_response_complete(self) -> None:
                super().on_response_complete()
                cycle: Any = self.cycle
                if not self.transport.is_closing() and (cycle is None or cycle.response_complete):
                    lobby.enter(self, self.transport)

        return PatientProtocol

    def enter(self, connection: asyncio.Protocol, transport: asyncio.Transport) -> None:
        """Let a connection wait for so many seconds."""
        self.leave(connection)
        loop = asyncio.get_running_loop()
        self.waiting[connection] = loop.call_later(self.seconds, transport.abort)

    def leave(self, connection: asyncio.Protocol) -> None:
        """It has said what it wants, or is gone."""
        timer = self.waiting.pop(connection, None)
        if timer is not None:
            timer.cancel()

    def send_away(self, connection: asyncio.Protocol, transport: asyncio.Transport) -> None:
        """Close a connection, which counts among the open ones until the loop comes round."""
        self.leave(connection)
        self.sent_away.add(connection)
        transport.abort()

    def makes_room(self, count: int) -> bool:
        """Whether there is room for the last of `count` connections, the silent ones sent away.

        Of many that come at once all are seen before the loop closes any: those that were sent away
        are counted as gone, or every one that comes would send as many away again.
        """
        while count - len(self.sent_away) > self.most:
            oldest = next(iter(self.waiting), None)
            if oldest is None:
                return False
            self.send_away(oldest, oldest.transport)  # type: ignore[attr-defined]
        return True


@final
class CalmServer(Server):
    """A server that an interrupt ends in order: what runs around it can tidy up."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Let interrupts end it while it serves, where they reach this thread at all."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        kinds = (signal.SIGINT, signal.SIGTERM)
        before = {kind: signal.signal(kind, self.handle_exit) for kind in kinds}
        try:
            yield
        finally:
            for kind, handler in before.items():
                signal.signal(kind, handler)
