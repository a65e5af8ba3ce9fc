"""What a page shows in Python runs, from top to bottom, as a reader would type it."""

import importlib.util
import re
from pathlib import Path

import pytest

from tests.examples.running import ran_in

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^```(?:sh|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
YAML = re.compile(r"^```yaml\n(version:.*?)^```$", re.DOTALL | re.MULTILINE)
DRAWN = re.compile(r"!\[[^\]]*\]\(\.\./pictures/howto/([^)]+)\)")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)#\s]+)[^)]*\)")


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def script(page: Path) -> str:
    """All blocks of a page as one program, each at the line where it stands in the page."""
    text = page.read_text(encoding="utf-8")
    lines = [""] * text.count("\n")
    for found in BLOCK.finditer(text):
        first = text.count("\n", 0, found.start(1))
        for k, line in enumerate(found.group(1).splitlines()):
            lines[first + k] = line
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("page", [p for p in PAGES if BLOCK.search(p.read_text())], ids=named)
def test_the_python_of_a_page_runs_from_top_to_bottom(page: Path, tmp_path: Path) -> None:
    # A file, not `exec`: classes of a page must be found in a module, as a reader's are.
    program = tmp_path / f"{page.stem.lower()}.py"
    program.write_text(script(page), encoding="utf-8")
    ran = ran_in(tmp_path, "-W", "error", program.name)
    assert ran.returncode == 0, f"{named(page)}\n{ran.stderr}"
    for picture in DRAWN.findall(page.read_text(encoding="utf-8")):
        assert (tmp_path / picture).stat().st_size > 0, f"{named(page)} does not draw {picture}"


def model_files() -> list[tuple[Path, str]]:
    """Every YAML block that is a whole model file."""
    return [(page, text) for page in PAGES for text in YAML.findall(page.read_text("utf-8"))]


@pytest.mark.parametrize(("page", "text"), model_files(), ids=lambda value: str(value)[-24:])
def test_a_model_file_of_a_page_is_in_order(page: Path, text: str) -> None:
    from kempe.files.documents.document import document_from

    document = document_from(text.encode(), "page.yaml")
    assert document.run is not None
    assert document.model.bodies


def test_every_family_has_a_page_with_a_picture_that_the_page_draws() -> None:
    for family in ("constraints", "joints", "couplers", "drives", "model", "model_file"):
        text = (ROOT / "docs" / "howto" / f"{family}.md").read_text(encoding="utf-8")
        assert DRAWN.findall(text) == [f"{family}.svg"]


def kempe_commands() -> list[tuple[Path, str]]:
    """Every line of a shell block that starts with kempe and needs no other file."""
    return [
        (page, line.strip())
        for page in PAGES
        for block in COMMAND.findall(page.read_text(encoding="utf-8"))
        for line in block.splitlines()
        if line.startswith("kempe ") and "bench" not in line
    ]


def shown(value: object) -> str:
    return named(value) if isinstance(value, Path) else str(value)


@pytest.mark.parametrize(("page", "line"), kempe_commands(), ids=shown)
def test_a_command_of_a_page_ends_well(
    page: Path,
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Those of the README as processes of their own, as a reader starts them; the others here,
    which takes a fifth of the time."""
    import shlex

    (tmp_path / "examples").symlink_to(ROOT / "examples")
    words = shlex.split(line, comments=True)[1:]
    if words[:1] == ["demo"]:
        words.append("--no-open")
    if page.name == "README.md":
        ran = ran_in(tmp_path, "-m", "kempe.cli", *words)
        code, said = ran.returncode, ran.stdout + ran.stderr
    else:
        from kempe.cli.main import main

        monkeypatch.chdir(tmp_path)
        code = main(words)
        said = "".join(capfd.readouterr())
    assert code == 0, f"{named(page)}: {line}\n{said}"


def test_a_new_users_first_hour_is_all_that_the_readme_and_the_tutorial_tell_to_type() -> None:
    spec = importlib.util.spec_from_file_location("first_hour", ROOT / "tools" / "first_hour.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    for page in tool.PAGES:
        typed = tool.typed(page)
        scripts = [words for words in typed if words[0] == "python"]
        assert len(scripts) == bool(BLOCK.search(page.read_text(encoding="utf-8")))
        lines = [line for other, line in kempe_commands() if other == page]
        assert len(typed) - len(scripts) == len(lines), named(page)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_page_points_only_to_what_there_is(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    local = [t for t in targets if not t.startswith(("http://", "https://", "mailto:"))]
    missing = [t for t in local if not (page.parent / t).exists()]
    assert not missing, f"{named(page)} points to {missing}"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_page_is_in_the_contents(page: Path) -> None:
    if page.name == "README.md":
        return
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert page.relative_to(ROOT / "docs").as_posix() in contents
