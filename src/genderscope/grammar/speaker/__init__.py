"""The speaker's gender in nine Slavic languages: one file per language over shared machinery."""
