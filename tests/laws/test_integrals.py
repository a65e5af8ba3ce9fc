"""What every law that names its integral obeys: the law is the integral's derivative."""

#: Two step sizes of the differences disagree by this much where a spline has a joint nearby.
CLOSE = 1e-7


def test_a_law_is_the_derivative_of_its_integral(law, rng, differences):
    """Samples at both sides of zero, and beyond the points of a table."""
    if law.integral(0.3) is None:
        return
    assert abs(float(law.integral(0.0))) == 0.0
    for t in rng.uniform(-3.0, 4.0, 6):
        rate, _, doubt = differences(lambda h, t=t: float(law.integral(t + h)))
        assert abs(float(rate) - float(law.value(t))) < CLOSE + 10.0 * doubt
