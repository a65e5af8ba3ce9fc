"""Names: what a person reads and types, so that two that look alike are one."""

import unicodedata
from collections.abc import Iterable, Mapping
from types import ModuleType

from kempe.errors import BadNumber, DuplicateName, ModelError, UnknownName

# Printable by Unicode's own list, and yet nothing is seen: fillers, selectors of variants, a blank.
_UNSEEN = frozenset(
    (
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
        *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),
    )
)


# What is read off a whole mechanism begins with one of these: no part is called so.
BUILT_IN = ("t", "energy", "transmission")


def flaw_of(name: str) -> str:
    """What keeps a text from being a name that can be read and typed again; "" for nothing.

    Examples:
        >>> flaw_of("crank")
        ''
        >>> flaw_of("crank ")
        'it has a blank at an end'
        >>> flaw_of("crank\\u200b")
        'it holds a character that nobody sees, U+200B ZERO WIDTH SPACE'
    """
    if not name:
        return "a name is text, and must have letters"
    if name != name.strip(" ") or " ." in name:  # 'rod .length' is of a part called 'rod '
        return "it has a blank at an end"
    if "`" in name:
        return "it holds a back quote, between which names stand in formulas"
    if name.isascii() and name.isprintable():  # nearly all, and some models have 100000 of them
        return ""
    for character in name:
        if not character.isprintable() or ord(character) in _UNSEEN:
            return f"it holds a character that nobody sees, {_called(character)}"
    if not unicodedata.is_normalized("NFC", name):
        piece = next(c for c, d in zip(name, composed(name) + " ", strict=False) if c != d)
        return (
            f"it is not in Unicode's composed form (NFC) from {_called(piece)} on, and looks like"
            " one that is: write each letter and its accent as one character"
        )
    return ""


def composed(name: str) -> str:
    """The one spelling of all that look like this: Unicode's composed form (NFC)."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def refuse_unreadable(name: object, whose: str = "nothing") -> None:
    """A BadNumber where a name is none; `whose` begins the sentence: "no point of body 'rod'"."""
    if not isinstance(name, str):
        raise BadNumber(f"{whose} can be called {name!r}: a name is text.")
    flaw = flaw_of(name)
    if flaw:
        raise BadNumber(f"{whose} can be called {name!r}: {flaw}.", name=name)


def names_in(given: object) -> tuple[str, ...]:
    """The names of one text, or of several; UnknownName where they are no texts.

    Examples:
        >>> names_in("crank.angle"), names_in(["crank.angle", "rocker.angle"])
        (('crank.angle',), ('crank.angle', 'rocker.angle'))
    """
    if isinstance(given, str):
        return (given,)
    names = tuple(given) if isinstance(given, Iterable) else (given,)
    refuse_no_texts(names)
    return tuple(str(name) for name in names)


def refuse_no_texts(names: Iterable[object]) -> None:
    """UnknownName where what stands for a name is no text, such as a list of names.

    Examples:
        >>> from kempe.errors import UnknownName
        >>> try:
        ...     refuse_no_texts([["crank.angle", "rocker.angle"]])
        ... except UnknownName as refused:
        ...     print(refused)
        names stand one by one here, 'crank.angle', 'rocker.angle', not in a list.
        >>> try:
        ...     refuse_no_texts([5])
        ... except UnknownName as refused:
        ...     print(refused)
        a name is text, such as 'crank.angle', not 5.
    """
    for name in names:
        if isinstance(name, str):
            continue
        listed = list(name) if isinstance(name, list | tuple | set | frozenset) else []
        if listed and all(isinstance(one, str) for one in listed):
            shown = ", ".join(repr(one) for one in listed[:4])
            dots = ", ..." if len(listed) > 4 else ""
            kind = type(name).__name__
            raise UnknownName(f"names stand one by one here, {shown}{dots}, not in a {kind}.")
        raise UnknownName(f"a name is text, such as 'crank.angle', not {repr(name)[:60]}.")


def refuse_dot(name: str, what: str, read: str) -> None:
    """A ModelError where `what`, such as "a joint", is called with a dot; `read` is an example."""
    if "." in name:
        raise ModelError(
            f"{what} cannot be called {name!r}: a name has no dot, which separates a part from"
            f" what is read off it, as in {read!r}.",
            name=name,
        )


def refuse_built_in(name: str, what: str) -> None:
    """A DuplicateName where a part is called as what every mechanism has to read.

    Examples:
        >>> refuse_built_in("t", "body")
        Traceback (most recent call last):
        kempe.errors.DuplicateName: no body can be called 't': 't' is read off every motion, as\
 'energy' and 'transmission' are. Call it otherwise.
    """
    head = name.partition(".")[0]
    if head in BUILT_IN:
        others = " and ".join(repr(other) for other in BUILT_IN if other != head)
        raise DuplicateName(
            f"no {what} can be called {name!r}: {head!r} is read off every motion, as {others} are."
            " Call it otherwise.",
            name=name,
        )


def _called(character: str) -> str:
    word = unicodedata.name(character, "")
    return f"U+{ord(character):04X} {word}".strip()


def exported(room: Mapping[str, object]) -> list[str]:
    """The names that a room gives out, sorted: all that its `__init__` imports but its own files.

    Takes the room's `globals()`; this function itself is none of them.
    """
    return sorted(
        name
        for name, value in room.items()
        if not (name.startswith("_") or isinstance(value, ModuleType) or value is exported)
    )
