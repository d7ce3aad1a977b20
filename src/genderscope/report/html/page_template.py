"""Page rendering: self-contained files whose content security policy allows only their own script and style."""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from genderscope.util.safe_text import in_line, terminal_safe
from genderscope.version import __version__


def render_page(
    template: str,
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    single_line: bool = False,
    served: bool = False,
    **content: Any,
) -> str:
    """Render a template with its content, styles and scripts.

    Control characters and bidirectional overrides are replaced with visible symbols; with `single_line`, so are line
    breaks in texts. A `served` page may send requests to the server it comes from.
    """
    style = "".join(map(_asset, ("style.css", *styles)))
    script = "(() => {\n" + "\n".join(map(_asset, scripts)) + "\n})();" if scripts else ""
    policy = _policy(style, script, served)
    page = _template(template, single_line).render(
        style=Markup(style), script=Markup(script), policy=policy, version=__version__, **content
    )
    return terminal_safe(str(page))


def _policy(style: str, script: str, served: bool) -> str:
    """Return a content security policy that allows only this style and script and forbids requests to other places."""
    requests = "connect-src 'self'; form-action 'self'" if served else "form-action 'none'"
    return f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; {requests}"


@cache
def _asset(name: str) -> str:
    return files("genderscope.report.html").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def _template(name: str, single_line: bool) -> Any:
    """Return a compiled template; cached, since compiling takes longer than rendering."""
    from jinja2 import Environment, FunctionLoader

    finalize = _in_line if single_line else None
    loader = FunctionLoader(_asset)
    return Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=finalize
    ).get_template(name)


def _in_line(value: Any) -> Any:
    return in_line(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
