"""The words of a model file: found in the exports of the rooms, never listed by hand.

A family is an abstract class such as `AbstractJoint`; its members are what its room exports. A new
joint is a word of the file as soon as its room exports it.
"""

import importlib
import re
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from typing import Any, final

from kempe.couplers import AbstractCoupler
from kempe.drives import AbstractLaw
from kempe.files.schema.annotations import fields_of
from kempe.files.schema.kinds import AbstractKind, Unwritable
from kempe.forces import AbstractForce
from kempe.geometry.solids import AbstractSolid
from kempe.geometry.specific import AbstractOrientator, AbstractTranslator
from kempe.joints import AbstractJoint
from kempe.measures import AbstractMeasure

ROOTS: tuple[type, ...] = (
    AbstractJoint,
    AbstractCoupler,
    AbstractForce,
    AbstractLaw,
    AbstractMeasure,
    AbstractSolid,
    AbstractOrientator,
    AbstractTranslator,
)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """One class that a file can name: its word, and the kinds of its fields."""

    word: str
    made: type
    fields: dict[str, AbstractKind]
    required: frozenset[str]

    @property
    def summary(self) -> str:
        """The first line of the class's description."""
        return (self.made.__doc__ or "").strip().split("\n", 1)[0]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """The words of one abstract class, and why some of its members have none."""

    base: type
    words: dict[str, Word]
    unwritable: dict[type, str]

    @property
    def name(self) -> str:
        """What a member is called: joint, coupler, law, ..."""
        return snake_case(self.base.__name__.removeprefix("Abstract"))

    def word_of(self, thing: object) -> Word | None:
        """The word of a thing's class, if a file can name it."""
        word = self.words.get(snake_case(type(thing).__name__))
        return word if word is not None and word.made is type(thing) else None


def snake_case(name: str) -> str:
    """PinInSlot -> pin_in_slot."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def family(base: type) -> Family:
    """The family of an abstract class, as its room exports it now."""
    room = importlib.import_module(base.__module__.rpartition(".")[0])
    return _family(base, tuple(_members(room, base)))


@lru_cache(maxsize=64)
def _family(base: type, members: tuple[type, ...]) -> Family:
    is_named = is_dataclass(base) and any(f.name == "name" for f in fields(base))
    words: dict[str, Word] = {}
    unwritable: dict[type, str] = {}
    for member in members:
        try:
            kinds, required = fields_of(member)
        except Unwritable as reason:
            unwritable[member] = str(reason)
        else:
            if is_named:  # by the key of its entry
                del kinds["name"]
            word = snake_case(member.__name__)
            words[word] = Word(word, member, kinds, required - {"name"})
    return Family(base, words, unwritable)


def _members(room: Any, base: type) -> list[type]:
    exported = (getattr(room, name) for name in room.__all__)
    return [
        thing
        for thing in exported
        if isinstance(thing, type)
        and issubclass(thing, base)
        and is_dataclass(thing)
        and not thing.__name__.startswith("Abstract")
    ]
