"""Published tables beside ours, on the terminal."""
