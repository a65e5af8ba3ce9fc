"""What every test shares."""

from hypothesis import settings

# The same examples on every run and every machine; slow shared cores must not fail a test.
settings.register_profile("kempe", derandomize=True, deadline=None)
