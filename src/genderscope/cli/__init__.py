"""The command line: the app, one file per group of commands."""
