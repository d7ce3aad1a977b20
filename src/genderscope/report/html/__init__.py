"""HTML pages, each a single file that works offline."""
