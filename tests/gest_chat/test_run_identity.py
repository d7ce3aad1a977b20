"""Options that change the questions belong to the run: another value is another run, never an old result."""

import hashlib
import json
import shutil
from typing import Any

import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.models import ChatOptions
from genderscope.runs import CHAT_OPTIONS
from tests.gest_chat.test_killed import by_prompt, killed
from tests.support.chat_server import ChatServer
from tests.support.chat_templates import TEMPLATE
from tests.support.command import genderscope as run_command
from tests.support.evaluation import evaluate

STARTER: dict[str, Any] = {"data": "starter", "limit": 16, "controls": "none"}
CHANGED = [
    ("max_tokens", 20, "max_tokens = 8, not 20"),
    ("temperature", 0.3, "temperature = 1, not 0.3"),
    ("top_p", 0.5, "top_p = 1, not 0.5"),
    ("reasoning_effort", "low", "reasoning_effort = None, not low"),
    ("system", "Be brief.", "no system prompt"),
]


def test_every_chat_option_belongs_to_the_run():
    """The chat template is part of the model's fingerprint."""
    assert {*CHAT_OPTIONS, "chat_template"} == {*ChatOptions.model_fields}
    assert {option for option, _, _ in CHANGED} == {*CHAT_OPTIONS}


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ChatServer(by_prompt).running() as running:
        yield running


def measured(server, out, **options):
    return evaluate("gest-chat", server.spec, out=out, **STARTER, **options)


def test_a_finished_run_is_not_shown_for_other_chat_options(server, tmp_path):
    out = tmp_path / "run"
    measured(server, out, max_tokens=8)
    sent = len(server.asked())
    for option, value, difference in CHANGED:
        with pytest.raises(UserError) as refused:
            measured(server, out, **{"max_tokens": 8, option: value})
        assert f"contains a run with {difference}; choose another folder with --out." in str(refused.value)
        with pytest.raises(UserError, match="contains a run with"):
            measured(server, out, fresh=True, **{"max_tokens": 8, option: value})
    with pytest.raises(UserError, match="max_tokens = 8, not "):
        measured(server, out)
    assert measured(server, out, max_tokens=8, concurrency=2, retries=1).reused
    assert len(server.asked()) == sent


def test_a_system_prompt_belongs_to_the_run(server, tmp_path):
    measured(server, tmp_path / "run", system="Be brief.")
    with pytest.raises(UserError, match="contains a run with another system prompt; choose"):
        measured(server, tmp_path / "run", system="Be kind.")
    with pytest.raises(UserError, match="contains a run with a system prompt, not without one; choose"):
        measured(server, tmp_path / "run")
    file = tmp_path / "system.txt"
    file.write_text("Be brief.\n", encoding="utf-8")
    assert measured(server, tmp_path / "run", system=f"@{file}").reused


