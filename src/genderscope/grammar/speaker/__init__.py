"""The speaker's gender in eighteen languages: one file per language over shared machinery."""
