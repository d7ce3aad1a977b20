"""GEST on pairs of sentences in Slavic languages."""
