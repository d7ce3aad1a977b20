"""glibc malloc tuning, so that freed memory is reused."""

import ctypes
import sys
from functools import cache

#: glibc's mallopt parameters, and their values in bytes
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_MOST_KEPT = 512 * 2**20
_LARGEST_KEPT = 128 * 2**20


@cache
def keep_freed() -> bool:
    """Keep freed memory in the process for reuse; return whether the C library supports it.

    Otherwise, every forward pass obtains zeroed pages from the kernel and returns them, which takes a tenth of the
    pass's time on a CPU.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library
        return False
    return bool(mallopt(_MMAP_THRESHOLD, _LARGEST_KEPT)) and bool(mallopt(_TRIM_THRESHOLD, _MOST_KEPT))
