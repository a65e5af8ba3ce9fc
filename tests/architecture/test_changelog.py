"""Fragments of the changelog: one change, one number, and a release that gathers them all."""

import importlib.util
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

import kempe

ROOT = Path(__file__).resolve().parents[2]
FRAGMENTS = sorted(p for p in (ROOT / "changelog.d").iterdir() if p.name != "README.md")
NAME = re.compile(r"(\d{4})-[a-z0-9-]+\.(added|changed|fixed|removed)\.md")


def tool() -> ModuleType:
    """tools/release.py as a module."""
    spec = importlib.util.spec_from_file_location("release", ROOT / "tools" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of two fragments, at version 0.1.0."""
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "changelog.d" / "README.md").write_text("How to.\n")
    (tmp_path / "changelog.d" / "0002-gears.fixed.md").write_text("Gears mesh.\n")
    (tmp_path / "changelog.d" / "0001-cams.added.md").write_text("Cams turn,\nand lift.\n")
    (tmp_path / "src" / "kempe").mkdir(parents=True)
    (tmp_path / "src" / "kempe" / "__init__.py").write_text('__version__ = "0.1.0"\n')
    (tmp_path / "CITATION.cff").write_text("title: kempe\nversion: 0.1.0\n")
    return tmp_path


def test_a_fragment_has_a_number_a_word_and_a_kind() -> None:
    assert not [p.name for p in FRAGMENTS if not NAME.fullmatch(p.name)]
    assert not [p.name for p in FRAGMENTS if not p.read_text(encoding="utf-8").strip()]


def test_a_number_belongs_to_one_fragment() -> None:
    counts = Counter(p.name[:4] for p in FRAGMENTS)
    assert not [number for number, count in counts.items() if count > 1]


def test_the_version_is_written_once_and_cited_as_it_is() -> None:
    assert "\nversion =" not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {kempe.__version__}\n" in cited


def test_a_release_gathers_the_fragments_and_sets_the_version(project: Path) -> None:
    tool().release(project, "0.2.0", "2030-01-02")
    text = (project / "CHANGELOG.md").read_text()
    assert text == (
        "# Changelog\n\n## 0.2.0 (2030-01-02)\n\n"
        "### Added\n\n- Cams turn,\n  and lift.\n\n"
        "### Fixed\n\n- Gears mesh.\n"
    )
    assert [p.name for p in (project / "changelog.d").iterdir()] == ["README.md"]
    assert (project / "src" / "kempe" / "__init__.py").read_text() == '__version__ = "0.2.0"\n'
    assert (project / "CITATION.cff").read_text() == "title: kempe\nversion: 0.2.0\n"


def test_the_next_release_stands_above_the_last(project: Path) -> None:
    release = tool().release
    release(project, "0.2.0", "2030-01-02")
    (project / "changelog.d" / "0003-belts.removed.md").write_text("Belts are gone.\n")
    release(project, "0.3.0", "2030-02-03")
    text = (project / "CHANGELOG.md").read_text()
    assert text.startswith("# Changelog\n\n## 0.3.0 (2030-02-03)\n\n### Removed\n\n- Belts")
    assert text.count("# Changelog\n") == 1
    assert text.index("## 0.3.0") < text.index("## 0.2.0")


@pytest.mark.parametrize("version", ["0.2", "v0.2.0", "0.1.0"])
def test_a_version_that_is_none_or_not_new_is_refused(project: Path, version: str) -> None:
    with pytest.raises(SystemExit, match=r"0\.\d"):
        tool().release(project, version, "2030-01-02")
    assert not (project / "CHANGELOG.md").exists()


def test_a_release_without_changes_is_refused(project: Path) -> None:
    for fragment in (project / "changelog.d").glob("0*.md"):
        fragment.unlink()
    with pytest.raises(SystemExit, match="no fragment"):
        tool().release(project, "0.2.0", "2030-01-02")
