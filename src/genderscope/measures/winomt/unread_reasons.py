"""Why a person's gender could not be determined."""

NOT_FOUND = "person not found"
NO_GENDER = "no gender shown"
OTHER_SENTENCE = "translation of another sentence"
