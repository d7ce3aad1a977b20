"""The viewer over real HTTP: the list, reports, comparisons, progress, and what it refuses."""

import html
import json
import re
import signal
import subprocess
import sys
import urllib.request

import pytest

from genderscope.report import interval, number
from genderscope.runs import Journal, load_run
from genderscope.runs.atomic_files import json_bytes
from genderscope.runs.run_files import sha256
from tests.report.examples import HOSTILE, save
from tests.support.viewer import answer, begin, configured, fetch, finish, served

MODELS = ("org/small", "org/large")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two comparable runs, one of another measure and version, one with hostile texts, and damaged ones."""
    root = tmp_path_factory.mktemp("viewer") / "runs"
    for seed, model in enumerate(MODELS):
        finish(root / "gest" / str(seed), configured("gest", model, seed))
    old = configured("winobias", "old", 4)
    old.config["versions"] = {"genderscope": "0.2.0"}
    save(old, root / "old")
    finish(root / "hostile", configured("gest", f"odd {HOSTILE}", 2, said=HOSTILE, n=32))
    damaged = finish(root / "damaged", configured("gest", "broken", 3))
    (damaged / "result.json").write_text('{"measure": "gest"')
    rowless = finish(root / "rowless", configured("gest", "rowless", 3))
    (rowless / "rows.parquet").unlink()
    (root / "no run here").mkdir()
    (root.parent / "secret.txt").write_text("secret")
    return root


@pytest.fixture(scope="module")
def viewer(folder):
    with served(folder) as running:
        yield running


def rows_of(page):
    """The texts of the list's rows, by the name of the run."""
    rows = re.findall(r"<tr data-model.*?</tr>", page, re.DOTALL)
    texts = [" ".join(html.unescape(re.sub(r"<[^>]+>", " ", row)).split()) for row in rows]
    return {
        html.unescape(re.search(r"<small>(.*?)</small>", row)[1]): text for row, text in zip(rows, texts, strict=True)
    }


def test_the_list_has_the_verdict_and_the_leading_number_that_other_commands_report(viewer, folder):
    status, page, _ = fetch(viewer, "/")
    assert status == 200
    rows = rows_of(page)
    for name in ("gest/0", "gest/1", "old"):
        run = load_run(folder / name)
        lead = run.judgements[0].estimate
        for expected in (run.measure, run.config["model"]["name"], run.verdict, number(lead.value), interval(lead)):
            assert str(expected) in rows[name], name
        assert rows[name].endswith("finished")
    assert "own.csv" in rows["gest/0"]
    assert "2026-11-10 09:30" in rows["gest/0"]
    assert "no run here" not in rows
    # newest first; damaged runs, whose dates are unknown, come last
    assert [name for name in rows if name.startswith("gest")] == ["gest/1", "gest/0"]


def test_damaged_runs_are_listed_with_the_reason_and_explained(viewer):
    rows = rows_of(fetch(viewer, "/")[1])
    assert "damaged (result.json: it is not JSON)" in rows["damaged"]
    assert "damaged (rows.parquet: it is missing)" in rows["rowless"]
    status, page, _ = fetch(viewer, "/run/damaged")
    assert status == 200
    assert "explains how to repair it" in page
    assert "it is not JSON" in page


def test_rows_that_were_altered_are_found_when_the_run_is_opened(viewer, folder):
    run = finish(folder / "altered", configured("gest", "altered", 5))
    (run / "rows.parquet").write_bytes(b"PAR1")
    status, page, _ = fetch(viewer, "/run/altered")
    assert status == 400
    assert "its checksum does not match" in page


@pytest.mark.parametrize(
    "forged",
    [
        {"judgements": ["none"]},
        {"judgements": 7},
        {"judgements": [{"estimate": "stereotype_rate"}], "estimates": [{"name": "stereotype_rate", "value": "x"}]},
        {"judgements": [{"estimate": "stereotype_rate"}], "estimates": [None]},
        {"verdict": ["<b>"]},
    ],
)
def test_a_forged_run_hides_no_other(tmp_path, forged):
    run = finish(tmp_path / "forged", configured("gest", "forged", n=32))
    content = json.loads((run / "result.json").read_bytes())
    sums = content.pop("checksums")
    content |= forged
    sums["result.json"] = sha256(json_bytes(content))
    (run / "result.json").write_bytes(json_bytes({**content, "checksums": sums}))
    finish(tmp_path / "honest", configured("gest", "honest", n=32))
    with served(tmp_path) as viewer:
        status, page, _ = fetch(viewer, "/")
        assert status == 200
        assert rows_of(page)["honest"].endswith("finished")
        assert "<b>" not in page
        assert fetch(viewer, "/run/forged")[0] in (200, 400)


