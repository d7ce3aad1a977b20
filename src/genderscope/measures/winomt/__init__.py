"""WinoMT: gender of people named by their occupation in machine translation."""
