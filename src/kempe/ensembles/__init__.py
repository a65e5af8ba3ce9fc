"""Many simulations of one mechanism at once.

`starts` leads the mechanism to the values and rates of measures that it is to start with, all at
once, `observing` reads motions by one formula for all of them, and `simulations` runs them in
threads, each with steps of its own.
"""
