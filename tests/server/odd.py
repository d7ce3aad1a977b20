"""A valid answer made odd: each of its nodes in turn becomes something else."""

import copy
import math
from typing import Any

ODD: tuple[Any, ...] = (None, True, 5, math.nan, 10**400, "-1.5", [], [None], {"a": None})


def variants(answer):
    """Yield copies of an answer in which one node is another value or is missing; of long lists the ends only.

    The whole and its first parts become each of the values, nodes further down every third, by turns.
    """
    for number, path in enumerate(_paths(answer)):
        for odd in ODD if len(path) < 2 else ODD[number % 3 :: 3]:
            yield _replaced(answer, path, odd)
        if path:
            yield _removed(answer, path)


def _paths(node, path=()):
    yield path
    if isinstance(node, dict):
        chosen = list(node)[:1] + list(node)[-1:] if len(node) > 8 else list(node)
        for key in dict.fromkeys(chosen):
            yield from _paths(node[key], (*path, key))
    elif isinstance(node, list):
        for k in {0, len(node) - 1} if node else ():
            yield from _paths(node[k], (*path, k))


def _parent(answer, path):
    for step in path[:-1]:
        answer = answer[step]
    return answer


def _replaced(answer, path, value):
    if not path:
        return value
    changed = copy.deepcopy(answer)
    _parent(changed, path)[path[-1]] = value
    return changed


def _removed(answer, path):
    changed = copy.deepcopy(answer)
    del _parent(changed, path)[path[-1]]
    return changed
