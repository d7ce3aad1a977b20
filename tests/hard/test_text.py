"""What a model or a file says cannot steer the terminal, and breaks no file."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table
from rich.text import Text

from genderscope.report import SafeConsole
from genderscope.util.safe_text import one_line, terminal_safe, well_formed

ESCAPES = "\x1b[2J\x1b]0;title\x07\x9b31m\x08\r\x7f\u202e\u2066\x00\x85"
CONTROLS = {character for character in ESCAPES if not character.isprintable()}


@given(st.text())
def test_nothing_harmful_is_left_and_places_stay(text):
    shown = terminal_safe(text)
    assert len(shown) == len(text)
    assert all(character in "\n\t" or character.isprintable() or ord(character) > 0x9F for character in shown)
    shown.encode()
    assert terminal_safe(shown) == shown


def test_escapes_are_shown_and_plain_text_stays():
    assert terminal_safe("Bola som\nžena.\t„Áno“") == "Bola som\nžena.\t„Áno“"
    assert terminal_safe("\x1b[2J") == "␛[2J"
    assert well_formed("a\ud800b\x1b") == "a\ufffdb\x1b"


@given(st.text(max_size=3000))
def test_a_message_is_one_line_whatever_it_quotes(text):
    assert len(one_line(text)) <= 1000
    assert len(one_line(text).split("\n")) == 1
    assert one_line("It needs sentence,stereotype.") == "It needs sentence,stereotype."


def safe_output(renderable, **options):
    out = io.StringIO()
    SafeConsole(file=out, width=200, **options).print(renderable)
    return out.getvalue()


def test_no_text_on_our_consoles_reaches_the_terminal_as_a_command():
    table = Table(title=ESCAPES)
    table.add_column(ESCAPES)
    table.add_row(Text(ESCAPES))
    for renderable in (ESCAPES, Text(ESCAPES), table):
        shown = safe_output(renderable)
        assert not set(shown) & CONTROLS
        assert "␛[2J" in shown


def test_colours_of_our_own_stay():
    assert "\x1b[" in safe_output(Text("red", style="red"), force_terminal=True, color_system="standard")


def test_read_speaker_shows_control_characters_harmlessly(cli):
    done = cli("read", "speaker", "--lang", "sk", piped=f"Včera som kúpila chlieb.{ESCAPES}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("feminine\tread\t")
    assert not set(done.stdout) & CONTROLS


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", f"no{ESCAPES[:-2]}run".replace("\0", "")),
        ("list", f"mod{ESCAPES[:5]}les"),
        ("data", "fetch", ESCAPES[:8]),
    ],
)
def test_errors_quote_what_they_were_given_harmlessly(cli, arguments):
    done = cli(*arguments)
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
    assert "␛" in done.stderr
