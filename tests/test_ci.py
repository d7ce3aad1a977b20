"""What CI runs: the tests again without mirror and network, and a look at what was skipped."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import skips

ROOT = Path(__file__).parents[1]
LOOK = """
import os, sys, urllib.request
print(os.environ.get("GENDERSCOPE_MIRROR"))
for url in sys.argv[1:]:
    try:
        print(urllib.request.urlopen(url, timeout=20).status)
    except OSError as error:
        print(type(error).__name__)
"""


def test_offline_hides_the_mirror_and_refuses_connections(monkeypatch, tmp_path):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(tmp_path))
    command = [
        str(ROOT / ".ci" / "offline"),
        sys.executable,
        "-c",
        LOOK,
        "http://192.0.2.1/",
        "http://localhost.example/",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["None", "URLError", "URLError"]


def test_offline_leaves_a_mirror_that_is_wanted(monkeypatch, tmp_path):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(tmp_path))
    command = [str(ROOT / ".ci" / "offline"), "--with-mirror", sys.executable, "-c", LOOK, "http://192.0.2.1/"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(tmp_path), "URLError"]


@pytest.mark.mirror
def test_only_a_test_that_asks_for_the_mirror_sees_it(request):
    assert "GENDERSCOPE_MIRROR" not in os.environ
    mirror = request.getfixturevalue("mirror")
    assert os.environ["GENDERSCOPE_MIRROR"] == str(mirror)


def test_only_a_test_with_the_marker_may_ask_for_the_mirror(request):
    with pytest.raises(AssertionError, match="needs the marker `mirror`"):
        request.getfixturevalue("mirror")


def test_offline_leaves_the_own_machine_reachable():
    server = "import http.server as h, threading as t; s = h.HTTPServer(('127.0.0.1', 0), h.SimpleHTTPRequestHandler)"
    server += "; t.Thread(target=s.serve_forever, daemon=True).start(); import urllib.request as u"
    server += "; print(u.urlopen(f'http://127.0.0.1:{s.server_port}/').status)"
    done = subprocess.run(
        [str(ROOT / ".ci" / "offline"), sys.executable, "-c", server], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "200"


NO_MIRROR = "GENDERSCOPE_MIRROR names no mirror of the datasets"
PAGE = "left out: docs/a.md:7 (no GENDERSCOPE_MIRROR)"


@pytest.mark.parametrize(
    ("reason", "with_mirror", "without"),
    [
        ("fillers of a mask are words", True, True),
        (NO_MIRROR, False, True),
        (PAGE, False, True),
        (f"{PAGE}; docs/a.md:9 (docs/a.md:9: genderscope show runs\nNo run)", False, False),
        (f"{PAGE}; docs/a.md:9 (needs a step that was left out)", False, True),
        ("could not import 'torch'", False, False),
    ],
)
def test_only_expected_skips_pass(tmp_path, monkeypatch, capsys, reason, with_mirror, without):
    report = tmp_path / "report.xml"
    case = '<testcase name="t"><skipped message="{}" /></testcase>'.format(reason.replace("\n", "&#10;"))
    report.write_text(f"<testsuites><testsuite>{case}</testsuite></testsuites>")
    for option, passes in (((), with_mirror), (("--without-mirror",), without)):
        monkeypatch.setattr(sys, "argv", ["skips", *option, str(report)])
        assert skips.main() == int(not passes)
        assert f"1 skipped, {int(not passes)} of them unexpectedly" in capsys.readouterr().out


def test_a_report_without_tests_does_not_pass(tmp_path, monkeypatch):
    report = tmp_path / "report.xml"
    report.write_text("<testsuites><testsuite /></testsuites>")
    monkeypatch.setattr(sys, "argv", ["skips", str(report)])
    assert skips.main() == 1
