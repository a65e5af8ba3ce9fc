"""Files are written whole or not at all, and read only where they are plain files."""

import os
import stat
from pathlib import Path

import pytest

from kempe.disk import below, content_of, replace_file
from kempe.errors import FileError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_a_file_that_is_replaced_keeps_its_mode(tmp_path):
    private = tmp_path / "private.csv"
    private.write_bytes(b"old")
    private.chmod(0o600)
    replace_file(private, b"new")
    assert (private.read_bytes(), mode(private)) == (b"new", 0o600)


def test_a_new_file_has_the_mode_that_the_users_mask_leaves(tmp_path):
    before = os.umask(0o077)
    try:
        assert mode(replace_file(tmp_path / "new.csv", b"x")) == 0o600
        os.umask(0o022)
        assert mode(replace_file(tmp_path / "open.csv", b"x")) == 0o644
    finally:
        os.umask(before)


def test_a_link_is_replaced_and_what_it_leads_to_is_left_alone(tmp_path):
    precious = tmp_path / "precious"
    precious.write_bytes(b"precious")
    link = tmp_path / "out.csv"
    link.symlink_to(precious)
    replace_file(link, b"new")
    assert precious.read_bytes() == b"precious"
    assert link.read_bytes() == b"new"
    assert not link.is_symlink()


def test_a_pipe_or_a_folder_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "folder.csv").mkdir()
    for name in ("pipe.csv", "folder.csv"):
        with pytest.raises(FileError, match="cannot be written"):
            replace_file(tmp_path / name, b"new")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder.csv", "pipe.csv"]


def test_nothing_but_a_regular_file_of_some_size_is_read(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")
    os.mkfifo(tmp_path / "pipe")
    assert content_of(tmp_path / "a", 5) == b"12345"
    with pytest.raises(FileError, match="at most"):
        content_of(tmp_path / "a", 4)
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(FileError, match="this is no file"):
            content_of(path, 10)


def test_a_name_in_a_file_stays_below_its_folder(tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.yaml").write_text("secret")
    (inside / "leak.yaml").symlink_to(tmp_path / "secret.yaml")
    (inside / "up").symlink_to(tmp_path)
    (inside / "ring").symlink_to(inside / "ring")
    (inside / "own.yaml").write_text("own")
    (inside / "same.yaml").symlink_to(inside / "own.yaml")
    for name in ("own.yaml", "same.yaml", "not/yet.yaml", "./own.yaml"):
        assert below(inside, name) == inside / name
    for name in (
        *("../secret.yaml", "a/../../secret.yaml", str(tmp_path / "secret.yaml"), "/dev/zero"),
        *("leak.yaml", "up/secret.yaml", "", ".", "a\0b", "ring/x"),
    ):
        with pytest.raises(FileError, match="leads out"):
            below(inside, name)
