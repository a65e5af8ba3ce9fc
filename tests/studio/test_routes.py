"""Requests of every kind at every address of the studio: each is answered as designed."""

import random
from pathlib import Path
from typing import Any

import httpx
import pytest

PATHS = (
    "/", "/index.html", "/assets/studio.js", "/assets/none.js", "/api/import", "/api/exports/x.csv",
    "/api/schema", "/api/messages", "/api/", "/ws", "/none", "/index.html/..", "/%ff", "/~root",
    "/api/exports/%2e%2e%2f", "/assets/", "//", "/?token=x", "/" + "a" * 3000,
)  # fmt: skip
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FROB")
QUERIES = ("", "?name=x.yaml", "?name=" + "n" * 400, "?name=%00", "?name=../../x.urdf", "?a=" * 40)
BODIES = (
    b"", b"{}", b"\xff\xfe\x00", b"version: 1\nname: x\n", b"<robot", b"[" * 5000, b"x" * 300_000,
)  # fmt: skip
KINDS = ("", "application/json", "multipart/form-data; boundary=x", "text/html", "\x7f")
DESIGNED = {200, 307, 400, 403, 404, 405, 411, 413, 426}
MEGABYTES = 100  # that the server may take for all of them


def odd_headers(rng: random.Random, studio: Any) -> dict[str, str]:
    """Headers, some of them those of the page."""
    found = {}
    if rng.random() < 0.7:
        found["cookie"] = studio.cookie
    if rng.random() < 0.5:
        found["origin"] = rng.choice((studio.base, "http://example.org", "null", ""))
    if rng.random() < 0.2:
        found["host"] = rng.choice(("example.org", "127.0.0.1:1", "localhost"))
    if kind := rng.choice(KINDS):
        found["content-type"] = kind
    return found


def resident(pid: int) -> float:
    """Memory of a process, MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1000
    raise AssertionError("the system does not say")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs the memory of a process")
def test_every_request_is_answered_as_designed_and_none_harms(studio: Any, page: Any) -> None:
    rng = random.Random(7)
    before = resident(studio.process.pid)
    with httpx.Client(timeout=120.0) as stranger:
        knock(stranger, rng, studio)
    assert resident(studio.process.pid) - before < MEGABYTES
    assert page.ask("rest")["outcome"] == "Done"


def knock(stranger: httpx.Client, rng: random.Random, studio: Any) -> None:
    """Requests of every kind, with and without what opens the door."""
    for _ in range(250):
        method, path = rng.choice(METHODS), rng.choice(PATHS) + rng.choice(QUERIES)
        headers, body = odd_headers(rng, studio), rng.choice(BODIES)
        stranger.cookies.clear()
        got = stranger.request(method, studio.base + path, headers=headers, content=body)
        told = (method, path[:60], headers, body[:20], got.status_code)
        assert got.status_code in DESIGNED, told
        has_key = headers.get("cookie") == studio.cookie
        is_own = headers.get("origin", studio.base) in (studio.base, "")
        if not has_key or "host" in headers or not is_own:
            assert got.status_code in (400, 403, 404, 405, 413), told
            assert b"kempe" not in got.content.lower() or got.status_code == 403, told
        assert b"Traceback" not in got.content, told
