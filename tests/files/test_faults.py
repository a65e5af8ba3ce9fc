"""Every fault of the fault list is refused with its place, its value and what to do."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ruamel.yaml import YAML

import kempe
from kempe.cli import main
from kempe.errors import DriveError, FileError
from kempe.files.documents.document import document_from, read_document
from kempe.files.syntax.source import LARGEST_FILE

LIST: Any = YAML(typ="safe", pure=True).load(
    (Path(__file__).parent / "faults.yaml").read_text(encoding="utf-8")
)
GOOD = LIST["good"]
MISTAKE = 2  # exit code
MOST_MEMORY = 200e6  # bytes that refusing a hostile file may take
#: Lengths of 1e9 m: relative accuracy is that of lengths of 1 m.
SCALE, RELATIVE = 1e9, 1e-12


def content(fault: dict[str, Any]) -> bytes:
    if "bytes" in fault:
        return bytes(fault["bytes"])
    if "from" in fault:
        assert GOOD.count(fault["from"]) >= 1, fault["from"]
        return GOOD.replace(fault["from"], fault["to"], 1).encode()
    if "column" in fault:
        text = fault["text"] if "text" in fault else fault["repeat"] * 1000
        return GOOD.replace('"2 * t"', json.dumps(text), 1).encode()
    return fault["text"].encode()


FAULTS = [
    pytest.param(fault, id=f"{fault['class']}: {fault['name']}")
    for fault in (*LIST["whole"], *LIST["changed"])
]


def test_the_good_file_is_good():
    model = document_from(GOOD.encode(), "good.json").model
    assert kempe.Mechanism(model).kinematics(until=0.1, steps=2).outcome.is_done


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_refused_where_it_stands(fault):
    with pytest.raises(FileError) as refusal:
        _ = document_from(content(fault), "fault.json").model
    mistake = refusal.value
    assert fault["says"] in mistake.message
    assert mistake.path == "fault.json"
    if "column" in fault:
        assert f"column {fault['column']} of" in mistake.message
        assert mistake.line == 16
    else:
        assert [mistake.line, mistake.column] == fault["at"]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_ends_a_command_with_one_line_and_writes_nothing(
    fault, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    Path("fault.json").write_bytes(content(fault))
    assert main(["run", "fault.json", "-o", "motion.csv"]) == MISTAKE
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("kempe: fault.json:")
    assert err.count("\n") == 1
    assert [p.name for p in Path().iterdir()] == ["fault.json"]


def test_the_list_has_every_class_that_a_file_can_have():
    classes = {fault["class"] for fault in (*LIST["whole"], *LIST["changed"])}
    assert classes >= {
        "malformed-file",
        "unknown-id",
        "duplicate-id",
        "unknown-type",
        "wrong-shape",
        "rotation",
        "mass",
        "expression-injection",
        "expression-runtime",
    }


# -- scale -------------------------------------------------------------------------------------


def test_lengths_of_a_million_kilometres_keep_their_digits():
    def swing(scale: float) -> Any:
        links = {"crank": 1.0, "coupler": 3.0, "rocker": 2.5}
        bodies = {name: {"length": length * scale} for name, length in links.items()}
        data = {
            "version": 1,
            "plane": True,
            "bodies": bodies,
            "joints": {
                "A": {"type": "revolute", "I": "ground", "J": "crank.start"},
                "B": {"type": "revolute", "I": "crank.end", "J": "coupler.start"},
                "C": {"type": "revolute", "I": "coupler.end", "J": "rocker.end"},
                "D": {
                    "type": "revolute",
                    "I": {"body": "ground", "at": [3.2 * scale, 0]},
                    "J": "rocker.start",
                },
            },
            "drives": {"crank.angle": {"speed": "60 rpm"}},
        }
        model = document_from(json.dumps(data).encode(), "scale.json").model
        return kempe.Mechanism(model).kinematics(until=1.0, steps=60)["rocker.angle"].values

    assert np.allclose(swing(SCALE), swing(1.0), rtol=RELATIVE, atol=RELATIVE)


# -- at run time -------------------------------------------------------------------------------


def test_a_law_without_a_value_at_the_start_is_accepted_by_the_file_and_refused_by_the_run():
    text = GOOD.replace('"2 * t"', '"sqrt(t - 10)"')
    model = document_from(text.encode(), "late.json").model
    with pytest.raises(DriveError, match=r"sqrt\(-10\) has no finite value at t = 0 s") as refusal:
        kempe.Mechanism(model).kinematics(until=1.0)
    assert refusal.value.facts == {"drive": "j1.angle", "t": 0.0}


def test_a_law_that_ends_on_the_way_keeps_the_samples_before():
    text = GOOD.replace('"2 * t"', '"sqrt(0.5 - t)"')
    model = document_from(text.encode(), "ends.json").model
    turn = kempe.Mechanism(model).kinematics(until=1.0, steps=100)
    assert turn.outcome.name == "LimitReached"
    assert 45 <= len(turn) <= 51
    assert turn.outcome.facts["drive"] == "j1.angle"


# -- hostile files -----------------------------------------------------------------------------


def refused(read: Any) -> tuple[str, float]:
    """The message, and how much memory it took."""
    tracemalloc.start()
    try:
        with pytest.raises(FileError) as refusal:
            read()
        return str(refusal.value), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("ending", ["json", "yaml"])
def test_a_file_of_a_gigabyte_is_refused_unread(ending, tmp_path):
    path = tmp_path / f"large.{ending}"
    with path.open("wb") as file:
        file.truncate(10**9)  # a hole: nothing is on the disk
    message, memory = refused(lambda: read_document(path))
    assert "at most 25 MB" in message
    assert memory < LARGEST_FILE / 10


def test_a_device_without_end_is_refused_unread(tmp_path):
    path = tmp_path / "endless.yaml"
    path.symlink_to("/dev/zero")
    message, _ = refused(lambda: read_document(path))
    assert "no file that holds text" in message


DEEP = 2 * 10**5  # less than a megabyte of anything
NESTINGS = {
    "lists in JSON": ("deep.json", b"[" * DEEP),
    "objects in JSON": ("deep.json", b'{"a":' * DEEP),
    "lists on one line of YAML": ("deep.yaml", b"[" * DEEP),
    "lists on many lines of YAML": ("deep.yaml", b"[\n" * DEEP),
    "mappings on one line of YAML": ("deep.yaml", b"{a: " * DEEP),
    "dashes in YAML": ("deep.yaml", b"- " * DEEP),
    "question marks in YAML": ("deep.yaml", b"? " * DEEP),
    "indented YAML": ("deep.yaml", b"".join(b" " * k + b"a:\n" for k in range(1000))),
}


@pytest.mark.parametrize("nesting", NESTINGS)
def test_deep_nesting_is_refused_before_it_is_parsed(nesting):
    name, text = NESTINGS[nesting]
    message, memory = refused(lambda: document_from(text, name))
    assert "64" in message or "must be a word" in message
    assert memory < MOST_MEMORY


def test_brackets_in_texts_are_no_nesting():
    doc = json.dumps({"version": 1, "doc": "[" * 200 + '"' + "{" * 200 + "\\"})
    assert document_from(doc.encode(), "text.json").model.name == "mechanism"


def test_an_alias_bomb_is_refused():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]" for k in range(1, 30)]
    message, memory = refused(lambda: document_from("\n".join(lines).encode(), "bomb.yaml"))
    assert "aliases may repeat 100000 values" in message
    assert memory < MOST_MEMORY


def test_the_small_alias_bomb_is_no_model_either():
    text = 'a: &a ["x","x"]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: &d [*c,*c]\n'
    message, _ = refused(lambda: document_from(text.encode(), "laughs.yaml"))
    assert "the version is missing" in message


def test_an_alias_of_itself_is_refused():
    message, _ = refused(lambda: document_from(b"version: 1\nbodies: &a {b: *a}", "self.yaml"))
    assert "stands inside what it repeats" in message


def test_tags_are_not_read(tmp_path):
    target = tmp_path / "pwned"
    text = f"!!python/object/apply:os.system ['touch {target}']"
    message, _ = refused(lambda: document_from(text.encode(), "tag.yaml"))
    assert "tags" in message
    assert not target.exists()


def test_a_million_bodies_are_refused_by_the_limit_of_values():
    bodies = b",".join(b'"%x":{}' % k for k in range(1_300_000))
    text = b'{"version":1,"bodies":{' + bodies + b"}}"
    assert len(text) < LARGEST_FILE
    message, memory = refused(lambda: document_from(text, "many.json"))
    assert "800000 values" in message
    assert memory < MOST_MEMORY


def test_more_than_a_hundred_thousand_bodies_are_refused():
    bodies = {f"b{k}": {} for k in range(100_001)}
    text = json.dumps({"version": 1, "bodies": bodies}).encode()
    message, _ = refused(lambda: document_from(text, "many.json").model)
    assert "at most 100000 entries" in message


def test_a_name_of_a_hundred_megabytes_is_refused():
    text = b'{"version":1,"bodies":{"' + b"x" * 100_000_000 + b'":{}}}'
    message, memory = refused(lambda: document_from(text, "name.json"))
    assert "at most 25 MB" in message
    assert memory < MOST_MEMORY


def test_a_long_name_is_refused_and_shown_short():
    text = json.dumps({"version": 1, "bodies": {"x" * 5000: {}}}).encode()
    message, _ = refused(lambda: document_from(text, "name.json"))
    assert "is no name" in message
    assert len(message) < 300
