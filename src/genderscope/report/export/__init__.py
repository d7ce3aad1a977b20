"""Results as text and figures for papers and programs."""
