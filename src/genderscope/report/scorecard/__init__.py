"""The scorecard: models × measures, for the terminal, as a page, and in the forms that papers and programs take."""
