"""The command line, called as a function."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from kempe.cli.main import main


@dataclass(frozen=True)
class Answer:
    """What a command left: its exit code, what it printed and what it complained."""

    code: int
    out: str
    err: str


@pytest.fixture
def kempe(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Answer]:
    """kempe("run", "four_bar") runs that command in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

    def run(*arguments: str) -> Answer:
        capsys.readouterr()
        code = main(arguments)
        said = capsys.readouterr()
        return Answer(code, said.out, said.err)

    return run


@pytest.fixture
def mistaken(kempe: Callable[..., Answer]) -> Callable[..., str]:
    """What a command complains of: one line, with exit code 2."""

    def complaint(*arguments: str) -> str:
        answer = kempe(*arguments)
        assert answer.code == 2, answer
        assert answer.err.count("\n") == 1, answer.err
        return answer.err

    return complaint


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], str]:
    """The name of a Python file with this text."""

    def written(text: str) -> str:
        (tmp_path / "model.py").write_text(text)
        return "model.py"

    return written
