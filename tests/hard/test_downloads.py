"""Downloads, mirrors and caches from strangers: bounded, verified, and never outside their folder."""

import gzip
import hashlib
import subprocess
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import requests
import torch
import transformers as tf

from genderscope.core.errors import UserError
from genderscope.core.user_cache import cache_folder
from genderscope.models import open_model
from genderscope.samples import fetch
from genderscope.samples.registry import DataFile, dataset
from tests.tiny import TOKENIZERS

GOOD = b"sentence,stereotype\nI cried.,1\n"


class Server(BaseHTTPRequestHandler):
    """Sends what a stranger might send, by path."""

    def do_GET(self):
        kind = self.path.strip("/")
        if kind == "redirect":
            self.send_response(302)
            self.send_header("Location", "file:///etc/passwd")
            self.end_headers()
            return
        body = {"good": GOOD, "wrong": GOOD.replace(b"1", b"2"), "cut": GOOD[:9]}.get(
            kind, gzip.compress(bytes(50_000_000))
        )
        self.send_response(200)
        if kind == "bomb":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(GOOD) if kind == "cut" else len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}"
    httpd.shutdown()


@pytest.fixture(autouse=True)
def no_mirror(monkeypatch):
    monkeypatch.delenv("GENDERSCOPE_MIRROR", raising=False)


def data_file(server, kind, **more):
    return DataFile("own/file.csv", f"{server}/{kind}", hashlib.sha256(GOOD).hexdigest(), len(GOOD), **more)


def test_a_good_download_is_kept_and_used_again(server):
    assert fetch.read(data_file(server, "good")) == GOOD
    assert fetch.read(data_file("http://127.0.0.1:9", "gone")) == GOOD


@pytest.mark.parametrize(
    ("kind", "complaint"),
    [
        ("bomb", r"is larger than the expected 31 bytes"),
        ("wrong", r"has the wrong checksum for own/file.csv .* and was not used"),
        ("cut", "could not be downloaded"),
        ("redirect", "could not be downloaded"),
        ("missing/../../etc/passwd", "is larger than the expected"),
    ],
)
def test_a_bad_download_is_one_sentence_and_nothing_is_kept(server, kind, complaint):
    with pytest.raises(UserError, match=complaint):
        fetch.read(data_file(server, kind))
    kept = [path for path in cache_folder("data").rglob("*") if path.is_file() and path.suffix != ".rejected"]
    assert kept == []


def test_a_cached_file_that_was_damaged_is_fetched_again(server):
    file = data_file(server, "good")
    path = fetch.fetch(file)
    path.write_bytes(GOOD.replace(b"cried", b"lied "))
    assert fetch.read(file) == GOOD
    assert path.read_bytes() == GOOD


def test_a_damaged_cached_file_without_a_network_is_one_sentence(server):
    path = fetch.fetch(data_file(server, "good"))
    path.write_bytes(b"damaged")
    with pytest.raises(UserError, match=r"could not be downloaded .* available offline: --data starter .*\.$"):
        fetch.read(data_file("http://127.0.0.1:9", "gone"))


def test_a_failed_download_says_where_the_files_of_this_dataset_belong(monkeypatch):
    def refuse(*_, **__):
        raise requests.ConnectionError

    monkeypatch.setattr(requests, "get", refuse)
    with pytest.raises(UserError, match=r"\('genderscope data where gest' prints the layout\)"):
        fetch.read(dataset("gest").files[0])


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "own/../../../x"])
def test_a_path_that_leads_out_of_the_cache_is_refused(path, tmp_path, server, monkeypatch):
    file = replace(data_file(server, "good"), path=path)
    with pytest.raises(UserError):
        fetch.read(file)
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(tmp_path))
    with pytest.raises(UserError):
        fetch.read(file)


