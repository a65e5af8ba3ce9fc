"""The cache of native objects: private, bounded, safe among processes, never in the way."""

import os
import stat
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from kempe.compile.llvm import object_cache
from kempe.compile.llvm.object_cache import (
    ObjectCache,
    default_cache,
    default_folder,
    object_key,
)

KEY = object_key("a structure", "a processor")
BLOBS = {"object": bytes(range(256)) * 40, "tape": b"", "näme": b"\x00\xff"}

posix_only = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
not_root = pytest.mark.skipif(
    os.name == "posix" and os.geteuid() == 0, reason="root may write anywhere"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "cache"


def the_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_what_was_stored_is_loaded(folder: Path) -> None:
    cache = ObjectCache(folder)
    assert cache.load(KEY) is None
    cache.store(KEY, BLOBS)
    assert cache.load(KEY) == BLOBS
    assert ObjectCache(folder).load(KEY) == BLOBS
    assert cache.load(object_key("another structure")) is None


def test_a_second_store_replaces_the_first(folder: Path) -> None:
    cache = ObjectCache(folder)
    cache.store(KEY, BLOBS)
    cache.store(KEY, {"object": b"new"})
    assert cache.load(KEY) == {"object": b"new"}
    assert len(list(folder.iterdir())) == 1


def test_any_text_is_a_key(folder: Path) -> None:
    cache = ObjectCache(folder)
    for key in ("../../outside", "a" * 4000, "", "con.txt\0"):
        cache.store(key, {"name": key.encode()})
        assert cache.load(key) == {"name": key.encode()}
    assert {path.parent for path in folder.parent.rglob("*.blobs")} == {folder}


def test_keys_differ_wherever_a_part_differs() -> None:
    keys = {object_key(*parts) for parts in (("ab", "c"), ("a", "bc"), ("abc",), ("ab", "c", ""))}
    assert len(keys) == 4


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: data + b"\0",
        lambda data: data[:100] + bytes([data[100] ^ 1]) + data[101:],
        lambda data: b"something else altogether",
    ],
    ids=["short", "half", "empty", "long", "one bit", "foreign"],
)
def test_a_corrupt_file_is_ignored_and_written_anew(folder: Path, spoil: object) -> None:
    assert callable(spoil)
    cache = ObjectCache(folder)
    cache.store(KEY, BLOBS)
    file = the_file(folder)
    file.write_bytes(spoil(file.read_bytes()))
    assert cache.load(KEY) is None
    cache.store(KEY, BLOBS)
    assert cache.load(KEY) == BLOBS


def test_a_file_of_another_key_is_not_taken(folder: Path) -> None:
    cache = ObjectCache(folder)
    cache.store(KEY, BLOBS)
    first = the_file(folder)
    cache.store("other", {"object": b"other"})
    (second,) = set(folder.iterdir()) - {first}
    second.write_bytes(first.read_bytes())
    assert cache.load("other") is None


@posix_only
def test_folder_and_files_belong_to_the_user_alone(folder: Path) -> None:
    ObjectCache(folder).store(KEY, BLOBS)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(the_file(folder).stat().st_mode) == 0o600


@posix_only
@pytest.mark.parametrize("mode", [0o755, 0o770, 0o777, 0o701])
def test_a_folder_open_to_others_is_refused_with_a_warning(folder: Path, mode: int) -> None:
    ObjectCache(folder).store(KEY, BLOBS)
    folder.chmod(mode)
    with pytest.warns(RuntimeWarning, match="open to other users.*chmod 700"):
        cache = ObjectCache(folder)
    assert cache.folder is None
    assert cache.load(KEY) is None
    cache.store("another", BLOBS)
    assert len(list(folder.iterdir())) == 1


