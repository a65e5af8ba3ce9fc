"""The expression graph: equal nodes are one, and folding is exact or does not happen."""

import math
import operator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kempe.algebra import Graph, Op

finite = st.floats(allow_nan=False, allow_infinity=False)
numbers = finite | st.sampled_from([0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 3.0, 0.1, 1e308, 5e-324])
ARITHMETIC = [
    (Graph.add, operator.add),
    (Graph.sub, operator.sub),
    (Graph.mul, operator.mul),
    (Graph.div, operator.truediv),
]


@pytest.fixture
def graph():
    return Graph()


# -- hash-consing ----------------------------------------------------------------------------


def test_an_input_asked_for_twice_is_one_node(graph):
    assert graph.input("x") == graph.input("x")
    assert graph.input("x") != graph.input("y")


def test_a_constant_asked_for_twice_is_one_node(graph):
    assert graph.constant(2.5) == graph.constant(2.5)
    assert graph.constant(2.5) != graph.constant(math.nextafter(2.5, 3.0))


@pytest.mark.parametrize("op", [Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.ATAN2, Op.POW])
def test_the_same_operation_on_the_same_operands_is_one_node(graph, op):
    x, y = graph.input("x"), graph.input("y")
    first, size = graph.node(op, x, y), len(graph)
    assert graph.node(op, x, y) == first
    assert len(graph) == size
    assert graph.node(op, y, x) != first


@pytest.mark.parametrize("method", ["add", "mul"])
def test_sums_and_products_are_one_node_in_either_order(graph, method):
    x, y = graph.input("x"), graph.input("y")
    operation = getattr(graph, method)
    assert operation(x, y) == operation(y, x)


@pytest.mark.parametrize("op", [Op.MIN, Op.MAX])
def test_an_extremum_is_one_node_in_either_order(graph, op):
    x, y = graph.input("x"), graph.input("y")
    assert graph.extremum(op, x, y) == graph.extremum(op, y, x)
    assert graph.extremum(op, x, x) == x


def test_operands_have_smaller_numbers_than_results(graph):
    x, y = graph.input("x"), graph.input("y")
    graph.sub(graph.mul(graph.add(x, y), y), graph.function(Op.SIN, graph.neg(x)))
    for node, args in enumerate(graph.args):
        assert all(a < node for a in args)


# -- folding ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("fold", "exact"), ARITHMETIC)
@given(a=numbers, b=numbers)
def test_two_constants_fold_only_to_their_exact_result(fold, exact, a, b):
    if exact is operator.truediv and b == 0.0:
        return
    graph = Graph()
    node = fold(graph, graph.constant(a), graph.constant(b))
    value = graph.constants.get(node)
    truth = exact(Fraction(a), Fraction(b))
    if value is not None:
        assert Fraction(value) == truth
    else:
        assert abs(truth) > Fraction(1.7e308) or Fraction(float(truth)) != truth


@given(a=numbers)
def test_a_reciprocal_folds_only_where_it_is_exact(a):
    graph = Graph()
    value = graph.constants.get(graph.rec(graph.constant(a)))
    if a == 0.0:
        assert value is None
    elif value is not None:
        assert Fraction(value) * Fraction(a) == 1


@given(a=numbers)
def test_a_square_root_folds_only_where_it_is_exact(a):
    graph = Graph()
    value = graph.constants.get(graph.sqrt(graph.constant(a)))
    if value is not None:
        assert Fraction(value) ** 2 == Fraction(a)
    else:
        assert a < 0 or Fraction(math.sqrt(a)) ** 2 != Fraction(a)


@given(a=numbers)
def test_an_absolute_value_and_a_nearest_integer_of_a_constant_are_exact(a):
    graph = Graph()
    constant = graph.constant(a)
    assert graph.constants[graph.function(Op.ABS, constant)] == abs(Fraction(a))
    assert graph.constants[graph.function(Op.ROUND, constant)] == round(Fraction(a))


def test_a_tenth_and_two_tenths_do_not_fold(graph):
    node = graph.add(graph.constant(0.1), graph.constant(0.2))
    assert node not in graph.constants
    assert graph.ops[node] == Op.ADD


@pytest.mark.parametrize(
    ("op", "argument", "value"),
    [
        (Op.SIN, 0.0, 0.0),
        (Op.COS, 0.0, 1.0),
        (Op.TAN, 0.0, 0.0),
        (Op.ASIN, 0.0, 0.0),
        (Op.ACOS, 1.0, 0.0),
        (Op.EXP, 0.0, 1.0),
        (Op.LOG, 1.0, 0.0),
        (Op.TANH, 0.0, 0.0),
    ],
)
def test_a_function_folds_at_its_exact_value_and_nowhere_else(graph, op, argument, value):
    assert graph.constants[graph.function(op, graph.constant(argument))] == value
    assert graph.function(op, graph.constant(0.625)) not in graph.constants


