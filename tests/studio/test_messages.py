"""Messages that are none: each is answered with an explanation, and the studio lives."""

import copy
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from kempe.studio.messages.replies import ANSWERS, REPLY, schema
from kempe.studio.messages.requests import REQUEST

EXAMPLES: list[dict[str, Any]] = [
    {"type": "hello"},
    {"type": "drag", "point": "crank.end", "target": [0.0, 0.03]},
    {"type": "drive", "values": {"crank.angle": "60 deg"}},
    {"type": "wiggle", "freedom": 1},
    {"type": "rest"},
    {"type": "adopt", "source": "branch", "number": 1},
    {"type": "edit", "operations": [{"op": "set", "path": ["parameters", "a"], "value": 31}]},
    {"type": "edit", "operations": [{"op": "rename", "path": ["bodies", "crank"], "to": "arm"}]},
    {"type": "edit", "operations": [{"op": "delete", "path": ["joints", "A"]}, {"op": "place"}]},
    {"type": "text", "text": "version: 1\nname: x\nbodies: {a: {length: 1}}\n"},
    {"type": "open", "source": "gallery", "name": "four_bar"},
    {"type": "new", "name": "x", "plane": True, "units": "mm"},
    {"type": "undo", "steps": 1},
    {"type": "redo", "steps": 1},
    {"type": "save", "path": "x.yaml"},
    {"type": "python"},
    {"type": "sweep", "over": ["crank.angle", 0, "90 deg"], "steps": 4},
    {"type": "read", "names": ["rocker.angle"], "against": "t"},
    {"type": "cancel", "of": 1},
]
ODD = (
    None, True, -1, 0, 1, 2**60, 1e308, "", "\0", "../../etc/passwd", "x" * 400, [], {}, [[]],
    {"op": "set"}, "60 deg", "ground", "crank", ["bodies"], "a * 1e999", "\ud800", "=" * 50,
)  # fmt: skip


def mutated(rng: random.Random) -> str:
    """A message with something in it that does not belong there."""
    message = {"id": rng.randrange(1, 10**6), **json.loads(json.dumps(rng.choice(EXAMPLES)))}
    for _ in range(rng.randrange(1, 4)):
        holder: Any = message
        while True:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            if not keys:
                break
            key = rng.choice(keys)
            inner = holder[key]
            if isinstance(inner, (dict, list)) and rng.random() < 0.7:
                holder = inner
                continue
            what = rng.randrange(4)
            if what == 0 and isinstance(holder, dict):
                del holder[key]
            elif what == 1 and isinstance(holder, dict):
                holder[rng.choice(["id", "type", "op", "path", "zzz"])] = copy.deepcopy(
                    rng.choice(ODD)
                )
            else:
                holder[key] = copy.deepcopy(rng.choice(ODD))
            break
    text = json.dumps(message)
    if rng.random() < 0.2:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(["", "{", "\u2028", "NaN", "]" * 50]) + text[at + 1 :]
    return text


def told(page: Any) -> dict[str, Any]:
    """The next answer, of whatever request."""
    while (message := page.next())["type"] not in ("done", "error"):
        pass
    found: dict[str, Any] = message
    return found


def bombard(page: Any, count: int, seed: int) -> dict[str, int]:
    """Send so many mutated messages, one after the other; how many were answered how."""
    rng, found = random.Random(seed), dict[str, int]()
    for _ in range(count):
        page.socket.send(mutated(rng))
        message = told(page)
        REPLY.validate_python(message)
        kind = message["type"]
        if kind == "error":
            kind = message["error"]["kind"]
            assert message["error"]["text"].strip()
        found[kind] = found.get(kind, 0) + 1
    return found


MESSAGES = 10_000 if os.environ.get("KEMPE_WHOLE") else 300


