"""Forms that offer both genders, such as “cansado/a”, “fatigué·e”, “Lehrer*in” or “устал или устала”.

`both_forms(language).find(text)` returns where they are and what their masculine and feminine forms are. Readers do not
interpret the signs: they read the text once with all masculine and once with all feminine forms (`variants`). A form
counts only if the two readings differ, so a slash between words that show no gender, or the same one, changes nothing.
"""

from genderscope.grammar.both_forms.finder import both_forms as both_forms
from genderscope.grammar.both_forms.variants import (
    BothForm as BothForm,
    Variant as Variant,
    alternatives as alternatives,
    variants as variants,
)
