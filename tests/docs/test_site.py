"""The site builds strictly, without a network, and asks nothing of one when it is read."""

import os
import re
import subprocess
import sys

import pytest

from genderscope.measures import MEASURES
from tests.docs.blocks import ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built as `make docs` builds it, with no way out."""
    target = tmp_path_factory.mktemp("site")
    closed = dict.fromkeys(("http_proxy", "https_proxy"), "http://127.0.0.1:9")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", ROOT / "mkdocs.yml", "-d", target]
    environment = os.environ | closed | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture(scope="module")
def pages(site):
    return {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}


def test_no_page_loads_anything_from_outside(site, pages):
    loading = re.compile(r"<(?:script|link|img|iframe|source|embed|object|video|audio)\b[^>]*>", re.IGNORECASE)
    for name, page in pages.items():
        for tag in loading.findall(page):
            assert not re.search(r"""(?:src|href|data)\s*=\s*["']?(?:https?:)?//""", tag), f"{name}: {tag}"
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\(\s*[\"']?(?:https?:)?//|@import", sheet.read_text(encoding="utf-8")), sheet.name


def test_every_measure_has_a_page_from_its_card(pages):
    for name in MEASURES:
        stem = name.replace("-", "_")
        page = pages[f"measures/{stem}.html"]
        card = (ROOT / "src/genderscope/measures" / stem / "card.md").read_text(encoding="utf-8")
        assert all(word in page for word in re.findall(r"\*\*([A-Z][a-z]+)\.\*\*", card))
        assert f'href="{stem}.html"' in pages["measures/index.html"]


def test_the_reference_lists_every_command_and_its_options(pages):
    reference = pages["reference/cli.html"]
    for command in ("demo", "run gest", "run dialogue", "data fetch", "read speaker", "pairs build", "reproduce"):
        assert f"genderscope {command}" in reference
    for option in ("--as-published", "--batch-size", "--data-version", "--gold"):
        assert option in reference


def test_the_reference_documents_what_is_public(pages):
    import genderscope

    for name in genderscope.__all__:
        if not name.startswith("_"):
            assert re.search(rf'id="genderscope\.[\w.]+\.{name}"', pages["reference/api.html"]), name


def test_make_docs_builds_it():
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").split("\ndocs:")[1].split("\n\n")[0]
    assert "mkdocs build --strict" in recipe
