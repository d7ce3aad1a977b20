"""Memory that was freed is there for the next pass."""

import subprocess
import sys

import pytest

from genderscope.util.memory_tuning import keep_freed

FAULTS = """
import resource, sys
from genderscope.util.memory_tuning import keep_freed
if sys.argv[1] == "kept":
    keep_freed()
def take():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for megabytes in (60, 5, 40):
        bytearray(b"x") * (megabytes << 20)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
take()
print(take())
"""


def pages_asked_for(how):
    command = [sys.executable, "-c", FAULTS, how]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(not keep_freed(), reason="another C library than glibc")
def test_freed_memory_is_not_asked_for_again():
    assert pages_asked_for("given back") > 10_000
    assert pages_asked_for("kept") < 1_000
