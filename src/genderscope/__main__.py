"""`python -m genderscope` is the command line."""

from genderscope.cli import main

main()
