"""Detection of the speaker's gender: one data file per language, interpreted by one of three readers."""
