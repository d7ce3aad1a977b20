"""The speaker's gender in texts with forms for both genders, such as “Estoy cansado/a”."""

from collections.abc import Callable
from dataclasses import replace

from genderscope.grammar.both_forms import BothForm, Variant, both_forms, variants
from genderscope.grammar.reading import BOTH_FORMS, Evidence, Gender, Reading, weigh

LOOSE = 1  # evidence of this weight in one variant only is about somebody else: “мой друг сказал(а)”


def read_both_forms(text: str, read: Callable[[str], Reading], language: str) -> Reading:
    """Read a text in its masculine and feminine variant: words that differ show no gender, and others decide."""
    forms = both_forms(language).find(text)
    if not forms:
        return read(text)
    masculine, feminine = (_Evidence(text, variant, read(variant.text)) for variant in variants(text, forms))
    evidence = list(masculine.plain & feminine.plain)
    for form in forms:
        genders = masculine.genders(form), feminine.genders(form)
        if genders[0] != genders[1] and (all(genders) or masculine.strength(form) + feminine.strength(form) > LOOSE):
            evidence.append(Evidence(text[form.start : form.end], form.start, form.end, None, BOTH_FORMS, 0))
        elif all(genders):
            evidence += masculine.by_form.get(form, ())
    return weigh(evidence)


class _Evidence:
    """Evidence in a variant, with offsets in the original text: outside of forms for both genders, and by form."""

    def __init__(self, text: str, variant: Variant, reading: Reading) -> None:
        self.plain: set[Evidence] = set()
        self.by_form: dict[BothForm, list[Evidence]] = {}
        for evidence in reading.evidence:
            start, end = variant.original(evidence.start, evidence.end)
            form = variant.form_at(evidence.start, evidence.end)
            item = replace(evidence, word=text[start:end], start=start, end=end)
            if form is None:
                self.plain.add(item)
            else:
                self.by_form.setdefault(form, []).append(item)

    def genders(self, form: BothForm) -> set[Gender | None]:
        """Return the genders that a form shows in this variant."""
        return {item.gender for item in self.by_form.get(form, ())}

    def strength(self, form: BothForm) -> int:
        """Return the weight of the strongest evidence from a form, 0 if there is none."""
        return max((item.weight for item in self.by_form.get(form, ())), default=0)
