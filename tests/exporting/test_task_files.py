"""Exported tasks contain the texts of our own questions, in files that the tools can read."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, Reply, TokenLikelihood
from genderscope.exporting import export_task
from genderscope.exporting.measure_task import requests_of

SENTENCES = "sentence,stereotype\nI cried at the station.,1\nI fixed the roof alone.,16\n"


class Loader(yaml.SafeLoader):
    """Reads `!function` as the harness does, but leaves the name as it is."""


Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))


def exported(tool, measure, folder, sampling=None, **options):
    task = export_task(tool, measure, folder, options, sampling)
    rows = [json.loads(line) for line in (folder / f"{task.name}.jsonl").read_text(encoding="utf-8").splitlines()]
    return task, rows


@pytest.mark.parametrize(
    ("measure", "options"),
    [
        ("gest", {"data": "starter", "limit": 32}),
        ("bbq", {"data": "starter", "limit": 24}),
        ("bbq", {"data": "starter", "limit": 24, "scoring": "raw"}),
    ],
)
def test_a_likelihood_task_asks_for_the_texts_of_our_questions(measure, options, tmp_path):
    task, rows = exported("lm-eval", measure, tmp_path, **options)
    texts = {f"{row['text']}{end}" for row in rows for end in row["continuations"]}
    expected = set()
    for sample in task.measure.samples:
        for question in task.measure.ask(sample):
            if isinstance(question, Choice):
                expected |= {question.before + option for option in question.options}
            else:
                assert isinstance(question, TokenLikelihood)
                expected.add(question.text)
    assert texts == expected
    assert all(end[0] == " " and row["text"] == row["text"].rstrip() for row in rows for end in row["continuations"])


@pytest.mark.parametrize("tool", ["lm-eval", "inspect"])
@pytest.mark.parametrize(
    ("measure", "options"),
    [
        ("gest-chat", {"data": "starter", "limit": 32}),
        ("gest-chat", {"data": "starter", "limit": 32, "form": "write", "draws": 2}),
        ("bbq", {"data": "starter", "limit": 24, "form": "ask", "orders": "all"}),
    ],
)
def test_a_reply_task_has_one_prompt_per_question_in_our_order(tool, measure, options, tmp_path):
    task, rows = exported(tool, measure, tmp_path, **options)
    asked = [question for sample in task.measure.samples for question in task.measure.ask(sample)]
    assert all(isinstance(question, Reply) for question in asked)
    assert [row["text" if tool == "lm-eval" else "input"] for row in rows] == [q.messages[0].content for q in asked]


def test_the_yaml_names_functions_that_exist_and_sends_texts_unchanged(tmp_path):
    task, rows = exported("lm-eval", "gest", tmp_path, data="starter", limit=32)
    config = yaml.load((tmp_path / f"{task.name}.yaml").read_text(encoding="utf-8"), Loader)
    source = (tmp_path / f"{task.name}.py").read_text(encoding="utf-8")
    compile(source, "task.py", "exec")
    for name in ("custom_dataset", "process_results"):
        module, _, function = config[name].partition(".")
        assert module == config["task"] == task.name
        assert f"def {function}(" in source
    assert config["target_delimiter"] == ""
    assert config["num_fewshot"] == 0
    for field in ("doc_to_text", "doc_to_choice", "doc_to_target"):
        assert config[field] in rows[0]
    assert config["metadata"]["genderscope"]["options"] == {"data": "starter", "limit": 32, "templates": ["natural"]}


def test_the_metric_counts_the_stereotypical_word(tmp_path):
    (tmp_path / "own.csv").write_text(SENTENCES, encoding="utf-8")
    task, rows = exported("lm-eval", "gest", tmp_path / "task", data=str(tmp_path / "own.csv"), templates=(3,))
    source = (tmp_path / "task" / f"{task.name}.py").read_text(encoding="utf-8").replace("import datasets", "")
    functions: dict[str, Any] = {}
    exec(source, functions)
    assert [row["continuations"][row["target"]] for row in rows] == [" she", " he"]
    prefers_he = [(-1.0, False), (-2.0, False)]
    assert [functions["process_results"](row, prefers_he) for row in rows] == [
        {"stereotypical_share": 0.0},
        {"stereotypical_share": 1.0},
    ]


@pytest.mark.parametrize(("temperature", "expected"), [(0.0, {"do_sample": False}), (0.7, {"temperature": 0.7})])
def test_replies_are_generated_with_our_settings(temperature, expected, tmp_path):
    sampling = {"temperature": temperature, "max_tokens": 20}
    task, _ = exported("lm-eval", "gest-chat", tmp_path, sampling, data="starter", limit=32)
    config = yaml.load((tmp_path / f"{task.name}.yaml").read_text(encoding="utf-8"), Loader)
    assert expected.items() <= config["generation_kwargs"].items()
    assert config["generation_kwargs"]["max_gen_toks"] == 20
    assert config["generation_kwargs"]["until"] == []


def test_an_inspect_task_compiles_and_clusters_by_template(tmp_path):
    task, rows = exported("inspect", "bbq", tmp_path, {"temperature": 0.0}, data="starter", limit=24)
    source = (tmp_path / f"{task.name}.py").read_text(encoding="utf-8")
    compile(source, "task.py", "exec")
    assert 'stderr(cluster="cluster")' in source
    assert "temperature=0.0" in source
    templates = {sample.template for sample in task.measure.samples}
    assert {row["metadata"]["cluster"] for row in rows} == {f"en-{template}" for template in templates}


# Combinations that cannot be expressed exactly.


@pytest.mark.parametrize(
    ("tool", "measure", "options", "message"),
    [
        ("inspect", "gest", {}, "likelihoods of given words"),
        ("inspect", "winobias", {}, "use 'export lm-eval'"),
        ("lm-eval", "crows", {}, "tokens that two sentences share"),
        ("lm-eval", "honest", {}, "cannot be exported"),
        ("lm-eval", "gest", {"data": "starter", "templates": (1,)}, "Template 1 puts the sentence after the blank"),
        ("lm-eval", "gest-chat", {"data": "starter", "form": "letter"}, "--form letter"),
        ("inspect", "bbq", {"data": "starter", "form": "structured"}, "--form structured"),
        ("inspect", "bbq", {"data": "starter", "form": "choice"}, "use --form ask"),
        ("lm-eval", "bbq", {"data": "starter", "scoring": "length"}, "number of tokens"),
        ("lm-eval", "eurogest", {"lang": ("sk",), "as_published": "2025"}, "number of tokens"),
        ("lm-eval", "gest-chat", {"data": "starter", "judge": "smollm2"}, "--judge"),
    ],
)
def test_what_cannot_be_expressed_exactly_is_refused(tool, measure, options, message, tmp_path):
    with pytest.raises(UserError, match=message):
        export_task(tool, measure, tmp_path / "task", options)
    assert not (tmp_path / "task").exists()


def test_texts_that_begin_with_the_words_in_question_are_refused():
    questions = [TokenLikelihood(text, ((0, len(text)),), False) for text in ("Bol som doma.", "Bola som doma.")]
    with pytest.raises(UserError, match="has no text before the scored words"):
        requests_of(questions)


def test_likelihoods_have_no_temperature(tmp_path):
    with pytest.raises(UserError, match="not sampled"):
        export_task("lm-eval", "bbq", tmp_path, {"data": "starter"}, {"temperature": 0.0})


def test_existing_files_are_not_overwritten(cli, tmp_path):
    command = ("export", "lm-eval", "gest", "--data", "starter", "--limit", "32", "-o", str(tmp_path / "task"))
    first = cli(*command)
    assert first.returncode == 0, first.stderr
    assert "64 questions about 32 samples" in first.stderr
    before = {path: path.read_bytes() for path in Path(tmp_path / "task").iterdir()}
    again = cli(*command)
    assert again.returncode == 2
    assert "already exists; not overwritten" in again.stderr
    assert {path: path.read_bytes() for path in Path(tmp_path / "task").iterdir()} == before
