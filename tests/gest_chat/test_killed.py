"""A chat run that is killed costs a batch, or the requests in flight; resumed, it ends as if nothing had happened."""

import hashlib
import os
import signal
from typing import Any

import pandas as pd
import pytest

import genderscope
from tests.engine.planted import soon
from tests.prepared import started
from tests.support.chat_server import ChatServer
from tests.support.chat_templates import TEMPLATE
from tests.support.interruption import answered

MOST = 40
ASKED = 16 * 6


class Deadly:
    """Kills its own process, without warning, once so many answers are kept, and tells how many these are."""

    def __init__(self, pipe):
        self.pipe, self.kept = pipe, 0

    def __call__(self, total):
        return self.done

    def done(self, count):
        self.kept += count
        if self.kept >= MOST:
            self.pipe.send(self.kept)
            os.kill(os.getpid(), signal.SIGKILL)


def run_until_killed(pipe, environment, model, options):
    os.environ.clear()
    os.environ.update(environment)
    genderscope.evaluate("gest-chat", model, progress=Deadly(pipe), **options)


def killed(model, options):
    """Run until it kills itself; return how many answers it had counted as kept."""
    process, told = started(run_until_killed, dict(os.environ), model, options)
    process.join(120)
    assert process.exitcode == -signal.SIGKILL
    return told.recv()


@pytest.mark.long
def test_a_killed_local_run_goes_on_where_it_was(models, tmp_path):
    template, prompts = tmp_path / "chat.jinja", tmp_path / "prompts.csv"
    template.write_text(TEMPLATE, encoding="utf-8")
    prompts.write_text(
        "text,women,men,neither\n{sentence},w,m,n\n", encoding="utf-8"
    )  # the tiny model's window is short
    folder = str(models("llama", "bytes"))
    options: dict[str, Any] = {"data": "starter", "limit": 16, "controls": "none", "batch_size": 8, "max_tokens": 6}
    options |= {"chat_template": str(template), "prompts": str(prompts)}
    whole = genderscope.evaluate("gest-chat", folder, out=tmp_path / "whole", **options)
    out = tmp_path / "run"
    kept = killed(folder, options | {"out": str(out)})
    assert kept <= answered(out) <= kept + options["batch_size"] < ASKED
    assert whole.rows["reply"].notna().all()
    again = genderscope.evaluate("gest-chat", folder, out=out, **options)
    pd.testing.assert_frame_equal(again.rows, whole.rows)
    assert again.estimates.equals(whole.estimates)


def by_prompt(body):
    """Answer every prompt with a letter of its own."""
    return f"({'abc'[hashlib.sha256(str(body['messages']).encode()).digest()[0] % 3]})"


@pytest.mark.long
def test_a_killed_server_run_loses_only_what_was_in_flight(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    out = tmp_path / "run"
    options: dict[str, Any] = {"data": "starter", "limit": 16, "controls": "none", "concurrency": 8}
    with ChatServer(by_prompt, delay=0.02).running() as server:
        kept = killed(server.spec, options | {"out": str(out)})
        assert soon(lambda: server.connections == 0), "it has heard all that was sent"
        journaled, sent = answered(out), len(server.asked())
        assert kept <= journaled < ASKED
        assert sent <= journaled + 2 * options["concurrency"]  # answered but not yet written, and asked next
        again = genderscope.evaluate("gest-chat", server.spec, out=out, **options)
        assert len(server.asked()) == sent + ASKED - journaled
        whole = genderscope.evaluate("gest-chat", server.spec, out=tmp_path / "whole", **options)
    pd.testing.assert_frame_equal(again.rows, whole.rows)
    assert again.estimates.equals(whole.estimates)
