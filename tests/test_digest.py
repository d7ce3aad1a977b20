"""A fingerprint covers every byte of a model; what was hashed once is remembered, and never believed too long."""

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch
import transformers as tf
from safetensors import safe_open

from genderscope.models import digest, open_model
from genderscope.models.digest import contents_of, file_digest
from tests.tiny import TOKENIZERS


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A model whose embedding alone is larger than half a MiB."""
    folder = tmp_path_factory.mktemp("large")
    tokenizer = TOKENIZERS["bytes"]()
    torch.manual_seed(0)
    size: dict[str, Any] = {"n_embd": 320, "n_layer": 1, "n_head": 4, "n_inner": 64, "vocab_size": len(tokenizer)}
    tf.GPT2LMHeadModel(tf.GPT2Config(**size)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture
def old_files(monkeypatch):
    """Treat files as old enough for their hash to be cached, so that a test does not wait for seconds."""
    monkeypatch.setattr(digest, "SECONDS_UNTIL_STABLE", -1.0)


def fingerprint(folder, **settings):
    return open_model(str(folder), **settings).fingerprint


def memos(cache):
    return sorted((cache / "digests").glob("*.json"))


def swap(file, one, other, length):
    """Exchange two stretches of a file in place, and leave size and time as they were."""
    before = file.stat()
    with file.open("r+b") as held:
        parts = []
        for start in (one, other):
            held.seek(start)
            parts.append(held.read(length))
        for start, part in zip((other, one), parts, strict=True):
            held.seek(start)
            held.write(part)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)


def test_two_tokens_that_change_places_are_another_model(large, tmp_path, old_files):
    folder = shutil.copytree(large, tmp_path / "model")
    file = folder / "model.safetensors"
    assert file.stat().st_size > 512 * 1024
    before = fingerprint(folder)
    row = 320 * 4
    header = 8 + int.from_bytes(file.read_bytes()[:8], "little")
    names = json.loads(file.read_bytes()[8:header])
    embedding = header + names["transformer.wte.weight"]["data_offsets"][0]
    ids = TOKENIZERS["bytes"]()(" he she")["input_ids"]
    swap(file, embedding + ids[0] * row, embedding + ids[1] * row, row)
    with safe_open(file, "pt") as held, safe_open(large / "model.safetensors", "pt") as old:
        same = held.get_tensor("transformer.wte.weight")[ids] == old.get_tensor("transformer.wte.weight")[ids[::-1]]
    assert same.all()
    assert fingerprint(folder) != before
    swap(file, embedding + ids[0] * row, embedding + ids[1] * row, row)
    assert fingerprint(folder) == before


def test_one_byte_anywhere_in_a_file_of_several_pieces_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(digest, "PIECE", 100_000)
    monkeypatch.setattr(digest, "BUFFER", 7_000)
    file = tmp_path / "model.gguf"
    content = bytes(range(256)) * 2500
    seen = set()
    for place in (None, 0, 99_999, 100_000, 345_678, len(content) - 1):
        changed = bytearray(content)
        if place is not None:
            changed[place] ^= 1
        file.write_bytes(changed)
        seen.add(file_digest(file))
    file.write_bytes(content + b"\0")
    seen.add(file_digest(file))
    assert len(seen) == 7
    file.write_bytes(content)
    renamed = file.rename(tmp_path / "other.gguf")
    assert file_digest(renamed) in seen, "the name of a single file does not matter"


PARTS = [
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "chat_template.jinja",
    "additional_chat_templates/tools.jinja",
    "source.spm",
    "merges.txt",
    "elsewhere/shard.safetensors",
]


def test_every_file_that_decides_an_answer_is_part_of_the_fingerprint(large, tmp_path):
    folder = shutil.copytree(large, tmp_path / "model")
    for part in PARTS:
        (folder / part).parent.mkdir(exist_ok=True)
        if not (folder / part).exists():
            (folder / part).write_text("{}")
    index = {"metadata": {}, "weight_map": {"a": "elsewhere/shard.safetensors", "b": "gone.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    seen = {fingerprint(folder)}
    for count, part in enumerate(PARTS, 2):
        text = (folder / part).read_text()
        (folder / part).write_text(text + "\n")
        seen.add(fingerprint(folder))
        assert len(seen) == count, part
    (folder / "README.md").write_text("What it is.")
    (folder / "optimizer.pt").write_text("What is left of the training.")
    seen.add(fingerprint(folder))
    assert len(seen) == len(PARTS) + 1


def test_what_was_hashed_is_remembered_until_it_is_to_be_hashed_again(large, own_cache, tmp_path, old_files):
    cache = tmp_path / "cache"
    true = fingerprint(large)
    [memo] = memos(cache)
    kept = json.loads(memo.read_bytes())
    assert kept["path"] == str(large / "model.safetensors")
    # A lie in its place shows whether the file is read again.
    memo.write_text(json.dumps(kept | {"sha256": "0" * 64}))
    assert fingerprint(large) != true, "it was read again"
    assert fingerprint(large, rehash=True) == true
    assert json.loads(memo.read_bytes()) == kept
    assert fingerprint(large) == true
    for damaged in ("", "{}", "[]", '{"path": 1', json.dumps(kept | {"stamp": {"size": 1}})):
        memo.write_text(damaged)
        assert fingerprint(large) == true


def test_the_command_can_be_told_to_hash_again(large, own_cache, tmp_path, old_files, cli):
    true = fingerprint(large)
    [memo] = memos(tmp_path / "cache")
    memo.write_text(json.dumps(json.loads(memo.read_bytes()) | {"sha256": "0" * 64}))
    run = ("run", "gest", "--model", large, "--data", "starter", "--limit", 2, "--out", tmp_path / "run", "--rehash")
    assert cli(*run).returncode == 0
    assert json.loads((tmp_path / "run" / "run.json").read_text())["model"]["fingerprint"] == true


def test_a_file_that_was_just_written_is_not_remembered(large, own_cache, tmp_path):
    folder = shutil.copytree(large, tmp_path / "model")
    fingerprint(folder)
    assert memos(tmp_path / "cache") == []


def test_links_of_the_hub_s_cache_are_followed(large, own_cache, tmp_path, old_files):
    blob = tmp_path / "blobs" / "abc"
    blob.parent.mkdir()
    shutil.copy(large / "model.safetensors", blob)
    snapshots = [shutil.copytree(large, tmp_path / name) for name in ("one", "two")]
    for folder in snapshots:
        (folder / "model.safetensors").unlink()
        (folder / "model.safetensors").symlink_to("../blobs/abc")
    assert fingerprint(snapshots[0]) == fingerprint(snapshots[1]) == fingerprint(large)
    places = [json.loads(memo.read_bytes())["path"] for memo in memos(tmp_path / "cache")]
    assert sorted(places) == sorted([str(blob), str(large / "model.safetensors")])
    swap(blob, blob.stat().st_size - 8, blob.stat().st_size - 4, 4)
    assert fingerprint(snapshots[0]) != fingerprint(large)


def test_a_cache_that_cannot_be_written_is_done_without(large, tmp_path, monkeypatch, old_files):
    true = fingerprint(large)
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("GENDERSCOPE_CACHE", str(tmp_path / "file"))
    assert fingerprint(large) == true


def test_many_may_hash_and_remember_at_once(large, own_cache, tmp_path, old_files):
    file = large / "model.safetensors"
    with ThreadPoolExecutor(8) as threads:
        found = set(threads.map(lambda _: contents_of([file], large, rehash=True).sha256, range(16)))
    assert len(found) == 1
    [memo] = memos(tmp_path / "cache")
    assert json.loads(memo.read_bytes())["path"] == str(file)
    assert not list(memo.parent.glob(".*"))
