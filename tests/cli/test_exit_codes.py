"""Exit codes that a build relies on."""

import pytest

from genderscope.core.exit_codes import ExitCode, decisive


def test_the_codes_are_those_that_the_help_names():
    assert [int(code) for code in ExitCode] == [0, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ([], ExitCode.PASSED),
        ([0, 0], ExitCode.PASSED),
        ([0, 2], ExitCode.USAGE_ERROR),
        ([2, 4, 0], ExitCode.NOT_JUDGED),
        ([4, 3, 2], ExitCode.LIMIT_EXCEEDED),
        ([3, 5, 4], ExitCode.INFRASTRUCTURE),
    ],
)
def test_of_several_codes_the_most_serious_counts(codes, expected):
    assert decisive(codes) is expected
