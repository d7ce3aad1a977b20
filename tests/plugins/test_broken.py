"""A plugin can neither take a built-in name nor break what is not its own."""

import inspect
import sys
import warnings
from typing import Any

import pytest
import typer

from genderscope.cli.app import app, main
from genderscope.core import plugins
from genderscope.core.errors import UserError
from genderscope.evaluation import evaluate
from genderscope.grammar import speaker_gender
from genderscope.measures import measure_type
from genderscope.measures.base import RESERVED
from genderscope.measures.gest import Gest
from genderscope.models import Remote


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Lay down a package as pip would: its metadata, its entry points, its module."""

    def install(package, points, code=""):
        folder = tmp_path / package
        metadata = folder / f"{package}-1.0.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(points)
        (folder / f"{package}.py").write_text(code)
        monkeypatch.syspath_prepend(str(folder))
        plugins._all_points.cache_clear()

    yield install
    plugins._all_points.cache_clear()


@pytest.fixture
def said(monkeypatch, capsys):
    """Run the command line here; return exit code, output and complaints."""
    shown = warnings.showwarning

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["genderscope", *arguments])
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            warnings.showwarning = shown
            code: str | int = 0
            try:
                main()
            except SystemExit as ended:
                code = ended.code or 0
        return code, *capsys.readouterr()

    return run


def point(kind, name, value):
    return f"[genderscope.{kind}]\n{name} = {value}\n"


@pytest.mark.parametrize(
    ("kind", "name", "command"),
    [
        ("measures", "gest", ("list", "measures")),
        ("models", "smollm2", ("list", "models")),
        ("datasets", "gest", ("list", "datasets")),
        ("languages", "sk", ("list", "languages")),
    ],
)
def test_a_built_in_name_stays_what_it_is(installed, said, kind, name, command):
    installed("thief", point(kind, name, "thief:Anything"))
    code, out, err = said(*command)
    assert code == 0
    assert "thief" not in out
    wanted = f"Warning: The package 'thief' provides a {plugins.KINDS[kind]} '{name}', which has the name of"
    assert err.startswith(wanted)
    assert len(err.splitlines()) == 1


def test_using_a_built_in_name_tells_of_the_thief(installed):
    installed("thief", point("measures", "gest", "thief:Gest"))
    with pytest.warns(plugins.PluginWarning, match="'thief' provides a measure 'gest'"):
        assert measure_type("gest") is Gest


@pytest.mark.parametrize(
    ("kind", "name", "command", "reason"),
    [
        ("languages", "all", ("list", "languages"), "is reserved for selecting all languages"),
        ("languages", "sk,cs", ("list", "languages"), "is not a valid name (use letters, digits and . _ + -)"),
        ("models", "x", ("list", "models"), "is not a valid name (use two or more letters)"),
        ("datasets", "my data", ("list", "datasets"), "is not a valid name (use letters, digits and . _ + -)"),
        ("measures", "--help", ("list", "measures"), "is not a valid name (use letters, digits and . _ + -)"),
    ],
)
def test_a_name_that_means_something_else_is_left_out(installed, said, kind, name, command, reason):
    installed("odd", point(kind, name, "odd:Anything"))
    code, out, err = said(*command)
    assert code == 0
    assert "odd" not in out
    wanted = f"Warning: The package 'odd' provides a {plugins.KINDS[kind]} '{name}', which {reason}; it is ignored."
    assert " ".join(err.split()) == wanted


BROKEN = {
    "no module": ("absent_module:Thing", ""),
    "raises": ("bad:Thing", "raise RuntimeError('out of order\\nand more')"),
    "exits": ("bad:Thing", "raise SystemExit(3)"),
    "no attribute": ("bad:Thing", ""),
    "no colon": ("bad", ""),
    "wrong type": ("bad:Thing", "Thing = 42"),
}
USES = {
    "measures": ("run", "broken", "--model", "smollm2", "--anything"),
    "models": ("run", "gest", "--model", "broken:x", "--data", "starter"),
    "datasets": ("data", "fetch", "broken"),
    "languages": ("read", "speaker", "--lang", "broken"),
}


@pytest.mark.parametrize("how", BROKEN)
@pytest.mark.parametrize("kind", USES)
def test_a_broken_plugin_is_one_sentence_that_names_its_package(installed, said, monkeypatch, kind, how):
    monkeypatch.delitem(sys.modules, "bad", raising=False)
    target, code = BROKEN[how]
    installed("bad", point(kind, "broken", target), code)
    done, _, err = said(*USES[kind])
    assert done == 2
    assert f"{plugins.KINDS[kind]} 'broken' from the package 'bad' cannot be used" in err
    assert len(err.splitlines()) == 1


@pytest.mark.long_but("command0")
@pytest.mark.parametrize(
    "command",
    [
        ("run", "--help"),
        ("list", "measures"),
        ("list", "models"),
        ("list", "datasets"),
        ("list", "languages"),
        ("data", "where"),
    ],
)
def test_a_broken_plugin_breaks_no_other_command(installed, said, monkeypatch, command):
    monkeypatch.delitem(sys.modules, "bad", raising=False)
    points = "".join(point(kind, "broken", "bad:Thing") for kind in plugins.KINDS)
    installed("bad", points, "raise RuntimeError('out of order')")
    code, out, err = said(*command)
    assert code == 0
    assert "gest" in out or "smollm2" in out or "Slovak" in out
    assert "bad" in out + err


def test_a_measure_must_be_called_as_its_entry_point(installed, said, monkeypatch):
    monkeypatch.delitem(sys.modules, "other", raising=False)
    code = "from genderscope.measures.gest.measure import Gest as Thing"
    installed("other", point("measures", "mine", "other:Thing"), code)
    assert "'mine' from the package 'other' cannot be used (its id is 'gest')" in said("run", "mine")[2]


def test_two_plugins_with_one_name_can_both_not_be_used(installed, said):
    for package in ("one", "two"):
        installed(package, point("measures", "twin", f"{package}:Thing"))
    code, _, err = said("run", "twin")
    assert code == 2
    assert "'one'" in err
    assert "'two'" in err
    assert "both provide a measure 'twin'; uninstall one of them." in err


def test_an_unknown_name_is_suggested_from_plugins_too(installed, said):
    installed("good", point("measures", "dialects", "good:Thing") + point("models", "oracle", "good:Thing"))
    assert "Did you mean 'dialects'?" in said("run", "dialect")[2]
    assert "available: hf:…" in said("run", "gest", "--model", "oracel:x")[2]
    assert "Did you mean 'oracle'?" in said("run", "gest", "--model", "oracel:x")[2]


def test_torn_metadata_costs_the_plugins_and_nothing_else(installed):
    installed("torn", "[genderscope.languages]\nno equals sign here\n")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert speaker_gender("Bola som unavená.", "sk").gender == "feminine"
    assert all(issubclass(w.category, plugins.PluginWarning) for w in told)


MEASURE = """
from pydantic import Field
from genderscope.measures import Options, PublishedOptions
from genderscope.measures.gest import Gest