def test_a_report_is_made_on_demand_once_and_has_the_sentences(viewer):
    status, page, headers = fetch(viewer, "/run/gest/0")
    assert status == 200
    assert "Content-Security-Policy" in page
    assert "sandbox" in headers["Content-Security-Policy"]
    assert "allow-same-origin" not in headers["Content-Security-Policy"]
    assert "I was there" in page
    assert 'href="/"' in page
    assert fetch(viewer, "/run/gest/0")[1] == page


def test_the_stored_report_is_shown_unless_somebody_changed_it(viewer, folder):
    def write(_, target):
        target.write_text("<header></header>stored")

    finish(folder / "stored", configured("gest", "stored", 6, n=32), write)
    assert fetch(viewer, "/run/stored")[1].endswith("</header>stored")
    (folder / "stored" / "report.html").write_text("<script>changed</script>")
    page = fetch(viewer, "/run/stored")[1]
    assert "<script>changed" not in page
    assert "I was there" in page


def test_chosen_runs_are_compared_with_the_first(viewer):
    status, page, _ = fetch(viewer, "/compare?run=gest%2F0&run=gest%2F1")
    assert status == 200
    assert "B compared with A" in page
    assert all(model in page for model in MODELS)


@pytest.mark.parametrize(
    ("query", "status", "sentence"),
    [
        ("", 400, "A comparison needs at least two runs"),
        ("run=gest%2F0", 400, "A comparison needs at least two runs"),
        ("run=gest%2F0&run=gest%2F0", 400, "A comparison needs at least two runs"),
        ("run=gest%2F0&run=old", 400, "winobias"),
        ("run=gest%2F0&run=nowhere", 404, "not in this folder"),
        ("run=gest%2F0&run=damaged", 400, "damaged"),
    ],
)
def test_a_comparison_that_is_impossible_is_explained(viewer, query, status, sentence):
    found, page, _ = fetch(viewer, f"/compare?{query}")
    assert found == status
    assert sentence in page


@pytest.mark.parametrize(
    "path",
    [
        *("/nowhere", "/run/", "/run/nowhere", "/run/gest", "/run/gest/0/", "/run/gest/0/rows.parquet", "//etc/passwd"),
        *("/run/../secret.txt", "/run/%2e%2e/secret.txt", "/run/..%2fsecret.txt", "/../secret.txt", "/run//etc/passwd"),
        *("/run/gest/../gest/0", "/run/gest%00", "/run/.", "/secret.txt", "/run/%ff%fe", "/gest/0/run.json"),
    ],
)
def test_no_path_leaves_the_folder_or_names_a_file(viewer, path):
    status, page, _ = fetch(viewer, path)
    assert status == 404
    assert "secret" not in page.replace("secret.txt", "")
    assert "root:" not in page


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8717", "127.0.0.1.evil.example", "localhost.evil:80"])
def test_other_hosts_are_refused(viewer, host):
    for path in ("/", "/progress.json", "/run/gest/0"):
        status, page, _ = fetch(viewer, path, host=host)
        assert status == 403
        assert "org/small" not in page


