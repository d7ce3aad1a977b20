"""The papers' symbols for estimates, which each measure declares.

Tables show the symbol next to the name. Gates and `Result.estimate` accept either.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from genderscope.statistics.estimate import Estimate


def with_symbols(symbols: Mapping[str, str], estimates: Iterable[Estimate]) -> list[Estimate]:
    """Return a measure's estimates with their symbols; estimates that older versions named by symbol are renamed."""
    names = {symbol: name for name, symbol in symbols.items() if symbol not in symbols}
    named = [replace(e, name=names[e.name], symbol=e.name) if e.name in names else e for e in estimates]
    return [e if e.symbol or e.name not in symbols else replace(e, symbol=symbols[e.name]) for e in named]
