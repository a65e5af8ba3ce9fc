"""Starting the studio: a door, a session, and a browser."""

import asyncio
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import final

from kempe.errors import FileError
from kempe.extras import extra
from kempe.web.serving import LOOPBACK, Door

PURPOSE = "the studio"


@final
@dataclass(frozen=True, slots=True)
class Started:
    """What is known of a studio that has begun to listen."""

    url: str
    is_loopback: bool
    folder: Path


@final
@dataclass(frozen=True, slots=True)
class Launch:
    """What a studio is started with: the file that is opened, and where it listens."""

    file: Path | None = None
    port: int = 0
    address: str = LOOPBACK

    def run(self, started: Callable[[Started], None], *, browser: bool) -> None:
        """Serve until interrupted; `started` is told where, once it listens."""
        extra("starlette", "studio", PURPOSE)
        folder, name = self._place()
        from kempe.studio.server.application import IMPORT, LARGEST_IMPORT

        bodies = ((IMPORT, LARGEST_IMPORT),)
        door = Door(self.address, self.port, purpose=PURPOSE, bodies=bodies)

        def ready() -> None:
            started(Started(door.url, door.is_loopback, folder))
            if browser:
                webbrowser.open(door.url)

        asyncio.run(_served(door, folder, name, ready))

    def _place(self) -> tuple[Path, str | None]:
        """The folder that the studio may read and write, and the file in it."""
        if self.file is None:
            return Path.cwd(), None
        if self.file.is_dir():
            return self.file.resolve(), None
        if not self.file.is_file():
            raise FileError("there is no such file.", path=str(self.file))
        return self.file.parent.resolve(), self.file.name


async def _served(door: Door, folder: Path, name: str | None, ready: Callable[[], None]) -> None:
    from kempe.studio.server.application import Routes
    from kempe.studio.server.session import Session
    from kempe.studio.server.workers import Refusal

    session = Session(folder, name)
    try:
        try:
            await session.begin()
        except Refusal as refusal:
            problem = next(iter(refusal.mistake.problems), None)
            place = {"line": problem.line, "column": problem.column} if problem else {}
            raise FileError(refusal.mistake.text, path=name or "", **place) from None
        await door.serve(Routes(session).application(), ready)
    finally:
        await session.close()
