"""A folder of chunks: what it refuses, what survives a full disk, a kill, a damaged file."""

import json
import os
import resource
import signal
import subprocess
import sys

import pytest

import kempe
from kempe.errors import BadNumber, FileError, SweepError
from kempe.front.sweep import Sweep
from tests.sweeps.asked import FOUR_BAR, same, sizes

ASKED = {"over": {"crank": "0.6..1.4 in 17"}, "analysis": sizes, "executor": "serial", "seed": 4}


@pytest.fixture(scope="module")
def plain():
    return kempe.sweep(FOUR_BAR, **ASKED, chunk=5)


@pytest.fixture
def folder(tmp_path):
    kempe.sweep(FOUR_BAR, **ASKED, chunk=5, folder=tmp_path / "s")
    return tmp_path / "s"


def test_a_folder_holds_a_manifest_and_a_file_for_each_chunk(folder, plain):
    files = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*.*"))
    assert files == [*(f"chunks/{k:06d}.parquet" for k in range(4)), "sweep.json", "sweep.lock"]
    same(Sweep.load(folder), plain)
    assert Sweep.load(folder).dataset().count_rows() == 17
    assert json.loads((folder / "sweep.json").read_text())["parameters"] == ["crank"]


def test_what_is_there_is_not_computed_again(folder, plain):
    before = {p.name: p.stat().st_mtime_ns for p in (folder / "chunks").iterdir()}
    (folder / "chunks" / "000001.parquet").unlink()
    same(kempe.sweep(FOUR_BAR, **ASKED, folder=folder, resume=True), plain)
    after = {p.name: p.stat().st_mtime_ns for p in (folder / "chunks").iterdir()}
    assert {name for name in after if after[name] != before[name]} == {"000001.parquet"}


def test_a_folder_of_another_sweep_is_refused(folder, tmp_path):
    with pytest.raises(SweepError, match="holds a sweep: go on with resume=True"):
        kempe.sweep(FOUR_BAR, **ASKED, folder=folder)
    others = [
        ({"over": {"crank": "0.6..1.5 in 17"}}, "the variants differ"),
        ({"seed": 5}, "the seed differ"),
        ({"chunk": 4}, "the size of chunks differ"),
        ({"analysis": abs}, "the analysis differ"),
    ]
    for change, words in others:
        with pytest.raises(SweepError, match=words):
            kempe.sweep(FOUR_BAR, **(ASKED | change), folder=folder, resume=True)
    with pytest.raises(SweepError, match="the mechanism differ"):
        kempe.sweep(kempe.gallery.four_bar(rocker=3.5), **ASKED, folder=folder, resume=True)
    with pytest.raises(BadNumber, match="what is to be resumed"):
        kempe.sweep(FOUR_BAR, **ASKED, resume=True)


def test_damaged_files_are_said(folder):
    (folder / "chunks" / "000002.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(FileError, match=r"damaged .* delete it, and go on with resume=True"):
        len(Sweep.load(folder))
    (folder / "sweep.json").write_text('{"format": 1')
    with pytest.raises(FileError, match="no manifest of a sweep, or it is damaged"):
        Sweep.load(folder)
    (folder / "sweep.json").write_text('{"format": 7, "size": 1, "chunk": 1}')
    with pytest.raises(FileError, match="this sweep has format 7"):
        Sweep.load(folder)


def test_what_is_no_folder_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="no folder can be made there"):
        kempe.sweep(FOUR_BAR, **ASKED, folder=tmp_path / "file")
    with pytest.raises(FileError, match="holds no sweep"):
        Sweep.load(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_to_is_said(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(FileError, match="Permission denied"):
        kempe.sweep(FOUR_BAR, **ASKED, folder=tmp_path / "s")


def test_a_full_disk_ends_the_sweep_and_leaves_what_is_there(tmp_path, plain):
    """A limit on the size of files stands for the disk: writing beyond it fails alike."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def fill(progress) -> None:
        if progress.done >= 10:
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))

    try:
        with pytest.raises(FileError, match="the file cannot be written: File too large"):
            kempe.sweep(FOUR_BAR, **ASKED, chunk=5, folder=tmp_path / "s", progress=fill)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    kept = sorted(p.name for p in (tmp_path / "s" / "chunks").iterdir())
    assert kept == ["000000.parquet", "000001.parquet"]
    same(kempe.sweep(FOUR_BAR, **ASKED, folder=tmp_path / "s", resume=True), plain)


def test_two_sweeps_into_one_folder_are_refused(tmp_path):
    def begun(progress) -> None:
        if progress.done:
            with pytest.raises(SweepError, match="another process sweeps into the folder"):
                kempe.sweep(FOUR_BAR, **ASKED, folder=tmp_path / "s", resume=True)

    kempe.sweep(FOUR_BAR, **ASKED, chunk=9, folder=tmp_path / "s", progress=begun)


def test_workers_end_with_the_process_that_started_them(tmp_path):
    script = tmp_path / "killed.py"
    script.write_text(
        "import os, signal, kempe\n"
        "from kempe.sweeps import Modes\n"
        "def pid(mechanism):\n"
        "    return os.getpid()\n"
        "if __name__ == '__main__':\n"
        "    f = kempe.sweep(kempe.gallery.four_bar(), over={'crank': '1..2 in 3'}, analysis=pid,"
        " workers=1)\n"
        "    print(int(f['value'][0]), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ran = subprocess.run([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert ran.returncode == -signal.SIGKILL
    worker = int(ran.stdout)
    for _ in range(1000):
        if not _is_alive(worker):
            return
        subprocess.run(["sleep", "0.01"], check=True)
    os.kill(worker, signal.SIGKILL)
    raise AssertionError("the worker outlived the process that started it")


def _is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
