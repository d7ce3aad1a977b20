"""Reading the speaker's gender: one data file per language, read by one of three readers."""
