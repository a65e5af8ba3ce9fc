"""What the address of a linkage in PMKS+ holds, letter by letter.

    flags.decimals.integers.units.joint.joint..link.link..force..chosen length*digest

Numbers are thousandths to the base 64, with the digits 0-9 A-Z a-z _ -, and a 0 in front of one
below nought. Flags are the bits of such a digit, the first one the lowest.

- a joint: one digit of flags (slides, is driven, is held by the ground, is welded, draws its curve,
  is sealed), its id, name, x, y, the angle it slides along; of one that slides on a link that link
  and the two joints that its line goes through; how fast it is driven
- a link: a letter for whether it stands by itself and what was typed of it, R for a real one, its
  id, name, mass, moment, centre and colour; its joints; after an empty word the links welded to it
- a force: flags, id, link, name, where it begins and ends, how large it is
- the digit before the asterisk is the length of all before it, and after it stand 32 bits of FNV-1a
  of all before the asterisk, both to the base 62

Source: [PMKSPlus] src/app/services/transcoding; the names and their meaning. Its addresses without
an asterisk are older, and have no digest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from kempe.errors import FileError, printable

DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-"
CHECKED: Final = 62  # of the digits, for the length and the digest
DIGEST: Final = 6  # letters
THOUSANDTHS: Final = 1000.0
LARGEST: Final = 1e9  # in the length unit; coordinates beyond are mistakes
ROOTS: Final = frozenset("YAMG0123")  # letters of links that stand by themselves
SIDES: Final = frozenset("Namg4567") | ROOTS  # all letters of links
UNITS: Final = ("inch", "cm", "m")


@final
@dataclass(frozen=True, slots=True)
class AddressJoint:
    """A joint: where it is, in the length unit, and how it holds."""

    id: str
    name: str
    at: tuple[float, float]
    slides: bool
    is_driven: bool
    is_held: bool
    is_welded: bool
    is_sealed: bool
    angle: float  # rad, of a slide in the ground
    carrier: str = ""  # the link that it slides on
    line: tuple[str, str] = ("", "")  # the joints of that link that its line goes through
    speed: float = 0.0  # rev/min, or length units a second; 0 where the drawing has one for all


@final
@dataclass(frozen=True, slots=True)
class AddressLink:
    """A link that stands by itself, and its joints."""

    id: str
    name: str
    mass: float
    is_real: bool
    joints: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Address:
    """A linkage as its address has it."""

    unit: str
    is_clockwise: bool
    speed: float  # rev/min
    joints: tuple[AddressJoint, ...]
    links: tuple[AddressLink, ...]
    forces: tuple[str, ...]  # their names


def address_of(text: str, path: str) -> Address:
    """The linkage in the words after the question mark; a FileError says what is wrong."""

    def refuse(message: str) -> FileError:
        return FileError(message, path=path, line=1)

    body, mark, digest = text.partition("*")
    if mark and digest != _digest(body):
        raise refuse(
            "this address was damaged on its way: its digest is another one. Copy it again."
        )
    if not body or body[-1] != DIGITS[(len(body) - 1) % CHECKED]:
        raise refuse(
            "this is no whole address of PMKS+: the length that it ends with is another one."
        )
    sections = _sections(body[:-1])
    if sections is None:
        raise refuse(
            "this is no address of a linkage in PMKS+ that is known: it lacks its joints or links."
        )
    settings, joints, links, forces = sections
    try:
        flags, _, integers, units = settings
        bits = _number(flags[-1], sign=False) if flags else 0
        speed = _integer(integers.split(",")[0])
        unit = UNITS[_number(units[:1], sign=False)]
        return Address(
            unit,
            bool(bits & 1),
            speed,
            tuple(_joint(words) for words in joints),
            tuple(_link(words) for words in links),
            tuple(words.split(",")[2] if words.count(",") > 1 else words[1:] for words in forces),
        )
    except (ValueError, IndexError) as trouble:
        said = f" ({printable(str(trouble))})" if str(trouble) else ""
        raise refuse(f"this address of PMKS+ holds something that is not known{said}.") from None


def _sections(body: str) -> tuple[list[str], list[str], list[str], list[str]] | None:
    """The four settings, then joints, links and forces; None where there are fewer."""
    words = body.split(".")
    settings, rest = words[:4], iter(words[4:])
    joints, links, forces = (list(_until_empty(rest)) for _ in range(3))
    is_whole = len(settings) == 4 and joints and links
    return (settings, joints, links, forces) if is_whole else None


def _until_empty(words: Iterator[str]) -> Iterator[str]:
    for word in words:
        if not word:
            return
        yield word


def _joint(words: str) -> AddressJoint:
    bits = _number(words[0], sign=False)
    own, name, x, y, angle, *more = words[1:].split(",")
    carrier, first, second, speed = [*more, "", "", "", ""][:4]
    if bool(carrier) != bool(first and second):
        raise ValueError(f"joint {own} slides on no whole line")
    slides, is_driven, is_held, is_welded, _, is_sealed = (bool(bits >> k & 1) for k in range(6))
    return AddressJoint(
        own,
        name or own,
        (_decimal(x), _decimal(y)),
        slides,
        is_driven,
        is_held,
        is_welded,
        is_sealed,
        _decimal(angle),
        carrier,
        (first, second),
        _decimal(speed) if speed else 0.0,
    )


def _link(words: str) -> AddressLink:
    letter, kind = words[0], words[1]
    if letter not in SIDES or kind not in "RP":
        raise ValueError(f"a link begins with {words[:2]}")
    own, name, mass, _, _, _, _, *joints = words[2:].split(",")
    held = tuple(joints[: joints.index("")]) if "" in joints else tuple(joints)
    is_root = letter in ROOTS
    return AddressLink(own, name or own, _decimal(mass), kind == "R", held if is_root else ())


def _decimal(word: str) -> float:
    value = _number(word, sign=True) / THOUSANDTHS
    if not abs(value) <= LARGEST:
        raise ValueError(f"the number {word[:20]} is too large")
    return value


def _integer(word: str) -> float:
    return float(min(_number(word, sign=True), 10**9))


def _number(word: str, *, sign: bool) -> int:
    """The whole number of some digits; with a `sign` a 0 in front says that it is below nought."""
    if not word or len(word) > 24:
        raise ValueError("a number is missing" if not word else "a number is too long")
    value = 0
    for digit in word:
        value = 64 * value + DIGITS.index(digit)
    return -value if sign and word[0] == "0" else value


def _digest(body: str) -> str:
    """32 bits of FNV-1a of the letters, to the base 62."""
    value = 0x811C9DC5
    for letter in body:
        value = ((value ^ ord(letter)) * 0x01000193) & 0xFFFFFFFF
    letters: Sequence[str] = [DIGITS[value // CHECKED**k % CHECKED] for k in range(DIGEST)]
    return "".join(reversed(letters))
