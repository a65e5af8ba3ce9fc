"""Addresses of PMKS+ are read letter by letter, and move as the same linkage built here."""

import math
from pathlib import Path

import numpy as np
import pytest

import kempe
from kempe.errors import FileError

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "foreign" / "four_bar.pmks"
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-"
SAME = 1e-12  # m, rad: both are closed to rounding
SLIDES, DRIVEN, HELD, WELDED = 1, 2, 4, 8


def number(value: float) -> str:
    """A number as an address has it: thousandths to the base 64, a 0 in front below nought."""
    left, word = abs(round(1000 * value)), ""
    while left or not word:
        left, digit = divmod(left, 64)
        word = DIGITS[digit] + word
    return "0" * (value < 0) + word


def joint(name: str, x: float, y: float, flags: int = 0, angle: float = 0.0, *more: str) -> str:
    return ",".join([DIGITS[flags] + name, name, number(x), number(y), number(angle), *more])


def link(name: str, joints: str, letter: str = "Y", mass: float = 0.0) -> str:
    return f"{letter}R{name},{name},{number(mass)},0,0,0,c5cae9,{','.join(joints)},,"


def address(joints: list[str], links: list[str], *, flags: int = 0, rpm: int = 60) -> str:
    """A whole address, with its length and digest."""
    body = f"2{DIGITS[flags]}.Ay.{number(rpm / 1000)},0.1011.{''.join(j + '.' for j in joints)}."
    body += f"{''.join(one + '.' for one in links)}..N"
    body += DIGITS[len(body) % 62]
    value = 0x811C9DC5
    for letter in body:
        value = ((value ^ ord(letter)) * 0x01000193) % 2**32
    return f"https://pmks.example/?{body}*" + "".join(
        DIGITS[value // 62**k % 62] for k in range(5, -1, -1)
    )


FOUR_BAR = (
    [
        joint("A", 0, 0, HELD | DRIVEN),
        joint("B", 0, 3),
        joint("C", 8, 6),
        joint("D", 10, 0, HELD),
        joint("P", 3, 9),
    ],
    [link("crank", "AB"), link("coupler", "BCP"), link("rocker", "CD")],
)


@pytest.fixture
def read(tmp_path):
    """Loads an address that stands in a file."""

    def load(text: str) -> kempe.Mechanism:
        path = tmp_path / "drawing.pmks"
        path.write_text(text, encoding="utf-8")
        return kempe.load(path)

    return load


def test_the_example_is_what_an_encoder_writes() -> None:
    assert EXAMPLE.read_text(encoding="utf-8").strip() == address(*FOUR_BAR)


@pytest.mark.parametrize("flags", [0, 1], ids=["anticlockwise", "clockwise"])
def test_a_four_bar_moves_as_one_that_is_built_here(read, flags) -> None:
    found = read(address(*FOUR_BAR, flags=flags))
    turn = found.kinematics(until=1.0, steps=24)
    m = kempe.Builder("four-bar", plane=True, units="cm")
    crank, rocker = m.bar("crank", 3), m.bar("rocker", math.hypot(2, 6))
    coupler = m.bar(
        "coupler", math.hypot(8, 3), points={"P": (42 / math.hypot(8, 3), 39 / math.hypot(8, 3))}
    )
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(rocker.start, m.ground.at(10, 0))
    m.drive(crank.angle, rpm=-60 if flags else 60, start="90 deg")
    wanted = m.build().kinematics(until=1.0, steps=24)
    np.testing.assert_allclose(turn["coupler.P"].position, wanted["coupler.P"].position, atol=1e-9)
    assert found.imported.run.until == pytest.approx(1.0)
    assert found.imported.report.left_out == ()


def test_a_slider_crank_has_its_closed_form(read) -> None:
    joints = [joint("A", 0, 0, HELD | DRIVEN), joint("B", 3, 0), joint("C", 10, 0, HELD | SLIDES)]
    turn = read(address(joints, [link("crank", "AB"), link("rod", "BC")])).kinematics(
        until=1.0, steps=24
    )
    angle = 2 * math.pi * turn.t
    wanted = 0.03 * np.cos(angle) + np.sqrt(0.07**2 - (0.03 * np.sin(angle)) ** 2)
    np.testing.assert_allclose(turn["rod.C"].position[:, 0], wanted, atol=SAME)
    np.testing.assert_allclose(turn["rod.C"].position[:, 1], 0.0, atol=SAME)


def test_a_block_that_cannot_turn_keeps_its_angle(read) -> None:
    """A Scotch yoke: the crank's pin slides on the carriage, the carriage in the ground."""
    joints = [
        joint("A", 0, 0, HELD | DRIVEN),
        joint("B", 1, 0, SLIDES, 0.0, "yoke", "C", "D"),
        joint("C", 1, -2, HELD | SLIDES | WELDED),
        joint("D", 1, 2),
    ]
    yoke = read(address(joints, [link("crank", "AB"), link("yoke", "CD")]))
    turn = yoke.kinematics(until=1.0, steps=24)
    wanted = 0.01 * np.cos(2 * math.pi * turn.t)
    np.testing.assert_allclose(turn["yoke.C"].position[:, 0], wanted, atol=SAME)
    assert yoke.check().freedom == 1  # the crank that is driven


def test_what_is_not_read_is_listed(read) -> None:
    joints, links = FOUR_BAR
    heavy = [*links[:2], link("rocker", "CD", mass=2.0)]
    assert "mass of link 'rocker'" in read(address(joints, heavy)).imported.report.text()
    sliding = [*joints, joint("E", 1, 1, SLIDES)]
    assert "it slides on nothing" in read(address(sliding, links)).imported.report.text()


@pytest.mark.parametrize("place", range(24, 90, 6))
def test_one_changed_letter_is_noticed(read, place) -> None:
    whole = address(*FOUR_BAR)
    changed = "Z" if whole[place] != "Z" else "Y"
    with pytest.raises(FileError, match="damaged on its way"):
        read(whole[:place] + changed + whole[place + 1 :])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "older PMKS"),
        ("https://pmks.example/", "no whole address"),
        ("https://pmks.example/?2v.Ay.3,0.10110", "no whole address"),
        (address([joint("A", 0, 0)], [link("bar", "AB")]), "'B', and there is none"),
        (address([joint("A", 0, 0)] * 2, [link("bar", "A")]), "two joints have the id"),
        (address(["7A,A,!,0,0"], [link("bar", "A")]), "not known"),
    ],
)
def test_what_is_no_linkage_is_refused_in_words(read, text, said) -> None:
    with pytest.raises(FileError, match=said):
        read(text)
