"""Messages between server and worker: a head of JSON and a body of bytes, each with its length."""

import json
import struct
from typing import Any, BinaryIO

SIZES = struct.Struct("<II")
LARGEST = 256_000_000  # bytes of a head or a body


def packed(head: dict[str, Any], body: bytes = b"") -> bytes:
    """A message as bytes."""
    told = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return SIZES.pack(len(told), len(body)) + told + body


def read(stream: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    """The next message; None where there will be no more."""
    sizes = stream.read(SIZES.size)
    if len(sizes) < SIZES.size:
        return None
    head, body = SIZES.unpack(sizes)
    told, content = stream.read(head), stream.read(body)
    if len(told) < head or len(content) < body:
        return None
    return json.loads(told), content
