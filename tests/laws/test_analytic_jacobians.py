"""A Jacobian that a joint writes down by hand is the traced one."""

from kempe.compile.trace.analytic_check import check_jacobian


def test_a_hand_written_jacobian_is_the_traced_one(joint):
    check_jacobian(joint)
