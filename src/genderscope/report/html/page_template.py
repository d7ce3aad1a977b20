"""What a page may do: run its own script and style, told by their checksums, and nothing else."""

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from genderscope.terminal_safe import in_line, terminal_safe


def policy(style: str, script: str) -> str:
    """Return the content security policy of a page with this style and this script; no request leaves it."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; "
        "form-action 'none'"
    )


@cache
def asset(name: str) -> str:
    """Return a part of the pages: a style, a script, a template."""
    return files("genderscope.report.html").joinpath("assets", name).read_text(encoding="utf-8")


def rendered(template: str, careful: bool = False, /, **content: Any) -> str:
    """Fill a template; control characters and bidirectional overrides become visible, whatever text they come from.

    Where it is `careful`, line breaks do too.
    """
    return terminal_safe(str(_template(template, careful).render(**content)))


@cache
def _template(name: str, careful: bool) -> Any:
    """Return a template; compiling it takes longer than filling it."""
    from jinja2 import Environment

    made = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=shown if careful else None)
    return made.from_string(asset(name))


def shown(value: Any) -> Any:
    """Let no text on a page hold what cannot be seen: codes that turn the writing around, control characters."""
    return in_line(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
