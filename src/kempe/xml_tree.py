"""XML as a tree with line numbers: no document types, no entities, nothing from outside the file.

The parser is that of the standard library (expat). A document type is refused before anything in it
is looked at, so that no entity is ever declared, expanded or fetched.
"""

import math
import re
from collections.abc import Iterator
from typing import NoReturn, final
from xml.etree.ElementTree import Element
from xml.parsers import expat

from kempe.errors import FileError, printable

DEEPEST = 200  # elements inside each other
MOST_ELEMENTS = 300_000
MOST_NUMBERS = 10_000  # of one attribute
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)


@final
class XmlTree:
    """The elements of one file, each with its line; mistakes are FileErrors with their place."""

    def __init__(self, content: bytes, path: str) -> None:
        self.path = path
        self._lines: dict[Element, int] = {}
        self._open: list[Element] = []
        self._root: Element | None = None
        parser = expat.ParserCreate()
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        self._parser = parser
        try:
            parser.Parse(content, True)
        except expat.ExpatError as mistake:
            said = expat.errors.messages.get(mistake.code, "it is no XML")
            raise FileError(f"this is no XML: {said}.", path=path, line=mistake.lineno) from None
        except (ValueError, LookupError, UnicodeError):
            raise FileError("this is no XML: its encoding is unknown.", path=path) from None
        del self._parser, self._open
        if self._root is None:
            raise FileError("this is no XML: it has no element.", path=path)
        self.root: Element = self._root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes)
        self._lines[element] = self._parser.CurrentLineNumber
        if len(self._open) >= DEEPEST:
            self.refuse(element, f"elements are nested deeper than {DEEPEST}.")
        if len(self._lines) > MOST_ELEMENTS:
            self.refuse(element, f"there are more than {MOST_ELEMENTS} elements.")
        if self._open:
            self._open[-1].append(element)
        else:
            self._root = element
        self._open.append(element)

    def _end(self, tag: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        if self._open and text.strip() and not len(self._open[-1]):
            self._open[-1].text = (self._open[-1].text or "") + text

    def _refuse_doctype(self, *_: object) -> NoReturn:
        message = "it declares a document type, which a mechanism does not need."
        raise FileError(message, path=self.path, line=self._parser.CurrentLineNumber)

    # -- reading -----------------------------------------------------------------------------

    def line(self, element: Element) -> int:
        """The line an element begins in, from 1."""
        return self._lines[element]

    def refuse(self, element: Element, message: str) -> NoReturn:
        """A FileError in the line of an element."""
        raise FileError(message, path=self.path, line=self._lines[element])

    def must(self, element: Element, word: str) -> str:
        """An attribute that there must be, and not empty."""
        found = element.get(word, "").strip()
        if not found:
            self.refuse(element, f"<{printable(element.tag)}> lacks its {word}.")
        return found

    def child(self, element: Element, tag: str) -> Element | None:
        """The only child with this tag, None where there is none."""
        found = element.findall(tag) if tag.isidentifier() else []
        if len(found) > 1:
            self.refuse(found[1], f"<{tag}> stands here a second time.")
        return found[0] if found else None

    def number(self, element: Element | None, word: str, otherwise: float) -> float:
        """The finite number of an attribute; `otherwise` where there is none."""
        if element is None or element.get(word) is None:
            return otherwise
        return self.numbers(element, word, 1)[0]

    def numbers(
        self, element: Element, word: str, count: int | None, otherwise: str = ""
    ) -> tuple[float, ...]:
        """The finite numbers of an attribute, of which there must be `count`, if that is given."""
        return self._numbers(element.get(word, otherwise), element, word, count)

    def inner(self, element: Element, tag: str) -> str:
        """The text inside the only child with this tag; "" where there is none."""
        found = self.child(element, tag)
        return "" if found is None else (found.text or "").strip()

    def inner_numbers(
        self, element: Element, tag: str, count: int, otherwise: str = ""
    ) -> tuple[float, ...]:
        """The finite numbers inside the only child with this tag, of which there are `count`."""
        found = self.child(element, tag)
        text = otherwise if found is None else found.text or ""
        return self._numbers(text, element if found is None else found, tag, count)

    def _numbers(
        self, text: str, element: Element, word: str, count: int | None
    ) -> tuple[float, ...]:
        found = tuple(self._number(one, element, word) for one in text.split()[:MOST_NUMBERS])
        if count is not None and len(found) != count:
            shown = printable(repr(text if len(text) <= 60 else f"{text[:57]}..."))
            some = f"{count} number{'s' * (count != 1)}"
            self.refuse(element, f"{word} of <{printable(element.tag)}> is {shown}, not {some}.")
        return found

    def _number(self, text: str, element: Element, word: str) -> float:
        value = float(text) if len(text) < 400 and _NUMBER.match(text) else math.nan
        if not math.isfinite(value):
            shown = printable(repr(text if len(text) <= 60 else f"{text[:57]}..."))
            self.refuse(element, f"{word} holds {shown}, which is no finite number.")
        return value

    def others(self, element: Element, known: frozenset[str]) -> Iterator[Element]:
        """The children of an element whose tags are not known."""
        yield from (child for child in element if child.tag not in known)
