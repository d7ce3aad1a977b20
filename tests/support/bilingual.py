"""A model that knows two languages."""

from genderscope.core.errors import UserError
from genderscope.models import Translator


class Bilingual(Translator):
    """Translates into Slovak and Czech, and wants to be paid for it."""

    announces_cost = True
    fingerprint = "bilingual"

    def __init__(self):
        super().__init__("bilingual")
        self.told = []

    def describe(self):
        return {"name": self.name, "fingerprint": self.fingerprint}

    def check(self, source, target):
        if target not in {"sk", "cs"}:
            raise UserError(f"not into {target}")

    def announce(self, questions):
        self.told.append(len(questions))

    def translate(self, texts, source, target):
        return ["Bol som tam." for _ in texts]
