"""Who may come in: the browser that was given the token, from the page of this server alone.

A page of any other site that one happens to visit can send requests to this machine as well. So
every request has to name this server as its host (no other name that resolves to this machine), to
come from this server's own page where it says where it comes from, and to carry the cookie.

Source: [RFC6455] section 10.2 (origins of WebSockets).
"""

import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any, final
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

TOKEN_BYTES = 16  # 128 bits
LARGEST_BODY = 1_000_000  # bytes, where a route says nothing else
READS = ("GET", "HEAD")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
    " font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


class TooLarge(Exception):
    """A body that goes on beyond what its route takes."""


def new_token() -> str:
    """128 bits that nobody can guess, in hexadecimal."""
    return secrets.token_hex(TOKEN_BYTES)


def own_hosts(address: str, port: int) -> tuple[str, ...]:
    """The names by which a browser of this machine calls a server at `address`.

    Examples:
        >>> own_hosts("127.0.0.1", 8000)
        ('127.0.0.1:8000', 'localhost:8000', '[::1]:8000')
    """
    names = ["127.0.0.1", "localhost", "[::1]"]
    shown = f"[{address}]" if ":" in address else address
    if shown not in (*names, "0.0.0.0", "[::]"):
        names.append(shown)
    return tuple(f"{name}:{port}" for name in names)


@final
@dataclass(frozen=True, eq=False)
class Guard:
    """An application behind the checks; `hosts` are the names that a request may call it by.

    `GET /?token=...` lets a browser in: it gets a cookie and is sent to `/`. All other requests
    need that cookie. `bodies` says how large the body of a route may be, in bytes.
    """

    application: Application
    hosts: tuple[str, ...]
    token: str
    cookie: str
    bodies: tuple[tuple[str, int], ...] = ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one WebSocket from its beginning to its end."""
        kind = scope["type"]
        if kind == "lifespan":
            await self.application(scope, receive, send)
            return
        fault = self._foreign(scope)
        if not fault and kind == "http" and self._brings_token(scope):
            await _answer(send, 303, "", ((b"location", b"/"), (b"set-cookie", self._given())))
            return
        if not fault and not self._has_cookie(scope):
            fault = "open the address that `kempe` printed: this one lacks its token."
        if kind == "websocket":
            if fault:
                await send({"type": "websocket.close", "code": 1008, "reason": fault[:120]})
            else:
                await self.application(scope, receive, send)
            return
        if fault:
            await _answer(send, 403, f"Refused: {fault}\n")
            return
        await self._let_in(scope, receive, send)

    def _foreign(self, scope: Scope) -> str:
        """What is wrong with where a request comes from; empty where nothing is."""
        hosts = _all(scope, b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return f"this server is called {self.hosts[0]}, and by no other name."
        origins = _all(scope, b"origin")
        is_write = scope["type"] == "websocket" or scope["method"] not in READS
        if len(origins) > 1 or (not origins and is_write):
            return "a request that changes something says which page it comes from."
        if origins and origins[0].lower() not in [f"http://{host}" for host in self.hosts]:
            return "this request comes from the page of another site."
        if any(site not in ("same-origin", "none") for site in _all(scope, b"sec-fetch-site")):
            return "this request comes from the page of another site."
        return ""

    def _brings_token(self, scope: Scope) -> bool:
        if scope["path"] != "/" or scope["method"] not in READS:
            return False
        query = scope.get("query_string", b"").decode("latin-1")
        given = parse_qs(query, max_num_fields=16).get("token", []) if len(query) < 1000 else []
        return len(given) == 1 and self._is_token(given[0])

    def _has_cookie(self, scope: Scope) -> bool:
        words = [word.strip() for line in _all(scope, b"cookie") for word in line.split(";")]
        pairs = [word.partition("=") for word in words]
        return any(name == self.cookie and self._is_token(value) for name, _, value in pairs)

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def _given(self) -> bytes:
        return f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict".encode()

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        most = next((n for path, n in self.bodies if scope["path"] == path), LARGEST_BODY)
        declared = _all(scope, b"content-length")
        if declared and not (declared[0].isdigit() and int(declared[0]) <= most):
            await _answer(send, 413, _too_large(most), ((b"connection", b"close"),))
            return
        read, has_begun = 0, False

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise TooLarge
            return message

        async def guarded(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                message = {**message, "headers": [*_unset(message), *HEADERS]}
            await send(message)

        try:
            await self.application(scope, counted, guarded)
        except TooLarge:
            if not has_begun:
                await _answer(send, 413, _too_large(most), ((b"connection", b"close"),))


def _too_large(most: int) -> str:
    return f"Refused: a request here has at most {most / 1e6:g} MB.\n"


def _all(scope: Scope, name: bytes) -> list[str]:
    """All values of a header."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _unset(message: Message) -> list[tuple[bytes, bytes]]:
    """The headers of an answer but for those that are the guard's to say."""
    own = {name for name, _ in HEADERS}
    return [(key, value) for key, value in message.get("headers", ()) if key.lower() not in own]


async def _answer(
    send: Send, status: int, text: str, more: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    body = text.encode()
    size = str(len(body)).encode()
    plain = ((b"content-type", b"text/plain; charset=utf-8"), (b"content-length", size))
    headers = [*plain, *more, *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
