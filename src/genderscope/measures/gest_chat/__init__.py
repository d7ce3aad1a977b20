"""GEST asked of chat models: by answer, by letter, by what they write."""
