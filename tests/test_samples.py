"""Samples: the starter set, own files, and datasets from mirror, cache and network."""

import csv
import gzip
import hashlib
import http.server
import re
import threading
from collections import Counter

import pytest

from genderscope.core.errors import UserError
from genderscope.samples import fetch
from genderscope.samples.gest import STEREOTYPES, load
from genderscope.samples.registry import DATASETS, DataFile, dataset
from genderscope.samples.subsampling import by_stratum, evenly

GENDERED = re.compile(
    r"\b(he|she|him|her|hers|his|himself|herself|man|men|woman|women|boy|boys|girl|girls|male|female|lady|ladies|guy|guys|"
    r"gentleman|gentlemen|mother|father|mom|mum|dad|son|daughter|brother|sister|husband|wife|boyfriend|girlfriend|uncle|"
    r"aunt|king|queen|prince|princess|actor|actress|waiter|waitress|bride|groom|widow|widower|sir|madam|mister|miss)\b",
    re.IGNORECASE,
)


def words(sentence):
    return re.findall(r"[a-z']+", sentence.lower())


def test_the_starter_set_has_at_least_twelve_sentences_for_each_stereotype():
    counts = Counter(sample.stereotype for sample in load("starter").samples)
    assert set(counts) == set(STEREOTYPES)
    assert min(counts.values()) >= 12


def test_every_starter_sentence_speaks_in_the_first_person_and_names_no_gender():
    sentences = [sample.sentence for sample in load("starter").samples]
    assert [s for s in sentences if GENDERED.search(s)] == []
    assert [s for s in sentences if "I" not in re.findall(r"\b\w+\b", s)] == []
    assert [s for s in sentences if s[-1] not in ".!?"] == []


def test_the_starter_set_varies():
    sentences = [sample.sentence for sample in load("starter").samples]
    assert len(set(sentences)) == len(sentences)
    assert sum(not s.startswith("I ") for s in sentences) > len(sentences) / 4
    lengths = [len(words(s)) for s in sentences]
    assert min(lengths) <= 6
    assert max(lengths) >= 18


@pytest.mark.long
def test_no_starter_sentence_is_like_a_gest_sentence(mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    theirs = {frozenset(words(s.sentence)) for version in ("1.0", "1.1") for s in load(None, version).samples}
    for sample in load("starter").samples:
        ours = frozenset(words(sample.sentence))
        nearest = max(len(ours & other) / len(ours | other) for other in theirs)
        assert nearest <= 0.6, sample.sentence


def test_gest_is_read_from_the_mirror_in_both_versions(mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    old, new = load(None, "1.0"), load(None, "1.1")
    assert len(old.samples) == len(new.samples) == 3565
    changed = [(a, b) for a, b in zip(old.samples, new.samples, strict=True) if a.sentence != b.sentence]
    assert len(changed) == 244
    assert all(a.stereotype == b.stereotype for a, b in changed)


def test_a_limit_keeps_every_stereotype():
    kept = load("starter").limited(32)
    assert len(kept.samples) == 32
    assert {s.stereotype for s in kept.samples} == set(STEREOTYPES)


@pytest.mark.parametrize("limit", [16, 40, 100, 255])
def test_a_limit_takes_the_same_number_of_every_stereotype(limit):
    counts = Counter(s.stereotype for s in load("starter").limited(limit).samples)
    assert counts.total() == limit
    assert max(counts.values()) - min(counts.values()) <= 1


def test_a_small_stereotype_gives_all_it_has_and_the_others_share_the_rest():
    items = ["a"] * 3 + ["b"] * 50 + ["c"] * 50
    assert Counter(by_stratum(items, 43, str, equal=True)) == {"a": 3, "b": 20, "c": 20}
    assert Counter(by_stratum(items, 51, str)) == pytest.approx({"a": 1.5, "b": 24.75, "c": 24.75}, abs=1)


def test_strata_that_repeat_one_series_cover_all_of_it():
    crossed = [(term, pattern) for term in "abcdefgh" for pattern in range(6)]
    kept = by_stratum(crossed, 16, lambda pair: pair[0])
    assert Counter(term for term, _ in kept) == dict.fromkeys("abcdefgh", 2)
    assert {pattern for _, pattern in kept} == set(range(6))


def write(tmp_path, content):
    path = tmp_path / "own.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("text,stereotype\nI cried.,1\n", r"has no column sentence .its columns: text, stereotype"),
        ("sentence,stereotype\nI cried.,1\nI led.,17\n", r"line 3: the stereotype is '17'; it must be a whole number"),
        ("sentence,stereotype\nI cried.,one\n", r"line 2: the stereotype is 'one'"),
        ("sentence,stereotype\n  ,1\n", r"line 2: the sentence is empty"),
        ("sentence,stereotype\n", r"has no samples below its header"),
        ("", r"has no column sentence or stereotype .its columns: none"),
        (b"sentence,stereotype\nI cried.,1\nI \xff led.,2\n", r"line 3: the text is not UTF-8"),
    ],
)
def test_a_bad_file_gets_one_sentence_with_the_line(tmp_path, content, complaint):
    with pytest.raises(UserError, match=complaint):
        load(write(tmp_path, content))


