"""The package and its C++ core belong together."""

import pytest

import kempe
from kempe import _core


@pytest.mark.core
def test_the_core_was_built_for_this_version_of_the_package() -> None:
    assert _core.version() == kempe.__version__
