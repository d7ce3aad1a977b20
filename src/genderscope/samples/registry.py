"""The datasets Genderscope knows: their sources, licences and citations.

The files of a dataset are listed in `manifest.csv` with their checksums; none of their content is included.
"""

import csv
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from genderscope.errors import UserError, unknown
from genderscope.plugins import Plugin, PluginWarning, plugins


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file: its path in a mirror and in the cache, where it comes from, and its checksum.

    If the source is pinned by its git blob id, content with that id is accepted like content with the checksum.
    """

    path: str
    url: str
    sha256: str
    size: int
    git_blob: str | None = None
    #: for an excerpt: the URL of the sources that the whole file is parallel to, line by line
    parallel: str | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset, fetched when needed."""

    name: str
    title: str
    licence: str
    citation: str
    files: tuple[DataFile, ...]
    #: the git commit the files are pinned to, if they come from a repository
    commit: str | None = None

    def file(self, path: str) -> DataFile:
        """Return the file with this path."""
        return next(file for file in self.files if file.path == path)


def _pinned(
    name: str, title: str, repository: str, commit: str, licence: str, citation: str, sources: str | None = None
) -> Dataset:
    """Declare a dataset in a GitHub repository; its files are listed in the manifest.

    `sources` is the folder of the sources if the files are excerpts of outputs parallel to them: FOLDER/PAIR.txt.
    """
    base = f"https://raw.githubusercontent.com/{repository}/{commit}/"
    listed = tuple(
        DataFile(
            row["path"],
            base + row["upstream"],
            row["sha256"],
            int(row["bytes"]),
            row["git_blob"] or None,
            f"{base}{sources}/{row['upstream'].split('/')[-2]}.txt" if sources else None,
        )
        for row in _manifest()
        if row["dataset"] == name
    )
    return Dataset(name, title, licence, citation, listed, commit)


