"""The page: complete, closed to the network, and deaf to hostile names."""

import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import kempe.draw.formats.html as page_writer
from kempe.draw import DrawnBody, PoseSeries, Scene, link, player_html, write_player
from kempe.errors import FileError, MissingPart

HOSTILE = "</script><script>alert(1)</script><!-- --> & \u2028 \u2029 {{script}} <img src=x>"


class Page(HTMLParser):
    """The tags of a page with their attributes, and the words of its scripts and title."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.inside = [], {}, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.inside = f"{tag} {dict(attributes).get('id', '')}".strip()

    def handle_data(self, data):
        self.words[self.inside] = self.words.get(self.inside, "") + data

    def handle_endtag(self, tag):
        self.inside = None


def hostile_scene():
    body = DrawnBody(HOSTILE, PoseSeries(np.zeros((2, 2)), [0.0, 1.0]), link([(0, 0), (1, 0)]))
    return Scene(HOSTILE, True, [0.0, 1.0], [body])


def test_nothing_in_the_page_points_outside(fourbar):
    text = player_html(fourbar)
    page = Page(text)
    for tag, attributes in page.tags:
        assert not {"src", "href", "srcset", "action", "data"} & attributes.keys(), tag
    addresses = set(re.findall(r"https?://[^\s\"'<>)]+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}  # the name of a language, never fetched
    assert "url(" not in text
    assert "@import" not in text
    policy = next(a["content"] for _, a in page.tags if "http-equiv" in a)
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_the_scene_in_the_page_is_the_scene(fourbar):
    page = Page(player_html(fourbar))
    assert json.loads(page.words["script kempe-scene"]) == json.loads(fourbar.to_json())


def test_hostile_names_cannot_leave_the_data():
    page = Page(player_html(hostile_scene()))
    plain = Page(player_html(Scene("plain", True, [0.0], [])))
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    assert json.loads(page.words["script kempe-scene"])["bodies"][0]["name"] == HOSTILE
    assert page.words["title"] == HOSTILE
    assert page.words["script"] == plain.words["script"]


def test_the_data_block_has_no_character_that_ends_it():
    data = page_writer.embedded_json(hostile_scene())
    assert not set(data) & set("<>&\u2028\u2029")


def test_a_checkout_that_was_not_built_says_how(monkeypatch, tmp_path):
    page_writer.made_script.cache_clear()
    monkeypatch.setattr(page_writer.resources, "files", lambda package: tmp_path)
    with pytest.raises(MissingPart, match="make setup"):
        page_writer.player_script()
    monkeypatch.undo()
    page_writer.made_script.cache_clear()
    assert "mountPage" in page_writer.player_script()


def test_names_never_become_markup_in_the_player():
    script = page_writer.player_script()
    for danger in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert danger not in script


def test_writing_returns_the_path_and_leaves_one_file(fourbar, tmp_path):
    target = write_player(fourbar, tmp_path / "fourbar.html")
    assert target == tmp_path / "fourbar.html"
    assert target.read_text(encoding="utf-8") == player_html(fourbar)
    assert list(tmp_path.iterdir()) == [target]


def test_a_write_that_fails_keeps_the_old_file(fourbar, tmp_path, monkeypatch):
    target = tmp_path / "fourbar.html"
    target.write_text("the old page")

    def full_disk(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(FileError, match="No space left"):
        write_player(fourbar, target)
    assert target.read_text() == "the old page"
    assert list(tmp_path.iterdir()) == [target]


def test_a_page_is_replaced_in_one_step(fourbar, tmp_path, monkeypatch):
    target = tmp_path / "fourbar.html"
    target.write_text("the old page")
    seen = []
    replace = Path.replace

    def watched(part, destination):
        seen.append((target.read_text(), part.parent, part.read_text(encoding="utf-8")))
        return replace(part, destination)

    monkeypatch.setattr(Path, "replace", watched)
    write_player(fourbar, target)
    assert seen == [("the old page", tmp_path, player_html(fourbar))]