def test_mutated_messages_are_explained_and_the_studio_lives(page: Any, studio: Any) -> None:
    found = bombard(page, MESSAGES, seed=1)
    assert "fault" not in found, found
    assert found["refused"] > 50
    assert page.ask("new")["document"]["name"] == "mechanism"
    outside = Path(page.ask("hello")["folder"]).parent
    assert not (outside / "x.yaml").exists()


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "[]", "{}", '"x"', "[" * 100_000, '{"id":1}', '{"id":1,"type":"explode"}',
        '{"id":-1,"type":"hello"}', '{"id":1e400,"type":"hello"}', '{"id":true,"type":"hello"}',
        '{"id":1,"type":"hello","more":1}', '{"id":1,"type":"drag","point":"a","target":[1]}',
        '{"id":1,"type":"drag","point":"a","target":[NaN,1]}',
        '{"id":1,"type":"drag","point":"a","target":[1e200,1]}',
        '{"id":1,"type":"edit","operations":[]}',
        '{"id":1,"type":"edit","operations":[{"op":"run","path":["a"]}]}',
        '{"id":1,"type":"undo","steps":100000000}',
    ],
)  # fmt: skip
def test_what_is_no_message_is_refused(page: Any, text: str) -> None:
    page.socket.send(text)
    assert told(page)["error"]["kind"] == "refused"
    assert page.ask("rest")["outcome"] == "Done"


def test_bytes_are_no_message(page: Any) -> None:
    page.socket.send(b"\x00\x01")
    assert told(page)["error"]["kind"] == "refused"


def test_a_frame_beyond_a_megabyte_ends_its_socket_and_no_other(page: Any, studio: Any) -> None:
    from websockets.exceptions import ConnectionClosed

    other = studio.page()
    other.socket.send(json.dumps({"id": 1, "type": "text", "text": "x" * 1_100_000}))
    with pytest.raises(ConnectionClosed) as ended:
        other.answer(1)
    assert ended.value.rcvd is not None
    assert ended.value.rcvd.code == 1009
    assert page.ask("rest")["outcome"] == "Done"


@pytest.mark.parametrize(
    "path", ["../secret.yaml", "/etc/passwd", "link.yaml", "a/../../secret.yaml", "", ".", "\0"]
)
def test_no_file_outside_the_folder_is_read_or_written(page: Any, studio: Any, path: str) -> None:
    folder = Path(page.ask("hello")["folder"])
    before = (folder.parent / "secret.yaml").read_bytes()
    assert page.refused("open", source="file", name=path)["kind"] == "mistake"
    if path:
        assert page.refused("save", path=path)["kind"] == "mistake"
    assert (folder.parent / "secret.yaml").read_bytes() == before
    assert "link.yaml" not in [entry["name"] for entry in page.ask("library")["entries"]]


@pytest.mark.parametrize(
    "path",
    ["/../secret.yaml", "/%2e%2e/%2e%2e/messages/base.py", "/assets/../../messages/base.py",
     "/api/exports/..%2f..%2fetc%2fpasswd", "/%00", "/..%5c..%5cx", "//etc/passwd"],
)  # fmt: skip
def test_no_address_leads_out_of_the_page(studio: Any, path: str) -> None:
    got = studio.get(path)
    assert got.status_code in (400, 404)
    assert b"import" not in got.content


def test_a_model_cannot_run_code(page: Any, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    for value in (f"__import__('os').system('touch {mark}')", "!!python/object/apply:os.abort []"):
        operation = {"op": "set", "path": ["parameters", "a"], "value": value}
        assert page.refused("edit", operations=[operation])["kind"] == "mistake"
    text = f"version: 1\nname: !!python/object/apply:os.system ['touch {mark}']\n"
    assert page.refused("text", text=text)["kind"] == "mistake"
    assert not mark.exists()


def test_a_body_beyond_its_size_is_refused(studio: Any) -> None:
    got = studio.post("/api/import?name=x.yaml", b"x" * 50_000_001)
    assert got.status_code == 413


def test_the_schema_names_an_answer_for_every_request() -> None:
    found = schema()
    mapping = found["$defs"]["Request"]["discriminator"]["mapping"]
    assert set(mapping) == set(ANSWERS) == set(found["answers"])
    assert set(found["answers"].values()) <= set(found["$defs"])
    for example in EXAMPLES:
        assert REQUEST.validate_python({"id": 1, **example}).type == example["type"]
