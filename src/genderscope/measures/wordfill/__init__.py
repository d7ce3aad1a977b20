"""Shared code of the word-filling measures (StereoSet, CrowS-Pairs and Slovak quadruplets)."""
