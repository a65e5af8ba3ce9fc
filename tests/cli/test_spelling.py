"""The command line gives its advice in options, not in keywords of Python."""

import pytest

from kempe.cli.spelling import as_options


@pytest.mark.parametrize(
    ("said", "typed"),
    [
        ('go on: through="momentum" (it swings)', "go on: --through momentum (it swings)"),
        ('through="branch 2"', '--through "branch 2"'),
        ("for example held={'crank.angle': '60 deg'}.", 'for example --held "crank.angle=60 deg".'),
        ("limits={'slide.y': (0, '80 mm')}", '--limit "slide.y=0..80 mm"'),
        ("go on with resume=True (--resume), or", "go on with --resume, or"),
        ("build with plane=False", "build with plane=False"),
        ('{"through=\\"momentum\\"": 1}', '{"through=\\"momentum\\"": 1}'),
    ],
)
def test_keywords_of_python_become_options(said, typed):
    assert as_options(said) == typed


def test_a_run_that_ends_at_a_dead_point_says_what_to_type(kempe):
    answer = kempe("run", "sung_combined")
    assert answer.code == 1
    assert '--through "branch 2"' in answer.out + answer.err
    assert "through=" not in answer.out + answer.err
    again = kempe("run", "sung_combined", "--through", "momentum")
    assert "through=" not in again.out + again.err


def test_what_is_to_be_held_is_advised_as_it_is_typed(kempe):
    refused = kempe("assemblies", "double_pendulum")
    assert refused.code == 2
    assert '--held "upper.angle=60 deg"' in refused.err