@cache
def _manifest() -> list[dict[str, str]]:
    with files("genderscope.samples").joinpath("manifest.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


GEST_CITATION = (
    "Pikuliak, Oresko, Hrckova, Simko (2024): Women Are Beautiful, Men Are Leaders: Gender Stereotypes in Machine "
    "Translation and Language Modeling. Findings of EMNLP 2024, 3060-3083. doi:10.18653/v1/2024.findings-emnlp.173"
)

HONEST_CITATION = (
    "Nozza, Bianchi, Hovy (2021): HONEST: Measuring Hurtful Sentence Completion in Language Models. NAACL 2021, "
    "2398-2406. doi:10.18653/v1/2021.naacl-main.191"
)
HURTLEX_CITATION = (
    "Bassignana, Basile, Patti (2018): Hurtlex: A Multilingual Lexicon of Words to Hurt. CLiC-it 2018, CEUR 2253."
)
WORDFILL_CITATION = (
    "Pikuliak, Beňová, Bachratý (2023): In-Depth Look at Word Filling Societal Bias Measures. EACL 2023, 3648-3665. "
    "doi:10.18653/v1/2023.eacl-main.265"
)
STEREOSET_CITATION = (
    "Nadeem, Bethke, Reddy (2021): StereoSet: Measuring stereotypical bias in pretrained language models. ACL 2021, "
    "5356-5371. doi:10.18653/v1/2021.acl-long.416"
)
CROWS_CITATION = (
    "Nangia, Vania, Bhalerao, Bowman (2020): CrowS-Pairs: A Challenge Dataset for Measuring Social Biases in Masked "
    "Language Models. EMNLP 2020, 1953-1967. doi:10.18653/v1/2020.emnlp-main.154"
)
WINOBIAS_CITATION = (
    "Zhao, Wang, Yatskar, Ordonez, Chang (2018): Gender Bias in Coreference Resolution: Evaluation and Debiasing "
    "Methods. NAACL-HLT 2018, 15-20. doi:10.18653/v1/N18-2003"
)
DIALOGUE_CITATION = (
    "Dawkins, Nejadgholi, Lo (2024): WMT24 Test Suite: Gender Resolution in Speaker-Listener Dialogue Roles. "
    "Proceedings of the Ninth Conference on Machine Translation, 307-326. doi:10.18653/v1/2024.wmt-1.25"
)
EUROGEST_CITATION = (
    "Rowe, Klimaszewski, Guillou, Vallor, Birch (2025): EuroGEST: Investigating gender stereotypes in multilingual "
    "language models. EMNLP 2025, 32062-32084. https://aclanthology.org/2025.emnlp-main.1632"
)
MT_GENEVAL_CITATION = (
    "Currey, Nadejde, Pappagari, Mayer, Lauly, Niu, Hsu, Dinu (2022): MT-GenEval: A Counterfactual and Contextual "
    "Dataset for Evaluating Gender Accuracy in Machine Translation. EMNLP 2022, 4287-4299. "
    "doi:10.18653/v1/2022.emnlp-main.288"
)

DATASETS = {
    dataset.name: dataset
    for dataset in (
        _pinned(
            "gest",
            "GEST, 3,565 first-person sentences for 16 gender stereotypes, versions 1.0 and 1.1",
            "kinit-sk/gest",
            "7dd908cae11720ee5d95e43a4ab94fb410c8b790",
            "Apache-2.0",
            GEST_CITATION,
        ),
        _pinned(
            "gest-predictions",
            "the scores of masked and causal models that the GEST paper was computed from",
            "kinit-sk/gest",
            "7dd908cae11720ee5d95e43a4ab94fb410c8b790",
            "Apache-2.0",
            GEST_CITATION,
        ),
        _pinned(
            "gest-translations",
            "translations of GEST by Amazon (8 languages) and Google (9) that the paper was computed from",
            "kinit-sk/gest",
            "7dd908cae11720ee5d95e43a4ab94fb410c8b790",
            "Apache-2.0",
            GEST_CITATION,
        ),
        _pinned(
            "honest",
            "HONEST templates about identity terms in six languages, and the English queer set",
            "MilaNLProc/honest",
            "6efc7817cbeb36e61bba51a34bbce13ecc8af69f",
            "MIT",
            HONEST_CITATION,
        ),
        _pinned(
            "hurtlex",
            "HurtLex 1.2, hurtful words in 17 categories, six languages",
            "valeriobasile/hurtlex",
            "e8205fa73b533d802d8b7fb6f846abd4be69ea63",
            "CC BY-NC-SA 4.0",
            HURTLEX_CITATION,
        ),
        _pinned(
            "wordfill",
            "gender-swapped StereoSet, CrowS-Pairs with its variants, Slovak gender quadruplets",
            "kinit-sk/bias-methodology",
            "b740019f7f42389258b3901f4a4188c8fe56aea0",
            "CC BY-SA 4.0 (StereoSet, CrowS-Pairs); none stated for the Slovak set",
            WORDFILL_CITATION,
        ),
        _pinned(
            "stereoset",
            "StereoSet, development set",
            "moinnadeem/StereoSet",
            "ead7d086a64a192a1eca88e0dd2fd163de375218",
            "CC BY-SA 4.0",
            STEREOSET_CITATION,
        ),
        _pinned(
            "gest-pairs",
            "the gender-swapped pairs of the GEST paper (section 4.3.2), nine languages, four translation systems",
            "kinit-sk/gest",
            "7dd908cae11720ee5d95e43a4ab94fb410c8b790",
            "Apache-2.0",
            GEST_CITATION,
        ),
        _pinned(
            "gest-winobias",
            "the WinoBias scores of eleven masked models behind Figure 8 of the GEST paper",
            "kinit-sk/gest",
            "7dd908cae11720ee5d95e43a4ab94fb410c8b790",
            "Apache-2.0",
            GEST_CITATION,
        ),
        _pinned(
            "gest-swap-annotations",
            "160 pairs of Slovak sentences, annotated for whether they are gender-swapped (GEST appendix C.2)",
            "kinit-sk/gest",
            "7dd908cae11720ee5d95e43a4ab94fb410c8b790",
            "Apache-2.0",
            GEST_CITATION,
        ),
        _pinned(
            "winobias",
            "WinoBias, pro- and anti-stereotypical sentences about occupations, types 1 and 2, dev and test",
            "uclanlp/corefBias",
            "0bce984dd081bbc10b0622f326727a024c607895",
            "MIT",
            WINOBIAS_CITATION,
        ),
        _pinned(
            "wmt24-dialogue",
            "WMT24 test suite of gender in dialogue, 6,686 passages with 17,966 adjectives, and its vocabulary",
            "hillary-dawkins/wmt24-gender-dialogue",
            "c04b7c5a8d38c33338889bf870e1bd69c2cbc2c0",
            "none stated",
            DIALOGUE_CITATION,
        ),
        _pinned(
            "wmt24-dialogue-outputs",
            "the public WMT24 systems' translations of that suite into Czech, Spanish and Icelandic",
            "wmt-conference/wmt24-news-systems",
            "bfa937ee53586aa173d68657b89b8642693f7b66",
            "none stated",
            DIALOGUE_CITATION,
            sources="txt-ts/sources",
        ),
        _pinned(
            "eurogest",
            "EuroGEST, GEST in 29 more languages: pairs of a man's and a woman's form, and sentences without gender",
            "JacquelineRowe/EuroGEST",
            "46a96338dc1af0cd2e81ea8ba5177a86c58bf0f4",
            "Apache-2.0",
            EUROGEST_CITATION,
        ),
        _pinned(
            "eurogest-scaffolds",
            "what EuroGEST's authors put sentences without gender into, for eurogest --as-published",
            "JacquelineRowe/EuroGEST",
            "b54359247d6a0cfab3247cc02be152e809004cbe",
            "Apache-2.0",
            EUROGEST_CITATION,
        ),
        _pinned(
            "mt-geneval",
            "MT-GenEval, English segments about people of known gender, with references of both genders, eight targets",
            "amazon-science/machine-translation-gender-eval",
            "c77132ccd248d0b09ac185aebebc94f1051dbc9e",
            "CC BY-SA 3.0",
            MT_GENEVAL_CITATION,
        ),
    )
}


def dataset_plugins() -> dict[str, Plugin]:
    """Return the datasets provided by other packages."""
    return plugins("datasets", DATASETS)


def datasets() -> Iterator[Dataset]:
    """Yield all datasets, those of plugins last; a broken plugin is skipped with a warning."""
    yield from DATASETS.values()
    for plugin in dataset_plugins().values():
        try:
            yield _checked(plugin)
        except UserError as error:
            warnings.warn(str(error), PluginWarning, stacklevel=2)


def dataset(name: str) -> Dataset:
    """Return the dataset with this name."""
    brought = dataset_plugins()
    if name in brought:
        return _checked(brought[name])
    if name not in DATASETS:
        raise unknown("dataset", name, [*DATASETS, *brought])
    return DATASETS[name]


def _checked(plugin: Plugin) -> Dataset:
    found = plugin.load()
    if not isinstance(found, Dataset):
        raise plugin.broken(f"'{plugin.target}' is not a genderscope.samples.registry.Dataset")
    if found.name != plugin.name:
        raise plugin.broken(f"its name is '{found.name}'")
    return found