@posix_only
def test_a_folder_of_another_user_is_refused_with_a_warning(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ObjectCache(folder).store(KEY, BLOBS)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.warns(RuntimeWarning, match="belongs to another user"):
        cache = ObjectCache(folder)
    assert cache.load(KEY) is None


@posix_only
def test_a_file_that_others_may_write_is_not_trusted(folder: Path) -> None:
    cache = ObjectCache(folder)
    cache.store(KEY, BLOBS)
    the_file(folder).chmod(0o620)
    assert cache.load(KEY) is None


@posix_only
@not_root
def test_a_folder_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    cache = ObjectCache(tmp_path / "cache")
    cache.store(KEY, BLOBS)
    assert cache.load(KEY) is None


def test_a_file_in_the_place_of_the_folder_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    cache = ObjectCache(tmp_path / "cache")
    cache.store(KEY, BLOBS)
    assert cache.load(KEY) is None


def test_a_folder_that_disappears_is_no_trouble(folder: Path) -> None:
    cache = ObjectCache(folder)
    folder.rmdir()
    cache.store(KEY, BLOBS)
    assert cache.load(KEY) is None


def test_a_full_disk_leaves_no_debris(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = ObjectCache(folder)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    cache.store(KEY, BLOBS)
    assert list(folder.iterdir()) == []


def test_the_oldest_used_goes_first(folder: Path) -> None:
    blob = {"object": b"x" * 10_000}
    cache = ObjectCache(folder, bound=35_000)
    for age, key in enumerate("abc"):
        cache.store(key, blob)
        for file in folder.iterdir():  # the file system's clock is coarse: age them by hand
            facts = file.stat()
            os.utime(file, (facts.st_atime - 10, facts.st_mtime - 10))
        assert age < 3
    assert cache.load("a") == blob  # used again, so "b" is now the oldest
    cache.store("d", blob)
    assert cache.load("b") is None
    for key in "acd":
        assert cache.load(key) == blob
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 35_000


def test_what_is_larger_than_the_bound_is_not_kept(folder: Path) -> None:
    cache = ObjectCache(folder, bound=1000)
    cache.store("small", {"object": b"x" * 100})
    cache.store("large", {"object": b"x" * 1000})
    assert cache.load("large") is None
    assert cache.load("small") is not None


def test_what_a_killed_process_left_is_cleared_away(folder: Path) -> None:
    cache = ObjectCache(folder)
    old, new = folder / "left.part", folder / "busy.part"
    old.write_bytes(b"half")
    new.write_bytes(b"half")
    os.utime(old, (0, 0))
    cache.store(KEY, BLOBS)
    assert not old.exists()
    assert new.exists()


MANY = """
import sys
from pathlib import Path
from kempe.compile.llvm.object_cache import ObjectCache

folder, number = Path(sys.argv[1]), int(sys.argv[2])
cache = ObjectCache(folder, bound=400_000)
bad = 0
for turn in range(150):
    cache.store("shared", {"object": bytes([number]) * 50_000, "turn": str(turn).encode()})
    cache.store(f"own {number} {turn % 7}", {"object": bytes([number]) * 20_000})
    found = cache.load("shared")
    if found is not None:
        bad += len(found["object"]) != 50_000 or len(set(found["object"])) != 1
sys.exit(bad)
"""


def test_many_processes_may_share_a_folder(folder: Path) -> None:
    commands = [[sys.executable, "-c", MANY, str(folder), str(k)] for k in range(1, 5)]
    running = [subprocess.Popen(command) for command in commands]
    assert [process.wait() for process in running] == [0, 0, 0, 0]
    assert ObjectCache(folder).load("shared") is not None
    assert not [path for path in folder.iterdir() if path.suffix == ".part"]


def test_the_switch_turns_the_cache_off(monkeypatch: pytest.MonkeyPatch) -> None:
    for word in ("off", "OFF"):
        monkeypatch.setenv(object_cache.SWITCH, word)
        assert default_folder() is None
        cache = default_cache()
        cache.store(KEY, BLOBS)
        assert cache.load(KEY) is None


def test_the_switch_names_a_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(object_cache.SWITCH, str(folder))
    default_cache().store(KEY, BLOBS)
    assert default_cache() is default_cache()
    assert ObjectCache(folder).load(KEY) == BLOBS


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the convention of other systems")
def test_the_place_follows_the_convention(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(object_cache.SWITCH, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert default_folder() == tmp_path / "xdg" / "kempe"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_folder() == tmp_path / ".cache" / "kempe"


@posix_only
def test_a_refused_folder_is_told_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir(parents=True, mode=0o755)
    folder.chmod(0o755)
    monkeypatch.setenv(object_cache.SWITCH, str(folder))
    with pytest.warns(RuntimeWarning, match="open to other users"):
        default_cache()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        default_cache()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/zero", path)])
def test_what_is_no_file_in_the_cache_is_passed_over(folder: Path, make) -> None:
    """A pipe that nobody writes to would be waited for, for ever."""
    cache = ObjectCache(folder)
    cache.store(KEY, BLOBS)
    file = the_file(folder)
    file.unlink()
    make(file)
    assert cache.load(KEY) is None
    cache.store(KEY, BLOBS)
    assert cache.load(KEY) in (BLOBS, None)  # a folder stays where it is
