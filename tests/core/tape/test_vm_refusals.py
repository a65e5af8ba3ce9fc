"""A tape that does not hold together is refused, and a running one can be interrupted."""

import math
import signal
import threading
from typing import Any

import numpy as np
import pytest

from kempe import _core

pytestmark = pytest.mark.core

CODE = np.array([[0, 3, 0, 1, 0]], dtype=np.int32)
GOOD: dict[str, Any] = {
    "code": CODE,
    "constants": np.array([1.0]),
    "n_inputs": 2,
    "n_registers": 5,
    "section_stops": np.array([1], dtype=np.int32),
    "tables": [],
}


def code_with(**columns: int) -> dict[str, Any]:
    row = dict(op=0, d=3, a=0, b=1, c=0) | columns
    return {"code": np.array([list(row.values())], dtype=np.int32)}


def stops(*values: int) -> dict[str, Any]:
    return {"section_stops": np.array(values, dtype=np.int32)}


def table(breaks: list[float], coefficients: list[list[float]]) -> dict[str, Any]:
    return {"tables": [(np.array(breaks), np.array(coefficients))]}


def spline(
    breaks: list[float],
    numerators: list[list[float]],
    denominators: list[list[float]] | None = None,
    *,
    periodic: bool = False,
) -> dict[str, Any]:
    below = np.zeros((0, 0)) if denominators is None else np.array(denominators)
    parts = (np.array(breaks, float), np.array(numerators, float), below, periodic)
    return {"splines": [parts]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (code_with(op=31), "unknown code 31"),
        (code_with(op=-1), "unknown code -1"),
        (code_with(d=5), "writes register 5"),
        (code_with(d=-1), "writes register -1"),
        (code_with(d=1), "writes register 1; temporaries are 3 to 5"),
        (code_with(d=2), "writes register 2"),
        (code_with(a=5), "reads register 5 in column a"),
        (code_with(b=-7), "reads register -7 in column b"),
        (code_with(op=26, c=99), "reads register 99 in column c"),
        (code_with(op=8, b=3), "sine and cosine to one register"),
        (code_with(op=8, b=0), "writes register 0"),
        (code_with(op=25, b=0), "names table 0 of 0"),
        (code_with(op=25, b=-1), "names table -1"),
        (code_with(op=25, b=0, c=-1) | table([0, 1], [[1]]), "derivative of order -1"),
        ({"code": np.zeros((1, 4), dtype=np.int32)}, r"code has shape \(1, 4\)"),
        ({"code": np.zeros(5, dtype=np.int32)}, r"code has shape \(5,\)"),
        ({"constants": np.zeros((1, 1))}, r"constants has shape \(1, 1\)"),
        ({"n_registers": 2}, "2 registers cannot hold 2 inputs and 1 constants"),
        ({"n_registers": 2**40}, "registers"),
        ({"n_inputs": -1}, "number of inputs"),
        (stops(0), "stop at operation 0, but the code has 1"),
        (stops(), "stop at operation 0"),
        (stops(2), "stop at operation 2"),
        (stops(1, 0), "section 1 stops at operation 0, before it starts at 1"),
        (stops(-1, 1), "section 0 stops at operation -1"),
        (table([0], [[1]]), "one row fewer"),
        (code_with(op=30, b=0), "names spline 0 of 0"),
        (code_with(op=30, b=0, c=9) | spline([0, 1], [[1]]), "derivative of order 9"),
        (spline([0, 0], [[1]]), "break 1"),
        (spline([0, 1], [[1.0] * 17]), "17 coefficients"),
        (spline([0, 1], [[1.0], [2.0]]), "1 pieces need as many rows"),
        (spline([0, 1], [[math.inf]]), "coefficient is not finite"),
        (spline([0, 1], [[1.0]], [[0.0]]), "denominator is not positive"),
        (spline([0, 1], [[1.0]], [[1.0, 2.0]]), "not as many denominators"),
        (spline([1, 2], [[1.0]], periodic=True), "must start at 0"),
        (table([0, 0], [[1]]), "break 1"),
        (table([0, math.inf], [[1]]), "break 1"),
        (table([0, 1], [[math.nan]]), "coefficient"),
        (table([0, 1], [[]]), "rows of coefficients"),
        (table([0, 1], [[1.0] * 20]), "20 coefficients"),
    ],
)
def test_a_malformed_tape_is_refused(change: dict[str, Any], message: str) -> None:
    _core.Tape(**GOOD)
    with pytest.raises(ValueError, match=message):
        _core.Tape(**(GOOD | change))


@pytest.mark.parametrize(
    ("inputs", "outputs", "message"),
    [
        (np.zeros(2), [3], r"inputs has shape \(2,\); \(rows, 2\) is wanted"),
        (np.zeros((4, 3)), [3], r"inputs has shape \(4, 3\)"),
        (np.zeros((4, 2)), [[3]], r"outputs has shape \(1, 1\)"),
        (np.zeros((4, 2)), [5], "output 0 is register 5, of 5"),
        (np.zeros((4, 2)), [0, -1], "output 1 is register -1"),
        (np.zeros((4, 2)), [4], "which no operation writes"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(inputs: np.ndarray, outputs: Any, message: str) -> None:
    tape = _core.Tape(**GOOD)
    chosen = np.array(outputs, dtype=np.int32)
    for evaluate in (tape.evaluate, tape.evaluate_lanes):
        with pytest.raises(ValueError, match=message):
            evaluate(inputs, chosen)
    with pytest.raises(ValueError, match=message.replace("inputs", "lower")):
        tape.evaluate_intervals(inputs, inputs, chosen)


def test_a_register_read_before_it_is_written_is_refused_in_a_whole_run() -> None:
    """Sections may run in another order in a loop, so the tape itself is allowed."""
    tape = _core.Tape(**(GOOD | code_with(a=4)))
    with pytest.raises(ValueError, match="operation 0 reads register 4 before"):
        tape.evaluate(np.zeros((1, 2)), np.array([3], dtype=np.int32))


def endless(n_operations: int) -> _core.Tape:
    """A long tape: x + x, over and over."""
    code = np.tile(np.array([[0, 1, 0, 0, 0]], dtype=np.int32), (n_operations, 1))
    stop = np.array([n_operations], dtype=np.int32)
    return _core.Tape(code, np.array([]), 1, 2, stop, [])


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a POSIX timer")
@pytest.mark.parametrize("how", ["evaluate", "evaluate_lanes", "evaluate_intervals"])
def test_an_interrupt_ends_a_long_evaluation(how: str) -> None:
    """Without looking for signals this would run for a quarter of an hour."""
    tape, x = endless(1_000_000), np.ones((1_000_000, 1))
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        arguments = (x, x) if how == "evaluate_intervals" else (x,)
        with pytest.raises(KeyboardInterrupt):
            getattr(tape, how)(*arguments, np.array([1], dtype=np.int32))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def test_other_threads_run_during_an_evaluation() -> None:
    """With the lock held throughout, the loop below would not turn a single time or two."""
    tape, x = endless(100_000), np.ones((2_000, 1))
    worker = threading.Thread(target=tape.evaluate, args=(x, np.array([1], dtype=np.int32)))
    worker.start()
    turns = 0
    while worker.is_alive():
        turns += 1
    assert turns > 100
