"""A server that many connect to and few talk to."""

import asyncio
import contextlib
import resource
import select
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("uvicorn")

from kempe.errors import KempeError
from kempe.web.patience import MOST
from kempe.web.serving import Door

HELD = "/held"  # a path whose answer never comes, as long as somebody waits for it
BUSY = "/busy"  # a path at which the server does nothing else for a while
BUSY_FOR = 1.0  # s


async def served(scope: Any, receive: Any, send: Any) -> None:
    """An application that says yes."""
    while scope.get("path") == HELD:
        if (await receive())["type"] == "http.disconnect":
            return
    if scope.get("path") == BUSY:
        time.sleep(BUSY_FOR)  # not asyncio's: whoever comes meanwhile comes at once afterwards
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"yes"})


@pytest.fixture
def door(request: pytest.FixtureRequest) -> Iterator[Door]:
    """A server in a thread, with the patience of one second where a test asks for no other."""
    door = Door(seconds=getattr(request, "param", 1.0))
    is_ready = threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(door.serve(served, is_ready.set)))
    thread.start()
    assert is_ready.wait(30)
    try:
        yield door
    finally:
        door.close()
        thread.join(30)
    assert not thread.is_alive()


def connected(door: Door) -> socket.socket:
    return socket.create_connection(("127.0.0.1", door.port), timeout=20)


def answer(door: Door, more: bytes = b"") -> bytes:
    """What a good client gets."""
    with connected(door) as one:
        host = f"127.0.0.1:{door.port}"
        cookie = f"{door.cookie}={door.token}"
        head = f"GET / HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n"
        one.sendall(head.encode() + more + b"\r\n")
        parts = []
        with contextlib.suppress(ConnectionError):
            while part := one.recv(65536):
                parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize("door", [10.0], indirect=True)  # as the studio's: its thread may starve
def test_a_good_client_is_answered_among_a_thousand_half_open_ones(door: Door) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 4000:
        pytest.skip("this machine allows too few open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 4000), hard))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with contextlib.ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for k in range(1000):
            one = stack.enter_context(connected(door))
            if k % 2:
                one.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert answer(door).startswith(b"HTTP/1.1 200")
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < 100_000  # kB


@pytest.mark.parametrize("door", [10.0], indirect=True)
def test_a_good_client_is_answered_where_hundreds_come_at_once(door: Door) -> None:
    with contextlib.ExitStack() as stack:
        busy = stack.enter_context(connected(door))
        cookie = f"Cookie: {door.cookie}={door.token}\r\n"
        busy.sendall(f"GET {BUSY} HTTP/1.1\r\nHost: 127.0.0.1:{door.port}\r\n{cookie}\r\n".encode())
        time.sleep(0.2 * BUSY_FOR)
        for _ in range(400):
            stack.enter_context(connected(door))
        assert answer(door).startswith(b"HTTP/1.1 200")


def is_gone(one: socket.socket) -> bool:
    """Whether the server has closed a connection; a TimeoutError where it goes on holding it."""
    try:
        return one.recv(100) == b""
    except ConnectionResetError:
        return True


def closed(connections: list[socket.socket]) -> list[socket.socket]:
    """Those of some connections that the server has closed, or answered, by now."""
    return select.select(connections, [], [], 0.3)[0]


@pytest.mark.parametrize("door", [60.0], indirect=True)  # nobody goes for being silent
def test_of_more_than_256_connections_those_silent_longest_make_room(door: Door) -> None:
    assert MOST == 256
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(connected(door)) for _ in range(MOST + 3)]
        assert all(map(is_gone, held[:3]))
        assert closed(held[3:]) == []
        assert answer(door).startswith(b"HTTP/1.1 200")
        assert is_gone(held[3])
        assert closed(held[4:]) == []


@pytest.mark.parametrize("door", [60.0], indirect=True)
def test_where_256_wait_for_answers_one_more_is_sent_away_until_one_of_them_goes(
    door: Door,
) -> None:
    cookie = f"Cookie: {door.cookie}={door.token}\r\n"
    question = f"GET {HELD} HTTP/1.1\r\nHost: 127.0.0.1:{door.port}\r\n{cookie}\r\n".encode()
    with contextlib.ExitStack() as stack:
        asking = [stack.enter_context(connected(door)) for _ in range(MOST)]
        for one in asking:
            one.sendall(question)
        assert closed(asking) == []
        with connected(door) as late:
            assert is_gone(late)
        assert closed(asking) == []
        asking.pop().close()
        for _ in range(50):  # the server sees that soon
            if answer(door).startswith(b"HTTP/1.1 200"):
                break
            time.sleep(0.1)
        assert answer(door).startswith(b"HTTP/1.1 200")
        assert closed(asking) == []


def test_who_says_nothing_is_sent_away(door: Door) -> None:
    with connected(door) as silent, connected(door) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\n")
        for one in (silent, slow):
            with contextlib.suppress(ConnectionResetError):
                assert one.recv(100) == b""


def test_who_asked_once_and_stays_silent_is_sent_away_too(door: Door) -> None:
    with connected(door) as one:
        one.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{door.port}\r\n\r\nGET /".encode())
        assert one.recv(100).startswith(b"HTTP/1.1 403")
        with contextlib.suppress(ConnectionResetError):
            while one.recv(65536):
                pass  # ends, or the socket's own patience of 20 s fails the test


def test_headers_beyond_their_size_are_refused(door: Door) -> None:
    assert answer(door, b"X: " + b"x" * 20_000 + b"\r\n").startswith(b"HTTP/1.1 200")
    assert answer(door, b"X: " + b"x" * 200_000 + b"\r\n")[:12] in (b"HTTP/1.1 400", b"")
    assert answer(door).startswith(b"HTTP/1.1 200")


def test_what_is_no_http_is_refused_and_the_server_lives(door: Door) -> None:
    for noise in (b"\x16\x03\x01\x02\x00\x01\x00", b"\0" * 5000, b"GET\r\n\r\n"):
        with connected(door) as one, contextlib.suppress(ConnectionError):
            one.sendall(noise)
            one.recv(1000)
    assert answer(door).startswith(b"HTTP/1.1 200")


def test_a_port_that_is_taken_is_said_so(door: Door) -> None:
    with pytest.raises(KempeError, match=f"nobody can listen at port {door.port}"):
        Door(port=door.port)


def test_the_address_holds_the_token_and_the_repr_does_not() -> None:
    door = Door()
    door.close()
    assert door.url == f"http://127.0.0.1:{door.port}/?token={door.token}"
    assert door.token not in repr(door)
    assert door.is_loopback
