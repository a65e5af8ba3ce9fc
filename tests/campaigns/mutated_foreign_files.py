"""Promise: whatever was done to a file of another program, kempe reads it or says why not.

Files of our own writing are cut, mixed and changed, character by character, line by line and word
by word. What is read is a model that can be written as kempe's own file and read again.

Oracle: brute force. The only exception is a FileError of one line that names the file, and the
folder looks as before.
"""

import os
import tempfile
from pathlib import Path

import numpy as np

from kempe.errors import FileError
from kempe.files.documents.document import document_from
from kempe.files.documents.writer import document_data
from kempe.files.syntax.text import json_text
from kempe.foreign.opening import read_foreign
from tests.campaigns._foreign_files import FILES

CASES = 80
REMEMBERED = (81004064,)  # two names of 5000 letters
STRANGE = (
    *("", " ", "0", "-1", "nan", "inf", "1e999", "1e-400", "2.0d", "pi", "time", "/A", "/A/a/m"),
    *("x" * 5000, "\x1b[2J", "\u202e", "ground", "t", "a.b", "../../etc/passwd", '"', "(", "<n>"),
    *("true", "1 2 3", "&lt;", "<!DOCTYPE x>", "]]>", "\t\t\t", "\x00", "1/0", "9" * 400),
)


def attempt(rng: np.random.Generator) -> list[str]:
    """One file, changed once to five times."""
    return changed_file(rng, *FILES[int(rng.integers(len(FILES)))])


def changed_file(rng: np.random.Generator, ending: str, text: str) -> list[str]:
    """What is wrong with how a file is read after one to five changes."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / f"a{ending}"
        for _ in range(int(rng.integers(1, 6))):
            text = _changed(rng, text)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        try:
            model = read_foreign(path).model
        except FileError as mistake:
            said = str(mistake)
            if str(path) not in said or "\n" in said:
                return [f"a mistake of {ending} is told as {said!r}"]
            return []
        except Exception as trouble:
            return [f"a changed {ending} led to {type(trouble).__name__}: {trouble}"]
        again = document_from(json_text(document_data(model)).encode(), "again.json").model
        if len(again.joints) != len(model.joints) or os.listdir(name) != [path.name]:
            return [f"a changed {ending} was written otherwise than read"]
    return []


def _changed(rng: np.random.Generator, text: str) -> str:
    """The text with one change."""
    lines = text.split("\n")
    k, m = (int(x) for x in rng.integers(0, len(lines), 2))
    way = int(rng.integers(8))
    if way == 0:  # cut off
        return text[: int(rng.integers(len(text) + 1))]
    if way == 1:  # a line goes
        return "\n".join(lines[:k] + lines[k + 1 :])
    if way == 2:  # a line comes twice, elsewhere
        return "\n".join([*lines[:m], lines[k], *lines[m:]])
    if way == 3:  # two lines change places
        lines[k], lines[m] = lines[m], lines[k]
        return "\n".join(lines)
    if way == 4:  # a character
        at = int(rng.integers(len(text) + 1))
        return text[:at] + str(rng.choice(list("\t <>/'\"=&d.-+*0\n\x07"))) + text[at + 1 :]
    if way == 5:  # a piece goes
        a, b = sorted(int(x) for x in rng.integers(0, len(text) + 1, 2))
        return text[:a] + text[min(b, a + 200) :]
    words = lines[k].replace('"', ' " ').split(" " if '"' in lines[k] else None)
    if not words:
        return text
    inside = int(rng.integers(len(words)))
    strange = str(rng.choice(STRANGE))
    lines[k] = lines[k].replace(words[inside], strange, 1) if words[inside] else strange
    return "\n".join(lines)
