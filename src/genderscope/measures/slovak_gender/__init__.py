"""Slovak quadruplets with control groups."""
