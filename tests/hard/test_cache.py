"""The cache of the grammar: damaged, read-only or built by two at once, it never changes a reading."""

import json
import multiprocessing
import os
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from genderscope.core.errors import UserError
from genderscope.core.user_cache import building, cache_folder
from genderscope.grammar.dictionaries.answer_cache import remembered
from genderscope.grammar.dictionaries.checksum import SIZE, with_checksum, without_checksum
from genderscope.grammar.dictionaries.lexicon import Lexicon, _cached, encode_lines

TRAITS = {f"slovo{k}": k % 31 + 1 for k in range(500)}


def traits_found(path):
    built = []

    def build():
        built.append(1)
        return encode_lines(TRAITS)

    lexicon = Lexicon(lambda: _cached(path, build))
    assert {form: lexicon.traits(form) for form in TRAITS} == TRAITS
    assert lexicon.traits("neznáme") == 0
    return bool(built)


def test_an_index_is_built_once_and_again_where_it_was_damaged(tmp_path):
    path = tmp_path / "grammar" / "index.tsv"
    assert traits_found(path)
    assert not traits_found(path)
    content = path.read_bytes()
    chance = random.Random(0)
    for _ in range(20):
        damaged = bytearray(content)
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        assert traits_found(path)
        assert path.read_bytes() == content
    for size in (0, 1, SIZE, len(content) // 2):
        path.write_bytes(content[:size])
        assert traits_found(path)


def test_without_a_writable_cache_the_index_stays_in_memory(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    assert traits_found(tmp_path / "file" / "index.tsv")


def _build(path, barrier, results):
    barrier.wait()
    results.put(traits_found(path))


def test_two_processes_that_build_one_index_agree(tmp_path):
    context = multiprocessing.get_context("spawn")
    path, barrier, results = tmp_path / "index.tsv", context.Barrier(4), context.Queue()
    workers = [context.Process(target=_build, args=(path, barrier, results)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    assert not traits_found(path)
    assert [p.name for p in tmp_path.glob("index*")] == ["index.tsv"]


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"slovo": "x"}', b"\xff\xfe", with_checksum(b"not json"), b"{" * 9000]
)
def test_a_damaged_memory_is_forgotten(tmp_path, content):
    path = tmp_path / "memory.json"
    path.write_bytes(content)
    assert remembered(len, path)("slovo") == 5


def test_a_memory_is_kept_whole_and_a_changed_digit_is_not_believed(tmp_path):
    path = tmp_path / "memory.json"
    path.write_bytes(with_checksum(json.dumps({"slovo": 77}).encode()))
    assert remembered(len, path)("slovo") == 77
    path.write_bytes(path.read_bytes().replace(b"77", b"78"))
    assert remembered(len, path)("slovo") == 5
    with pytest.raises(ValueError, match="has changed since it was written"):
        without_checksum(path.read_bytes())


#: Slovenian has the smallest dictionary
READ = "from genderscope.grammar import speaker_gender; print(speaker_gender('Včeraj sem kupila kruh.', 'sl').gender)"


def read_in_a_process(cache):
    return subprocess.Popen(
        [sys.executable, "-c", READ],
        env={**os.environ, "GENDERSCOPE_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.long
def test_two_runs_at_once_on_one_empty_cache_read_the_same(tmp_path):
    running = [read_in_a_process(tmp_path / "empty") for _ in range(2)]
    for process in running:
        out, err = process.communicate(timeout=120)
        assert (out.strip(), err) == ("feminine", "")
    left = [path.name for path in (tmp_path / "empty" / "grammar").iterdir()]
    assert len(left) == 1, left


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only a superuser can mount a disk")
def test_a_read_only_cache_is_used_as_it_is(tmp_path):
    cache = tmp_path / "read-only"
    cache.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", "ro,size=100k", "none", str(cache)]
    if subprocess.run(mounted, check=False, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        out, err = read_in_a_process(cache).communicate(timeout=120)
        assert (out.strip(), err) == ("feminine", "")
    finally:
        subprocess.run(["umount", str(cache)], check=True)
    assert cache_folder() != cache


def _convert(target, barrier, built):
    barrier.wait()
    with building(target):
        if not target.exists():
            built.put(os.getpid())
            time.sleep(0.2)  # long enough for the others to come, if nothing kept them
            target.mkdir()


@pytest.mark.long
def test_of_many_processes_one_builds_and_the_others_wait_for_it(tmp_path):
    context = multiprocessing.get_context("spawn")
    target, barrier, built = tmp_path / "gguf" / "model", context.Barrier(4), context.Queue()
    workers = [context.Process(target=_convert, args=(target, barrier, built)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    assert built.get(timeout=10)
    assert built.empty()


def test_a_lock_file_removed_the_moment_it_is_taken_is_made_again(tmp_path):
    def build(_):
        for _ in range(300):
            with building(tmp_path / "entries" / "one"):
                pass

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(build, range(4)))
    assert list((tmp_path / "entries").iterdir()) == []


def test_a_cache_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with (
        pytest.raises(UserError, match=r"Cannot write to the cache folder .*; set GENDERSCOPE_CACHE"),
        building(tmp_path / "file" / "x"),
    ):
        pass
