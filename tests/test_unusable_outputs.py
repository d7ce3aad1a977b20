"""Outputs that are no translations earn nothing: other languages and repeated refusals."""

import numpy as np
import pandas as pd

from genderscope.grammar import foreign_texts
from genderscope.measures.outcome_tables import REPEATED, usable

ITALIAN = [
    "Non so che cosa è successo alla mia bicicletta.",
    "Questa sera siamo andati al cinema con gli amici.",
    "Il libro che mi hai dato è molto interessante.",
    "Quando sono arrivato a casa non c'era nessuno.",
    "La signora della porta accanto ha un gatto nero.",
    "Ho detto che non volevo più lavorare con loro.",
]
PORTUGUESE = [
    "Não sei o que aconteceu com a minha bicicleta.",
    "Esta noite nós fomos ao cinema com os amigos.",
    "O livro que você me deu é muito interessante.",
    "Quando eu cheguei em casa não havia ninguém lá.",
    "A senhora da casa ao lado tem um gato preto.",
    "Eu disse que não queria mais trabalhar com eles.",
]


def test_texts_in_another_language_are_found_one_by_one():
    mixed = [text for pair in zip(ITALIAN, PORTUGUESE, strict=True) for text in pair]
    assert foreign_texts(mixed, "it") == [False, True] * 6
    assert foreign_texts(mixed, "pt") == [True, False] * 6
    assert not any(foreign_texts(ITALIAN, "it"))


def test_a_single_text_is_not_enough_and_unknown_languages_are_never_foreign():
    assert not any(foreign_texts([*ITALIAN, PORTUGUESE[0]], "it"))
    assert foreign_texts(PORTUGUESE, "tlh") == [False] * 6
    assert foreign_texts(["", "!?"], "it") == [False, False]


def rows(texts, **more):
    sources = [f"Sentence number {k}." for k in range(len(texts))]
    return pd.DataFrame({"source": sources, "translation": texts, "language": "it", "unread": None} | more)


def test_a_refusal_for_many_sources_is_no_translation_but_a_repeated_gender_is():
    refusal = "Mi dispiace, non posso tradurre questa frase."
    table = rows([*ITALIAN, *[refusal] * REPEATED])
    shown = pd.Series(False, index=table.index)
    assert list(usable(table, "source", shown)) == [1.0] * 6 + [0.0] * REPEATED
    assert list(usable(table, "source", ~shown)) == [1.0] * (6 + REPEATED)
    fewer = table.iloc[:-1]
    assert list(usable(fewer, "source", shown[:-1])) == [1.0] * len(fewer)


def test_an_output_that_was_never_given_is_neither():
    table = rows([*ITALIAN[:2], None], unread=[None, "untranslated", "no translation was given"])
    found = usable(table, "source", pd.Series(False, index=table.index))
    assert list(found[:2]) == [1.0, 0.0]
    assert np.isnan(found[2])