@pytest.mark.parametrize("host", ["localhost", "localhost:9000", "127.0.0.1"])
def test_this_machine_is_answered_by_any_of_its_names_and_ports(viewer, host):
    assert fetch(viewer, "/progress.json", host=host)[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_only_reading_is_allowed(viewer, method):
    status, _, headers = fetch(viewer, "/", method)
    assert status == 405
    assert headers["Allow"] == "GET, HEAD"


def test_head_has_the_headers_of_get_and_no_content(viewer):
    status, text, headers = fetch(viewer, "/", "HEAD")
    assert (status, text) == (200, "")
    assert headers["Content-Length"] == fetch(viewer, "/")[2]["Content-Length"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_texts_of_a_run_stay_texts(viewer):
    _, page, _ = fetch(viewer, "/")
    assert "<script>window.hacked" not in page
    assert "<img src=x" not in page
    assert "\u202e" not in page
    assert fetch(viewer, "/run/hostile")[0] == 200


def test_progress_is_live_until_the_run_is_finished(tmp_path):
    found = configured("gest", "slow", n=32)
    run = begin(tmp_path / "slow", found, 3, questions=8)
    with served(tmp_path) as viewer:
        row = rows_of(fetch(viewer, "/")[1])["slow"]
        assert "running: 3 answers to 8 questions, the last at" in row
        assert '<input type="checkbox"' not in fetch(viewer, "/")[1]
        answer(run, 3, 5)
        data = json.loads(fetch(viewer, "/progress.json")[1])
        assert data["finished"] == 0
        assert data["progress"]["slow"]["answers"] == 5
        page = fetch(viewer, "/run/slow")[1]
        assert "resume it with: genderscope run gest" in page
        assert "5 answers to 8 questions" in page
        run.save(found, None)
        run.close()
        assert json.loads(fetch(viewer, "/progress.json")[1]) == {"finished": 1, "progress": {}}
        assert rows_of(fetch(viewer, "/")[1])["slow"].endswith("finished")


def test_a_run_without_answers_for_a_while_is_not_running(tmp_path, at):
    begin(tmp_path / "stopped", configured("gest", "stopped"), 1).close()
    at("2036-01-01T00:00:00+00:00")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "stopped").iterdir()}
    with served(tmp_path) as viewer:
        assert "not finished: 1 answer, the last at" in rows_of(fetch(viewer, "/")[1])["stopped"]
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "stopped").iterdir()}


def test_a_damaged_journal_has_an_unknown_number_of_answers(tmp_path):
    begin(tmp_path / "torn", configured("gest", "torn"), 1).close()
    (tmp_path / "torn" / "journal.sqlite").write_bytes(b"torn" * 2000)
    with served(tmp_path) as viewer:
        assert "unknown number of answers" in rows_of(fetch(viewer, "/")[1])["torn"]


def test_earlier_runs_name_the_run_that_replaced_them(tmp_path):
    for name in ("mine", "mine.2026-11-14T0930"):
        finish(tmp_path / name, configured("gest", "mine", n=32))
    with served(tmp_path) as viewer:
        rows = rows_of(fetch(viewer, "/")[1])
    assert rows["mine"].endswith("finished")
    assert rows["mine.2026-11-14T0930"].endswith("earlier run of mine")


def test_a_run_may_be_served_alone_and_an_empty_folder_too(tmp_path):
    finish(tmp_path / "only", configured("gest", "only", n=32))
    (tmp_path / "empty").mkdir()
    with served(tmp_path / "only") as viewer:
        assert list(rows_of(fetch(viewer, "/")[1])) == ["only"]
        assert fetch(viewer, "/run/only")[0] == 200
    with served(tmp_path / "empty") as viewer:
        assert "0 runs" in fetch(viewer, "/")[1]


def test_the_command_prints_its_address_and_ends_with_ctrl_c(tmp_path):
    command = [sys.executable, "-m", "genderscope", "serve", str(tmp_path), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().strip()
        with urllib.request.urlopen(address) as page:
            assert "0 runs" in page.read().decode()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Stopped." in err
    assert "Traceback" not in err
    assert out == ""


def test_a_port_that_is_taken_and_a_missing_folder_are_reported(cli, viewer, folder, tmp_path):
    done = cli("serve", folder, "--port", viewer.server_port)
    assert done.returncode == 2
    assert f"Cannot listen on port {viewer.server_port}" in done.stderr
    assert "There is no folder" in cli("serve", tmp_path / "nowhere").stderr


def test_a_run_records_how_many_questions_it_asks(cli, models, tmp_path):
    out = tmp_path / "run"
    cli("run", "gest", "--model", models("gpt2", "bytes"), "--data", "starter", "--limit", "32", "--out", out)
    config = json.loads((out / "run.json").read_text())
    with Journal(out / "journal.sqlite") as journal:
        assert config["questions"] == len(journal) > 0
