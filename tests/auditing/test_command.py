"""`genderscope audit` and its recipes: the matrix, its gates, and mistakes before anything heavy."""

import io
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from genderscope.auditing import read_recipe, template
from genderscope.core.errors import UserError
from genderscope.report import SafeConsole
from genderscope.report.terminal import progress


def test_the_command_shows_a_plan_runs_it_and_writes_a_scorecard(models, bare, again, cli):
    model = models("gpt2", "bytes")
    plan = cli("audit", "--model", model, "--offline", "--budget", "quick", "--plan")
    assert re.search(r"gest +starter:160 +160 of 256 +392 +392 +~\d+ s", plan.stdout)
    assert "the audit takes about" in plan.stdout
    assert not Path("audit").exists()
    done = cli("audit", "--model", model, "--offline", "--budget", "quick")
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stderr.split())
    assert "gest: the built-in starter set, since the measure's own data is not on this machine." in said
    assert "Left out: winobias. The file 'winobias/" in said
    assert "gest-again: 196 of 196 questions to ask." in said
    assert "stereotype_rate" in done.stdout
    assert "audit/quick/scorecard.html" in done.stdout
    shown = cli("show", f"audit/quick/{model.name}/gest")
    assert "Answers read: 320 of 320" in shown.stdout


RECIPE = """
models = [{{ spec = "{first}", name = "one" }}, {{ spec = "{second}", name = "two" }}]
measures = ["gest"]
baseline = "one"
out = "matrix"
allow_unjudged = true
[options.gest]
data = "starter"
limit = 48
[gates]
gest = ["stereotype_rate > 100", "delta(stereotype_rate).value > -1000", "coverage < 0.1"]
"""


@pytest.mark.long
def test_a_recipe_fills_the_matrix_and_a_broken_gate_is_named_with_exit_code_3(models, bare, cli):
    first, second = models("gpt2", "bytes"), models("bert", "wordpiece-cased")
    Path("genderscope.toml").write_text(RECIPE.format(first=first, second=second))
    done = cli("audit", "-c", "genderscope.toml")
    assert done.returncode == 3, done.stderr
    assert "Gate failed: two, gest: delta(stereotype_rate).value > -1000" in done.stderr
    assert done.stderr.count("Gate failed") == 1, "the baseline does not differ from itself, and the others passed"
    made = {path: path.stat().st_mtime_ns for path in Path("matrix").glob("*/gest/result.json")}
    assert {path.parts[1] for path in made} == {"one", "two"}
    Path("matrix/two/gest/result.json").unlink()
    again = cli("audit", "-c", "genderscope.toml", "--json")
    assert again.returncode == 3
    assert Path("matrix/one/gest/result.json").stat().st_mtime_ns == made[Path("matrix/one/gest/result.json")]
    told = json.loads(again.stdout)
    assert [model["results"]["gest"]["measure"] for model in told["models"]] == ["gest", "gest"]
    assert [gate["passed"] for gate in told["gates"]] == [True, True, True, False, True]


@pytest.mark.long
def test_a_gate_on_what_could_not_be_measured_cannot_be_judged(models, bare, cli):
    wanted = f'models = ["{models("gpt2", "bytes")}"]\noffline = true\nbudget = "quick"\n'
    Path("r.toml").write_text(f'{wanted}[gates]\nwinobias = "stereotype_rate > 9"')
    done = cli("audit", "-c", "r.toml")
    assert done.returncode == 4
    assert "there is no run of winobias" in " ".join(done.stdout.split())


