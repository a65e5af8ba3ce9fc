"""The routes of the studio: its page, its socket, dropped files, written files, schemas."""

import asyncio
import json
import mimetypes
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, final

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

import kempe.studio
from kempe.disk import below, content_of
from kempe.errors import FileError, KempeError
from kempe.studio.messages.base import LONGEST_WORD
from kempe.studio.messages.replies import Done, Failed, Mistake
from kempe.studio.messages.replies import schema as message_schema
from kempe.studio.server.connection import Connection
from kempe.studio.server.session import Session
from kempe.studio.server.workers import Refusal

LARGEST_IMPORT = 50_000_000  # bytes
IMPORT = "/api/import"
UPLOADING = 60.0  # s
LARGEST_ASSET = 30_000_000
PAGE = Path(kempe.studio.__file__).parent / "page"
NO_PAGE = (
    "The studio's server runs, but its page was not built: run `make setup` in the checkout, with"
    " Node at hand, and reload this."
)


@final
class Routes:
    """What each address answers."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._model_schema: str | None = None

    def application(self) -> Starlette:
        """All of them."""
        return Starlette(
            routes=[
                WebSocketRoute("/ws", self.socket),
                Route(IMPORT, self.take, methods=["POST"]),
                Route("/api/exports/{name}", self.give),
                Route("/api/schema", self.model_schema),
                Route("/api/messages", self.messages),
                Route("/{path:path}", self.page),
            ],
        )

    async def socket(self, socket: WebSocket) -> None:
        """The socket of one page."""
        await Connection(self.session, socket).run()

    async def take(self, request: Request) -> Response:
        """A file that was dropped."""
        name = request.query_params.get("name", "")
        if not name or len(name) > LONGEST_WORD or "\0" in name:
            return _failed(400, "refused", "say the file's name: /api/import?name=four_bar.yaml.")
        try:
            async with asyncio.timeout(UPLOADING):
                content = await request.body()
        except TimeoutError:
            return _failed(408, "limit", f"the file did not arrive within {UPLOADING:g} s.")
        except ClientDisconnect:
            return Response(status_code=400)
        return await _answered(lambda: self._imported(name, content))

    async def _imported(self, name: str, content: bytes) -> Response:
        found = Done(re=0, result=await self.session.imported(name, content))
        return Response(found.model_dump_json(serialize_as_any=True), media_type="application/json")

    async def give(self, request: Request) -> Response:
        """A file that was written."""
        name = request.path_params["name"]
        path = self.session.exports.get(name)
        if path is None or not path.is_file():
            return _failed(404, "mistake", "there is no such file: write it again.")
        return FileResponse(path, filename=name, media_type="application/octet-stream")

    async def model_schema(self, _: Request) -> Response:
        """The JSON Schema of model files."""
        if self._model_schema is None:
            self._model_schema = await asyncio.to_thread(_schema_of_models)
        return Response(self._model_schema, media_type="application/json")

    async def messages(self, _: Request) -> Response:
        """The JSON Schema of messages."""
        return JSONResponse(message_schema())

    async def page(self, request: Request) -> Response:
        """The page, and what it loads."""
        name = request.path_params["path"] or "index.html"
        try:
            content = content_of(below(PAGE, name), LARGEST_ASSET)
        except FileError:
            if name == "index.html":
                return PlainTextResponse(NO_PAGE, status_code=503)
            return PlainTextResponse("There is no such page.", status_code=404)
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        if name.endswith((".js", ".mjs")):
            kind = "text/javascript"
        return Response(content, media_type=kind)


async def _answered(do: Callable[[], Awaitable[Response]]) -> Response:
    """What comes of it, or why nothing does."""
    try:
        return await do()
    except Refusal as refusal:
        failed = Failed(re=0, error=refusal.mistake)
        return Response(failed.model_dump_json(), 400, media_type="application/json")
    except KempeError as mistake:
        return _failed(400, "mistake", str(mistake))


def _failed(status: int, kind: Any, text: str) -> Response:
    failed = Failed(re=0, error=Mistake(kind=kind, text=text))
    return Response(failed.model_dump_json(), status, media_type="application/json")


def _schema_of_models() -> str:
    from kempe.files.schema.schema import json_schema

    return json.dumps(json_schema())
