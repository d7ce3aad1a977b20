"""WinoMT: sentences about two people, one of whom a pronoun refers to."""

__all__ = ["own_sentences", "released_sentences", "sentence"]
