"""Results on the hub: a dataset repository gets the runs, a model card its numbers, and nothing of others is lost."""

import json

import pytest
import yaml

import genderscope
from genderscope.integrations import push
from tests.api.hub import running

huggingface_hub = pytest.importorskip("huggingface_hub")
from huggingface_hub import close_session, constants  # noqa: E402

CARD = """---
license: mit
model-index:
- name: mine
  results:
  - task: {type: text-generation}
    dataset: {type: other, name: Other}
    metrics: [{type: accuracy, value: 0.5}]
---

# Mine

Trained with care.
"""


@pytest.fixture(scope="module")
def run(models, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pushed") / "gest-run"
    return genderscope.evaluate("gest", str(models("gpt2", "bytes")), data="starter", limit=64, out=folder)


@pytest.fixture
def hub(monkeypatch):
    with running() as found:
        monkeypatch.setenv("HF_ENDPOINT", found.address)
        monkeypatch.setenv("HF_TOKEN", found.token)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        close_session()  # the client of an earlier test keeps the proxies of its time
        yield found
        close_session()


def metadata(readme: bytes):
    return yaml.safe_load(readme.decode().split("---")[1])


def test_a_dataset_repository_is_made_and_gets_the_files_of_a_run(cli, hub, run):
    done = cli("push", run.folder, "--repo", "me/results")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{hub.address}/datasets/me/results/commit/1\n"
    [made] = hub.made
    assert made.items() >= {"name": "results", "organization": "me", "type": "dataset"}.items()
    assert made.get("private") or made.get("visibility") == "private"
    held = hub.repositories["datasets/me/results"]
    assert set(held) == {"README.md", *(f"gest-run/{name}" for name in ("result.json", "run.json", "report.html"))}
    assert held["gest-run/report.html"] == (run.folder / "report.html").read_bytes()
    readme = held["README.md"].decode()
    assert f"{run.estimate('g_s').value:.2f}" in readme

    held["README.md"] = readme.replace("# Genderscope results", "# My own words").encode()
    assert cli("push", run.folder, "--repo", "me/results", "--rows").returncode == 0
    again = held["README.md"].decode()
    assert "# My own words" in again
    assert again.count("<!-- genderscope: gest-run -->") == 1
    assert held["gest-run/rows.parquet"] == (run.folder / "rows.parquet").read_bytes()


def test_a_model_card_gets_the_numbers_beside_those_of_others(hub, run):
    hub.repositories["models/me/mine"] = {"README.md": CARD.encode()}
    for _ in range(2):  # the second time it replaces what it wrote
        where = push(run, "me/mine", "model")
        assert where == f"{hub.address}/me/mine/commit/1"
        readme = hub.repositories["models/me/mine"]["README.md"]
        told = metadata(readme)
        assert told["license"] == "mit"
        [model] = told["model-index"]
        assert model["name"] == "mine"
        assert [r["metrics"][0]["type"] for r in model["results"]].count("accuracy") == 1
        values = [
            m["value"] for r in model["results"] for m in r["metrics"] if m["type"].startswith("gest:stereotype_rate")
        ]
        assert values == [pytest.approx(run.estimate("stereotype_rate").value)]
        assert "Trained with care." in readme.decode()
        assert readme.decode().count("## Gender bias") == 1
    assert push([run.folder], "me/mine", "model", pull_request=True).endswith("/discussions/1")
    assert [commit["pull_request"] for commit in hub.commits] == [False, False, True]


def test_what_the_hub_refuses_is_one_sentence(cli, hub, run, monkeypatch):
    def said(*more):
        done = cli("push", run.folder, *more)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        return done.stderr

    assert "The hub has no model repository 'me/none', or" in said("--repo", "me/none", "--type", "model")
    assert "'a/b/c' is not a valid repository name; use OWNER/NAME." in said("--repo", "a/b/c", "--type", "model")
    assert "Unknown repository type 'modle'" in said("--repo", "me/x", "--type", "modle")
    hub.repositories["models/me/odd"] = {"README.md": b"---\na: [\n---\n"}
    assert "The README.md of 'me/odd' has invalid metadata" in said("--repo", "me/odd", "--type", "model")
    assert hub.commits == []
    monkeypatch.setenv("HF_TOKEN", "hf_other")
    assert "(HTTP 403); the token needs write access." in said("--repo", "me/odd", "--type", "model")
    hub.shutdown()
    hub.server_close()
    assert "Could not reach the hub" in said("--repo", "me/odd", "--type", "model")
    monkeypatch.delenv("HF_TOKEN")
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", "/nowhere")
    assert "needs a token with write access; set HF_TOKEN or run: hf auth login" in said("--repo", "me/x")


def test_the_result_that_was_pushed_reads_as_the_one_that_was_measured(hub, run):
    push(run, "me/results")
    held = json.loads(hub.repositories["datasets/me/results"]["gest-run/result.json"])
    assert held["signature"] == run.signature