class Own({base}):
    {option}: str = Field({default!r}, description={text!r})

class Thing(Gest):
    id = "mine"
    title = {text!r}
    options_type = Own
"""
TEXT = "shows [/x] and [red] and :100: as they are"


def measure(installed, monkeypatch, option="own", default="x", text=TEXT, base="PublishedOptions"):
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    code = MEASURE.format(option=option, default=default, text=text, base=base)
    installed("mine", point("measures", "mine", "mine:Thing"), code)


def test_every_name_that_is_taken_is_reserved():
    taken = {*inspect.signature(evaluate).parameters, *Remote.model_fields} - {"options"}
    root: Any = typer.main.get_command(app)
    command = root.commands["run"].get_command(None, "gest")
    taken |= {option.strip("-").replace("-", "_") for parameter in command.params for option in parameter.opts}
    assert taken - set(measure_type("gest").options_type.model_fields) <= RESERVED


@pytest.mark.long_but("timeout", "json")
@pytest.mark.parametrize(
    "option",
    ["timeout", "engine", "model", "fingerprint", "json", "help", "o", "progress", "remote", "no_yes"],
)
def test_an_option_with_a_name_that_is_taken_is_one_sentence(installed, said, monkeypatch, option):
    measure(installed, monkeypatch, option)
    broken = "measure 'mine' from the package 'mine' cannot be used"
    wanted = f"{broken} (its option '{option}' has the same name as an option of every"
    for arguments in (("run", "mine", "--model", "smollm2"), ("run", "mine", "--help"), ("card", "mine")):
        code, out, err = said(*arguments)
        shown = " ".join((out + err).replace("│", " ").split())
        assert wanted in shown, arguments
        assert code == (0 if "--help" in arguments else 2)
    assert said("run", "gest", "--help")[0] == said("run", "--help")[0] == said("list", "measures")[0] == 0


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        (
            "seed",
            "its option 'seed' differs in type from the option that every measure has; it must be renamed",
        ),
        (
            "no_as_published",
            "its option 'no_as_published' has the same name as the flag that turns off its option 'as_published'",
        ),
    ],
)
def test_an_option_that_turns_an_inherited_one_into_something_else_is_one_sentence(
    installed, monkeypatch, option, reason
):
    measure(installed, monkeypatch, option)
    with pytest.raises(UserError) as caught:
        measure_type("mine")
    assert reason in str(caught.value)


def test_a_measure_that_follows_no_paper_is_not_offered_its_scale(installed, said, monkeypatch):
    measure(installed, monkeypatch, base="Options")
    code, _, err = said("run", "mine", "--model", "smollm2", "--as-published")
    assert code == 2
    assert "'genderscope run mine' has no option '--as-published'" in err
    with pytest.raises(UserError, match="'mine' has no option 'as_published'; it has limit, seed, margin, own"):
        evaluate("mine", "smollm2", as_published=True)


def test_an_option_that_gives_no_command_is_one_sentence(installed, said, monkeypatch):
    code = (
        MEASURE.format(option="own", default="x", text="x", base="Options")
        + "\nThing.options_type = __import__('pydantic').create_model"
    )
    code += "('Own', __base__=Options, **{'class': (str, 'x')})"
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    installed("mine", point("measures", "mine", "mine:Thing"), code)
    ended, _, err = said("run", "mine", "--model", "smollm2")
    assert ended == 2
    assert "measure 'mine' from the package 'mine' cannot be used (its options cannot be turned into a command" in err
    assert said("run", "--help")[0] == 0


def test_a_measure_without_estimates_or_declared_rates_is_one_sentence(installed, said, monkeypatch):
    code = MEASURE.format(option="own", default="x", text="x", base="Options") + (
        "\nfrom genderscope.measures import Measure\nThing.estimates, Thing.analysis = Measure.estimates, None"
    )
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    installed("mine", point("measures", "mine", "mine:Thing"), code)
    ended, _, err = said("run", "mine", "--model", "smollm2")
    assert ended == 2
    assert "(it defines neither estimates nor analysis, the module with its declared rates)" in err


def test_rows_that_no_table_can_hold_are_one_sentence(installed, said, monkeypatch):
    code = MEASURE.format(option="own", default="x", text="x", base="Options") + (
        "\nThing.row_type = __import__('dataclasses').make_dataclass('R', [('when', complex), ('unread', str | None)])"
    )
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    installed("mine", point("measures", "mine", "mine:Thing"), code)
    ended, _, err = said("run", "mine", "--model", "smollm2")
    assert ended == 2
    broken = "'mine' from the package 'mine' cannot be used"
    assert f"{broken} (its row_type cannot be stored in a table: its field 'when' is" in err
    assert len(err.splitlines()) == 1


def test_help_shows_what_a_plugin_says_as_it_is(installed, said, monkeypatch):
    measure(installed, monkeypatch, default="[/x] :100:")
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 300)
    for arguments in (("run", "--help"), ("run", "mine", "--help"), ("list", "measures")):
        code, out, _ = said(*arguments)
        assert code == 0
        assert TEXT in out.replace("\u2060", "")
    assert "[default: [/x] :100:]" in said("run", "mine", "--help")[1]


def test_choices_are_listed_in_the_help(said, monkeypatch):
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 300)
    assert "ratio|log" in said("run", "gest", "--help")[1]
