"""Where questions are put to models: in this process, in several on this machine, or on a Ray cluster."""