def test_a_good_file_may_have_a_byte_order_mark_quotes_and_more_columns(tmp_path):
    content = '\ufeffid,sentence,stereotype\r\n7,"I cried, then left.",1\r\n8,I led.,13\r\n'
    samples = load(write(tmp_path, content)).samples
    assert [(s.sentence, s.stereotype) for s in samples] == [("I cried, then left.", 1), ("I led.", 13)]


def test_every_dataset_is_pinned():
    for each in DATASETS.values():
        # may be abbreviated, or missing for a package: the checksums pin the files
        assert each.commit is None or re.fullmatch(r"[0-9a-f]{7,40}", each.commit)
        assert each.licence
        assert each.citation
        assert each.files
        for file in each.files:
            assert re.fullmatch(r"[0-9a-f]{64}", file.sha256) or re.fullmatch(r"[0-9a-f]{40}", file.git_blob)
            # A package's file has its checksum in its URL's place.
            assert (each.commit or "https://files.pythonhosted.org/packages/") in file.url


CONTENT = b"sentence,stereotype\nI cried.,1\n"


def data_file(url="http://127.0.0.1:9/none.csv", content=CONTENT):
    return DataFile("own/file.csv", url, hashlib.sha256(content).hexdigest(), len(content))


@pytest.fixture
def server(tmp_path):
    """A real web server on this machine that serves what the test puts into its folder."""
    root = tmp_path / "served"
    root.mkdir()

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=str(root))

        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as service:
        threading.Thread(target=service.serve_forever, daemon=True).start()
        yield root, f"http://127.0.0.1:{service.server_port}/file.csv"
        service.shutdown()


def test_a_file_is_downloaded_once_verified_and_then_read_from_the_cache(server):
    root, url = server
    (root / "file.csv").write_bytes(CONTENT)
    assert fetch.read(data_file(url)) == CONTENT
    (root / "file.csv").unlink()
    assert fetch.read(data_file(url)) == CONTENT


def test_a_download_with_a_wrong_checksum_is_kept_aside_and_not_used(server):
    root, url = server
    (root / "file.csv").write_bytes(b"something else")
    for _ in range(2):
        with pytest.raises(UserError, match=r"file\.csv\.rejected' has the wrong checksum .* was not used"):
            fetch.read(data_file(url))
    assert fetch.locate(data_file(url)) is None


def test_without_network_and_mirror_both_ways_to_the_data_are_named():
    with pytest.raises(UserError, match="try again online, or put the file into a folder and set GENDERSCOPE_MIRROR"):
        fetch.read(data_file())


def test_a_mirror_may_hold_gzipped_files(tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    with gzip.open(tmp_path / "own" / "file.csv.gz", "wb") as stream:
        stream.write(CONTENT)
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(tmp_path))
    assert fetch.read(data_file()) == CONTENT


def test_a_mirror_file_with_a_wrong_checksum_is_not_used(tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "file.csv").write_bytes(b"something else")
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(tmp_path))
    with pytest.raises(UserError, match="was not used"):
        fetch.read(data_file())


def test_a_mirror_that_is_not_there_is_said_so(monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", "/nowhere/at/all")
    with pytest.raises(UserError, match="'/nowhere/at/all', which is not a folder"):
        fetch.read(data_file())


def test_the_whole_mirror_verifies(mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    assert all(good for _, _, good in fetch.verify(dataset("gest")))


def test_the_manifest_lists_no_file_twice():
    from importlib.resources import files

    with files("genderscope.samples").joinpath("manifest.csv").open(encoding="utf-8") as file:
        paths = [row["path"] for row in csv.DictReader(file)]
    assert len(set(paths)) == len(paths)


def test_a_limit_takes_samples_from_the_whole_set():
    assert evenly("abcdefghij", 4) == ("a", "c", "f", "h")
    assert evenly("abc", 3) == evenly("abc", 4) == evenly("abc", 9) == evenly("abc", None) == ("a", "b", "c")
    for count, equal, of_second in ((5, False, 2), (4, True, 2), (6, True, 3)):
        kept = by_stratum("abcdefABCD", count, str.isupper, equal)
        assert (len(kept), sum(map(str.isupper, kept))) == (count, of_second)