@pytest.mark.parametrize("value", [math.inf, -math.inf])
def test_an_infinite_constant_can_stand_in_a_formula(graph, value):
    endless, x = graph.constant(value), graph.input("x")
    assert graph.constants[endless] == value
    for fold in (Graph.add, Graph.sub, Graph.mul, Graph.div):
        fold(graph, endless, graph.constant(3.0))
        fold(graph, graph.constant(3.0), endless)
        fold(graph, endless, x)
    for op in (Op.SIN, Op.ABS, Op.ROUND):
        graph.function(op, endless)
    graph.rec(endless)
    graph.sqrt(endless)
    assert graph.extremum(Op.MIN, x, endless) not in graph.constants


def test_a_division_by_zero_is_left_to_the_run(graph):
    assert graph.div(graph.constant(1.0), graph.constant(0.0)) not in graph.constants
    assert graph.rec(graph.constant(0.0)) not in graph.constants


# -- identities ------------------------------------------------------------------------------


def test_zero_and_one_leave_no_operation(graph):
    x, zero, one, minus = graph.input("x"), *(graph.constant(c) for c in (0.0, 1.0, -1.0))
    size = len(graph)
    assert graph.add(x, zero) == graph.add(zero, x) == graph.sub(x, zero) == x
    assert graph.mul(x, one) == graph.mul(one, x) == graph.div(x, one) == x
    assert graph.mul(x, zero) == graph.mul(zero, x) == zero
    assert graph.sub(x, x) == zero
    assert graph.div(zero, x) == zero
    assert len(graph) == size
    assert graph.mul(x, minus) == graph.div(x, minus) == graph.neg(x)
    assert graph.sub(zero, x) == graph.neg(x)


def test_minus_zero_is_zero(graph):
    assert graph.constant(-0.0) == graph.constant(0.0)
    assert math.copysign(1.0, graph.constants[graph.constant(-0.0)]) == 1.0
    assert graph.add(graph.input("x"), graph.constant(-0.0)) == graph.input("x")
    negated = graph.neg(graph.constant(0.0))
    assert math.copysign(1.0, graph.constants[negated]) == 1.0


def test_signs_move_outwards(graph):
    x, y = graph.input("x"), graph.input("y")
    assert graph.neg(graph.neg(x)) == x
    assert graph.neg(graph.sub(x, y)) == graph.sub(y, x)
    assert graph.add(x, graph.neg(y)) == graph.sub(x, y)
    assert graph.sub(x, graph.neg(y)) == graph.add(x, y)
    assert graph.mul(graph.neg(x), graph.neg(y)) == graph.mul(x, y)
    assert graph.mul(graph.neg(x), y) == graph.neg(graph.mul(x, y))
    assert graph.div(graph.neg(x), graph.neg(y)) == graph.div(x, y)
    assert graph.rec(graph.neg(x)) == graph.neg(graph.rec(x))


@pytest.mark.parametrize("op", [Op.SIN, Op.TAN, Op.ASIN, Op.TANH])
def test_an_odd_function_passes_the_sign_on(graph, op):
    x = graph.input("x")
    assert graph.function(op, graph.neg(x)) == graph.neg(graph.function(op, x))


@pytest.mark.parametrize("op", [Op.COS, Op.ABS])
def test_an_even_function_drops_the_sign(graph, op):
    x = graph.input("x")
    assert graph.function(op, graph.neg(x)) == graph.function(op, x)


@pytest.mark.parametrize("op", [Op.EXP, Op.LOG, Op.ACOS, Op.ROUND])
def test_other_functions_keep_the_sign_where_it_is(graph, op):
    x = graph.input("x")
    assert graph.args[graph.function(op, graph.neg(x))] == (graph.neg(x),)


def test_a_product_of_equals_is_a_square(graph):
    x = graph.input("x")
    assert graph.ops[graph.mul(x, x)] == Op.SQR


@pytest.mark.parametrize(
    ("op", "value", "taken"),
    [
        (Op.WHERE_POSITIVE, 1.0, "yes"),
        (Op.WHERE_POSITIVE, 0.0, "no"),
        (Op.WHERE_NOT_NEGATIVE, 0.0, "yes"),
        (Op.WHERE_NOT_NEGATIVE, -1e-300, "no"),
    ],
)
def test_a_choice_by_a_constant_is_made_at_once(graph, op, value, taken):
    yes, no = graph.input("yes"), graph.input("no")
    assert graph.where(op, graph.constant(value), yes, no) == graph.input(taken)


def test_a_choice_between_equals_is_no_choice(graph):
    x, y = graph.input("x"), graph.input("y")
    assert graph.where(Op.WHERE_POSITIVE, x, y, y) == y
