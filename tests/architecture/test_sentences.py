"""Every sentence that an ending says, or advises, is quoted by a test.

The sentences are the texts of the files that make outcomes; a test quotes one where three words of
it, one after the other, stand in some other test. Shorter texts are parts of others.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import kempe

SOURCES = Path(kempe.__file__).parent
TESTS = Path(__file__).parents[1]
SHORT = 25  # letters, and three blanks: what is shorter is a word or a part
RUN = 3  # words
HOLE = "{}"


def _text(node: ast.AST) -> str:
    """What a text says, with holes for what is put into it; empty for what is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (v.value if isinstance(v, ast.Constant) else HOLE for v in node.values)
        return "".join(str(part) for part in parts)
    return ""


def _said(path: Path) -> Iterator[str]:
    """The sentences of a file, without docstrings and what asserts say to programmers."""
    tree = ast.parse(path.read_text())
    silent: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
            first = node.body[0]
            if isinstance(first, ast.Expr):
                silent.add(id(first.value))
        elif isinstance(node, ast.Assert):
            silent |= {id(inner) for inner in ast.walk(node)}
        elif isinstance(node, ast.JoinedStr):
            silent |= {id(part) for part in node.values}
    for node in ast.walk(tree):
        text = "" if id(node) in silent else _text(node)
        if len(text) > SHORT and text.count(" ") >= RUN:
            yield text


@cache
def _quoted() -> str:
    """All that tests say, texts of several lines joined."""
    files = sorted(path for path in TESTS.rglob("*.py") if path != Path(__file__))
    words = " ".join(" ".join(path.read_text().split()) for path in files)
    return re.sub(r'" [rf]?"', "", words).replace("\\", "")


def _runs(sentence: str) -> Iterator[str]:
    for piece in sentence.split(HOLE):
        words = piece.split()
        for k in range(len(words) - RUN + 1):
            yield " ".join(words[k : k + RUN]).strip(".,:;")


MAKERS = sorted(
    path
    for path in SOURCES.rglob("*.py")
    if re.search(r"\bOutcome\(\s", path.read_text()) and path.name != "outcome.py"
)


def test_the_files_that_make_outcomes_are_found() -> None:
    assert {"ending.py", "energy_check.py", "curve_ends.py", "rest.py"} <= {p.name for p in MAKERS}


@pytest.mark.parametrize("path", MAKERS, ids=lambda p: p.relative_to(SOURCES).as_posix())
def test_every_sentence_of_an_ending_is_quoted_by_a_test(path: Path) -> None:
    unread = []
    for said in _said(path):
        runs = list(_runs(said))
        if runs and not any(run in _quoted() for run in runs):
            unread.append(said)
    assert unread == []