@pytest.mark.long
def test_every_chat_option_has_a_default_folder_of_its_own(server, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chosen = [{}, *({option: value} for option, value, _ in CHANGED)]
    folders = [measured(server, None, **options).folder for options in chosen]
    assert len(set(folders)) == len(chosen)
    assert measured(server, None, temperature=0.3).reused
    assert measured(server, None, temperature=1.0).folder == folders[0]  # the default, spelled out


@pytest.mark.long
def test_a_finished_run_without_chat_options_in_its_configuration_stays_usable(server, tmp_path):
    """Earlier versions recorded the chat options only among the measure's settings."""
    out = tmp_path / "run"
    new = measured(server, out, max_tokens=8, temperature=0.3)
    path = out / "run.json"
    config = json.loads(path.read_text())
    assert config["configuration"].pop("max_tokens") == 8
    assert config["configuration"].pop("temperature") == 0.3
    path.write_text(json.dumps(config))
    result = json.loads((out / "result.json").read_text())
    result["checksums"]["run.json"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (out / "result.json").write_text(json.dumps(result))
    assert genderscope.load_run(out).estimates.equals(new.estimates)
    assert measured(server, out, max_tokens=8, temperature=0.3).reused
    with pytest.raises(UserError, match=r"temperature = 0\.3, not 1;"):
        measured(server, out, max_tokens=8)


@pytest.mark.long
def test_a_killed_run_is_not_resumed_with_other_chat_options(server, tmp_path):
    server.delay = 0.02
    out = tmp_path / "run"
    killed(server.spec, {**STARTER, "out": str(out), "concurrency": 8, "max_tokens": 8})
    with pytest.raises(UserError, match=r"contains a run with temperature = 1, not 0\.3;"):
        measured(server, out, max_tokens=20, temperature=0.3)
    result = measured(server, out, max_tokens=8)
    config = json.loads((out / "run.json").read_text())
    assert config["settings"]["max_tokens"] == "8"
    assert "|max_tokens:8|" in config["signature"] == result.signature


def test_a_local_chat_model_has_the_same_rule(models, tmp_path):
    template, prompts = tmp_path / "chat.jinja", tmp_path / "prompts.csv"
    template.write_text(TEMPLATE, encoding="utf-8")
    prompts.write_text("text,women,men,neither\n{sentence},w,m,n\n", encoding="utf-8")
    options = {**STARTER, "chat_template": str(template), "prompts": str(prompts), "out": tmp_path / "run"}
    folder = str(models("llama", "bytes"))
    evaluate("gest-chat", folder, **options, max_tokens=6)
    for change, difference in (
        ({"max_tokens": 7}, "max_tokens = 6, not 7"),
        ({"dtype": "bfloat16"}, "dtype = 'float32', not 'bfloat16'"),
    ):
        with pytest.raises(UserError, match=difference):
            evaluate("gest-chat", folder, **{**options, "max_tokens": 6, **change})
    prompts.write_text("text,women,men,neither\n{sentence}!,w,m,n\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"other prompts \(the content of '.*prompts.csv' has changed\)"):
        evaluate("gest-chat", folder, **options, max_tokens=6)
    template.write_text(f"{TEMPLATE} ", encoding="utf-8")
    with pytest.raises(UserError, match="contains a run with fingerprint"):
        evaluate("gest-chat", folder, **options, max_tokens=6)


@pytest.mark.long
def test_letters_are_not_sampled_so_only_the_prompt_belongs_to_the_run(models, tmp_path):
    template, prompts = tmp_path / "chat.jinja", tmp_path / "prompts.csv"
    template.write_text(TEMPLATE, encoding="utf-8")
    prompts.write_text("text,women,men,neither\n{sentence},w,m,n\n", encoding="utf-8")
    options = {**STARTER, "form": "letter", "chat_template": str(template), "prompts": str(prompts)}
    options["out"] = tmp_path / "run"
    folder = str(models("llama", "bytes"))
    evaluate("gest-chat", folder, **options)
    assert evaluate("gest-chat", folder, **options, temperature=0.3).reused
    with pytest.raises(UserError, match="no system prompt"):
        evaluate("gest-chat", folder, **options, system="Hm.")


@pytest.mark.long_but("max_tokens*")
@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("max_tokens", 20, "option --max-tokens is 300 in A and 20 in B; repeat one run with the other's value."),
        ("temperature", 0.3, "option --temperature is 1 in A and 0.3 in B"),
        ("top_p", 0.5, "option --top-p is 1 in A and 0.5 in B"),
        ("system", "Be brief.", "their system prompts differ; repeat one run with the other's --system."),
    ],
)
def test_runs_with_other_chat_options_are_not_compared(server, tmp_path, option, value, said):
    runs = [measured(server, tmp_path / "a"), measured(server, tmp_path / "b", **{option: value})]
    with pytest.raises(UserError) as refused:
        genderscope.compare(*runs)
    assert said in str(refused.value)


@pytest.mark.long
def test_another_reasoning_effort_is_compared_with_a_caution(server, tmp_path):
    runs = [measured(server, tmp_path / "a"), measured(server, tmp_path / "b", reasoning_effort="low")]
    said = "A and B were run with reasoning effort unset and low, respectively; this may explain a difference."
    assert said in genderscope.compare(*runs).cautions
    shutil.copytree(runs[0].folder, tmp_path / "c")
    same = genderscope.compare(tmp_path / "a", tmp_path / "c")
    assert not any("effort" in caution for caution in same.cautions)


@pytest.mark.long
def test_the_command_line_refuses_it_in_one_sentence(server, tmp_path):
    command = [
        "run",
        "gest-chat",
        "--model",
        server.spec,
        "--data",
        "starter",
        "--limit",
        "16",
        "--controls",
        "none",
        "--out",
    ]
    measured(server, tmp_path / "run", max_tokens=8)
    said = run_command(*command, tmp_path / "run", "--max-tokens", "20")
    assert said.returncode == 2
    assert "contains a run with max_tokens = 8, not 20" in said.stderr
    assert not said.stdout