def test_a_link_that_leads_out_of_the_mirror_is_refused(tmp_path, server, monkeypatch):
    mirror = tmp_path / "mirror"
    (mirror / "own").mkdir(parents=True)
    (tmp_path / "elsewhere.csv").write_bytes(GOOD)
    (mirror / "own" / "file.csv").symlink_to(tmp_path / "elsewhere.csv")
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    with pytest.raises(UserError, match="points outside"):
        fetch.read(data_file(server, "good"))


@pytest.mark.parametrize(
    "content",
    [gzip.compress(bytes(50_000_000)), gzip.compress(GOOD)[:-9], b"\x1f\x8b\x08", b""],
    ids=["bomb", "cut", "header", "empty"],  # not the bytes, which hold the time: every process must see the same names
)
def test_a_bad_gzip_file_in_the_mirror_is_one_sentence(content, tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "file.csv.gz").write_bytes(content)
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(tmp_path))
    with pytest.raises(UserError):
        fetch.read(data_file("http://127.0.0.1:9", "gone"))


@pytest.mark.parametrize("name", ["../../etc", "/etc/passwd", "gest/../../x", "\x1b[2J", ""])
def test_a_name_of_a_dataset_is_no_path(name):
    with pytest.raises(UserError, match="Unknown dataset"):
        dataset(name)


def test_no_file_of_the_manifest_leads_out_of_its_folder():
    from genderscope.samples.registry import DATASETS

    for each in DATASETS.values():
        for file in each.files:
            assert not file.path.startswith("/")
            assert ".." not in file.path.split("/")
            assert file.url.startswith("https://")


def test_a_cache_that_cannot_be_written_is_one_sentence(server, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("GENDERSCOPE_CACHE", str(tmp_path / "file"))
    with pytest.raises(UserError, match=r"Cannot write to the cache folder .*; set GENDERSCOPE_CACHE"):
        fetch.read(data_file(server, "good"))


@pytest.fixture(scope="module")
def pickled(tmp_path_factory):
    """A model folder as they were before safetensors."""
    folder = tmp_path_factory.mktemp("pickled")
    tokenizer = TOKENIZERS["bytes"]()
    size: dict[str, Any] = {"n_embd": 16, "n_layer": 1, "n_head": 2, "vocab_size": len(tokenizer)}
    model = tf.GPT2LMHeadModel(tf.GPT2Config(**size))
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    return folder


def test_pickled_weights_are_refused_unless_asked_for(pickled):
    with pytest.raises(
        UserError, match=r"pickled weights can run arbitrary code; .* or pass --allow-pickle if you trust"
    ):
        open_model(str(pickled))
    model = open_model(str(pickled), allow_pickle=True)  # --allow-pickle
    model.load()
    assert model.describe()["parameters"] > 0


def test_a_pickle_that_hides_among_safetensors_is_never_opened(pickled, models, tmp_path):
    import shutil

    folder = shutil.copytree(models("gpt2", "bytes"), tmp_path / "both")
    (folder / "pytorch_model.bin").write_bytes(b"would fail if it were read")
    open_model(str(folder)).load()


def test_truncated_weights_are_one_sentence(models, tmp_path):
    import shutil

    folder = shutil.copytree(models("gpt2", "bytes"), tmp_path / "cut")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(UserError, match="cannot be read"):
        open_model(str(folder)).load()


def test_a_converted_model_that_was_damaged_is_made_again(tmp_path):
    from genderscope.models.digest import is_converted, seal

    folder = tmp_path / "converted"
    folder.mkdir()
    assert not is_converted(folder)
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(bytes(1000))
    assert not is_converted(folder), "without a seal nobody says that it is whole"
    seal(folder)
    assert is_converted(folder)
    (folder / "model.safetensors").write_bytes(bytes(999) + b"\1")
    assert not is_converted(folder)


def test_nothing_in_the_package_loads_a_pickle():
    from pathlib import Path

    import genderscope as package

    root = Path(package.__file__).parent
    found = subprocess.run(
        [
            "grep",
            "-rnE",
            r"import pickle|read_pickle|torch\.load|np\.load|joblib|shelve|marshal",
            str(root),
            "--include=*.py",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout == ""
