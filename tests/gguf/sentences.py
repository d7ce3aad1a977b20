"""Sentences of many scripts, made up from words, that try a tokenizer's every rule."""

import random

WORDS = {
    "latin": "the teacher never arrived late because our neighbours' children don't sleep I'm we'll THEY'VE she'd it's",
    "mixed case": "iPhone camelCase HTTPServer parseJSON2 McDonald snake_case kebab-case eBay ÉcoleNormale",
    "accents": "čučoriedky žltý kôň déjà naïve façade größer Übermut señora ação Łódź İstanbul ığdır Ǆemper ﬁne straße",
    "cyrillic": "учительница никогда не опаздывала він вона їхній Єва ђак џем быў ЁЛКА",
    "greek": "ἡ δασκάλα δεν άργησε ποτέ Ὀδυσσεύς ΣΊΣΥΦΟΣ",
    "arabic": "المعلمة لم تتأخر أبدًا ۱۲۳ کتاب الـشمس",
    "hebrew": "המורה אף פעם לא איחרה שָׁלוֹם",
    "indic": "शिक्षिका कभी देर से नहीं आई தமிழ் బడి ক্ষমা १२३",
    "thai": "ครูไม่เคยมาสาย เด็กๆ ภาษาไทย",
    "cjk": "老师从来不迟到 彼女は先生です カタカナ 漢字かな ｶﾀｶﾅ 선생님은 한국어 ㄱㄴㄷ 𠮷野家",
    "numbers": "7 42 1984 12345 1234567 3.14 1,000,000 ½ ² Ⅷ ٣٤٥ ０１２ 2nd 10-20 €99.90 50% №5",
    "signs": "... !!! ?! «quoted» “curly” „low“ — – - // == != => &amp; #tag @name $5 ^~`| <b> </s> \\n {x} [y] (z) ()",
    "emoji": "😀 👩‍🏫 👨‍👩‍👧 🏳️‍🌈 🇸🇰🇨🇿 👍🏽 ❤️ ☕ 𝒳𝓎 𝟘𝟙 ♀ ♂ ‍ \ufffd \ue000 \u0301 e\u0301",
    "marks": "▁ ▁he <0x41> <unk> <s> <|im_end|> <bos> [PAD] ##ing Ġ Ċ",
}
RARE_GAPS = [
    "  ", "   ", "\n", "\n\n", "\t", " \n", "\r\n", "\u00a0", "\u3000", ", ", ". ", "", "'", "\u200b", " \t ",
    "\n \n",
]  # fmt: skip
GAPS = [" "] * 12 + RARE_GAPS
EDGES = [""] * 8 + [" ", "  ", "\n", "\t", '"', "'", " \n "]


def sentences(number: int, seed: int = 0) -> list[str]:
    """Return so many texts; each has words of one to three scripts."""
    chosen = random.Random(seed)
    kinds = {name: words.split(" ") for name, words in WORDS.items()}
    texts = []
    for _ in range(number):
        words = [word for kind in chosen.sample(sorted(kinds), chosen.randint(1, 3)) for word in kinds[kind]]
        text = chosen.choice(EDGES)
        for _ in range(chosen.randint(1, 14)):
            text += chosen.choice(words) + chosen.choice(GAPS)
        texts.append(text + chosen.choice(EDGES))
    return texts
