"""Where a run is kept: its folder, its journal, its signature."""
