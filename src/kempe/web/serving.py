"""A server for the browser of this machine, with limits on everything that comes in."""

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

from kempe.errors import KempeError
from kempe.extras import extra
from kempe.web.guard import Application, Guard, new_token, own_hosts

if TYPE_CHECKING:
    from uvicorn import Server

LOOPBACK = "127.0.0.1"
LARGEST_HEADERS = 32 * 1024  # bytes
LARGEST_FRAME = 1_000_000  # bytes of one message of a WebSocket that comes in
MOST_FRAMES = 64  # messages that wait to be read


@final
@dataclass(eq=False)
class Door:
    """An address that is listened at, with the token that opens it.

    `port` 0 takes any that is free; `address` is this machine's own unless another is asked for.
    """

    address: str = LOOPBACK
    port: int = 0
    token: str = field(default_factory=new_token, repr=False)
    purpose: str = "the studio"
    bodies: tuple[tuple[str, int], ...] = ()
    seconds: float = 10.0  # that a connection may be silent before it has asked for something
    _server: "Server | None" = None

    def __post_init__(self) -> None:
        extra("uvicorn", "studio", self.purpose)
        extra("websockets", "studio", self.purpose)
        try:
            self._socket = socket.create_server((self.address, self.port), backlog=2048)
        except (OSError, OverflowError) as trouble:
            reason = getattr(trouble, "strerror", None) or str(trouble)
            raise KempeError(
                f"nobody can listen at port {self.port} of {self.address}: {reason}. Name another"
                " one by --port, or none."
            ) from None
        self.port = int(self._socket.getsockname()[1])

    @property
    def url(self) -> str:
        """What to open in a browser; who has it may come in."""
        host = LOOPBACK if self.address in ("0.0.0.0", "::") else self.address
        shown = f"[{host}]" if ":" in host else host
        return f"http://{shown}:{self.port}/?token={self.token}"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can come in."""
        return self.address in (LOOPBACK, "localhost", "::1")

    @property
    def cookie(self) -> str:
        """Its name: cookies of one host are not told apart by ports."""
        return f"kempe_{self.port}"

    async def serve(self, application: Application, ready: Callable[[], Any] | None = None) -> None:
        """Let in who has the token, until `close` is called or the process is interrupted."""
        from uvicorn import Config

        from kempe.web.patience import CalmServer, Lobby

        guard = Guard(
            application, own_hosts(self.address, self.port), self.token, self.cookie, self.bodies
        )
        config = Config(
            guard,
            http=Lobby(seconds=self.seconds).protocol(),
            ws="websockets-sansio",
            ws_max_size=LARGEST_FRAME,
            ws_max_queue=MOST_FRAMES,
            ws_per_message_deflate=False,  # what is small when it comes in stays small
            h11_max_incomplete_event_size=LARGEST_HEADERS,
            timeout_graceful_shutdown=2,
            lifespan="off",
            loop="asyncio",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            date_header=False,
        )
        self._server = CalmServer(config)
        if ready is not None:
            asyncio.get_running_loop().call_soon(ready)
        await self._server.serve(sockets=[self._socket])

    def close(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.should_exit = True
        else:
            self._socket.close()
