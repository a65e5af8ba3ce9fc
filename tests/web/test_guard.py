"""Who is let in and who is not, request by request, without a network."""

import asyncio
from typing import Any

import pytest

from kempe.web.guard import TOKEN_BYTES, Guard, new_token, own_hosts

TOKEN = new_token()
HOSTS = own_hosts("127.0.0.1", 8123)
OWN = {"host": "127.0.0.1:8123", "cookie": f"kempe_8123={TOKEN}"}
PAGE = {"origin": "http://127.0.0.1:8123"}


async def served(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """An application that reads all and says yes."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"yes"})


def asked(
    headers: dict[str, str],
    path: str = "/",
    *,
    method: str = "GET",
    query: str = "",
    body: tuple[bytes, ...] = (b"",),
    kind: str = "http",
) -> list[dict[str, Any]]:
    """What the guard sends for a request."""
    guard = Guard(served, HOSTS, TOKEN, "kempe_8123", bodies=(("/api/import", 3000),))
    scope = {
        "type": kind,
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
    }
    rest = list(body)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        part = rest.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(rest)}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(guard(scope, receive, send))
    return sent


def status(*args: Any, **given: Any) -> int:
    return int(asked(*args, **given)[0]["status"])


def test_a_token_has_128_bits_and_is_new_each_time() -> None:
    assert TOKEN_BYTES * 8 == 128
    assert len({new_token() for _ in range(100)}) == 100
    assert all(len(bytes.fromhex(new_token())) == 16 for _ in range(3))


def test_the_token_is_exchanged_for_a_cookie_that_other_sites_cannot_send() -> None:
    first = asked({"host": HOSTS[0]}, query=f"token={TOKEN}")[0]
    headers = dict(first["headers"])
    assert first["status"] == 303
    assert headers[b"location"] == b"/"
    cookie = headers[b"set-cookie"].decode()
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    assert TOKEN.encode() not in headers[b"location"]


@pytest.mark.parametrize("host", [*HOSTS, "LOCALHOST:8123"])
def test_the_cookie_lets_in_by_every_name_of_this_machine(host: str) -> None:
    assert status({**OWN, "host": host}) == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"host": HOSTS[0]},
        {"host": HOSTS[0], "cookie": f"kempe_8123={new_token()}"},
        {"host": HOSTS[0], "cookie": f"kempe_8124={TOKEN}"},
        {"host": HOSTS[0], "cookie": f"kempe_8123={TOKEN[:-1]}"},
        {"host": HOSTS[0], "cookie": "kempe_8123=\xff\xfe"},
        {"cookie": OWN["cookie"]},
        {**OWN, "host": "evil.example:8123"},
        {**OWN, "host": "127.0.0.1"},
        {**OWN, "host": "127.0.0.1:80"},
        {**OWN, "origin": "http://evil.example"},
        {**OWN, "origin": "https://127.0.0.1:8123"},
        {**OWN, "origin": "null"},
        {**OWN, "sec-fetch-site": "cross-site"},
        {**OWN, "sec-fetch-site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", ["/", "/assets/a.js", "/api/schema", "/api/exports/x.csv", "/ws"])
def test_whoever_lacks_something_is_refused_on_every_route(
    headers: dict[str, str], path: str
) -> None:
    sent = asked(headers, path)
    assert sent[0]["status"] == 403
    assert sent[1]["body"].startswith(b"Refused: ")
    socket = asked({**PAGE, **headers}, path, kind="websocket")
    assert [message["type"] for message in socket] == ["websocket.close"]


@pytest.mark.parametrize("query", ["token=", "token=a&token=b", f"token={'0a' * 16}", "x" * 5000])
def test_a_wrong_token_opens_nothing(query: str) -> None:
    assert status({"host": HOSTS[0]}, query=query) == 403


def test_a_foreign_page_cannot_use_the_token_either() -> None:
    foreign = {"host": HOSTS[0], "sec-fetch-site": "cross-site"}
    assert status(foreign, query=f"token={TOKEN}") == 403


def test_what_changes_something_must_come_from_the_page() -> None:
    assert status(OWN, "/api/import", method="POST") == 403
    assert status({**OWN, **PAGE}, "/api/import", method="POST") == 200
    assert asked(OWN, "/ws", kind="websocket")[0]["type"] == "websocket.close"
    assert asked({**OWN, **PAGE}, "/ws", kind="websocket")[0]["type"] == "websocket.accept"


@pytest.mark.parametrize("declared", ["3001", "99999999999999999999", "-1", "one"])
def test_a_body_that_says_it_is_too_large_is_not_read(declared: str) -> None:
    headers = {**OWN, **PAGE, "content-length": declared}
    assert status(headers, "/api/import", method="POST", body=()) == 413


def test_a_body_that_grows_too_large_is_cut_off() -> None:
    headers = {**OWN, **PAGE}
    parts = (b"x" * 1000,) * 3
    assert status(headers, "/api/import", method="POST", body=parts) == 200
    assert status(headers, "/api/import", method="POST", body=(*parts, b"x")) == 413


def test_every_answer_carries_the_policy() -> None:
    for sent in (asked(OWN), asked({"host": HOSTS[0]}), asked({**OWN, "host": "x"})):
        headers = dict(sent[0]["headers"])
        policy = headers[b"content-security-policy"].decode()
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers[b"x-content-type-options"] == b"nosniff"
        assert headers[b"referrer-policy"] == b"no-referrer"
