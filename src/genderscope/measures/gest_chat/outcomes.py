"""What an answer can come to."""

FEMALE, MALE, NEITHER = "female", "male", "neither"
OPTIONS = (FEMALE, MALE, NEITHER)
