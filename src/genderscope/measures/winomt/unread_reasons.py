"""Why a person's gender could not be determined."""

NOT_FOUND = "person not found"
NO_GENDER = "no gender shown"
WRONG_LANGUAGE = "wrong language or script"
OTHER_SENTENCE = "translation of another sentence"
