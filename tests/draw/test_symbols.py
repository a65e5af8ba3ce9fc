"""The list of drawing symbols."""

import pytest

from kempe.draw import SYMBOLS


@pytest.mark.parametrize("name", [name for name in SYMBOLS if name != "none"])
def test_every_symbol_draws_something(name):
    symbol = SYMBOLS[name]
    assert symbol.solids or symbol.span or symbol.wrap != "none" or symbol.guide != "none"


@pytest.mark.parametrize("name", [name for name, symbol in SYMBOLS.items() if symbol.span])
def test_what_spans_two_frames_touches_both(name):
    ends = {u for path in SYMBOLS[name].span for u, v in path if v == 0.0}
    assert {0.0, 1.0} <= ends


def test_no_two_symbols_look_alike():
    looks = [(s.solids, s.guide, s.span, s.dashed, s.wrap) for s in SYMBOLS.values()]
    assert len(set(looks)) == len(looks)
