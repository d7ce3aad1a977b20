"""What a command prints of a finished run, without what tells it from one that was just asked."""

import re

_AGE = re.compile(
    r"^(These answers were given on .*; nothing was asked this time\..*|.*: reused .*; asked this time: nothing\..*)\n",
    re.MULTILINE,
)


def without_age(text):
    """Remove the sentence on reuse; in JSON, call the result one that was just asked."""
    return _AGE.sub("", text).replace('"reused": true', '"reused": false')