MISTAKES = {
    "moddels = 1": "moddels: unknown key; the keys are models, .* Did you mean 'models'?",
    "": r'models: missing; write, for example, models = \["smollm2"\]',
    'models = ["smollm"]\nbudget = 3': "budget: it is 3; input should be a valid string",
    'models = ["ggfu:x"]': r"models\[0\]: Unknown model kind 'ggfu:' in 'ggfu:x'.* Did you mean 'gguf'?",
    'models = ["m", "m"]': "models: Two models are called 'm'; give each a different name",
    'models = ["m"]\nmeasures = ["gset"]': "measures: Unknown measure 'gset'.* Did you mean 'gest'?",
    'models = ["m"]\n[options.gest]\ntemplats = [3]': "options.gest: .* no option 'templats'.* you mean 'templates'?",
    'models = ["m"]\n[options.gets]\nk = 3': "options.gets: Unknown measure 'gets'",
    'models = ["m"]\n[gates]\ngest = "g_s = 3"': "gates.gest: The condition 'g_s = 3' cannot be parsed",
    'models = ["m"]\n[gates]\ngest = "g_z > 3"': "gates.gest: .* about 'g_z', which 'gest' does not .*mean 'g_s'?",
    'models = ["m"]\n[gates]\ngest = "delta(g_s) > 3"': "gates.gest: .* tests a difference; name the baseline",
    'models = ["m"]\nbaseline = "n"': "baseline: Unknown model 'n'; available: m",
    'models = ["m"]\nbudget = quick': "is not TOML: .*line 2",
    'models = [{ spec = "m", divice = "cpu" }]': r"models\[0\].divice: unknown key; .* Did you mean 'device'?",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_in_a_recipe_is_one_sentence_with_its_place(tmp_path, text):
    path = tmp_path / "genderscope.toml"
    path.write_text(text)
    with pytest.raises(UserError, match=MISTAKES[text]) as told:
        read_recipe(path)
    assert "genderscope.toml" in str(told.value)
    assert "\n" not in str(told.value)


def test_beside_a_recipe_only_where_it_runs_may_be_said(cli):
    Path("r.toml").write_text('models = ["no-such-model"]\n')
    for option in (("--device", "cpu"), ("--dtype", "float32"), ("--measure", "gest"), ("--timeout", "9")):
        told = cli("audit", "-c", "r.toml", *option)
        assert told.returncode == 2
        assert f"Option {option[0]} cannot be combined with the recipe 'r.toml'; set it in the recipe." in said(told)
    for wrong in (("--engine", "local", "--workers", "2"), ("--jobs", "0")):
        assert cli("audit", "-c", "r.toml", *wrong).returncode == 2
    assert "The local engine has one worker" in said(
        cli("audit", "-c", "r.toml", "--engine", "local", "--workers", "2")
    )


def said(done):
    return " ".join(done.stderr.split())


@pytest.mark.long
def test_mistakes_are_told_before_anything_heavy_is_imported(tmp_path):
    (tmp_path / "bad.toml").write_text('models = ["m"]\n[gates]\ngest = "g_z > 3"')
    code = (
        "import sys; sys.argv = ['genderscope', 'audit', '-c', 'bad.toml']\n"
        "from genderscope.cli.app import main\n"
        "try: main()\n"
        "except SystemExit as ended: print(ended.code)\n"
        "print([m for m in ('torch', 'pandas', 'numpy', 'scipy', 'transformers') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.splitlines() == ["2", "[]"], done.stderr


def test_init_writes_a_recipe_whose_examples_hold_and_never_overwrites_one(cli, tmp_path):
    assert cli("init").stdout.strip() == "genderscope.toml"
    assert read_recipe(Path("genderscope.toml")).selection.budget == "quick"
    again = cli("init")
    assert again.returncode == 2
    assert "already exists; not overwritten" in again.stderr
    lines = template().splitlines()
    examples = [line.removeprefix("#: ") for line in lines if not line.startswith(("models", "# "))]
    Path("all.toml").write_text("\n".join(examples))
    whole = read_recipe(Path("all.toml"))
    assert [model.called for model in whole.models] == ["smollm2", "tuned"]
    assert {measure: len(conditions) for measure, conditions in whole.gates.items()} == {"gest": 2, "winobias": 1}


def test_without_a_terminal_lines_tell_how_far_it_is(monkeypatch):
    monkeypatch.setattr(progress, "FIRST_LINE", 0.01)
    said = io.StringIO()
    with progress.progress_bar(SafeConsole(file=said)) as begin:
        advance = begin(200)
        advance(0)
        advance(50)
        deadline = time.monotonic() + 30
        while not said.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
    assert re.match(r"50 of 200 questions \(25%\) after \d+ s, about \d+ s left\n", said.getvalue())
    assert [progress.duration(s) for s in (3, 99, 100, 7199)] == ["3 s", "99 s", "2 min", "2 h 0 min"]


def test_a_resumed_task_begins_with_what_was_done_and_its_remaining_time_rests_on_this_session(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("genderscope.report.terminal.progress.time.monotonic", lambda: now[0])
    lines = progress.PlainLines(SafeConsole(file=io.StringIO()), "questions")
    advance = lines.begin(512)
    advance(262)
    now[0] += 2
    assert lines.line() == "262 of 512 questions (51%) after 2 s"
    now[0] += 8
    advance(50)
    assert lines.line() == "312 of 512 questions (61%) after 10 s, about 40 s left"
