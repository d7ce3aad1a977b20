"""Where questions are put to models: on this machine."""
