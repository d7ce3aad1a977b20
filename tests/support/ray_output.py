"""What a command with Ray prints, without what Ray itself says on a machine that no network reaches."""

import re

_NO_NETWORK = re.compile(r"^\[[^]]* W \d+ \d+\] network_util\.cc:.*\n", re.MULTILINE)


def without_network_warning(text):
    """Remove Ray's warning that it cannot find its own address through the network."""
    return _NO_NETWORK.sub("", text)
